//! The examples of `docs/automations.md`, carried out.

use crate::automations::http::header;
use crate::automations::runs::{done, runs};
use context::secret_store::{NewSecret, SecretKind};
use platform::tenants::Settings;
use serde_json::json;
use spec::spec;
use testing::{Engine, Server, SmsGateway};

const DOCUMENT: &str = include_str!("../../../../../docs/automations.md");

const COMPANY: &str = "name: company\ntitleProperty: name\nproperties:\n  name: {kind: pString}\n  users: {kind: pRelations, type: user, onDelete: setNull}\n";
const INVOICE: &str = "name: invoice\nproperties:
  number: {kind: pAutonumber, pattern: \"INV-{#####}\"}
  status: {kind: pEnum, default: new, options: {new: {title: New}, paid: {title: Paid}}}
  net: {kind: pDecimal, scale: 2}
  customer: {kind: pRelation, type: company}
  reference: {kind: pString}
";

/// The examples in YAML, in order.
fn examples() -> Vec<&'static str> {
    DOCUMENT.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[spec]
async fn the_examples_do_what_is_said_of_them(engine: Engine) {
    let erp = SmsGateway::start().await;
    erp.says("201 Made", "{\"reference\": \"E-17\"}");
    let [paid, .., request] = examples()[..] else { panic!("there are two examples") };
    let steps: String = request.lines().map(|line| format!("  {line}\n")).collect();
    let created = format!("automation: sent\non: {{event: invoice.created}}\ndo:\n{steps}");
    let environment = format!("ERP_URL: \"{}\"\n", erp.url(""));
    let files = [
        ("types/company.yaml", COMPANY),
        ("types/invoice.yaml", INVOICE),
        ("env.yaml", environment.as_str()),
        ("automations/paid.yaml", paid),
        ("automations/sent.yaml", created.as_str()),
    ];
    let own = vec![("outgoing.allow_private", "true")];
    let server = Server::settled(engine, Settings { address_rate: None, ..Settings::default() }, own, &files).await;
    let secret = NewSecret { name: "erp".into(), title: None, kind: SecretKind::String, value: "tiger-4711".into() };
    server.elevated(move |tx, context| context::secret_store::set(tx, context, &secret).map(drop)).await.unwrap();
    let admin = server.admin();
    admin.create("company", json!({"name": "ACME", "users": [server.user("admin").await]})).await;
    admin.create("invoice", json!({"net": 1500, "customer": 1})).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    admin.patch("collection/invoice/1", json!({"status": "paid"})).await.is(200);
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let title = admin.get("collection/notifications").await.is(200).at("/items/0/title");
    assert_eq!(title, "Invoice INV-00001 was paid");
    assert_eq!(admin.get("collection/invoice/1").await.is(200).at("/reference"), "E-17");
    let requests = erp.requests();
    assert!(requests[0].starts_with("POST /invoices ") && requests[0].contains("{\"name\":\"ACME\"}"), "{requests:?}");
    assert!(requests[1].starts_with("POST /paid "), "{requests:?}");
    assert!(requests.iter().all(|request| header(request, "authorization") == "Bearer tiger-4711"));
}
