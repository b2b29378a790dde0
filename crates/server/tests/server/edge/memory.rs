//! Bytes in flight: what clients who do not read, or send slowly, may hold; and answers that come before a body is read.

use crate::edge::pace::block_on;
use crate::edge::subject::{PATIENCE, SHORT, Served, limits, serve, serve_with, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Asks for 40 MB by that key, and reads nothing of them.
async fn unread(server: &Served, key: &str) -> TcpStream {
    sent(server, "GET /huge", key).await
}

/// Sends a request by that key.
async fn sent(server: &Served, line: &str, key: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!("{line} HTTP/1.1\r\nHost: a\r\nkey: {key}\r\nContent-Length: 0\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The first bytes of an answer.
async fn head(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 1024];
    let count = timeout(PATIENCE, stream.read(&mut bytes)).await.unwrap().unwrap();
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

#[test]
fn answers_that_nobody_reads_have_a_budget() {
    block_on(async {
        let mut limits = limits();
        limits.memory.key = 50 << 20;
        limits.memory.address = 90 << 20;
        limits.memory.total = 200 << 20;
        let server = serve_with(limits).await;
        let mut first = unread(&server, "one").await;
        assert!(head(&mut first).await.starts_with("HTTP/1.1 200"));
        // A second of the same key would be more than its share; that is known before it is made.
        let made = server.probe.huge();
        let mut second = unread(&server, "one").await;
        let refused = head(&mut second).await;
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
        assert_eq!(server.probe.huge(), made, "no work was done for it");
        // Another key of the same address has one more; a third is more than the address has.
        let mut other = unread(&server, "other").await;
        assert!(head(&mut other).await.starts_with("HTTP/1.1 200"));
        let mut third = unread(&server, "third").await;
        assert!(head(&mut third).await.starts_with("HTTP/1.1 503"));
        // Small answers are for everybody.
        server.check("GET / HTTP/1.1\r\nHost: a\r\nkey: one\r\n\r\n", 200, false).await;
        drop((first, second, other, third));
    });
}

#[test]
fn clients_that_do_not_read_are_let_go_and_what_they_held_with_them() {
    block_on(async {
        let mut limits = limits();
        limits.timeouts.download = SHORT;
        limits.memory.key = 50 << 20;
        let server = serve_with(limits).await;
        let mut first = unread(&server, "one").await;
        assert!(head(&mut first).await.starts_with("HTTP/1.1 200"));
        until("what the first held is counted no longer", async || {
            head(&mut unread(&server, "one").await).await.starts_with("HTTP/1.1 200")
        })
        .await;
        drop(first);
    });
}

#[test]
fn a_write_that_is_done_is_answered_whatever_is_in_flight() {
    block_on(async {
        let mut limits = limits();
        limits.memory.key = 10 << 20;
        let server = serve_with(limits).await;
        let mut first = unread(&server, "one").await;
        assert!(head(&mut first).await.starts_with("HTTP/1.1 200"));
        let large =
            |method: &str| format!("{method} /large HTTP/1.1\r\nHost: a\r\nkey: one\r\nContent-Length: 0\r\n\r\n");
        server.check(large("GET"), 503, false).await;
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            server.check(large(method), 200, false).await;
        }
        server.check(large("GET"), 503, false).await;
        drop(first);
    });
}

#[test]
fn a_write_is_refused_before_its_work_while_answers_of_others_wait() {
    block_on(async {
        let mut limits = limits();
        limits.memory.key = 10 << 20;
        let server = serve_with(limits).await;
        let mut held = Vec::new();
        // The second begins while there is room, and is answered whatever it is.
        for _ in 0..2 {
            let mut stream = sent(&server, "PATCH /large", "one").await;
            assert!(head(&mut stream).await.starts_with("HTTP/1.1 200"));
            held.push(stream);
        }
        let made = server.probe.large();
        let refused = head(&mut sent(&server, "PATCH /large", "one").await).await;
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
        assert_eq!(server.probe.large(), made, "no work was done for it");
        assert!(head(&mut sent(&server, "PATCH /large", "other").await).await.starts_with("HTTP/1.1 200"));
        drop(held);
        until("what they held is given back", async || {
            head(&mut sent(&server, "PATCH /large", "one").await).await.starts_with("HTTP/1.1 200")
        })
        .await;
    });
}

#[test]
fn unfinished_bodies_have_a_budget() {
    block_on(async {
        let mut limits = limits();
        limits.memory.address = 600_000;
        let server = serve_with(limits).await;
        let part = vec![b' '; 200_000];
        let mut waiting = JoinSet::new();
        for _ in 0..5 {
            let mut stream = server.connect().await;
            let head = "POST /large-body HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n";
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&part).await.unwrap();
            waiting.spawn(async move {
                let mut answer = [0; 12];
                stream.read_exact(&mut answer).await.unwrap();
                (answer, stream)
            });
        }
        let mut refused = Vec::new();
        for _ in 0..3 {
            let (answer, stream) = timeout(PATIENCE, waiting.join_next()).await.unwrap().unwrap().unwrap();
            assert_eq!(&answer, b"HTTP/1.1 503");
            refused.push(stream);
        }
        // Those that are taken in wait for the rest of their bodies: two have 524,288 bytes of 600,000.
        assert!(timeout(SHORT, waiting.join_next()).await.is_err());
        drop((refused, waiting));
        let whole =
            [b"POST /large-body HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n".as_slice(), &part].concat();
        until("there is room again", async || server.raw(&whole).await.0.starts_with("HTTP/1.1 200")).await;
    });
}

#[test]
fn a_client_that_sends_all_before_it_reads_sees_413() {
    block_on(async {
        let server = serve().await;
        for megabytes in [3, 10, 30] {
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            let length = megabytes * 1_000_000;
            let head = format!("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&vec![b'x'; length]).await.expect("the server reads on");
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.expect("the connection ends well");
            let answer = String::from_utf8(answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("connection: close"), "{answer}");
        }
    });
}

#[test]
fn a_refused_body_is_not_read_for_ever() {
    block_on(async {
        let mut limits = limits();
        limits.refused_body_bytes = 1 << 20;
        let server = serve_with(limits).await;
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(b"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n").await.unwrap();
        let mut sent = 0;
        let sending = async {
            while stream.write_all(&[b'x'; 100_000]).await.is_ok() {
                sent += 100_000;
                // A megabyte, and what the kernel takes.
                assert!(sent < 100_000_000, "the server reads on");
            }
        };
        timeout(PATIENCE, sending).await.expect("the server closes");
    });
}
