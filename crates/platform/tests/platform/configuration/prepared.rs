//! Models that are loaded once: for many stores, and for many jobs.

use super::files;
use super::tenant::on_both;
use model::types::Model;

use configuration::{Prepared, check};
use platform::tenants::Settings;
use std::sync::Arc;
use tenant::Tenant;

const FILES: &str = "\
--- tenant.yaml
tenant: acme
--- types/city.yaml
id: 100
name: city
properties:
  name: {id: 100, kind: pString}
--- automations/nightly.yaml
automation: nightly
on: {schedule: \"@daily\"}
do: [{stop: true}]
";

fn read(tenant: &Tenant) -> Arc<Model> {
    tenant.read_as_administrator(|_, context| Ok(Arc::clone(&context.model))).unwrap()
}

#[test]
fn a_prepared_model_is_that_of_its_files_alone() {
    on_both(|tenant| {
        tenant.apply(FILES);
        let prepared: Arc<Prepared> = Arc::new(check(&files(FILES)).unwrap().into());
        let open = || tenant.open_with(Settings { prepared: Some(Arc::clone(&prepared)), ..Settings::default() });
        let opened = open();
        assert!(Arc::ptr_eq(&read(&opened), prepared.model()));
        opened
            .write_as_administrator(|tx, context| automation::disable(tx, context, "nightly", "it is moved"))
            .unwrap();
        for opened in [&opened, &open()] {
            let model = read(opened);
            assert!(model.type_named("city").is_some() && !Arc::ptr_eq(&model, prepared.model()));
        }
        opened.write_as_administrator(|tx, context| automation::enable(tx, context, "nightly")).unwrap();
        assert!(Arc::ptr_eq(&read(&opened), prepared.model()));
        tenant.apply(&FILES.replace("  name: {id", "  size: {id: 101, kind: pString}\n  name: {id"));
        for opened in [opened, open()] {
            assert_eq!(read(&opened).type_named("city").unwrap().properties().len(), 2);
        }
        assert_eq!(prepared.model().type_named("city").unwrap().properties().len(), 1);
    });
}

#[test]
fn a_tenant_to_which_nobody_but_the_platform_writes_loads_its_model_once() {
    on_both(|tenant| {
        tenant.apply(FILES);
        let opened = tenant.open();
        let write = || opened.write_as_administrator(|_, context| Ok(Arc::clone(&context.model))).unwrap();
        let first = write();
        assert!(Arc::ptr_eq(&first, &write()));
        assert!(Arc::ptr_eq(&first, &read(&opened)));
        let undone: model::error::Result<()> = opened.write_as_administrator(|tx, context| {
            automation::disable(tx, context, "nightly", "it is moved")?;
            Err(model::error::Error::failed("changed my mind"))
        });
        assert!(undone.is_err() && Arc::ptr_eq(&first, &write()));
    });
}
