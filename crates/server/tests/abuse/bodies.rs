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
use tokio::time::timeout;

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
/// The longest wait for the next refusal while too many are waited for; and the silence after which no more come.
const PATIENCE: Duration = Duration::from_secs(20);
const SETTLED: Duration = Duration::from_secs(1);

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
                // Those that fit are waited for; all others are refused, and nobody after them.
                let mut answers = Vec::new();
                while asked.len() * part > SHARE {
                    let answer = timeout(PATIENCE, asked.join_next()).await;
                    answers.push(answer.expect("what does not fit is refused").unwrap().unwrap());
                }
                while let Ok(Some(answer)) = timeout(SETTLED, asked.join_next()).await {
                    answers.push(answer.unwrap());
                }
                let (refused, waiting) = (answers.len(), asked.len());
                let grown = peak(&process).saturating_sub(before);
                println!("{engine:?}: {} KiB more for {waiting} bodies, {refused} refused", grown >> 10);
                assert!(answers.iter().all(|(answer, _)| answer == "HTTP/1.1 503"), "each is refused, or waited for");
                assert!(waiting > 0 && waiting * part <= SHARE, "{waiting} bodies of {part} bytes");
                assert!(grown < GROWTH, "{engine:?}: {grown} bytes more than {before}");
                // Small requests are for everybody, of the same address and key, too.
                admin.get("collection/note?perPage=1").await.is(200);
                drop((asked, answers));
                while admin.post("collection/note", whole.clone()).await.status != 201 {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        });
    }
}

/// Sends the beginning of a body, and waits for the status line; gives it, empty where the connection ends without.
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
    let read = stream.read_exact(&mut answer).await;
    let answer = if read.is_ok() { String::from_utf8_lossy(&answer).into_owned() } else { String::new() };
    (answer, stream)
}
