//! Large lists that nobody reads: they lie in files, so that the process's memory does not grow with them, and the
//! files have a budget.

use crate::files::peak;
use crate::{LIMIT, alone};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use testing::{Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
const ROWS: usize = 30;
/// Bytes of a list, about.
const LIST: u64 = ROWS as u64 * 200_000;
/// Lists that fit the budget of files, and connections that ask for one.
const FIT: usize = 20;
const ASK: usize = 24;
/// The most by which the process may grow, though the lists together have 120 MB.
const GROWTH: u64 = 48 << 20;
/// The growth by a round of lists from which on the process is taken to have what it needs.
const STEADY: u64 = 1 << 20;
const SETTINGS: &[(&str, &str)] = &[
    ("PLINTH_LIMITS_SPOOL_BYTES", "125000000"),
    ("PLINTH_LIMITS_SPOOL_PER_ADDRESS", "125000000"),
    ("PLINTH_LIMITS_SPOOL_PER_KEY", "125000000"),
];
const TYPE: (&str, &str) =
    ("types/page.yaml", "id: 20\nname: page\ntitle: Page\nproperties:\n  data: {id: 200, kind: pJson, title: Data}\n");

#[test]
fn lists_that_nobody_reads_take_files_within_a_budget_and_little_memory() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "large lists", |engine: Engine| async move {
            let server = Server::with(engine, &[TYPE]).await;
            for _ in 0..ROWS {
                server.admin().create("page", json!({"data": "x".repeat(200_000)})).await;
            }
            let key = server.key("admin").await;
            let process = server.process(PLINTH, SETTINGS).await;
            let address = process.client().address();
            let path = "collection/page?perPage=100";
            let admin = process.client().with("host", "acme.test").with("key", &key);
            let whole = admin.get(path).await.is(200).text;
            assert!(whole.len() as u64 > LIST);
            // Each thread and connection of the database has made one before: rounds add nothing any more.
            let mut before = 0;
            for round in 0..20 {
                let lists = (0..8).map(|_| admin.clone()).map(async |admin| admin.get(path).await.status);
                assert!(futures_util::future::join_all(lists).await.contains(&200));
                let now = peak(&process);
                if round > 3 && now.saturating_sub(before) < STEADY {
                    break;
                }
                before = now;
            }
            let before = peak(&process);

            // A client that takes nothing for ten seconds is let go: all ask within that time.
            let asked: Vec<(u16, TcpStream)> = std::thread::scope(|scope| {
                let asking: Vec<_> = (0..ASK).map(|_| scope.spawn(|| unread(address, &key))).collect();
                asking.into_iter().map(|asking| asking.join().unwrap()).collect()
            });
            let served = asked.iter().filter(|(status, _)| *status == 200).count();
            assert_eq!(served, FIT, "the others are refused");
            let grown = peak(&process).saturating_sub(before);
            println!("{engine:?}: {} KiB before, {} KiB more for {served} lists", before >> 10, grown >> 10);
            assert!(grown < GROWTH, "{engine:?}: {grown} bytes more than {before}");
            let refused = admin.get(path).await.is(503);
            assert_eq!(refused.header("retry-after"), "1");
            // Small answers are for everybody.
            admin.get("collection/page?perPage=1&showFields=id").await.is(200);

            // One that reads after all gets all of it.
            let (_, mut last) = asked.into_iter().rfind(|(status, _)| *status == 200).unwrap();
            let mut text = Vec::new();
            last.read_to_end(&mut text).unwrap();
            assert!(text.ends_with(whole.as_bytes()), "{} bytes of {}", text.len(), whole.len());
            // The others are gone by now, and what they held with them.
            let began = Instant::now();
            while admin.get(path).await.status != 200 {
                assert!(began.elapsed() < Duration::from_secs(20), "what they held is still counted");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            let folder = server.data_folder().join("spool");
            assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "no file has a name");
        });
    }
}

/// Asks for the list, and reads nothing but the status.
fn unread(address: SocketAddr, key: &str) -> (u16, TcpStream) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /api/v1/collection/page?perPage=100 HTTP/1.1\r\nHost: acme.test\r\nKey: {key}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).unwrap();
    let status = std::str::from_utf8(&status[9..]).unwrap().parse().unwrap();
    (status, stream)
}
