//! `env.yaml`: what `env()` gives, and what a change of it does.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, File, Server};

const ENV: &str = "RATE: \"0.20\"\nGREETING: Hello\nLEAST: \"5\"\n";

const TYPE: &str = r#"
id: 41
name: sale
properties:
  net:     {id: 410, kind: pDecimal, scale: 2}
  note:    {id: 411, kind: pString, default: "{=env('GREETING')}"}
  vat:     {id: 412, kind: pDecimal, scale: 2, calculate: "{=net * toFloat(env('RATE'))}"}
  shown:   {id: 413, kind: pCalculated, calculate: "{=env('GREETING') ~ '!'}"}
  process: {id: 414, kind: pCalculated, calculate: "{=[env('PATH'), env('DATABASE_URL'), env('PLINTH_TEST')]}"}
  named:   {id: 415, kind: pCalculated, calculate: "{=env('GREE' ~ 'TING')}"}
"#;

const FILES: [File<'static>; 3] = [
    ("env.yaml", ENV),
    ("types/sale.yaml", TYPE),
    (
        "queries/sales.yaml",
        "query: sales\ntype: sale\nparams: {least: {kind: pDecimal, scale: 2, default: \"{=env('LEAST')}\"}}\nfilters: [{property: net, type: gte, param: {$param: least}}]\norderBy: net\n",
    ),
];

async fn shown(client: &Client) -> Json {
    client.get("collection/sale/1?showFields=note,vat,shown,process,named").await.is(200).json()
}

#[spec("R-326", "R-428")]
async fn env_gives_the_texts_of_the_tenant(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    for net in [10, 3] {
        admin.create("sale", json!({"net": net})).await;
    }
    let first = shown(&admin).await;
    assert_eq!((&first["note"], &first["vat"], &first["shown"]), (&json!("Hello"), &json!(2.0), &json!("Hello!")));
    assert_eq!(first["named"], "Hello");
    let listed = || async { admin.get("/api/ext/v1/query/sales").await.is(200).column("net") };
    assert_eq!(listed().await, [10.0]);
    // A change is there at once, on this node and on another, in what is shown and in what is stored.
    let node = server.node().await;
    let other = node.admin();
    let unchanged = admin.get("collection/sale/1?showFields=note,vat,shown,process,named").await;
    shown(&other).await;
    server.change(&[("env.yaml", &ENV.replace("0.20", "0.10").replace("Hello", "Servus").replace('5', "2"))]).await;
    for client in [&admin, &other] {
        let now = shown(client).await;
        assert_eq!((&now["note"], &now["vat"], &now["shown"]), (&json!("Hello"), &json!(1.0), &json!("Servus!")));
    }
    let path = "collection/sale/1?showFields=note,vat,shown,process,named";
    let kept = admin.request("GET", path).header("if-none-match", unchanged.header("etag")).send().await;
    kept.is(200);
    assert_eq!(listed().await, [3.0, 10.0]);
    assert_eq!(admin.create("sale", json!({"net": 1})).await["note"], "Servus");
    // Without the file no name is known.
    server.remove(&["env.yaml"]).await;
    let now = shown(&admin).await;
    assert_eq!((&now["vat"], &now["shown"], &now["named"]), (&json!(0.0), &json!("!"), &Json::Null));
}

#[spec("A129")]
async fn env_knows_nothing_of_the_process_or_of_other_tenants(engine: Engine) {
    // The process has such names.
    assert!(std::env::var_os("PATH").is_some());
    let server = Server::with(engine, &FILES).await;
    let other = server.tenant("other").await;
    let mine = [("types/sale.yaml", TYPE), ("env.yaml", "OTHER: theirs\n")];
    other.change(&mine).await;
    for (server, greeting) in [(&server, json!("Hello")), (&other, Json::Null)] {
        let admin = server.admin();
        admin.create("sale", json!({"net": 10})).await;
        let sale = shown(&admin).await;
        assert_eq!(sale["process"], json!([null, null, null]));
        assert_eq!((&sale["note"], &sale["named"]), (&greeting, &greeting));
    }
}
