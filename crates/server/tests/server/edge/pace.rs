//! Slow clients, many clients, and the end.

use crate::edge::subject::{LONG, PATIENCE, SHORT, Served, limits, serve, serve_with, until, until_closed};
use edge::Limits;
use spec::spec;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Runs a test on a runtime of its own.
pub(crate) fn block_on(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let ended = runtime.block_on(async { tokio::time::timeout(LONG / 2, test).await });
    assert!(ended.is_ok(), "the test took longer than {:?}", LONG / 2);
}

/// Sends bytes, then a byte every 50 ms if there is one, until the server closes, which it may after [`SHORT`]. Gives what
/// came. The server's other times are so long that none of them is the reason.
async fn let_go(change: impl FnOnce(&mut Limits), bytes: &str, drip: Option<u8>) -> String {
    let mut limits = limits();
    change(&mut limits);
    let server = serve_with(limits).await;
    let began = Instant::now();
    let mut stream = server.connect().await;
    stream.write_all(bytes.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let mut answer = Vec::new();
    let reading = async {
        let _ = reader.read_to_end(&mut answer).await;
    };
    let dripping = async {
        while let Some(byte) = drip {
            let _ = writer.write_all(&[byte]).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        std::future::pending().await
    };
    let ended = tokio::time::timeout(PATIENCE, async {
        tokio::select! { () = reading => {}, () = dripping => {} }
    })
    .await;
    assert!(ended.is_ok(), "{bytes:?}: the server does not close");
    assert!(began.elapsed() + Duration::from_millis(50) > SHORT, "{bytes:?}: {:?}", began.elapsed());
    String::from_utf8_lossy(&answer).into_owned()
}

/// Gives what there is of an answer that nobody reads, after the server has let its client go.
async fn unread(server: &Served, path: &str) -> usize {
    let mut stream = server.connect().await;
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes()).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    // The server's only place is free again.
    server.check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, false).await;
    until_closed(&mut stream).await.len()
}

