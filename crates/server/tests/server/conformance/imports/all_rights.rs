//! Imports with all rights, for administrators who ask for them.

use super::many::{csv, ended};
use super::{Stock, parts, send};
use serde_json::json;
use spec::spec;
use testing::{Client, Engine, Subject};

/// Writes parts as the clerk does, with rights presets, and has the permission for all rights.
const KEEPER: &str = "\
role: keeper
system: [restApi, admin]
types:
  part:
    show: [{where: \"{=owner == 'keeper'}\", fields: [code, name, count, price, maker, above, owner]}]
    create: [{fields: [code, name, count, maker, above], preset: {owner: keeper}}]
    edit: [{where: \"{=owner == 'keeper'}\", fields: [name, count]}]
  maker:
    show: [{where: \"{=open}\", fields: [code, open]}]
";

/// A tenant with a keeper beside the clerk.
pub(super) struct Keepers {
    stock: Stock,
    keeper: Client,
}

impl Subject for Keepers {
    async fn on(engine: Engine) -> Self {
        let more = [
            ("roles/keeper.yaml", KEEPER),
            ("users/keeper.yaml", "user: keeper@acme.test\nname: Keeper\nroles: [keeper]\n"),
        ];
        let stock = Stock::with(engine, &more).await;
        let keeper = stock.server.client().with("key", &stock.server.key("keeper").await);
        Keepers { stock, keeper }
    }
}

#[spec("E-096")]
async fn an_import_with_all_rights_needs_the_permission(keepers: Keepers) {
    let Keepers { stock, keeper } = &keepers;
    let file = "code,owner,maker,secret\na,ada,bob,hidden\n";
    // Neither the owner, nor a maker that is not open, nor a secret is the keeper's to give.
    send(keeper, "run=1", "text/csv", file).await.is(403);
    let refused = send(&stock.clerk, "run=1&asAdmin=1", "text/csv", file).await.is(403);
    assert_eq!(refused.at("/code"), "permission_missing");
    let tried = send(keeper, "run=1&asAdmin=1&dryRun=1", "text/csv", file).await.is(200);
    assert_eq!([tried.at("/state"), tried.at("/result/created")], [json!("done"), json!(1)], "{}", tried.text);
    let done = send(keeper, "run=1&asAdmin=1", "text/csv", file).await.is(200);
    assert_eq!([done.at("/state"), done.at("/result/created")], [json!("done"), json!(1)], "{}", done.text);
    let expected = json!([{"code": "a", "owner": "ada", "maker": {"id": 2, "code": "bob"}, "secret": "hidden"}]);
    assert_eq!(parts(&stock.admin, "code,owner,maker.code,secret").await, expected);
    // The trial is not in the log.
    let log = stock.admin.get("/api/ext/v1/audit?event=import.elevated").await.is(200);
    assert_eq!(log.at("/items/0/details"), json!({"type": "part", "rows": 1}), "{}", log.text);
    assert!(log.at("/items/1").is_null(), "{}", log.text);
}

#[spec("E-096", "E-098")]
async fn a_job_with_all_rights_holds_them_to_its_end(keepers: Keepers) {
    let Keepers { stock, keeper } = &keepers;
    let _working = stock.server.work_jobs();
    let file = csv(1_500, |_| 1).replace("code,count,above", "code,count,name").replace('\n', ",ada\n");
    let file = file.replace("name,ada\n", "name,owner\n");
    let refused = send(&stock.clerk, "run=1&asAdmin=1", "text/csv", file.clone()).await.is(403);
    assert_eq!(refused.at("/code"), "permission_missing");
    let begun = send(keeper, "run=1&asAdmin=1", "text/csv", file).await.is(202);
    let done = ended(keeper, &begun.at("/id")).await;
    assert_eq!([&done["state"], &done["result"]["created"]], [&json!("done"), &json!(1_500)], "{done}");
    let others = "/api/ext/v1/collection/part?perPage=1&filters=%5B%7B%22property%22%3A%22owner%22%2C%22type%22%3A%22eq%22%2C%22param%22%3A%22ada%22%7D%5D";
    assert_eq!(stock.admin.get(others).await.is(200).at("/stats/total"), 1_500);
}
