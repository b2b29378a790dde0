//! Saved views: who sees them, who changes them.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Reply, Server};

const VIEW: &str = "/api/ext/v1/view";

fn view(of: &str, title: &str) -> Json {
    json!({"type": of, "title": title, "state": {"filters": [], "orderBy": ["-name"], "columns": {"name": 200}}})
}

fn shared(of: &str, title: &str, with: Json) -> Json {
    let mut view = view(of, title);
    view["shared"] = with;
    view
}

async fn titles(client: &Client, of: &str) -> Vec<Json> {
    client.get(&format!("{VIEW}?type={of}")).await.is(200).column("title")
}

fn place(reply: &Reply) -> String {
    reply.header("location").to_owned()
}

#[spec("E-146")]
async fn a_view_is_saved_listed_replaced_and_deleted(server: Server) {
    let (admin, editor) = (server.admin(), server.editor());
    let made = editor.post(VIEW, view("article", "Mine")).await.is(201);
    let id = made.at("/id");
    let mut expected = view("article", "Mine");
    expected["id"] = id.clone();
    expected["shared"] = Json::Null;
    expected["owner"] = json!({"id": server.user("editor").await, "name": "Ed"});
    expected["own"] = json!(true);
    let name = made.at("/owner/name");
    expected["owner"]["name"] = name.clone();
    assert!(name.is_string(), "{name}");
    assert_eq!(made.json(), expected);
    let path = place(&made);
    assert_eq!(path, format!("{VIEW}/{id}"));
    let read = editor.get(&path).await.is(200);
    assert_eq!((read.json(), read.header("etag")), (expected.clone(), made.header("etag")));
    editor.with("if-none-match", read.header("etag")).get(&path).await.is(304);
    let list = editor.get(VIEW).await.is(200);
    assert_eq!(list.json(), json!({"data": [expected]}));
    editor.with("if-none-match", list.header("etag")).get(VIEW).await.is(304);
    assert_eq!(editor.get(&format!("{VIEW}?type=person")).await.is(200).json(), json!({"data": []}));
    editor.post(VIEW, view("article", "a\0b")).await.is(400).says("text_invalid");
    // It is the owner's alone, for administrators, too.
    admin.get(&path).await.is(404).says("view_missing");
    admin.put(&path, view("article", "Theirs")).await.is(404);
    assert_eq!(titles(&admin, "article").await, [""; 0]);
    let matching = editor.with("if-match", made.header("etag"));
    let changed = matching.put(&path, view("article", "Still mine")).await.is(200);
    assert_eq!(changed.at("/title"), "Still mine");
    matching.put(&path, view("article", "No")).await.is(412).says("resource_changed");
    matching.delete(&path).await.is(412).says("resource_changed");
    editor.with("prefer", "return=minimal").put(&path, view("article", "Short")).await.is(204);
    editor.delete(&path).await.is(204);
    editor.delete(&path).await.is(404).says("view_missing");
}

