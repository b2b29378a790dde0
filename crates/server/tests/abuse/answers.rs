//! Answers of writes that nobody reads: they take no more memory than a key's share, and what was begun.

use crate::{LIMIT, alone};
use serde_json::json;
use spec::spec;
use std::net::SocketAddr;
use std::time::Duration;
use testing::{Engine, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// A key may hold one answer and a half.
const SETTINGS: &[(&str, &str)] = &[
    ("PLINTH_LIMITS_MEMORY_PER_KEY", "9000000"),
    ("PLINTH_DATA_CONNECTIONS", "3"),
    ("PLINTH_LIMITS_ANSWER_RATE", "0"),
];
/// The texts of a resource, of a megabyte each: more than the kernel takes off the server for a client.
const TEXTS: usize = 6;
/// The writes that are under way together.
const SENT: usize = 24;
/// The most that may be done: two fill the share, and each connection of PostgreSQL may be at another.
const MOST: usize = 6;

#[spec(plain, "A080")]
fn writes_whose_answers_nobody_reads_are_refused_before_their_work() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "unread answers", |engine: Engine| async move {
            let texts: String =
                (0..TEXTS).map(|place| format!("  text{place}: {{kind: pText, maxLength: 1000000}}\n")).collect();
            let file = format!("name: book\nproperties:\n  views: {{kind: pInteger, default: 0}}\n{texts}");
            let server = Server::with(engine, &[("types/book.yaml", &file)]).await;
            let key = server.key("admin").await;
            let process = server.process(PLINTH, SETTINGS).await;
            let admin = process.client().with("host", "acme.test").with("key", &key);
            let path = format!("collection/book/{}", admin.create("book", json!({})).await["id"]);
            for place in 0..TEXTS {
                let text = json!({format!("text{place}"): "x".repeat(1_000_000)});
                admin.request("PATCH", &path).json(&text).send().await.is(200);
            }
            let body = r#"{"views+=": 1}"#;
            let request = format!(
                "PATCH /api/v1/{path} HTTP/1.1\r\nHost: acme.test\r\nkey: {key}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let (streams, done) = begin(admin.address(), &request).await;
            println!("{engine:?}: {done} of {SENT} were done");
            assert!((1..=MOST).contains(&done), "{engine:?}: {done} of {SENT} were done");
            drop(streams);
            let read = admin.get(&format!("{path}?showFields=views")).await.is(200);
            assert_eq!(read.at("/views"), done, "what was refused was not done");
            // What they held is free again.
            let again = || async {
                let sent = admin.request("PATCH", &path).json(&json!({"views+=": 1})).try_send().await;
                sent.is_some_and(|reply| reply.status == 200)
            };
            while !again().await {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
    }
}

/// Sends requests before any is answered, and reads no more than whether each was done; gives how many were.
async fn begin(address: SocketAddr, request: &str) -> (Vec<TcpStream>, usize) {
    let mut streams = Vec::new();
    for _ in 0..SENT {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        streams.push(socket.connect(address).await.unwrap());
    }
    for stream in &mut streams {
        stream.write_all(request.as_bytes()).await.unwrap();
    }
    let mut done = 0;
    for stream in &mut streams {
        let mut head = [0; 12];
        timeout(Duration::from_secs(60), stream.read_exact(&mut head)).await.expect("each is answered").unwrap();
        assert!([b"HTTP/1.1 200", b"HTTP/1.1 503"].contains(&&head), "{}", String::from_utf8_lossy(&head));
        done += usize::from(&head == b"HTTP/1.1 200");
    }
    (streams, done)
}
