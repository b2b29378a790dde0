//! Nodes on machines whose clocks are two minutes off: moments of schedules and windows of hooks follow the database's.

use crate::automations::hooks::{HOOK, ORDERS, call, set, signed};
use crate::automations::runs::runs;
use serde_json::Value as Json;
use std::time::Duration;
use testing::{Engine, Server};

const LIMIT: Duration = Duration::from_secs(240);
const TICK: &str = "automation: tick\non: {schedule: '* * * * *'}\ndo:\n  - set: {x: 1}\n";
/// The time for which a call of a hook may come, in seconds.
const WINDOW: i64 = 300;

/// A node that is two minutes ahead, and one that is two minutes behind.
async fn nodes(files: &[(&str, &str)]) -> (Server, [Server; 2]) {
    let server = Server::with(Engine::Postgres, files).await;
    let nodes = [server.node_off_by(120).await, server.node_off_by(-120).await];
    (server, nodes)
}

async fn present(node: &Server) -> i64 {
    node.look(|_, call| Ok(call.now.as_second())).await
}

#[test]
fn windows_of_hooks_are_those_of_the_database() {
    testing::run_within(LIMIT, Engine::Postgres, "hooks of nodes whose clocks differ", async |_: Engine| {
        let (server, [ahead, behind]) = nodes(&[("automations/orders.yaml", ORDERS)]).await;
        set(&server, "orders").await;
        // A minute within the window, and a minute beyond it, on both sides.
        for (here, there, number) in [(&ahead, &behind, 1), (&behind, &ahead, 2)] {
            for side in [-1, 1] {
                let body = format!("{{\"order\": \"{number} {side}\"}}");
                let inside = signed(present(here).await + side * (WINDOW - 60), &body);
                call(&here.client(), HOOK, &inside, &body).await.is(202);
                // What one node took is known to the other.
                call(&there.client(), HOOK, &inside, &body).await.is(409);
                let beyond = signed(present(here).await + side * (WINDOW + 60), &body);
                for node in [here, there] {
                    let refused = call(&node.client(), HOOK, &beyond, &body).await.is(403);
                    assert_eq!(refused.header("x-error-code"), "signature_expired");
                }
            }
        }
        assert_eq!(runs(&server).await.len(), 4);
    });
}

#[test]
fn moments_of_schedules_are_those_of_the_database() {
    testing::run_within(LIMIT, Engine::Postgres, "schedules of nodes whose clocks differ", async |_: Engine| {
        let (server, [ahead, behind]) = nodes(&[("automations/tick.yaml", TICK)]).await;
        // What was missed since the tests' own present is made up for.
        let mut begun = ahead.schedule().await + behind.schedule().await;
        let first = present(&ahead).await;
        while present(&behind).await / 60 == first / 60 {
            let (one, other) = tokio::join!(ahead.schedule(), behind.schedule());
            begun += one + other;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let (one, other) = tokio::join!(ahead.schedule(), behind.schedule());
        begun += one + other;
        let moments: Vec<String> = runs(&server)
            .await
            .iter()
            .map(|run: &Json| run["trigger"]["parameters"]["scheduled"].as_str().unwrap().to_owned())
            .collect();
        let mut once = moments.clone();
        once.dedup();
        assert_eq!((moments.len(), &once), (begun, &moments), "no moment is met twice");
        let last = moments.last().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
        assert_eq!(last / 60, present(&ahead).await / 60, "the last moment is of this minute: {moments:?}");
    });
}
