//! An import waits for one that another process takes back: its rows would be in the way.

use database::{Sql, Tx, Value};
use model::table_names::IMPORT;
use spec::spec;
use std::time::{Duration, Instant, UNIX_EPOCH};
use testing::Server;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
const THING: &str = "id: 60\nname: thing\nproperties:\n  name: {id: 601, kind: pString, required: true}\n";

#[spec("E-095")]
async fn an_import_waits_for_one_that_is_taken_back(engine: testing::Engine) {
    let server = Server::with(engine, &[("types/thing.yaml", THING)]).await;
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), "name\nfirst\n").unwrap();
    let path = file.path().to_str().unwrap().to_owned();
    // A machine that stands still for longer than the lease is no reason to wait: then once more.
    let has_waited = async |before: u64| {
        // The server looks for dead imports, too: by its clock this one lives.
        let now = jiff::Timestamp::UNIX_EPOCH + UNIX_EPOCH.elapsed().unwrap();
        server.clock().set(&now.to_string());
        // Another process takes back an import, and shows again and again that it lives.
        note(&server, Some(0)).await;
        let import = async {
            let (succeeded, printed) = server.command(PLINTH, &["import", "thing", &path]).await;
            assert!(succeeded, "{printed}");
            printed
        };
        let undo = async {
            let (mut noted, mut longest) = (Instant::now(), Duration::ZERO);
            for look in 1..=15 {
                note(&server, Some(look)).await;
                (longest, noted) = (longest.max(noted.elapsed()), Instant::now());
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            let meanwhile = total(&server).await;
            longest = longest.max(noted.elapsed());
            note(&server, None).await;
            (longest < Duration::from_secs(3)).then_some(meanwhile == before)
        };
        let (printed, waited) = tokio::join!(import, undo);
        assert_eq!(total(&server).await, before + 1);
        waited.map(|waited| (waited, printed))
    };
    for before in 0..10 {
        if let Some((waited, printed)) = has_waited(before).await {
            assert!(waited, "the import did not wait: {printed}");
            return;
        }
    }
    panic!("the machine stood still ten times");
}

async fn total(server: &Server) -> u64 {
    let answer = server.admin().get("/api/ext/v1/collection/thing?_noCache=1").await.is(200);
    answer.at("/stats/total").as_u64().unwrap()
}

/// Writes down an import that is taken back, at its first look, or a further one; removes it at the end.
async fn note(server: &Server, look: Option<i64>) {
    server
        .elevated(move |tx: &mut Tx<'_>, _| {
            // The command's clock is the machine's, or the database's, which may be a moment behind.
            let now = Value::Timestamp(i64::try_from(UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap() - 1_000);
            let mut sql: Sql = tx.sql();
            match look {
                Some(0) => {
                    sql.push("INSERT INTO ").table(&IMPORT);
                    sql.push(" (type, state, holder, started, alive) VALUES (60, 'undoing', 'other', ");
                    sql.bind(now.clone()).push(", ").bind(now).push(")");
                }
                Some(_) => _ = sql.push("UPDATE ").table(&IMPORT).push(" SET alive = ").bind(now),
                None => _ = sql.push("DELETE FROM ").table(&IMPORT),
            }
            Ok(tx.execute(&sql).map(drop)?)
        })
        .await
        .unwrap();
}
