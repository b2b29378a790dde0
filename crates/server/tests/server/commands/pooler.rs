//! Two nodes behind PgBouncer whose connections to PostgreSQL break.

use crate::commands::program::Plinth;
use serde_json::json;
use std::time::Duration;
use testing::{Engine, Pooler, postgres};
use tokio::task::{JoinSet, block_in_place};

const LIMIT: Duration = Duration::from_secs(300);
const CLIENTS: usize = 8;
const WRITES: usize = 40;
/// The times at which all connections of the pooler to the server are ended.
const BREAKS: usize = 6;

const END_OTHERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                         WHERE datname = current_database() AND pid <> pg_backend_pid();";

#[test]
fn no_acknowledged_write_is_lost_behind_a_pooler_whose_connections_break() {
    testing::run_within(LIMIT, Engine::Postgres, "two nodes behind a pooler", async |mut plinth: Plinth| {
        let direct = plinth.postgres.clone().unwrap();
        let pooler = Pooler::start(postgres(), "default_pool_size = 6\nmin_pool_size = 3");
        plinth.postgres = Some(pooler.url(&direct));
        let settings = [("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "0"), ("PLINTH_POSTGRES_POOLER", "transaction")];
        let (one, client) = block_in_place(|| plinth.served_with_things(&settings));
        let other = block_in_place(|| plinth.start_with("serve", &settings));
        let key = block_in_place(|| plinth.run(&["key", "create", "ann"]).done());
        let clients = [client, other.client().with("key", key.trim())];
        let mut writers = JoinSet::new();
        for writer in 0..CLIENTS {
            let client = clients[writer % 2].clone();
            writers.spawn(async move {
                let (mut written, mut unknown) = (Vec::new(), 0);
                for number in 0..WRITES {
                    let code = writer * 1000 + number;
                    let thing = json!({"code": code, "name": "A thing", "state": "new"});
                    match client.post("collection/thing", thing).await.status {
                        201 => written.push(code),
                        503 => {}
                        500 => unknown += 1,
                        status => panic!("{status}"),
                    }
                }
                (written, unknown)
            });
        }
        for _ in 0..BREAKS {
            tokio::time::sleep(Duration::from_millis(150)).await;
            block_in_place(|| postgres().ask(&direct, END_OTHERS));
        }
        let (written, unknown): (Vec<_>, Vec<_>) = writers.join_all().await.into_iter().unzip();
        let (written, unknown) = (written.concat(), unknown.into_iter().sum::<usize>());
        let page = clients[1].get("collection/thing?perPage=500&showFields=code").await.is(200);
        let stored = page.column("code");
        assert!(written.iter().all(|code| stored.contains(&json!(code))), "an acknowledged row is gone");
        assert!((written.len()..=written.len() + unknown).contains(&stored.len()), "{} rows", stored.len());
        assert!(written.len() > CLIENTS * WRITES / 2, "{} written, {unknown} unknown", written.len());
        block_in_place(|| {
            one.stop();
            other.stop();
        });
    });
}
