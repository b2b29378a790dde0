//! Stored files that a former version took and this one refuses: who is told what, and how they are mended.

use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use tempfile::TempDir;
use testing::Server;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

const ITEM: &str = "\
id: 40
name: item
properties:
  name: {id: 400, kind: pString, required: true, unique: true}
  price: {id: 401, kind: pInteger, condition: \"{=name != 'free'}\"}
  twice: {id: 402, kind: pInteger, calculate: \"{=price * 2}\"}
  label: {id: 403, kind: pCalculated, calculate: \"{=name ~ '!'}\"}
  words: {id: 404, kind: pString, searchable: true}
";
const CLERK: &str = "role: clerk\nsystem: [restApi]\ntypes:\n  item: {show: [{where: \"{=name != 'x'}\"}]}\n";
const GREET: &str = "automation: greet\non: {event: item.created}\ndo:\n  - update: {type: item, item: \"{=id}\", set: {words: Hello}}\n";

/// A tenant with items, a role and an automation; and the folder of its files.
async fn settled(server: &Server) -> TempDir {
    let files = [("types/item.yaml", ITEM), ("roles/clerk.yaml", CLERK), ("automations/greet.yaml", GREET)];
    server.change(&files).await;
    server.tenant("other").await;
    let admin = server.admin();
    admin.create("item", json!({"name": "a", "price": 5, "words": "red apple"})).await;
    admin.create("item", json!({"name": "free"})).await;
    let folder = TempDir::new().unwrap();
    says(server, &["pull", at(&folder)], true, "files of acme written").await;
    folder
}

fn at(folder: &TempDir) -> &str {
    folder.path().to_str().unwrap()
}

/// Puts another text into a stored file, as an earlier version of the program would have left it; gives a server that has
/// just been started over it.
async fn stored(server: &Server, path: &str, (text, other): (&str, &str)) -> Server {
    assert!(!text.contains('%'));
    let (text, other) = (text.replace('\'', "''"), other.replace('\'', "''"));
    let change =
        format!("UPDATE %plinth_file SET content = REPLACE(content, '{text}', '{other}') WHERE path = '{path}'");
    server.tamper(&change).await;
    server.node().await
}

/// Makes whoever opens the tenant next bring its tables up to date, as a newer version may have to.
async fn aged(server: &Server) {
    server.tamper("UPDATE %plinth_meta SET content = 'former' WHERE name IN ('tables', 'search', 'tally')").await;
}

/// Runs a command over the same data, which succeeds or not, and prints this text among others.
async fn says(server: &Server, arguments: &[&str], succeeds: bool, text: &str) -> String {
    let (succeeded, said) = server.command(PLINTH, arguments).await;
    assert_eq!(succeeded, succeeds, "{arguments:?}: {said}");
    assert!(said.contains(text), "{arguments:?}: {said}");
    assert!(!said.contains(".."), "{arguments:?}: {said}");
    said
}

/// The tenant is down, and says why: to requests, and to commands. Others are not.
async fn is_down(server: &Server, place: &str, cause: &str) {
    for path in ["collection/item", "collection/article", "collection/item"] {
        let reply = server.admin().get(path).await.is(500).lacks("..").lacks("{=");
        assert_eq!(reply.header("x-error-code"), "configuration_refused");
        let told = format!("This version of Plinth refuses the tenant's configuration: {place} (");
        let message = reply.at("/message").as_str().unwrap().to_owned();
        assert!(message.starts_with(&told) && message.ends_with("Fix it and run plinth apply."), "{message}");
    }
    let told = format!("plinth: The stored configuration does not load with this version: {place}: ");
    let said = says(server, &["user", "list"], false, &told).await;
    assert!(said.contains(cause) && said.contains("run plinth apply FOLDER."), "{said}");
    server.client().with("host", "other.test").get("collection/article").await.is(403);
}

/// The tenant is up: the server that was told of it just now serves it.
async fn is_up(server: &Server) -> Vec<Json> {
    let admin = server.admin();
    let filter = r#"[{"property": "words", "type": "search", "param": "apple"}]"#;
    admin.query("collection/item", &[("filters", filter)]).await.is(200);
    let reply =
        admin.query("collection/item", &[("orderBy", "id"), ("showFields", "name,price,twice,label")]).await.is(200);
    reply.at("/data").as_array().unwrap().clone()
}

#[spec]
async fn a_stored_role_that_is_refused_is_mended(server: Server) {
    let folder = settled(&server).await;
    aged(&server).await;
    let now = stored(&server, "roles/clerk.yaml", ("name !=", "label !=")).await;
    let place = "roles/clerk.yaml:4:28";
    is_down(&now, place, "label").await;
    let planned = says(&now, &["plan", at(&folder)], true, &format!("stored  {place}: ")).await;
    let done = "safe    store the changed file roles/clerk.yaml\n";
    assert!(planned.ends_with(done) && planned.lines().count() == 2, "{planned}");
    is_down(&server.node().await, place, "label").await;

    let copy = TempDir::new().unwrap();
    says(&now, &["pull", at(&copy)], true, "files of acme written").await;
    let role = copy.path().join("roles/clerk.yaml");
    let text = fs::read_to_string(&role).unwrap();
    assert!(text.contains("label !="), "{text}");
    says(&now, &["apply", at(&copy)], false, "1 problem in the files. Nothing was changed.").await;
    fs::write(&role, text.replace("label", "words")).unwrap();
    says(&now, &["apply", at(&copy)], true, done).await;
    assert_eq!(is_up(&now).await.len(), 2);
    says(&now, &["plan", at(&copy)], true, "Nothing to change.").await;
}

#[spec]
async fn a_stored_automation_that_is_refused_is_mended(server: Server) {
    let folder = settled(&server).await;
    let now = stored(&server, "automations/greet.yaml", ("set: {words:", "set: {twice:")).await;
    is_down(&now, "automations/greet.yaml:4:47", "twice").await;
    says(&now, &["apply", at(&folder)], true, "safe    store the changed file automations/greet.yaml\n").await;
    assert_eq!(is_up(&now).await.len(), 2);
    now.admin().create("item", json!({"name": "b"})).await;
    now.run_automations().await;
    let found = now
        .admin()
        .query(
            "collection/item",
            &[("filters", r#"[{"property": "name", "type": "eq", "param": "b"}]"#), ("showFields", "words")],
        )
        .await
        .is(200);
    assert_eq!(found.at("/data/0/words"), "Hello");
}

#[spec]
async fn a_stored_expression_that_is_refused_is_mended(server: Server) {
    let folder = settled(&server).await;
    aged(&server).await;
    let now = stored(&server, "types/item.yaml", ("price * 2", "gone(price)")).await;
    is_down(&now, "types/item.yaml:6:50", "gone").await;
    let mended = ITEM.replace("price * 2", "price * 3");
    fs::write(folder.path().join("types/item.yaml"), &mended).unwrap();
    // What only looks at what was refused is done anew; nothing else is, and nothing is lost.
    let planned = says(&now, &["plan", at(&folder)], true, "slow    calculate item anew (twice) (2 rows)\n").await;
    assert!(planned.ends_with("\nsafe    store the changed file types/item.yaml\n"), "{planned}");
    assert_eq!(planned.lines().count(), 3, "{planned}");
    says(&now, &["apply", at(&folder)], true, "calculate item anew").await;
    let items = is_up(&now).await;
    assert_eq!(items[0], json!({"id": 1, "name": "a", "price": 5, "twice": 15, "label": "a!"}));
    assert_eq!([&items[1]["name"], &items[1]["price"]], [&json!("free"), &Json::Null]);
    // Indexes and rules are those of before.
    now.admin().post("collection/item", json!({"name": "a"})).await.is(409);
    now.admin().post("collection/item", json!({"name": "free", "price": 1})).await.is(400);
    fs::write(folder.path().join("types/item.yaml"), ITEM).unwrap();
    let back = says(&now, &["plan", at(&folder)], true, "calculate item anew (twice) (2 rows)\n").await;
    assert_eq!(back.lines().count(), 2, "{back}");
}

#[spec]
async fn what_no_table_rests_on_may_all_be_refused(server: Server) {
    let folder = settled(&server).await;
    let changes = [
        ("tenant.yaml", "title:", "former:"),
        ("types/note.yaml", "title: Text", "pattern: '('"),
        ("types/item.yaml", "condition:", "calculate: '{=1}', required: true, former: 1, condition:"),
        ("roles/clerk.yaml", "system:", "former:"),
        ("queries/popular.yaml", "query:", "former:"),
        ("canvases/overview.yaml", "canvas:", "former:"),
        ("groups/red.yaml", "group:", "former: 1\ngroup:"),
        ("users/editor.yaml", "user:", "former: {]\nuser:"),
    ];
    for (path, from, to) in changes {
        stored(&server, path, (from, to)).await;
        let planned = says(&server, &["plan", at(&folder)], true, &format!("store the changed file {path}\n")).await;
        assert!(planned.starts_with("stored  ") && !planned.contains("LOSS"), "{planned}");
    }
    let dry = says(&server, &["apply", "--dry-run", "--json", at(&folder)], true, "refused").await;
    let dry: Json = serde_json::from_str(&dry).unwrap();
    assert!(dry["refused"].as_array().unwrap().len() >= changes.len(), "{dry}");
    aged(&server).await;
    let now = server.node().await;
    now.admin().get("collection/item").await.is(500);
    says(&now, &["apply", at(&folder)], true, "more problems of the stored files").await;
    assert_eq!(is_up(&now).await.len(), 2);
}

#[spec]
async fn where_it_is_not_known_what_tables_hold_nothing_is_changed(server: Server) {
    let folder = settled(&server).await;
    let now = stored(&server, "types/item.yaml", ("kind: pInteger, condition", "kind: pFormer, condition")).await;
    is_down(&now, "types/item.yaml:5:26", "pFormer").await;
    let told = "plinth: The stored types do not load, so the content of their tables is unknown: \
                types/item.yaml:5:26: unknown_kind: There is no kind \"pFormer\".";
    for command in ["plan", "apply"] {
        let said = says(&now, &[command, at(&folder)], false, told).await;
        assert!(said.contains("\nNothing was changed. With the version of Plinth that stored these files"), "{said}");
    }
    // Where tables had to be brought up to date as well, it is not even opened.
    aged(&server).await;
    let process = server.process(PLINTH, &[]).await;
    let reply = process.client().with("host", "acme.test").get("collection/item").await.is(500).lacks("pFormer");
    assert_eq!(reply.header("x-error-code"), "configuration_unknown");
    reply.says("types/item.yaml:5:26 (unknown_kind). It needs the version that stored it.");
    process.client().with("host", "other.test").get("collection/item").await.is(403);
    says(&server, &["apply", at(&folder)], false, told).await;
    let now = stored(&server, "types/item.yaml", ("pFormer", "pInteger")).await;
    assert_eq!(is_up(&now).await.len(), 2);
}
