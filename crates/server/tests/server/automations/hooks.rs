//! Hooks: what begins a run, and all that must not.

use crate::automations::runs::{done, runs};
use context::secret_store::{NewSecret, SecretKind};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value as Json, json};
use sha2::Sha256;
use spec::spec;
use testing::{Client, Engine, Reply, Server};

pub(crate) const ORDERS: &str = "\
automation: orders
on: {hook: orders}
do:
  - create:
      type: note
      set: {text: \"{=trigger('body').order} {=trigger('headers')['x-shop']} {=trigger('headers').key ?? 'no key'}\"}
";
pub(crate) const HOOK: &str = "/api/ext/v1/hook/orders";
const SECRET: &str = "a secret of the shop";

async fn with_hook(engine: Engine, file: &str) -> Server {
    let server = Server::with(engine, &[("automations/orders.yaml", file)]).await;
    set(&server, "orders").await;
    server
}

pub(crate) async fn set(server: &Server, name: &'static str) {
    let set = server.elevated(move |tx, context| {
        let (name, value) = (name.to_owned(), SECRET.to_owned());
        context::secret_store::set(tx, context, &NewSecret { name, title: None, kind: SecretKind::String, value })
    });
    set.await.unwrap();
}

/// Noon, when tests begin.
const NOON: i64 = 1_795_176_000;

fn digest(secret: &str, moment: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{moment}.{body}").as_bytes());
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn signed(moment: i64, body: &str) -> String {
    format!("t={moment},v1={}", digest(SECRET, moment, body))
}

pub(crate) async fn call(client: &Client, path: &str, signature: &str, body: &str) -> Reply {
    let request = client.request("POST", path).header("x-signature", signature).header("x-shop", "nr 7");
    request.body("application/json", body.to_owned()).send().await
}

#[spec]
async fn a_signed_call_begins_a_run(engine: Engine) {
    let server = with_hook(engine, ORDERS).await;
    let body = r#"{"order": "A-1"}"#;
    let client = server.client().with("key", "not looked at");
    let accepted = call(&client, HOOK, &signed(NOON, body), body).await.is(202);
    let run = runs(&server).await.remove(0);
    assert_eq!(accepted.json(), json!({"run": run["id"]}));
    assert_eq!((&run["automation"], &run["event"]), (&json!("orders"), &json!("hook.orders")));
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(server.admin().get("collection/note/1").await.at("/text"), "A-1 nr 7 no key");
    // Any JSON will do, and one of several signatures, as when a secret is exchanged.
    for (moment, body) in [(NOON, "[1, 2]"), (NOON + 1, "null"), (NOON - 300, "\"x\""), (NOON + 300, "7")] {
        let both = format!("t={moment}, v1={}, v0=x, v1={}", digest("old", moment, body), digest(SECRET, moment, body));
        call(&server.client(), HOOK, &both, body).await.is(202);
    }
    assert_eq!(runs(&server).await.len(), 5);
}

#[spec]
async fn calls_without_the_right_signature_begin_nothing(engine: Engine) {
    let server = with_hook(engine, ORDERS).await;
    let (client, body) = (server.client(), r#"{"order": "A-1"}"#);
    let right = digest(SECRET, NOON, body);
    let forged = [
        String::new(),
        "t=".to_owned(),
        format!("t={NOON}"),
        format!("v1={right}"),
        format!("t={NOON},v1="),
        format!("t={NOON},v1={}", &right[..62]),
        format!("t={NOON},v1={right}00"),
        format!("t={NOON},v1={}", digest("another", NOON, body)),
        format!("t={},v1={right}", NOON + 1),
        format!("t=0{NOON},t={NOON},v1={right}"),
        format!("t=+{NOON},v1={right}"),
        format!("t={NOON},v1=zz{}", &right[2..]),
        format!("t={NOON},v2={right}"),
        format!("t={NOON}{}", format!(",v1={right}").repeat(5)),
    ];
    for signature in &forged {
        let refused = call(&client, HOOK, signature, body).await.is(403);
        assert_eq!(refused.header("x-error-code"), "signature_invalid", "{signature}");
    }
    // A body that was changed on the way, down to its spaces.
    call(&client, HOOK, &signed(NOON, body), r#"{"order":"A-1"}"#).await.is(403);
    // What is right and too old, or of the future.
    for moment in [NOON - 301, NOON + 301, 0] {
        let refused = call(&client, HOOK, &signed(moment, body), body).await.is(403);
        assert_eq!(refused.header("x-error-code"), "signature_expired");
    }
    client.post(HOOK, json!({})).await.is(403);
    // Enough of that: the address has to wait, and the hook itself does not.
    call(&client, "/api/ext/v1/hook/other", "", body).await.is(404);
    let over = call(&client, HOOK, &signed(NOON, body), body).await.is(429);
    assert!(!over.header("retry-after").is_empty());
    assert_eq!(runs(&server).await, Vec::<Json>::new());
    server.clock().advance(60);
    call(&client, HOOK, &signed(NOON, body), body).await.is(202);
}

#[spec]
async fn a_call_counts_once_however_often_it_comes(engine: Engine) {
    let server = with_hook(engine, ORDERS).await;
    let node = server.node().await;
    let body = r#"{"order": "A-1"}"#;
    let signature = signed(NOON, body);
    let (first, second) = (server.client(), node.client());
    let (one, other) = tokio::join!(call(&first, HOOK, &signature, body), call(&second, HOOK, &signature, body));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409]);
    // Neither later, nor as long as the signature holds, nor written differently.
    let written = format!("v1={}, t={NOON}", digest(SECRET, NOON, body).to_uppercase());
    for seconds in [1, 298, 1] {
        server.clock().advance(seconds);
        assert_eq!(call(&first, HOOK, &signature, body).await.is(409).header("x-error-code"), "hook_repeated");
        call(&second, HOOK, &written, body).await.is(409);
    }
    server.clock().advance(1);
    call(&first, HOOK, &signature, body).await.is(403);
    assert_eq!(runs(&server).await.len(), 1);
}

#[spec]
async fn bodies_are_json_of_a_megabyte_at_most(engine: Engine) {
    let server = with_hook(engine, ORDERS).await;
    let client = server.client();
    let large = |size: usize| format!("\"{}\"", "x".repeat(size - 2));
    let over = large((1 << 20) + 1);
    call(&client, HOOK, &signed(NOON, &over), &over).await.is(413);
    let most = large(1 << 20);
    call(&client, HOOK, &signed(NOON, &most), &most).await.is(202);
    for body in ["", "{", "{\"a\": 1, \"a\": 2}", &"[".repeat(100_000)] {
        call(&client, HOOK, &signed(NOON, body), body).await.is(400);
    }
    let form = client.request("POST", HOOK).header("x-signature", &signed(NOON, "a=1")).body("text/plain", "a=1");
    form.send().await.is(415);
    client.get(HOOK).await.is(405);
    call(&client, &format!("{HOOK}?a=1"), &signed(NOON, "1"), "1").await.is(400);
    assert_eq!(runs(&server).await.len(), 1);
}

#[spec]
async fn a_hook_has_a_rate_a_switch_and_a_secret_of_its_own(engine: Engine) {
    let file = ORDERS.replace("{hook: orders}", "{hook: orders, secret: shop}").replace("do:", "rate: 3\ndo:");
    let server = with_hook(engine, &file).await;
    let client = server.client();
    // Its secret is not set, and that is nothing for whoever calls.
    call(&client, HOOK, &signed(NOON, "1"), "1").await.is(403);
    set(&server, "shop").await;
    for body in ["1", "2", "3"] {
        call(&client, HOOK, &signed(NOON, body), body).await.is(202);
    }
    let over = call(&client, HOOK, &signed(NOON, "4"), "4").await.is(429);
    assert_eq!((over.header("x-error-code"), over.header("retry-after")), ("too_many_hook_calls", "60"));
    server.clock().advance(60);
    // What was refused was not used up.
    call(&client, HOOK, &signed(NOON, "4"), "4").await.is(202);
    server.admin().post("/api/ext/v1/automation/orders/disable", json!({})).await.is(200);
    call(&client, HOOK, &signed(NOON, "5"), "5").await.is(409);
    server.admin().post("/api/ext/v1/automation/orders/enable", json!({})).await.is(200);
    call(&client, HOOK, &signed(NOON, "5"), "5").await.is(202);
    // Another tenant has no such hook, and no such secret.
    let other = server.tenant("other").await;
    call(&other.client(), HOOK, &signed(NOON, "6"), "6").await.is(404);
}

/// Hooks with one secret between them: the signature does not name the hook, so a call counts for all of them.
#[spec]
async fn a_call_of_a_hook_is_no_call_of_another_with_the_same_secret(engine: Engine) {
    let returns = ORDERS.replace("automation: orders\non: {hook: orders}", "automation: returns\non: {hook: returns}");
    let shared = returns.replace("{hook: returns}", "{hook: returns, secret: orders}");
    let files = [("automations/orders.yaml", ORDERS), ("automations/returns.yaml", shared.as_str())];
    let server = Server::with(engine, &files).await;
    set(&server, "orders").await;
    let (client, body, other) = (server.client(), r#"{"order": "A-1"}"#, "/api/ext/v1/hook/returns");
    call(&client, HOOK, &signed(NOON, body), body).await.is(202);
    let repeated = call(&client, other, &signed(NOON, body), body).await.is(409);
    assert_eq!(repeated.header("x-error-code"), "hook_repeated");
    assert_eq!(runs(&server).await.len(), 1);
    // What is another call is one, and secrets of the same text are the same secret.
    call(&client, other, &signed(NOON + 1, body), body).await.is(202);
    set(&server, "returns").await;
    server.change(&[("automations/returns.yaml", &returns)]).await;
    call(&client, other, &signed(NOON, body), body).await.is(409);
    assert_eq!(runs(&server).await.len(), 2);
}

/// While a secret is exchanged a call has signatures of both, and each may be that of another hook.
#[spec]
async fn a_call_with_signatures_of_several_secrets_counts_for_the_hooks_of_all(engine: Engine) {
    let returns = ORDERS.replace("automation: orders\non: {hook: orders}", "automation: returns\non: {hook: returns}");
    let files = [("automations/orders.yaml", ORDERS), ("automations/returns.yaml", returns.as_str())];
    let server = Server::with(engine, &files).await;
    set(&server, "orders").await;
    let former = server.elevated(move |tx, context| {
        let (name, value) = ("returns".to_owned(), "the former secret".to_owned());
        context::secret_store::set(tx, context, &NewSecret { name, title: None, kind: SecretKind::String, value })
    });
    former.await.unwrap();
    let (client, other) = (server.client(), "/api/ext/v1/hook/returns");
    for (moment, [first, second]) in [(NOON, [HOOK, other]), (NOON + 1, [other, HOOK])] {
        let digests = [digest(SECRET, moment, "1"), digest("the former secret", moment, "1")];
        let both = format!("t={moment},v1={},v1={}", digests[0], digests[1]);
        call(&client, first, &both, "1").await.is(202);
        assert_eq!(call(&client, second, &both, "1").await.is(409).header("x-error-code"), "hook_repeated");
        for digest in digests {
            let refused = call(&client, second, &format!("t={moment},v1={digest}"), "1").await.status;
            assert!([403, 409].contains(&refused), "{refused}");
        }
    }
    assert_eq!(runs(&server).await.len(), 2);
    // What stands beside the right one again and again is no call that came before.
    for moment in [NOON + 2, NOON + 3] {
        let odd = format!("t={moment},v1={},v1={}", "00".repeat(32), digest(SECRET, moment, "1"));
        call(&client, HOOK, &odd, "1").await.is(202);
    }
}
