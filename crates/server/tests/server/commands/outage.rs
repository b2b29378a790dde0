//! A server whose PostgreSQL is away: what it answers, and how much it writes into its log.

use crate::commands::program::Plinth;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use testing::{Engine, Process, postgres};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{JoinHandle, JoinSet, block_in_place};
use tokio::time::Instant;

const LIMIT: Duration = Duration::from_secs(300);
const CLIENTS: usize = 16;
/// For how long clients ask.
const AWAY: Duration = Duration::from_secs(12);
/// The lines of one kind that are written in ten seconds.
const ALIKE: usize = 3;
/// More than there are places that log something of an outage.
const KINDS: usize = 10;

/// A way to the tests' PostgreSQL, by a socket of its own.
struct Way {
    folder: TempDir,
    open: Option<JoinHandle<()>>,
}

impl Way {
    fn new() -> Self {
        let mut way = Way { folder: TempDir::new().unwrap(), open: None };
        way.open();
        way
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join(format!(".s.PGSQL.{}", postgres().port()))
    }

    fn open(&mut self) {
        let listener = UnixListener::bind(self.socket()).unwrap();
        let to = postgres().folder().join(format!(".s.PGSQL.{}", postgres().port()));
        self.open = Some(tokio::spawn(async move {
            // They end with it.
            let mut connections = JoinSet::new();
            while let Ok((mut here, _)) = listener.accept().await {
                let mut there = UnixStream::connect(&to).await.unwrap();
                connections.spawn(async move { tokio::io::copy_bidirectional(&mut here, &mut there).await.map(drop) });
            }
        }));
    }

    /// Cuts all connections, and takes none.
    async fn close(&mut self) {
        let open = self.open.take().unwrap();
        open.abort();
        let _ = open.await;
        std::fs::remove_file(self.socket()).unwrap();
    }

    /// The address of a database by this way.
    fn url(&self, direct: &str) -> String {
        let host = |folder: &std::path::Path| folder.display().to_string().replace('/', "%2F");
        let by = direct.replace(&host(postgres().folder()), &host(self.folder.path()));
        assert_ne!(by, direct);
        by
    }
}

#[test]
fn log_lines_follow_the_time_and_not_the_requests() {
    testing::run_within(LIMIT, Engine::Postgres, "a log of an outage", async |mut plinth: Plinth| {
        let mut way = Way::new();
        plinth.postgres = plinth.postgres.map(|direct| way.url(&direct));
        let settings = [
            ("PLINTH_LOG_LEVEL", "warn"),
            ("PLINTH_LOG_ALIKE", "3"),
            ("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "0"),
            ("PLINTH_DATA_WAIT", "2s"),
        ];
        let (server, client) = block_in_place(|| plinth.served_with_things(&settings));
        client.get("collection/thing").await.is(204);
        let before = server.logged().lines().count();
        way.close().await;
        let end = Instant::now() + AWAY;
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            let client = client.clone();
            clients.spawn(async move {
                let mut failed = 0;
                while Instant::now() < end {
                    let told = client.get("collection/thing?_noCache=1").await;
                    assert!([500, 503].contains(&told.status), "{}", told.text);
                    failed += 1;
                }
                failed
            });
        }
        let failed: usize = clients.join_all().await.into_iter().sum();
        let lines = lines_of(&server, before);
        // Three windows of ten seconds at most, and a line for each kind that tells what was left out.
        let most = KINDS * 3 * (ALIKE + 1);
        println!("{failed} requests failed, {} lines: {lines:#?}", lines.len());
        assert!(lines.len() <= most, "{} lines", lines.len());
        assert!(failed > 2 * most, "{failed} requests");
        assert!(lines.iter().any(|line| line.contains("left_out")));
        way.open();
        while client.get("collection/thing?_noCache=1").await.status != 204 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        block_in_place(|| server.stop());
    });
}

fn lines_of(server: &Process, before: usize) -> Vec<String> {
    server.logged().lines().skip(before).map(str::to_owned).collect()
}