#[spec("E-147")]
async fn sharing_needs_admin(server: Server) {
    let (admin, editor, reader) = (server.admin(), server.editor(), server.reader());
    for with in [json!("all"), json!(["editor"])] {
        editor.post(VIEW, shared("article", "x", with)).await.is(403).says("permission_missing");
    }
    let all = admin.post(VIEW, shared("article", "All", json!("all"))).await.is(201);
    let some = admin.post(VIEW, shared("article", "Editors", json!(["editor", "editor"]))).await.is(201);
    assert_eq!(some.at("/shared"), json!(["editor"]));
    admin.post(VIEW, view("article", "Own")).await.is(201);
    editor.post(VIEW, view("article", "Mine")).await.is(201);
    assert_eq!(titles(&admin, "article").await, ["All", "Editors", "Own"]);
    assert_eq!(titles(&editor, "article").await, ["Mine", "All", "Editors"], "the own ones come first");
    assert_eq!(titles(&reader, "article").await, ["All"]);
    reader.get(&place(&some)).await.is(404);
    let seen = reader.get(&place(&all)).await.is(200);
    // Who may not read users learns no names of theirs.
    assert_eq!((seen.at("/own"), seen.at("/owner/name")), (json!(false), Json::Null));
    for path in [place(&all), place(&some)] {
        editor.put(&path, view("article", "x")).await.is(403).says("permission_missing");
        editor.delete(&path).await.is(403).says("permission_missing");
    }
    // Another administrator changes shared views, takes sharing away and loses sight of them then.
    let role = "role: boss\ntitle: Boss\nsystem: [restApi, admin]\ntypes: {article: {show: true}}\n";
    let boss = server.role("boss", role).await;
    assert_eq!(titles(&boss, "article").await, ["All", "Editors"], "all that are shared");
    boss.put(&place(&some), shared("article", "Readers", json!(["reader"]))).await.is(200);
    assert_eq!(titles(&reader, "article").await, ["All", "Readers"]);
    assert_eq!(titles(&editor, "article").await, ["Mine", "All"]);
    let taken = boss.put(&place(&some), view("article", "Back")).await.is(200);
    assert_eq!((taken.at("/shared"), taken.at("/own")), (Json::Null, json!(false)));
    boss.get(&place(&some)).await.is(404);
    assert_eq!(titles(&admin, "article").await, ["All", "Back", "Own"]);
    boss.delete(&place(&all)).await.is(204);
    let unknown = shared("article", "x", json!(["nobody"]));
    admin.post(VIEW, unknown).await.is(400).says("role_unknown");
    // The views of a user go with the user.
    let id = server.user("boss").await;
    boss.post(VIEW, shared("article", "Boss", json!("all"))).await.is(201);
    admin.delete(&format!("collection/user/{id}")).await.is(204);
    assert_eq!(titles(&reader, "article").await, [""; 0]);
}

#[spec("E-146", "D-3")]
async fn views_of_types_that_the_caller_may_not_read_are_not_there(server: Server) {
    let (admin, reader) = (server.admin(), server.reader());
    let note = admin.post(VIEW, shared("note", "Notes", json!("all"))).await.is(201);
    admin.post(VIEW, shared("article", "Articles", json!("all"))).await.is(201);
    assert_eq!(reader.get(VIEW).await.is(200).column("title"), ["Articles"]);
    reader.get(&place(&note)).await.is(404).says("view_missing");
    let hidden = reader.get(&format!("{VIEW}?type=note")).await.is(404);
    let unknown = reader.get(&format!("{VIEW}?type=eton")).await.is(404);
    assert_eq!(hidden.text.replace("note", "eton").len(), unknown.text.len(), "one message for both");
    let hidden = reader.post(VIEW, view("note", "x")).await.is(400).at("/errors/0/code");
    assert_eq!(hidden, reader.post(VIEW, view("etno", "x")).await.is(400).at("/errors/0/code"));
    // A right that is lost takes the own view away, and gives it back.
    let own = reader.post(VIEW, view("article", "Own")).await.is(201);
    let role = "role: reader\ntitle: Reader\nsystem: [restApi]\ntypes: {note: {show: true}}\n";
    server.change(&[("roles/reader.yaml", role)]).await;
    assert_eq!(reader.get(VIEW).await.is(200).column("title"), ["Notes"]);
    reader.delete(&place(&own)).await.is(404);
    for (body, code) in [
        (json!({}), "required"),
        (json!({"type": "note", "title": "", "state": {}}), "text_invalid"),
        (json!({"type": "note", "title": "x".repeat(201), "state": {}}), "text_invalid"),
        (json!({"type": "note", "title": "x", "state": []}), "object_needed"),
        (json!({"type": "note", "title": "x", "state": {"a": "x".repeat(16 * 1024)}}), "view_too_large"),
        (json!({"type": "note", "title": "x", "state": {}, "shared": "some"}), "shared_invalid"),
        (json!({"type": "note", "title": "x", "state": {}, "shared": []}), "shared_invalid"),
        (json!({"type": "note", "title": "x", "state": {}, "owner": 1}), "property_unknown"),
    ] {
        assert_eq!(reader.post(VIEW, body.clone()).await.is(400).at("/errors/0/code"), code, "{body}");
    }
    server.client().get(VIEW).await.is(403);
}
