//! How many other resources a request may have calculated anew.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

/// The most.
const MOST: usize = 10_000;

const RATE: &str = "id: 50\nname: rate\ncodeProperty: code\nproperties:\n  code: {id: 500, kind: pString, unique: true}\n  \
    value: {id: 501, kind: pInteger}\n  note: {id: 502, kind: pString}\n";
const PRICE: &str = "id: 51\nname: price\nproperties:\n  rate: {id: 510, kind: pRelation, type: rate, onDelete: setNull}\n  \
    amount: {id: 511, kind: pInteger, calculate: \"{=(rate.value ?? 0) * 2}\"}\n";

async fn import(server: &Server, of: &str, text: &str, more: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    std::fs::write(&file, text).unwrap();
    let mut arguments = vec!["import", of, file.to_str().unwrap()];
    arguments.extend(more);
    let (done, said) = server.command(PLINTH, &arguments).await;
    assert!(done, "{said}");
}

async fn amounts(client: &Client, amount: i64) -> Json {
    let filters = json!([{"property": "amount", "type": "eq", "param": amount}]);
    let reply = client.search("collection/price", json!({"filters": filters, "perPage": 1})).await;
    if reply.status == 204 { json!(0) } else { reply.is(200).at("/stats/total") }
}

#[spec]
async fn a_request_that_reaches_too_many_is_refused_whole(engine: Engine) {
    let server = Server::with(engine, &[("types/rate.yaml", RATE), ("types/price.yaml", PRICE)]).await;
    let admin = server.admin();
    let rate = admin.create("rate", json!({"code": "a", "value": 1})).await["id"].clone();
    let path = format!("collection/rate/{rate}");
    import(&server, "price", &format!("rate\n{}", format!("{rate}\n").repeat(MOST)), &[]).await;
    assert_eq!(amounts(&admin, 2).await, MOST);
    // So many may be.
    admin.patch(&path, json!({"value": 2})).await.is(200);
    assert_eq!(amounts(&admin, 4).await, MOST);
    // One more may not; what reaches none of them may still be written, and so may the one more.
    let last = admin.create("price", json!({"rate": rate})).await["id"].clone();
    let before = admin.get(&format!("{path}?showFields=version,value")).await.is(200).json();
    for refused in
        [admin.patch(&path, json!({"value": 3})).await, admin.put(&path, json!({"code": "a", "value": 3})).await]
    {
        let refused = refused.is(409).says("plinth import");
        assert_eq!(refused.header("x-error-code"), "recalculation_too_large");
    }
    assert_eq!(admin.get(&format!("{path}?showFields=version,value")).await.is(200).json(), before);
    assert_eq!(amounts(&admin, 4).await, MOST + 1);
    admin.patch(&path, json!({"note": "N"})).await.is(200);
    assert_eq!(amounts(&admin, 4).await, MOST + 1);
    // A command has no such bound.
    import(&server, "rate", "code,value\na,5\n", &["--mode", "update"]).await;
    assert_eq!(amounts(&admin, 10).await, MOST + 1);
    admin.delete(&format!("collection/price/{last}")).await.is(204);
    admin.patch(&path, json!({"value": 6})).await.is(200);
    assert_eq!(amounts(&admin, 12).await, MOST);
}
