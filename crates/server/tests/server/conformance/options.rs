//! Options of properties: who may set what, when, and within which limits.

use serde_json::json;
use spec::spec;
use testing::{Engine, Server};

const TICKET: &str = r#"
id: 40
name: ticket
properties:
  number: {id: 400, kind: pInteger, title: Number, writeOnce: true}
  origin: {id: 401, kind: pString, title: Origin, readOnly: true, default: web}
  state:  {id: 402, kind: pString, title: State, required: true, default: open}
  short:  {id: 403, kind: pString, title: Short, minLength: 2, maxLength: 4, pattern: "[a-z]*", trim: true}
  count:  {id: 404, kind: pInteger, title: Count, min: -1, max: 5}
  size:   {id: 405, kind: pInteger, title: Size, required: true}
"#;
/// May set everything and read `state` alone.
const CLERK: &str = "role: clerk\nsystem: [restApi]\ntypes:\n  ticket: {show: {fields: [state]}, edit: true}\n";

#[spec("D-22", "D-23", "R-133", "R-134")]
async fn what_may_be_set_once_or_never_is_kept(engine: Engine) {
    let server = Server::with(engine, &[("types/ticket.yaml", TICKET)]).await;
    let admin = server.admin();
    admin.post("collection/ticket", json!({"size": 1, "origin": "web"})).await.is(400).says("Origin is read-only");
    admin.post("collection/ticket", json!({"state": null, "size": 1})).await.is(400).says("State is required");
    admin.post("collection/ticket", json!({"state": "", "size": 1})).await.is(400).says("State is required");
    let row = admin.create("ticket", json!({"size": 1})).await;
    assert_eq!((&row["origin"], &row["state"], &row["number"]), (&json!("web"), &json!("open"), &json!(null)));
    let path = format!("collection/ticket/{}", row["id"]);
    for (body, status, says) in [
        (json!({"number": 7}), 200, "7"),
        (json!({"number": 7}), 200, "7"),
        (json!({"number": 8}), 400, "Number can be set only once"),
        (json!({"number+=": 1}), 400, "Number can be set only once"),
        (json!({"number": null}), 400, "Number can be set only once"),
        (json!({"origin": "web"}), 200, "web"),
        (json!({"origin": "app"}), 400, "Origin is read-only"),
        (json!({"size": null}), 400, "Size is required"),
    ] {
        admin.patch(&path, body).await.is(status).says(says);
    }
    // What is left out falls back, but for what can be set once or never.
    admin.put(&path, json!({"state": "done"})).await.is(400).says("Size is required");
    let row = admin.put(&path, json!({"size": 2, "count": 3})).await.is(200).json();
    assert_eq!((&row["origin"], &row["state"], &row["number"]), (&json!("web"), &json!("open"), &json!(7)));
    // A resource may be sent back as it was read.
    assert_eq!(admin.put(&path, row.clone()).await.is(200).json(), row);
    admin.put(&path, json!({"size": 2, "number": 9})).await.is(400).says("Number can be set only once");
}

#[spec("D-2")]
async fn limits_hold_for_what_is_stored(engine: Engine) {
    let server = Server::with(engine, &[("types/ticket.yaml", TICKET)]).await;
    let admin = server.admin();
    let path = format!("collection/ticket/{}", admin.create("ticket", json!({"size": 1})).await["id"]);
    for (body, status, says) in [
        (json!({"short": " ab \n"}), 200, "\"ab\""),
        (json!({"short+=": "cd"}), 200, "\"abcd\""),
        (json!({"short+=": "e"}), 400, "Short must have at most 4 characters"),
        (json!({"short": "a"}), 400, "Short must have at least 2 characters"),
        (json!({"short": "AB"}), 400, "Short must match the pattern"),
        (json!({"short": "abc\n1"}), 400, "Short"),
        (json!({"count": -2}), 400, "Count must be at least -1"),
        (json!({"count": 5}), 200, "5"),
        (json!({"count+=": 1}), 400, "Count must be at most 5"),
    ] {
        admin.patch(&path, body).await.is(status).says(says);
    }
}

#[spec("D-3", "D-12")]
async fn values_that_may_not_be_read_cannot_be_guessed_by_setting_them(engine: Engine) {
    let server = Server::with(engine, &[("types/ticket.yaml", TICKET)]).await;
    let path = {
        let row = server.admin().create("ticket", json!({"size": 1, "number": 7})).await;
        format!("collection/ticket/{}", row["id"])
    };
    let clerk = server.role("clerk", CLERK).await;
    for (right, wrong) in
        [(json!({"number": 7}), json!({"number": 8})), (json!({"origin": "web"}), json!({"origin": "app"}))]
    {
        let right = clerk.patch(&path, right).await.is(400).text;
        assert_eq!(right, clerk.patch(&path, wrong).await.is(400).text);
    }
    let change = clerk.patch(&path, json!({"size": 5})).await.is(200).json();
    assert_eq!(change["state"], "open");
    assert_eq!(change.get("size"), None);
    let roles = "role: desk\nsystem: [restApi]\ntypes:\n  user: {show: {fields: [user_id]}, edit: true}\n";
    let desk = server.role("desk", roles).await;
    let user = format!("collection/user/{}", server.user("reader").await);
    let right = desk.patch(&user, json!({"roles": ["reader"]})).await.is(403).text;
    assert_eq!(right, desk.patch(&user, json!({"roles": ["admin"]})).await.is(403).text);
}

#[spec("D-2")]
async fn numbers_in_documents_keep_their_digits_or_are_refused(engine: Engine) {
    let note = "id: 41\nname: note\nproperties:\n  doc: {id: 410, kind: pJson, title: Doc}\n  ratio: {id: 411, kind: pFloat}\n";
    let server = Server::with(engine, &[("types/note.yaml", note)]).await;
    let admin = server.admin();
    let path = format!("collection/note/{}", admin.create("note", json!({"doc": [1]})).await["id"]);
    let send = |method: &'static str, path: &str, text: &'static str| {
        admin.request(method, path).body("application/json", text).send()
    };
    let lost = r#"{"doc": {"a": [12345678901234567890123]}}"#;
    for (method, path) in [("POST", "collection/note"), ("PUT", &path), ("PATCH", &path)] {
        send(method, path, lost).await.is(400).says("Doc must not hold a number of more digits");
    }
    send("PATCH", &path, r#"{"doc+=": [0.1234567890123456789]}"#).await.is(400).says("give such numbers as texts");
    let kept = r#"{"doc": [18446744073709551615, 0.1, "12345678901234567890123"], "ratio": 0.1234567890123456789}"#;
    send("PUT", &path, kept).await.is(200).says("18446744073709551615").says("0.12345678901234568");
}
