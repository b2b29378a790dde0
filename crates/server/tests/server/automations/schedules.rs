//! Schedules: no moment is skipped, none is met twice, and an edit holds everywhere.

use crate::automations::crashes::until;
use crate::automations::runs::{done, runs};
use serde_json::json;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server};

/// An automation that notes its moments. The tenant's zone is Prague's; tests begin at 13:00 there.
fn noting(on: &str) -> String {
    format!(
        "automation: tick\non: {{{on}}}\ndo:\n  - create: {{type: note, set: {{text: \"{{=trigger('scheduled')}}\"}}}}\n"
    )
}

async fn with(engine: Engine, on: &str) -> Server {
    Server::with(engine, &[("automations/tick.yaml", &noting(on))]).await
}

/// The moments of all runs so far, in order.
async fn moments(server: &Server) -> Vec<String> {
    let of = |run: &serde_json::Value| run["trigger"]["parameters"]["scheduled"].as_str().unwrap().to_owned();
    runs(server).await.iter().map(of).collect()
}

#[spec]
async fn a_run_begins_at_each_moment_in_the_tenant_s_zone(engine: Engine) {
    let server = with(engine, "schedule: '30 13 * * *'").await;
    assert_eq!(server.schedule().await, 0);
    server.clock().advance(30 * 60 - 1);
    assert_eq!(server.schedule().await, 0);
    server.clock().advance(1);
    assert_eq!([server.schedule().await, server.schedule().await], [1, 0]);
    assert_eq!(server.run_automations().await, done(1));
    let note = server.admin().get("collection/note/1?showFields=text,createdBy").await.is(200).json();
    assert_eq!(note, json!({"id": 1, "text": "2026-11-20T13:30:00+01:00", "createdBy": null}));
    let run = runs(&server).await.remove(0);
    assert_eq!((&run["event"], &run["actor"]), (&json!("schedule"), &json!(null)));
    server.clock().advance(86_400);
    assert_eq!(server.schedule().await, 1);
    assert_eq!(moments(&server).await, ["2026-11-20T13:30:00+01:00", "2026-11-21T13:30:00+01:00"]);
}

#[spec]
async fn nodes_meet_each_moment_together_once(engine: Engine) {
    let server = with(engine, "schedule: '* * * * *'").await;
    let nodes = [server.node().await, server.node().await, server.clone()];
    for _ in 0..20 {
        server.clock().advance(60);
        let (a, b, c) = tokio::join!(nodes[0].schedule(), nodes[1].schedule(), nodes[2].schedule());
        assert_eq!(a + b + c, 1);
    }
    let all = moments(&server).await;
    let mut different = all.clone();
    different.dedup();
    assert_eq!((all.len(), different.len()), (20, 20), "{all:?}");
}

#[spec]
async fn missed_moments_are_made_up_for_once_or_each(engine: Engine) {
    let server = with(engine, "schedule: '*/10 * * * *'").await;
    server.clock().advance(3 * 60 * 60 + 5 * 60);
    assert_eq!(server.schedule().await, 1);
    assert_eq!(moments(&server).await, ["2026-11-20T16:00:00+01:00"], "the last of them");
    server.change(&[("automations/tick.yaml", &noting("schedule: '*/10 * * * *', missed: all"))]).await;
    server.clock().advance(35 * 60);
    assert_eq!(server.schedule().await, 4);
    let made = moments(&server).await;
    assert_eq!(made[1..3], ["2026-11-20T16:10:00+01:00", "2026-11-20T16:20:00+01:00"]);
    assert_eq!(made[3..], ["2026-11-20T16:30:00+01:00", "2026-11-20T16:40:00+01:00"]);
    // A hundred at most, the last ones.
    server.clock().advance(30 * 24 * 60 * 60);
    assert_eq!(server.schedule().await, 100);
    let all = moments(&server).await;
    assert_eq!((all.len(), all.last().unwrap().as_str()), (105, "2026-12-20T16:40:00+01:00"));
    assert_eq!(all[5], "2026-12-20T00:10:00+01:00");
}

