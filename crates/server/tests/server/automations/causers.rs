//! Users who caused runs, and are gone when these are carried out.

use crate::automations::runs::{done, runs};
use platform::tenants::Settings;
use serde_json::json;
use spec::spec;
use testing::{Engine, Server};

const AUTOMATION: &str = "automation: one
on: {event: article.created}
do:
  - create: {type: memo, set: {text: \"{=name}\"}}
";

const MEMO: &str = "name: memo
properties:
  text: {kind: pString, validate: [{rule: \"{=user() == null}\", message: Nobody is there.}]}
  owner: {kind: pUser, default: \"{=user()}\"}
";

#[spec]
async fn a_run_of_a_user_who_is_gone_has_no_user(engine: Engine) {
    let bea = "user: bea@acme.test\nname: Bea\nroles: [admin]\n";
    let files = [("automations/one.yaml", AUTOMATION), ("types/memo.yaml", MEMO), ("users/bea.yaml", bea)];
    let settings = Settings { address_rate: None, ..Settings::default() };
    let server = Server::settled(engine, settings, Vec::new(), &files).await;
    let (admin, bea) = (server.admin(), server.client().with("key", &server.key("bea").await));
    let id = bea.get("app/user.current").await.is(200).at("/id");
    bea.create("article", json!({"name": "One"})).await;
    admin.delete(&format!("collection/user/{id}")).await.is(204);
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let memos = admin.get("collection/memo").await.is(200);
    assert_eq!((memos.at("/data/0/text"), memos.at("/data/0/owner")), (json!("One"), json!(null)));
}
