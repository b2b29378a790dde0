//! Automations whose files change while runs of them are under way.

use crate::automations::crashes::{AFTER, PLINTH, SETTINGS, create, notes, until};
use crate::automations::http::{asking, header};
use crate::automations::runs::{done, runs};
use crate::automations::steps::texts;
use automation::RetryRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use testing::{Engine, GatewayAnswer, Server, SmsGateway};

const PATH: &str = "automations/one.yaml";
const CHANGED: &str = "Completed steps of the run were changed, so it cannot continue. Retry it from the start.";

fn file(steps: &str) -> String {
    format!("automation: one\non: {{event: article.created}}\ndo:\n{steps}")
}

/// A server whose automation runs these steps for an article, as there is one now.
async fn begun(engine: Engine, steps: &str) -> Server {
    let server = Server::with(engine, &[(PATH, &file(steps))]).await;
    server.admin().create("person", json!({"name": "Ann", "code": "a"})).await;
    server.admin().create("article", json!({"name": "One"})).await;
    server
}

async fn retry(server: &Server, from_start: bool) -> Json {
    let again =
        server.elevated(move |tx, context| automation::retry(tx, context, 1, RetryRequest { from_start })).await;
    again.unwrap()
}

#[spec]
async fn a_run_goes_on_with_the_step_that_was_mended_and_what_follows(engine: Engine) {
    let first = "  - create: {type: note, set: {text: first}}\n";
    let server = begun(engine, &format!("{first}  - create: {{type: person, set: {{name: x, code: a}}}}\n")).await;
    assert_eq!(server.run_automations().await.later, 1);
    // Written otherwise, the first step is the same.
    let same = "  # The first one.\n  - create:\n      type: 'note'\n      set: {text: \"first\"}\n";
    let mended = format!(
        "{same}  - create: {{type: person, set: {{name: x, code: b}}}}\n  - create: {{type: note, set: {{text: last}}}}\n"
    );
    server.change(&[(PATH, &file(&mended))]).await;
    server.clock().advance(90);
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    assert_eq!(texts(&server).await, ["first", "last"]);
}

#[spec]
async fn a_run_whose_done_steps_were_changed_fails_and_may_begin_anew(engine: Engine) {
    let steps = |text: &str, code: &str| {
        format!(
            "  - create: {{type: note, set: {{text: {text}}}}}\n  - create: {{type: person, set: {{name: x, code: {code}}}}}\n"
        )
    };
    let server = begun(engine, &steps("first", "a")).await;
    assert_eq!(server.run_automations().await.later, 1);
    server.admin().create("article", json!({"name": "Two"})).await;
    server.change(&[(PATH, &file(&steps("second", "b")))]).await;
    server.clock().advance(90);
    let ran = server.run_automations().await;
    assert_eq!((ran.done, ran.failed), (1, 1));
    assert_eq!(texts(&server).await, ["first", "second"], "what had not begun has the new steps");
    let failed = runs(&server).await.remove(0);
    assert_eq!((&failed["state"], &failed["error"]), (&json!("failed"), &json!(CHANGED)));
    // Without the word it stays where it is.
    retry(&server, false).await;
    assert_eq!(server.run_automations().await.failed, 1);
    let again = retry(&server, true).await;
    assert_eq!([&again["state"], &again["position"], &again["error"]], [&json!("waiting"), &json!(""), &Json::Null]);
    server.change(&[(PATH, &file(&steps("third", "c")))]).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    assert_eq!(texts(&server).await, ["first", "second", "third"]);
    let positions: Vec<Json> =
        runs(&server).await[0]["log"].as_array().unwrap().iter().map(|step| step["position"].clone()).collect();
    assert_eq!(positions, ["0", "1", "0", "1"], "the record has both");
}

#[spec]
async fn of_a_block_what_is_behind_the_run_may_change_and_what_led_there_may_not(engine: Engine) {
    let steps = |list: &str, code: &str, test: &str| {
        format!(
            r#"
  - forEach:
      in: "{{={list}}}"
      as: x
      do:
        - create: {{type: note, set: {{text: "{{=var('x')}}"}}}}
        - if: "{{={test}}}"
          then:
            - create: {{type: person, set: {{name: x, code: {code}}}}}
          else:
            - create: {{type: note, set: {{text: no}}}}
"#
        )
    };
    let server = begun(engine, &steps("[1, 2, 3]", "a", "var('x') == 2")).await;
    assert_eq!(server.run_automations().await.later, 1);
    assert_eq!(runs(&server).await[0]["position"], "0.item.1.1.then.0");
    for (list, test) in [("[1, 2]", "var('x') == 2"), ("[1, 2, 3]", "var('x') > 1")] {
        server.change(&[(PATH, &file(&steps(list, "b", test)))]).await;
        retry(&server, false).await;
        assert_eq!(server.run_automations().await.failed, 1);
        assert_eq!(runs(&server).await[0]["error"], CHANGED);
    }
    let mended = steps("[1, 2, 3]", "b", "var('x') == 2").replace("text: no", "text: other");
    server.change(&[(PATH, &file(&mended))]).await;
    retry(&server, false).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    assert_eq!(texts(&server).await, ["1", "no", "2", "3", "other"]);
}

