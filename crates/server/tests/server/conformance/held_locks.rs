//! Requests beside writes that hold locks. Only PostgreSQL has several writers of a tenant.

use database::{Name, Tx};
use platform::tenants::Settings;
use serde_json::{Value as Json, json};
use spec::spec;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;
use testing::{Client, Engine, Server};
use tokio::task::{JoinHandle, JoinSet};

const BATCH: &str = "/api/ext/v1/batch";
const LIMIT: Duration = Duration::from_secs(60);

/// Locks all articles, until the sender is dropped.
async fn lock_articles(server: &Server) -> (Sender<()>, JoinHandle<()>) {
    let (release, released) = channel::<()>();
    let (locked, locks) = channel();
    let server = server.clone();
    let lock = tokio::spawn(async move {
        let lock = move |tx: &mut Tx<'_>| {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&Name::fixed("t10")).push(" SET version = version");
            tx.execute(&sql)?;
            // The sender is dropped at the end.
            let _ = (locked.send(()), released.recv());
            Ok(())
        };
        server.operate(|tenant| tenant.store().write_blocking(lock)).await;
    });
    tokio::task::spawn_blocking(move || locks.recv().unwrap()).await.unwrap();
    (release, lock)
}

async fn send(client: &Client, operations: Json) -> testing::Reply {
    client.post(BATCH, json!({"operations": operations})).await
}

/// The locks of others count neither as work of a batch, nor as its mistake.
#[spec(plain, "E-206")]
fn a_batch_that_waits_for_another_write_is_not_too_long() {
    testing::run_within(LIMIT, Engine::Postgres, "waiting batch", |engine: Engine| async move {
        let settings = Settings { address_rate: None, ..Settings::default() };
        let server = Server::settled(engine, settings, vec![("limits.batch_time", "1s")], &[]).await;
        let admin = server.admin();
        for code in ["a", "b"] {
            admin.create("article", json!({"name": code, "code": code, "views": 0})).await;
        }
        let ids = admin.get("collection/article").await.is(200).column("id");
        let patch = |id: &Json| json!({"op": "patch", "type": "article", "item": id, "set": {"views+=": 1}});
        let patches = json!([patch(&ids[0]), patch(&ids[1])]);
        let upsert = json!({"op": "upsert", "type": "article", "key": "code", "set": {"code": "a", "views": 5}});
        let note = json!({"op": "create", "type": "note", "set": {"text": "n"}});
        for (operations, status) in [(patches, 200), (json!([note, upsert, note]), 503)] {
            let (release, lock) = lock_articles(&server).await;
            let client = admin.clone();
            let batch = tokio::spawn(async move { send(&client, operations).await });
            // Longer than a batch may take by itself, and not as long as a statement waits for a lock.
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            drop(release);
            let reply = batch.await.unwrap().is(status);
            assert_eq!(reply.header("retry-after"), if status == 503 { "2" } else { "" });
            lock.await.unwrap();
        }
        admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
        assert_eq!(admin.get("collection/article").await.is(200).column("views"), [1, 1]);
    });
}

/// Many writers of a tenant wait for a row. Other tenants read and write before it is free.
#[spec(plain, "E-207")]
fn writers_that_wait_for_a_row_hold_up_no_other_tenant() {
    testing::run_within(LIMIT, Engine::Postgres, "waiting writers", |engine: Engine| async move {
        let greedy = Server::settled(engine, Settings { address_rate: None, ..Settings::default() }, vec![], &[]).await;
        let others = [greedy.tenant("first").await, greedy.tenant("second").await];
        let row = greedy.admin().create("article", json!({"name": "a"})).await;
        let (release, lock) = lock_articles(&greedy).await;
        let mut writers = JoinSet::new();
        for _ in 0..40 {
            let (client, path) = (greedy.admin(), format!("collection/article/{}", row["id"]));
            writers.spawn(async move { client.patch(&path, json!({"views": 1})).await.status });
        }
        for _ in 0..10 {
            let mut round = JoinSet::new();
            for client in others.iter().map(Server::admin) {
                round.spawn(async move {
                    client.create("note", json!({"text": "n"})).await;
                    client.get("collection/note?perPage=1").await.is(200);
                });
            }
            round.join_all().await;
        }
        assert!(writers.try_join_next().is_none(), "a writer did not wait");
        drop(release);
        lock.await.unwrap();
        let statuses = writers.join_all().await;
        // One that waited for too long is told to come again.
        assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    });
}
