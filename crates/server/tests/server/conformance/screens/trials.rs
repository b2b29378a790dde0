//! Trial writes: what the write would have answered, and that nothing of it stays.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

const BILLS: &str = "/api/ext/v1/collection/bill";

const BILL: &str = "id: 20\nname: bill\ntitle: Bill\nproperties:\n  \
    number: {id: 200, kind: pAutonumber, pattern: 'B-{###}'}\n  \
    code: {id: 201, kind: pString, unique: true, maxLength: 5}\n  \
    net: {id: 202, kind: pDecimal, required: true, validate: [{rule: \"{=net >= 0}\", message: It is negative.}]}\n  \
    gross: {id: 203, kind: pDecimal, calculate: \"{=net * 1.5}\"}\n  \
    state: {id: 204, kind: pEnum, options: [open, paid], default: open}\n";

/// An automation that answers an event with a note and a mail.
fn automation(event: &str) -> String {
    format!(
        "automation: on_{event}\non: {{event: bill.{event}}}\ndo:\n  - create: {{type: note, set: {{text: \"{{=code}}\"}}}}\n  \
        - mail: {{to: a@example.com, subject: S, text: T}}\n"
    )
}

async fn bills(engine: Engine) -> Server {
    Server::with(engine, &[("types/bill.yaml", BILL)]).await
}

/// All that a write could leave behind.
async fn traces(server: &Server) -> Json {
    let admin = server.admin();
    let mut traces = Vec::new();
    for path in
        ["collection/bill", "collection/person", "collection/note", "automation-run", "outbox", "audit", "read-log"]
    {
        let reply = admin.get(&format!("/api/ext/v1/{path}")).await.is(200);
        traces.push(json!([path, reply.json(), reply.header("etag")]));
    }
    traces.into()
}

#[spec("E-142")]
async fn a_trial_answers_what_the_write_would(engine: Engine) {
    let server = bills(engine).await;
    let admin = server.admin();
    let body = json!({"net": 10, "code": "a"});
    let tried = admin.post(&format!("{BILLS}?trial=1"), body.clone()).await.is(201);
    assert_eq!(tried.header("plinth-trial"), "1");
    assert_eq!([tried.header("location"), tried.header("etag")], ["", ""], "there is nothing that they could be of");
    for (member, value) in
        [("number", json!("B-001")), ("gross", json!(15.0)), ("state", json!("open")), ("net", json!(10.0))]
    {
        assert_eq!(tried.at(&format!("/{member}")), value, "{member}");
    }
    admin.get(BILLS).await.is(200).says("\"total\":0");
    // The write itself answers the same, and takes the number that the trial showed.
    let made = admin.post(BILLS, body).await.is(201);
    assert_eq!(made.header("plinth-trial"), "");
    for member in ["number", "gross", "state", "net", "code"] {
        assert_eq!(made.at(&format!("/{member}")), tried.at(&format!("/{member}")), "{member}");
    }
    let path = made.header("location").to_owned();
    let etag = made.header("etag").to_owned();
    let patched = admin.patch(&format!("{path}?trial=true"), json!({"net": 20})).await.is(200);
    assert_eq!((patched.header("plinth-trial"), patched.at("/gross"), patched.header("etag")), ("1", json!(30.0), ""));
    let replaced = admin.put(&format!("{path}?trial=1"), json!({"net": 30})).await.is(200);
    assert_eq!((replaced.at("/gross"), replaced.at("/code")), (json!(45.0), Json::Null));
    assert_eq!(admin.get(&path).await.is(200).header("etag"), etag, "the resource is as it was");
    // Preconditions, forms of numbers and preferences are those of the write.
    let matching = admin.with("if-match", &etag);
    matching.patch(&format!("{path}?trial=1"), json!({"net": 1})).await.is(200);
    let stale = admin.with("if-match", "\"00\"");
    stale.patch(&format!("{path}?trial=1"), json!({"net": 1})).await.is(412).says("resource_changed");
    let texts = admin.patch(&format!("{path}?trial=1&_decimals=text"), json!({"net": 1})).await.is(200);
    assert_eq!(texts.at("/gross"), "1.50");
    let short = admin.with("prefer", "return=minimal").patch(&format!("{path}?trial=1"), json!({"net": 1})).await;
    assert_eq!((short.status, short.header("plinth-trial")), (204, "1"));
    // trial=0 is no trial.
    let kept = admin.patch(&format!("{path}?trial=0"), json!({"net": 2})).await.is(200);
    assert_eq!(kept.header("plinth-trial"), "");
    assert_eq!(admin.get(&path).await.at("/gross"), json!(3.0));
}