#[spec]
async fn a_run_is_not_carried_out_for_what_the_automation_does_not_wait_for(engine: Engine) {
    let server = begun(engine, "  - delete: {type: article, item: \"{=id}\"}\n").await;
    let other = "automation: one\non: {event: person.created}\ndo:\n  - delete: {type: person, item: \"{=id}\"}\n";
    server.change(&[(PATH, other)]).await;
    assert_eq!(server.run_automations().await.failed, 1);
    server.admin().get("collection/person/1").await.is(200);
    let error = "The automation was changed: it has another trigger than the run.";
    assert_eq!(runs(&server).await[0]["error"], error);
    retry(&server, true).await;
    assert_eq!(server.run_automations().await.failed, 1, "nor from the start");
    server.remove(&[PATH]).await;
    retry(&server, true).await;
    assert_eq!(server.run_automations().await.failed, 1);
    assert_eq!(runs(&server).await[0]["error"], "The automation does not exist any more.");
    server.change(&[(PATH, &file("  - create: {type: note, set: {text: last}}\n"))]).await;
    retry(&server, false).await;
    assert_eq!(server.run_automations().await, done(1));
}

/// Steps with a request in the middle.
fn requesting(first: &str, body: &str) -> String {
    format!(
        "  - create: {{type: note, set: {{text: {first}}}}}\n  - http: {{url: \"{{=env('URL')}}\", body: {{is: {body}}}}}\n  - create: {{type: note, set: {{text: \"{{=endpoint('body').ok}}\"}}}}\n"
    )
}

/// A server whose process was killed while it waited for an answer.
async fn killed(engine: Engine, erp: &SmsGateway) -> Server {
    let server = asking(engine, &erp.url("/"), &requesting("before", "old"), true).await;
    create(&server, 1).await;
    erp.answers(GatewayAnswer::Hang);
    let process = server.process(PLINTH, SETTINGS).await;
    until("the request", async || erp.requests().len() == 1).await;
    process.kill();
    erp.says("200 OK", "{\"ok\": 7}");
    server.clock().set(AFTER);
    server
}

#[spec]
async fn after_a_restart_a_run_goes_on_with_the_steps_before_it_unchanged(engine: Engine) {
    let erp = SmsGateway::start().await;
    let server = killed(engine, &erp).await;
    server.change(&[(PATH, &file(&requesting("before", "new")))]).await;
    assert_eq!(server.node().await.run_automations().await, done(1), "{:?}", runs(&server).await);
    assert_eq!(notes(&server).await, BTreeMap::from([("before".to_owned(), 1), ("7".to_owned(), 1)]));
    let requests = erp.requests();
    assert!(requests[0].ends_with("{\"is\":\"old\"}") && requests[1].ends_with("{\"is\":\"new\"}"), "{requests:?}");
    let keys = [0, 1].map(|index| header(&requests[index], "idempotency-key"));
    assert_eq!(keys[0], keys[1], "whether the first one counted is for the other side to tell");
}

#[spec]
async fn after_a_restart_a_run_whose_done_steps_were_changed_begins_anew_where_that_is_wanted(engine: Engine) {
    let erp = SmsGateway::start().await;
    let server = killed(engine, &erp).await;
    server.change(&[(PATH, &file(&requesting("anew", "old")))]).await;
    let node = server.node().await;
    assert_eq!(node.run_automations().await.failed, 1);
    assert_eq!(runs(&server).await[0]["error"], CHANGED);
    let admin = node.admin();
    let path = "/api/ext/v1/automation-run/1/retry";
    admin.post(&format!("{path}?fromStart=maybe"), json!({})).await.is(400);
    admin.post(&format!("{path}?other=1"), json!({})).await.is(400);
    admin.post(&format!("{path}?fromStart=1"), json!({})).await.is(200);
    assert_eq!(node.run_automations().await, done(1), "{:?}", runs(&server).await);
    let expected = ["before", "anew", "7"].map(|text| (text.to_owned(), 1));
    assert_eq!(notes(&server).await, BTreeMap::from(expected));
    let requests = erp.requests();
    let keys = [0, 1].map(|index| header(&requests[index], "idempotency-key"));
    assert_ne!(keys[0], keys[1], "it is another request");
    admin.post(&format!("{path}?fromStart=1"), json!({})).await.is(409);
}

#[spec]
async fn a_request_that_was_changed_while_it_was_sent_is_sent_anew(engine: Engine) {
    let erp = SmsGateway::start().await;
    let steps = |body: &str| requesting("before", body).replace("http: {", "http: {timeout: 10, ");
    let server = asking(engine, &erp.url("/"), &steps("old"), true).await;
    erp.answers(GatewayAnswer::Hang);
    server.admin().create("article", json!({"name": "One"})).await;
    let running = tokio::spawn({
        let server = server.clone();
        async move { server.run_automations().await }
    });
    until("the request", async || erp.requests().len() == 1).await;
    server.change(&[(PATH, &file(&steps("new")))]).await;
    erp.says("200 OK", "{\"ok\": 7}");
    assert_eq!(running.await.unwrap(), done(1), "{:?}", runs(&server).await);
    let bodies: Vec<String> =
        erp.requests().iter().map(|request| request.rsplit("\r\n").next().unwrap_or_default().to_owned()).collect();
    assert_eq!(bodies, ["{\"is\":\"old\"}", "{\"is\":\"new\"}"]);
    assert_eq!(notes(&server).await, BTreeMap::from([("before".to_owned(), 1), ("7".to_owned(), 1)]));
}