#[spec]
async fn an_edit_of_the_schedule_holds_on_all_nodes(engine: Engine) {
    let server = with(engine, "schedule: '0 14 * * *'").await;
    let other = server.node().await;
    assert_eq!(other.schedule().await, 0);
    server.change(&[("automations/tick.yaml", &noting("schedule: '30 14 * * *'"))]).await;
    server.clock().advance(60 * 60);
    assert_eq!([server.schedule().await, other.schedule().await], [0, 0], "14:00 is no moment any more");
    server.clock().advance(30 * 60);
    assert_eq!([other.schedule().await, server.schedule().await], [1, 0]);
    // The same text in another zone has other moments; other changes leave the moment as it is.
    let zone = "tenant: acme\nhosts: [acme.test]\ntimezone: Europe/London\napi: {rate: 0}\n";
    server.change(&[("tenant.yaml", zone)]).await;
    server.clock().advance(60 * 60);
    assert_eq!(other.schedule().await, 1, "it is 14:30 in London");
    server.clock().advance(86_400);
    server.change(&[("groups/blue.yaml", "group: blue\ntitle: Blues\n")]).await;
    assert_eq!(server.schedule().await, 1);
    server.remove(&["automations/tick.yaml"]).await;
    server.clock().advance(86_400);
    assert_eq!([server.schedule().await, other.schedule().await], [0, 0]);
    let made = moments(&server).await;
    assert_eq!(made[1..], ["2026-11-20T14:30:00+00:00", "2026-11-21T14:30:00+00:00"]);
}

#[spec]
async fn what_is_switched_off_meets_no_moment_and_makes_up_for_none(engine: Engine) {
    let server = with(engine, "schedule: '@hourly'").await;
    let path = "/api/ext/v1/automation/tick/";
    server.admin().post(&format!("{path}disable"), json!({})).await.is(200);
    server.clock().advance(2 * 60 * 60);
    assert_eq!(server.schedule().await, 0);
    server.admin().post(&format!("{path}enable"), json!({})).await.is(200);
    assert_eq!(server.schedule().await, 0);
    server.clock().advance(60 * 60);
    assert_eq!(server.schedule().await, 1);
    assert_eq!(moments(&server).await, ["2026-11-20T16:00:00+01:00"]);
}

#[spec]
async fn a_server_meets_what_was_missed_while_none_ran(engine: Engine) {
    let server = with(engine, "schedule: '@daily'").await;
    server.clock().set("2000-01-01T00:00:00Z");
    server.change(&[("automations/tick.yaml", &noting("schedule: '@yearly'"))]).await;
    // The processes have the system's clock.
    let binary = env!("CARGO_BIN_EXE_plinth");
    let first = server.process(binary, &[]).await;
    // A file of SQLite has one server.
    let second = if engine == Engine::Postgres { Some(server.process(binary, &[]).await) } else { None };
    until("the run", async || runs(&server).await.iter().any(|run| run["state"] == "done")).await;
    let all = runs(&server).await;
    assert_eq!((all.len(), &all[0]["state"]), (1, &json!("done")), "{all:?}");
    drop((first, second));
}

#[spec("E-183")]
async fn a_clock_that_was_a_day_ahead_puts_no_schedule_off(engine: Engine) {
    let server = with(engine, "schedule: '* * * * *'").await;
    let today = async || moments(&server).await.iter().filter(|moment| moment.starts_with("2026-11-20")).count();
    {
        let _working = server.work_schedules();
        server.clock().advance(86_400);
        until("a run", async || !moments(&server).await.is_empty()).await;
        assert_eq!(today().await, 0);
        // The worker sees the clock go back, and plans the next minute of today.
        server.clock().advance(-86_400);
        let run = async || {
            server.clock().advance(60);
            today().await > 0
        };
        until("a run of today", run).await;
    }
    // An hour ahead and back is waited for: no moment is met twice.
    let before = today().await;
    let _working = server.work_schedules();
    server.clock().advance(3_600);
    until("a run", async || today().await > before).await;
    server.clock().advance(-3_600);
    let before = today().await;
    for _ in 0..40 {
        server.clock().advance(60);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(today().await, before);
}