#[spec("E-142")]
async fn a_trial_answers_all_mistakes(engine: Engine) {
    let server = bills(engine).await;
    let admin = server.admin();
    admin.post(BILLS, json!({"net": 1, "code": "a"})).await.is(201);
    let reply = admin.post(&format!("{BILLS}?trial=1"), json!({"code": "too long", "state": "lost"})).await.is(400);
    let found: Vec<Json> = reply.at("/errors").as_array().unwrap().iter().map(|one| one["property"].clone()).collect();
    assert_eq!(found, ["code", "state"]);
    let create = format!("{BILLS}?trial=1");
    for (body, status, code) in [
        (json!({"code": "b"}), 400, "required"),
        (json!({"net": -1}), 400, "rule_broken"),
        (json!({"net": 1, "code": "a"}), 409, "unique"),
        (json!({"net": 1, "gross": 4}), 400, "read_only"),
        (json!({"net": 1, "nothing": 4}), 400, "property_unknown"),
    ] {
        let tried = admin.post(&create, body.clone()).await.is(status);
        let written = admin.post(BILLS, body.clone()).await.is(status);
        assert_eq!((tried.at("/code"), tried.at("/errors")), (written.at("/code"), written.at("/errors")), "{body}");
        assert!(tried.text.contains(code), "{body}: {}", tried.text);
    }
    admin.patch(&format!("{BILLS}/9?trial=1"), json!({"net": 1})).await.is(404);
    // Rights are those of the write.
    let path = "/api/ext/v1/collection/person";
    server.reader().post(&format!("{path}?trial=1"), json!({"name": "a"})).await.is(403).says("permission_missing");
    // The parameter has two values, belongs to these writes alone, and goes with no key of a write that happens once.
    admin.post(&format!("{BILLS}?trial=maybe"), json!({"net": 1})).await.is(400);
    admin.post(&format!("{BILLS}?trial=1&trial=1"), json!({"net": 1})).await.is(400).says("parameter_twice");
    admin.delete(&format!("{BILLS}/1?trial=1")).await.is(400).says("parameter_unknown");
    admin.at_contract().post("collection/bill?trial=1", json!({"net": 1})).await.is(400);
    let once = admin.with("idempotency-key", "x");
    once.post(&create, json!({"net": 1})).await.is(400).says("idempotency_key_refused");
}

#[spec("E-143")]
async fn nothing_of_a_trial_stays(engine: Engine) {
    let [created, updated] = ["created", "updated"].map(automation);
    let files = [
        ("types/bill.yaml", BILL),
        ("automations/on_created.yaml", &*created),
        ("automations/on_updated.yaml", &*updated),
    ];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    admin.post(BILLS, json!({"net": 1, "code": "a"})).await.is(201);
    server.run_automations().await;
    let before = traces(&server).await;
    admin.post(&format!("{BILLS}?trial=1"), json!({"net": 1, "code": "b"})).await.is(201);
    admin.patch(&format!("{BILLS}/1?trial=1"), json!({"net": 2})).await.is(200);
    admin.put(&format!("{BILLS}/1?trial=1"), json!({"net": 3})).await.is(200);
    // Of users, too: keys, sessions and rights stay, and the audit log says nothing.
    let reader = server.user("reader").await;
    let user = format!("/api/ext/v1/collection/user/{reader}?trial=1");
    let changed = admin.patch(&user, json!({"roles": ["admin"], "password": "correct horse staple"})).await.is(200);
    assert_eq!(changed.at("/roles"), json!(["admin"]));
    let login = json!({"user_id": "new@acme.test", "user_name": "New", "password": "correct horse staple"});
    admin.post("/api/ext/v1/collection/user?trial=1", login).await.is(201);
    assert_eq!(server.run_automations().await, crate::automations::runs::done(0));
    assert_eq!(traces(&server).await, before);
    server.reader().get("/api/ext/v1/collection/article").await.is(200);
    server.reader().post("/api/ext/v1/collection/article", json!({"name": "a"})).await.is(403);
    assert_eq!(admin.post(BILLS, json!({"net": 1})).await.is(201).at("/number"), "B-002", "no number was taken");
}

/// A trial shows a resource, which the log of reads says.
#[spec("E-143", "D-29")]
async fn trials_of_logged_types_are_reads(engine: Engine) {
    let logged = BILL.replace("title: Bill\n", "title: Bill\nlogReads: true\n");
    let server = Server::with(engine, &[("types/bill.yaml", &logged)]).await;
    let admin = server.admin();
    admin.post(BILLS, json!({"net": 1})).await.is(201);
    admin.patch(&format!("{BILLS}/1?trial=1"), json!({})).await.is(200);
    let log = admin.get("/api/ext/v1/read-log").await.is(200).at("/items");
    assert_eq!(log.as_array().unwrap().len(), 1, "{log}");
    assert_eq!((&log[0]["objectId"], &log[0]["way"]), (&json!(1), &json!("get")));
}

#[spec("E-142")]
async fn a_caller_without_a_key_has_no_trials(engine: Engine) {
    let settings = "tenant: acme\nhosts: [acme.test]\napi: {rate: 0}\npublic: {role: visitor}\n";
    let visitor = "role: visitor\ntypes: {bill: {show: true, create: true, edit: true}}\n";
    let files = [("types/bill.yaml", BILL), ("tenant.yaml", settings), ("roles/visitor.yaml", visitor)];
    let server = Server::with(engine, &files).await;
    let anybody = server.client();
    anybody.post(&format!("{BILLS}?trial=1"), json!({"net": 1})).await.is(400).says("parameter_unknown");
    anybody.post(BILLS, json!({"net": 1})).await.is(201);
    anybody.patch(&format!("{BILLS}/1?trial=1"), json!({"net": 2})).await.is(400).says("parameter_unknown");
    let document =
        |reply: testing::Reply| reply.is(200).at("/paths")["/api/ext/v1/collection/bill"]["post"].to_string();
    assert!(!document(anybody.get("/api/ext/v1/openapi.json").await).contains("trial"));
    assert!(document(server.admin().get("/api/ext/v1/openapi.json").await).contains("parameters/trial"));
}
