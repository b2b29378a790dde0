//! The bytes of a resource and of a document: what is refused, and what becomes of resources that are too large already.

use platform::tenants::Settings;
use serde_json::{Value, json};
use spec::spec;
use std::fmt::Write;
use testing::{Client, Engine, Reply, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
const DOCUMENTS: usize = 20;

/// A type with twenty documents, each of which may have a megabyte.
fn blob() -> String {
    let mut file =
        "id: 20\nname: blob\ntitle: Blob\nproperties:\n  name: {id: 200, kind: pString, title: Name}\n".to_owned();
    writeln!(file, "  above: {{id: 201, kind: pRelation, title: Above, type: blob, onDelete: setNull}}").unwrap();
    for number in 0..DOCUMENTS {
        writeln!(file, "  d{number}: {{id: {}, kind: pJson, title: D{number}}}", 210 + number).unwrap();
    }
    file
}

fn megabyte() -> Value {
    json!("x".repeat(1_000_000))
}

/// Gives a blob so many documents, one after the other; returns the last answer.
async fn fill(client: &Client, id: &Value, count: usize) -> Reply {
    let path = format!("collection/blob/{id}");
    for number in 0..count - 1 {
        client.patch(&path, json!({format!("d{number}"): megabyte()})).await.is(200);
    }
    client.patch(&path, json!({format!("d{}", count - 1): megabyte()})).await
}

#[spec]
async fn a_row_has_a_limit_and_a_large_one_takes_no_list_from_the_others(engine: Engine) {
    let unlimited = Settings { address_rate: None, row_bytes: usize::MAX, ..Settings::default() };
    let file = blob();
    let server = Server::settled(engine, unlimited, Vec::new(), &[("types/blob.yaml", &file)]).await;
    let admin = server.admin();
    let first = admin.create("blob", json!({"name": "first"})).await["id"].clone();
    let large = admin.create("blob", json!({"name": "large"})).await["id"].clone();
    let last = admin.create("blob", json!({"name": "last", "above": large})).await["id"].clone();
    fill(&admin, &large, DOCUMENTS).await.is(200);

    let list = admin.get("collection/blob?orderBy=id").await.is(200);
    assert_eq!(list.headers["plinth-omitted"], format!("blob/{large}"));
    let names =
        |list: &Reply| list.at("/data").as_array().unwrap().iter().map(|row| row["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&list), ["first", "last"]);
    assert_eq!((list.at("/stats/fetched"), list.at("/stats/total")), (json!(2), json!(3)));
    // What it is left out for need not be asked for, and by itself it is there.
    let small = admin.get("collection/blob?orderBy=id&showFields=name").await.is(200);
    assert!(!small.headers.contains_key("plinth-omitted"), "{:?}", small.headers);
    assert_eq!(names(&small), ["first", "large", "last"]);
    assert_eq!(admin.get(&format!("collection/blob/{large}")).await.is(200).at("/name"), "large");
    // A page of which nothing is left is still one.
    let fields: Vec<String> = (0..18).map(|number| format!("d{number}")).collect();
    let path = format!("collection/blob?orderBy=id&perPage=1&page=2&showFields={}", fields.join(","));
    let alone = admin.get(&path).await.is(200);
    assert_eq!(alone.at("/data"), json!([]));
    assert_eq!(alone.headers["plinth-omitted"], format!("blob/{large}"));
    // Pages out of a window that is remembered are the same. The first that is asked for makes the window worth it.
    for (page, shown, omitted) in [(2, json!(["last"]), false), (1, json!(["first"]), true)] {
        let list = admin.get(&format!("collection/blob?orderBy=name&perPage=2&page={page}")).await.is(200);
        assert_eq!((json!(names(&list)), list.headers.contains_key("plinth-omitted")), (shown, omitted));
        assert_eq!((list.at("/stats/fetched"), list.at("/stats/total")), (json!(1), json!(3)));
    }
    // What a list expands is as much of it.
    let expanded: Vec<String> = (0..DOCUMENTS).map(|number| format!("above.d{number}")).collect();
    let path = format!("collection/blob?orderBy=id&showFields=name,{}", expanded.join(","));
    let list = admin.get(&path).await.is(200);
    assert_eq!(list.headers["plinth-omitted"], format!("blob/{large}"));
    assert_eq!((names(&list).len(), list.at("/data/2/above")), (3, Value::Null));

    // The limit of a process that has the usual one.
    let process = server.process(PLINTH, &[]).await;
    let limited = process.client().with("host", "acme.test").with("key", &server.key("admin").await);
    fill(&limited, &first, 8).await.is(200);
    let path = format!("collection/blob/{first}");
    let refused = limited.patch(&path, json!({"d8": megabyte()})).await.is(400);
    assert_eq!(refused.headers["x-error-code"], "row_too_large");
    refused.says("D8 makes the resource").says("it may have at most 8388608");
    let whole: Value = (0..9)
        .map(|number| (format!("d{number}"), json!("x".repeat(200_000))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    limited.post("collection/blob", whole).await.is(201);
    // One that is larger already may become smaller.
    let path = format!("collection/blob/{large}");
    limited.patch(&path, json!({"name": "larger than it was"})).await.is(400).says("it may have at most 8388608");
    limited.patch(&path, json!({"name": "L"})).await.is(200);
    limited.patch(&path, json!({"d0": null})).await.is(200);
    limited.patch(&path, json!({"d0": "x"})).await.is(400).says("it may have at most 8388608");
    limited.patch(&format!("collection/blob/{last}"), json!({"d0": megabyte()})).await.is(200);
    // An import has it, too, and says where.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("blobs.jsonl");
    let mut row = json!({"name": "imported"});
    (0..9).for_each(|number| row[format!("d{number}")] = megabyte());
    std::fs::write(&file, format!("{}\n{row}\n", json!({"name": "small"}))).unwrap();
    let (done, said) = server.command(PLINTH, &["import", "blob", "--format", "jsonl", file.to_str().unwrap()]).await;
    assert!(!done && said.contains("it may have at most 8388608"), "{said}");
}

/// More than a page may have, by changes that add to what is there.
#[spec("D-23")]
async fn a_row_of_64_megabytes_takes_no_list_from_the_others(engine: Engine) {
    /// Nine of them are more than 64 MiB.
    const PART: usize = 8_000_000;
    let unlimited = Settings { address_rate: None, row_bytes: usize::MAX, ..Settings::default() };
    let mut file = "id: 20\nname: blob\ntitle: Blob\nproperties:\n  name: {id: 200, kind: pString}\n".to_owned();
    for number in 0..9 {
        writeln!(file, "  d{number}: {{id: {}, kind: pJson, maxBytes: 8388608}}", 210 + number).unwrap();
    }
    let server =
        Server::settled(engine, unlimited, vec![("limits.body_bytes", "9000000")], &[("types/blob.yaml", &file)]).await;
    let admin = server.admin();
    let mut ids = Vec::new();
    for name in ["first", "large", "last"] {
        ids.push(admin.create("blob", json!({"name": name})).await["id"].clone());
    }
    let path = format!("collection/blob/{}", ids[1]);
    for number in 0..9 {
        admin.patch(&path, json!({format!("d{number}+="): ["x".repeat(PART)]})).await.is(200);
    }
    let omitted = format!("blob/{}", ids[1]);
    for query in ["orderBy=id", "orderBy=-name&perPage=2", "orderBy=id&_noCache=1"] {
        let list = admin.get(&format!("collection/blob?{query}")).await.is(200);
        let names = list.column("name");
        assert!(names.contains(&json!("last")) && !names.contains(&json!("large")), "{query}: {names:?}");
        assert_eq!(list.headers["plinth-omitted"], omitted, "{query}");
    }
    let small = admin.get("collection/blob?orderBy=id&showFields=name").await.is(200);
    assert_eq!(small.column("name"), ["first", "large", "last"]);
    // It can be made smaller, and is in lists again then.
    for number in 0..9 {
        admin.patch(&path, json!({format!("d{number}"): null})).await.is(200);
    }
    let list = admin.get("collection/blob?orderBy=id").await.is(200);
    assert!(!list.headers.contains_key("plinth-omitted") && list.column("name").len() == 3);
}

#[spec("D-23", "R-135")]
async fn a_document_has_limits_of_its_own(engine: Engine) {
    let file = |limits: &str| {
        format!("id: 20\nname: doc\ntitle: Doc\nproperties:\n  data: {{id: 200, kind: pJson, title: Data{limits}}}\n")
    };
    let server = Server::with(engine, &[("types/doc.yaml", &file(""))]).await;
    let admin = server.admin();
    // The usual limits.
    let data = |data: Value| json!({"data": data});
    let long = admin.create("doc", data(json!("x".repeat((1 << 20) - 2)))).await["id"].clone();
    admin.post("collection/doc", data(json!("x".repeat((1 << 20) - 1)))).await.is(400).says("at most 1048576 bytes");
    let many = admin.create("doc", data(json!(vec![1; 100_000]))).await["id"].clone();
    admin.post("collection/doc", data(json!(vec![1; 100_001]))).await.is(400).says("at most 100000 members");
    let id = admin.create("doc", data(json!([1, 2, 3]))).await["id"].clone();
    // A configuration that they do not fit would be refused.
    for id in [long, many] {
        admin.delete(&format!("collection/doc/{id}")).await.is(204);
    }
    // Those of the property, for what is given and for what it comes to.
    server.change(&[("types/doc.yaml", &file(", maxBytes: 20, maxMembers: 4"))]).await;
    let path = format!("collection/doc/{id}");
    admin.patch(&path, json!({"data+=": [4]})).await.is(200);
    admin.patch(&path, json!({"data+=": [4]})).await.is(400).says("at most 4 members");
    admin.patch(&path, json!({"data+==": [4, 2, 1]})).await.is(200);
    admin.patch(&path, json!({"data+==": [4, 5]})).await.is(400).says("at most 4 members");
    admin.patch(&path, json!({"data": [1, {"a": [2, 3]}]})).await.is(400).says("at most 4 members");
    admin.patch(&path, json!({"data": {"a": [2, 3]}})).await.is(200);
    admin.patch(&path, json!({"data": "nineteen characters"})).await.is(400).says("at most 20 bytes");
    admin.patch(&path, json!({"data": "eighteen character"})).await.is(200);
}
