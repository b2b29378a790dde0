//! Bodies that never end: all together take no more memory of the process than their address has.

use crate::files::peak;
use crate::{LIMIT, alone};
use serde_json::json;
use spec::spec;
use std::net::SocketAddr;
use std::time::Duration;
use testing::{Engine, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
const SETTINGS: &[(&str, &str)] = &[("PLINTH_LIMITS_CONNECTIONS_PER_ADDRESS", "1000")];
/// `limits.memory_per_address` of config.default.toml.
const SHARE: usize = 32 << 20;
/// The connections.
const ASK: usize = 500;
/// The bytes that each sends of a body of two megabytes: up to 950 MB together.
const PARTS: [usize; 2] = [200_000, 1_900_000];
/// The most by which the process may grow: the share, and for each connection its buffers and the answer.
const GROWTH: u64 = (SHARE + ASK * 192 * 1024) as u64;

#[spec(plain, "A080")]
fn bodies_that_never_end_take_the_share_of_their_address() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "unfinished bodies", |engine: Engine| async move {
            let server = Server::with(engine, &[]).await;
            let key = server.key("admin").await;
            let process = server.process(PLINTH, SETTINGS).await;
            let admin = process.client().with("host", "acme.test").with("key", &key);
            let whole = json!({"text": "x".repeat(200)});
            for _ in 0..20 {
                admin.post("collection/note", whole.clone()).await.is(201);
            }
            for part in PARTS {
                let before = peak(&process);
                let mut asked = JoinSet::new();
                for _ in 0..ASK {
                    asked.spawn(unfinished(admin.address(), key.clone(), part));
                }
                let asked = asked.join_all().await;
                let refused = asked.iter().filter(|(answer, _)| answer == "HTTP/1.1 503").count();
                let waiting = asked.iter().filter(|(answer, _)| answer.is_empty()).count();
                let grown = peak(&process).saturating_sub(before);
                println!("{engine:?}: {} KiB more for {waiting} bodies, {refused} refused", grown >> 10);
                assert_eq!(refused + waiting, ASK, "each is refused, or waited for");
                assert!(waiting > 0 && waiting * part <= SHARE, "{waiting} bodies of {part} bytes");
                assert!(grown < GROWTH, "{engine:?}: {grown} bytes more than {before}");
                // Small requests are for everybody, of the same address and key, too.
                admin.get("collection/note?perPage=1").await.is(200);
                drop(asked);
                while admin.post("collection/note", whole.clone()).await.status != 201 {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        });
    }
}

/// Sends the beginning of a body; gives the status line if one comes.
async fn unfinished(address: SocketAddr, key: String, part: usize) -> (String, TcpStream) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /api/v1/collection/note HTTP/1.1\r\nHost: acme.test\r\nkey: {key}\r\nContent-Type: application/json\r\n\
         Content-Length: 2000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // One that is refused may be closed before it has sent all.
    let _ = stream.write_all(&vec![b' '; part]).await;
    let mut answer = [0; 12];
    let read = tokio::time::timeout(Duration::from_secs(8), stream.read_exact(&mut answer)).await;
    let answer = if matches!(read, Ok(Ok(_))) { String::from_utf8_lossy(&answer).into_owned() } else { String::new() };
    (answer, stream)
}