#[test]
fn silent_and_slow_clients_are_let_go() {
    block_on(async {
        let head = |limits: &mut Limits| limits.timeouts.head = SHORT;
        let request = |limits: &mut Limits| limits.timeouts.request = SHORT;
        let idle = |limits: &mut Limits| limits.timeouts.idle = SHORT;
        assert_eq!(let_go(head, "", None).await, "");
        assert_eq!(let_go(head, "GET / HTTP/1.1\r\nHost", None).await, "");
        assert_eq!(let_go(head, "GET /", Some(b'x')).await, "");
        let body = "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n";
        let_go(request, body, Some(b'x')).await;
        let_go(request, "GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n", None).await;
        let answer = let_go(idle, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", None).await;
        assert!(answer.ends_with("\"here\""), "{answer}");

        let mut limits = limits();
        limits.timeouts.download = SHORT;
        limits.connections = 1;
        let server = serve_with(limits).await;
        assert!(unread(&server, "/large").await < 8_000_000, "the answer broke off at the deadline");
    });
}

#[test]
fn a_long_body_takes_the_time_that_it_moves() {
    block_on(async {
        let mut limits = limits();
        limits.timeouts.request = Duration::from_secs(3);
        limits.timeouts.download = Duration::from_secs(5);
        let server = serve_with(limits).await;
        // Six seconds, more than a request may take.
        let began = Instant::now();
        let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        let answer = server.all(format!("GET /long HTTP/1.1\r\nHost: a\r\n\r\n{last}")).await;
        assert!(answer.contains("content-length: 4000000\r\n") && answer.ends_with("\"here\""), "{}", answer.len());
        assert_eq!(answer.matches('x').count() / 100_000, 40);
        assert!(began.elapsed() > Duration::from_secs(5));
    });
}

#[test]
fn a_long_body_that_nobody_reads_breaks_off() {
    block_on(async {
        let mut limits = limits();
        limits.timeouts.download = SHORT;
        limits.connections = 1;
        let server = serve_with(limits).await;
        // What the kernel took is there; the rest is not.
        assert!(unread(&server, "/longer").await < 40_000_000);
    });
}

#[test]
fn a_body_that_ends_too_soon_breaks_off() {
    block_on(async {
        let server = serve().await;
        let (answer, closed) = server.raw("GET /short HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(closed && !answer.ends_with("\r\n\r\n"), "nobody takes it for a whole answer: {answer}");
        server.check("HEAD /long HTTP/1.1\r\nHost: a\r\n\r\n", 200, false).await;
    });
}

#[test]
fn a_busy_connection_lives_on() {
    block_on(async {
        let mut limits = limits();
        let times = &mut limits.timeouts;
        (times.head, times.request, times.idle) =
            (Duration::from_secs(5), Duration::from_secs(5), Duration::from_secs(5));
        let server = serve_with(limits).await;
        let mut stream = server.connect().await;
        let began = Instant::now();
        // Longer than each of these times.
        while began.elapsed() < Duration::from_secs(6) {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
            let mut answer = vec![0; 4096];
            let count = stream.read(&mut answer).await.unwrap();
            assert!(answer[..count].ends_with(b"\"here\""));
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
}

#[test]
fn connections_are_counted_by_address() {
    block_on(async {
        let mut limits = limits();
        limits.connections_per_address = 3;
        let server = serve_with(limits).await;
        let request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        let mut held = Vec::new();
        for _ in 0..3 {
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            stream.write_all(request).await.unwrap();
            assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
            held.push(stream);
        }
        let (answer, closed) = server.raw(request).await;
        assert_eq!((answer.as_str(), closed), ("", true));
        held.pop();
        until("there is room again", async || server.raw(request).await.0.starts_with("HTTP/1.1 200")).await;
    });
}

#[test]
fn connections_wait_for_their_turn() {
    block_on(async {
        let mut limits = limits();
        limits.connections = 2;
        let server = serve_with(limits).await;
        let held =
            [TcpStream::connect(server.address).await.unwrap(), TcpStream::connect(server.address).await.unwrap()];
        let mut third = TcpStream::connect(server.address).await.unwrap();
        third.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut nothing = [0; 64];
        let wait = tokio::time::timeout(Duration::from_millis(150), third.read(&mut nothing));
        assert!(wait.await.is_err(), "nothing comes while two connections are open");
        drop(held);
        assert!(until_closed(&mut third).await.starts_with("HTTP/1.1 200"));
    });
}

#[spec(plain, "A137")]
fn a_panic_is_an_answer() {
    block_on(async {
        let server = serve().await;
        let answer = server.check("GET /panic HTTP/1.1\r\nHost: a\r\n\r\n", 500, false).await;
        assert!(answer.contains("x-error-code: internal") && !answer.contains("the test asked"), "{answer}");
        let unsure = "A write may have happened all the same: look before you repeat it.";
        assert!(!answer.contains(unsure), "{answer}");
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            let answer = server.check(format!("{method} /panic HTTP/1.1\r\nHost: a\r\n\r\n"), 500, false).await;
            assert!(answer.contains(unsure), "{method}: {answer}");
        }
        server.check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, false).await;
    });
}

#[test]
fn stopping_finishes_what_was_begun() {
    block_on(async {
        let mut limits = limits();
        limits.shutdown_idle = SHORT;
        let mut server = serve_with(limits).await;
        let mut idle = server.connect().await;
        idle.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        assert!(idle.read(&mut [0; 4096]).await.unwrap() > 0);
        let mut fresh = server.connect().await;
        let mut held = server.connect().await;
        held.write_all(b"GET /held HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        server.probe.under_way(1).await;

        server.stop();
        assert_eq!(until_closed(&mut idle).await, "");
        assert_eq!(until_closed(&mut fresh).await, "");
        server.probe.let_go();
        let answer = until_closed(&mut held).await;
        assert!(answer.ends_with("\"held\"") && answer.contains("connection: close"), "{answer}");
        drop((held, idle, fresh));
        // It waits for nothing else: a test ends before the time for that is over.
        server.task.await.unwrap();
        assert!(server.probe.drained.load(std::sync::atomic::Ordering::SeqCst));
        assert!(TcpStream::connect(server.address).await.is_err());
    });
}

#[test]
fn stopping_does_not_wait_for_ever() {
    block_on(async {
        let mut limits = limits();
        limits.shutdown = SHORT;
        let mut server = serve_with(limits).await;
        let mut stuck = server.connect().await;
        stuck.write_all(b"GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        server.probe.under_way(1).await;
        let began = Instant::now();
        server.stop();
        tokio::time::timeout(PATIENCE, server.task).await.expect("it ends").unwrap();
        assert!(began.elapsed() + Duration::from_millis(50) > SHORT, "{:?}", began.elapsed());
        assert_eq!(until_closed(&mut stuck).await, "");
    });
}
