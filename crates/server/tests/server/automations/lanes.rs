//! What waits for what: no run for a server that hangs, nor for a node that is gone.

use crate::automations::crashes::{PLINTH, create, notes, until};
use crate::automations::http::header;
use crate::automations::runs::runs;
use crate::outbox::crashes::{is_missed, soon};
use context::request_context::RequestContext;
use database::{Name, Tx};
use platform::tenants::Settings;
use spec::spec;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use testing::{Engine, GatewayAnswer, Server, SmsGateway};

const ASKS: &str = "automation: asks\non: {event: article.created}\ndo:\n  - http: {url: \"{=env('URL')}\"}\n";
const NOTES: &str =
    "automation: notes\non: {event: article.created}\ndo:\n  - create: {type: note, set: {text: \"{=name}\"}}\n";

/// A server whose automation asks this address for each new article, and another one makes a note.
async fn asking(engine: Engine, erp: &SmsGateway) -> Server {
    let environment = format!("URL: \"{}\"\n", erp.url("/"));
    let files = [("automations/asks.yaml", ASKS), ("automations/notes.yaml", NOTES), ("env.yaml", &environment)];
    let own = vec![("outgoing.allow_private", "true")];
    Server::settled(engine, Settings { address_rate: None, ..Settings::default() }, own, &files).await
}

/// How many runs have not ended. Nobody waits for this: the processes write all the while.
async fn under_way(server: &Server) -> usize {
    let count = |tx: &mut Tx<'_>, _: &RequestContext| {
        let mut sql = tx.sql();
        sql.push("SELECT id FROM ").table(&Name::fixed("plinth_run")).push(" WHERE due IS NOT NULL");
        let mut count = 0;
        tx.query(&sql, &mut |_| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    };
    server.look(count).await
}

#[spec]
async fn a_server_that_hangs_holds_up_no_other_run(engine: Engine) {
    let erp = SmsGateway::start().await;
    erp.answers(GatewayAnswer::Hang);
    let server = asking(engine, &erp).await;
    create(&server, 40).await;
    let running = tokio::spawn({
        let server = server.clone();
        async move { server.run_automations().await }
    });
    until("the notes", async || notes(&server).await.len() == 40).await;
    assert!(erp.requests().len() <= 9, "one that hangs has few places: {}", erp.requests().len());
    // What is caused meanwhile is carried out, too.
    create(&server, 1).await;
    until("a note more", async || notes(&server).await.values().sum::<usize>() == 41).await;
    let tried = runs(&server).await.iter().filter(|run| !run["error"].is_null()).count();
    assert_eq!(tried, 0, "nobody waited for the server that hangs to be given up");
    running.abort();
}

#[spec]
async fn what_a_killed_process_leaves_is_carried_out_in_seconds(engine: Engine) {
    // A lease has eight seconds. One of a minute would end long behind this.
    soon("what a killed process left", Duration::from_secs(30), async || carried_out(engine).await).await;
}

/// The time from the end of one of two processes until all runs have ended.
async fn carried_out(engine: Engine) -> Duration {
    let erp = SmsGateway::start().await;
    let server = asking(engine, &erp).await;
    create(&server, 150).await;
    let settings: &[_] = &[("PLINTH_OUTGOING_ALLOW_PRIVATE", "true"), ("PLINTH_OUTBOX_PLACES", "3")];
    let survivor = server.process(PLINTH, settings).await;
    let killed = server.process(PLINTH, settings).await;
    until("some requests", async || erp.requests().len() >= 30).await;
    killed.kill();
    let since = Instant::now();
    until("all runs", async || under_way(&server).await == 0).await;
    let took = since.elapsed();
    is_missed(engine, &survivor).await;
    let requests = erp.requests();
    let names: BTreeSet<&str> = requests.iter().map(|request| header(request, "idempotency-key")).collect();
    assert_eq!(names.len(), 150);
    let repeated = requests.len() - names.len();
    // What takes long has as many places again.
    assert!(repeated <= 6, "{repeated} repeats: one for each place");
    let notes = notes(&server).await;
    assert!(notes.len() == 150 && notes.values().all(|count| *count == 1), "{notes:?}");
    survivor.kill();
    took
}

#[test]
fn nodes_whose_clocks_differ_ask_once() {
    testing::run_within(
        Duration::from_secs(300),
        Engine::Postgres,
        "runs of nodes whose clocks differ",
        async |engine: Engine| {
            let erp = SmsGateway::start().await;
            erp.answers(GatewayAnswer::Hang);
            let server = asking(engine, &erp).await;
            create(&server, 1).await;
            let (ahead, behind) = (server.node_off_by(120).await, server.node_off_by(-120).await);
            let running = tokio::spawn({
                let behind = behind.clone();
                async move { behind.run_automations().await }
            });
            until("the request", async || erp.requests().len() == 1).await;
            ahead.run_automations().await;
            assert_eq!(erp.requests().len(), 1, "the lease of the node that is behind is not over");
            running.abort();
        },
    );
}
