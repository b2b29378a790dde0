//! A process that is asked to stop under load: what it accepted it answers, and clients are told to go elsewhere.

use serde_json::json;
use spec::spec;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use testing::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::{JoinSet, spawn_blocking};

const STOPS: u64 = 8;
const CLIENTS: usize = 8;

/// The observations of clients.
#[derive(Default)]
struct Seen {
    /// Rows that the server said it made.
    made: AtomicUsize,
    read: AtomicUsize,
    /// Answers that end their connection.
    last: AtomicUsize,
    /// Requests that were sent and not answered.
    cut: AtomicUsize,
    ended: AtomicBool,
}

/// Reads an answer with its body; gives its status, and whether it is the last of the connection.
async fn answer(stream: &mut TcpStream) -> Option<(u16, bool)> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    while bytes.len() < head + length.unwrap_or(0) {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let status = text.split(' ').nth(1)?.parse().ok()?;
    Some((status, text.contains("\r\nconnection: close\r\n")))
}

/// Sends requests one after the other, on a connection as long as it is kept, until none is taken any more. Every second
/// request makes a row.
async fn client(address: SocketAddr, key: String, seen: Arc<Seen>) {
    let body = json!({"text": "made under load"}).to_string();
    let head = format!("Host: acme.test\r\nkey: {key}\r\n");
    let read = format!("GET /api/v1/collection/note?perPage=1 HTTP/1.1\r\n{head}\r\n");
    let make = format!(
        "POST /api/v1/collection/note HTTP/1.1\r\n{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    while let Ok(mut stream) = TcpStream::connect(address).await {
        for request in [&read, &make].into_iter().cycle() {
            let sent = stream.write_all(request.as_bytes()).await;
            let answered = if sent.is_ok() { answer(&mut stream).await } else { None };
            let Some((status, last)) = answered else {
                seen.cut.fetch_add(1, Relaxed);
                break;
            };
            assert!([200, 201, 204].contains(&status), "{status}");
            let counted = if status == 201 { &seen.made } else { &seen.read };
            counted.fetch_add(1, Relaxed);
            if last {
                seen.last.fetch_add(1, Relaxed);
                break;
            }
        }
        if seen.ended.load(Relaxed) {
            break;
        }
    }
}

#[spec("D-6")]
async fn stops_under_load_cut_nothing(server: Server) {
    let key = server.key("admin").await;
    let (mut made, mut last, mut cut) = (0, 0, 0);
    for stop in 0..STOPS {
        let settings: &'static [(&str, &str)] = &[("PLINTH_SHUTDOWN_NOTICE", "300ms"), ("PLINTH_LOG_LEVEL", "warn")];
        let process = server.process(env!("CARGO_BIN_EXE_plinth"), settings).await;
        let (address, seen) = (process.client().address(), Arc::new(Seen::default()));
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            clients.spawn(client(address, key.clone(), Arc::clone(&seen)));
        }
        while seen.made.load(Relaxed) < 2 * CLIENTS {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(20 * stop)).await;
        let (status, log) = spawn_blocking(move || process.stop()).await.unwrap();
        assert!(status.success(), "{status}: {log}");
        seen.ended.store(true, Relaxed);
        clients.join_all().await;
        made += seen.made.load(Relaxed);
        last += seen.last.load(Relaxed);
        cut += seen.cut.load(Relaxed);
    }
    assert_eq!(cut, 0, "of {made} writes and {STOPS} stops");
    assert!(last >= STOPS as usize * CLIENTS, "each answer of the notice ends its connection: {last}");
    // What was answered is there, and nothing else.
    let total = server.admin().get("collection/note?perPage=1&_noCache=1").await.is(200).at("/stats/total");
    assert_eq!(total, made);
}
