//! A store of an earlier version gets the tables of the platform's own that it lacks.

use super::tenant::on_both;
use database::{Error, Name, Tx};

#[test]
fn a_store_of_an_earlier_version_gets_what_it_lacks() {
    on_both(|tenant| {
        tenant.apply("--- tenant.yaml\ntenant: acme\n");
        let before = tenant.tables();
        let lose = |tx: &mut Tx<'_>| -> Result<(), Error> {
            tx.drop_table(&Name::fixed("plinth_throttle"))?;
            tx.drop_column(&Name::fixed("plinth_key"), &Name::fixed("origin"))
        };
        tenant.store.write_blocking(lose).unwrap();
        tenant.execute("UPDATE %plinth_meta SET content = 'older' WHERE name = 'tables'");
        assert_ne!(tenant.tables(), before);
        tenant.open();
        assert_eq!(tenant.tables(), before);
    });
}
