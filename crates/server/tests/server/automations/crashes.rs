//! The process that carries out runs is killed: nothing is lost, and nothing is done twice.

use crate::automations::http::{SECRET, asking, header};
use crate::automations::runs::{done, runs, waiting};
use resources::Body;
use serde_json::{Map, Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use std::time::Duration;
use testing::{Engine, GatewayAnswer, Server, SmsGateway};

pub(crate) const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// The process may ask this machine.
pub(crate) const SETTINGS: &[(&str, &str)] =
    &[("PLINTH_OUTGOING_ALLOW_PRIVATE", "true"), ("PLINTH_LOG_LEVEL", "trace")];
/// An instant before every process's present, and one after it.
const BEFORE: &str = "2000-01-01T00:00:00Z";
pub(crate) const AFTER: &str = "2200-01-01T00:00:00Z";

/// Waits until something holds.
pub(crate) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    for _ in 0..1_200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not come about");
}

/// Creates articles as somebody did long ago.
pub(crate) async fn create(server: &Server, count: usize) {
    server.clock().set(BEFORE);
    let made = server.elevated(move |tx, context| {
        for index in 0..count {
            let members: Map<String, Json> = Map::from_iter([("name".to_owned(), json!(format!("n{index}")))]);
            resources::create(tx, context, "article", &Body::plain(members))?;
        }
        Ok(())
    });
    made.await.unwrap();
}

/// The texts of all notes, with how many there are of each.
pub(crate) async fn notes(server: &Server) -> BTreeMap<String, usize> {
    let read = server.elevated(|tx, context| {
        let of = context.model.type_named("note").unwrap();
        let mut sql = tx.sql();
        sql.push("SELECT p150 FROM ").table(&of.table);
        let mut texts = BTreeMap::new();
        tx.query(&sql, &mut |row| {
            *texts.entry(row.text(0)?.to_owned()).or_default() += 1;
            Ok(())
        })?;
        Ok(texts)
    });
    read.await.unwrap()
}

#[spec]
async fn a_run_goes_on_at_the_step_where_the_process_was_killed(engine: Engine) {
    let erp = SmsGateway::start().await;
    let steps = r#"
  - create: {type: note, set: {text: before}}
  - http: {url: "{=env('URL')}", body: {name: "{=name}"}}
  - create: {type: note, set: {text: "after {=endpoint('body').ok}"}}
  - mail: {to: a@b.test, subject: Done, text: Bye}
"#;
    let server = asking(engine, &erp.url("/"), steps, true).await;
    create(&server, 1).await;
    erp.answers(GatewayAnswer::Hang);
    let process = server.process(PLINTH, SETTINGS).await;
    until("the request", async || erp.requests().len() == 1).await;
    process.kill();
    assert_eq!(notes(&server).await, BTreeMap::from([("before".to_owned(), 1)]));
    erp.says("200 OK", "{\"ok\": 7}");
    assert_eq!(server.run_automations().await, done(0), "it is the other's for a minute");
    server.clock().set(AFTER);
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let expected = [("before".to_owned(), 1), ("after 7".to_owned(), 1)];
    assert_eq!(notes(&server).await, BTreeMap::from(expected));
    let requests = erp.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(header(&requests[0], "idempotency-key"), header(&requests[1], "idempotency-key"));
    assert_eq!(server.deliver().await.sent, 1);
}

#[spec]
async fn of_many_runs_nothing_is_lost_or_doubled_whenever_the_process_is_killed(engine: Engine) {
    let steps = r#"
  - forEach:
      in: "{=range(1, 60)}"
      as: number
      do:
        - create: {type: note, set: {text: "{=name} {=var('number')}"}}
  - create: {type: note, set: {text: "{=name} end"}}
"#;
    let server = asking(engine, "http://localhost", steps, true).await;
    create(&server, 10).await;
    for least in [30, 200, 400] {
        let process = server.process(PLINTH, SETTINGS).await;
        until("some notes", async || notes(&server).await.len() >= least || waiting(&server).await == 0).await;
        process.kill();
        // What it had is free at once: nobody waits for the lease here.
        let free = server.elevated(|tx, _| {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&database::Name::fixed("plinth_run"));
            sql.push(" SET due = created WHERE due IS NOT NULL");
            tx.execute(&sql)?;
            Ok(())
        });
        free.await.unwrap();
    }
    server.clock().set(AFTER);
    server.run_automations().await;
    assert_eq!(waiting(&server).await, 0);
    let notes = notes(&server).await;
    assert_eq!(notes.len(), 610, "nothing is lost");
    assert!(notes.values().all(|count| *count == 1), "nothing is doubled");
}

#[spec]
async fn each_run_is_carried_out_by_one_of_two_nodes(engine: Engine) {
    let steps = "  - create: {type: note, set: {text: \"{=name}\"}}\n";
    let one = asking(engine, "http://localhost", steps, true).await;
    let other = one.node().await;
    create(&one, 60).await;
    let (first, second) = tokio::join!(one.run_automations(), other.run_automations());
    // Whoever met the other's lock left what it did not get to the other.
    let rest = one.run_automations().await;
    assert_eq!(first.done + second.done + rest.done, 60);
    let notes = notes(&one).await;
    assert!(notes.len() == 60 && notes.values().all(|count| *count == 1), "{notes:?}");
}

#[spec("A126")]
async fn a_secret_is_not_in_logs(engine: Engine) {
    let erp = SmsGateway::start().await;
    erp.says("200 OK", &format!("you sent {SECRET}"));
    let steps = r#"
  - http: {url: "{=env('URL')}", headers: {Authorization: "Bearer {=getSecret('erp')}"}, body: {token: "{=getSecret('erp')}"}}
  - http: {url: "http://{=getSecret('erp')}.invalid/", success: "{=true}"}
"#;
    let server = asking(engine, &erp.url("/"), steps, true).await;
    create(&server, 1).await;
    let process = server.process(PLINTH, SETTINGS).await;
    let failed = async || runs(&server).await[0]["log"].as_array().is_some_and(|log| log.len() == 2);
    until("the second request", failed).await;
    let (_, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(log.contains("a run failed and is tried again"), "{log}");
    assert!(!format!("{:?}", runs(&server).await).contains(SECRET));
    let ours = log.lines().filter(|line| line.contains(SECRET));
    assert_eq!(ours.collect::<Vec<_>>(), Vec::<&str>::new());
    assert_eq!(erp.requests().len(), 1);
}
