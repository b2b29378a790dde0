//! Slow clients, many clients, and the end.

use crate::subject::{limits, serve, serve_with};
use spec::spec;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Runs a test on a runtime of its own.
pub(crate) fn block_on(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

/// Waits until the server closes; gives what it sent, and after how long it closed.
async fn until_closed(stream: &mut TcpStream) -> (String, Duration) {
    let began = Instant::now();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the server closes within five seconds");
    (String::from_utf8_lossy(&answer).into_owned(), began.elapsed())
}

fn near(elapsed: Duration, expected: u64) {
    let millis = elapsed.as_millis();
    assert!((u128::from(expected) - 50..u128::from(expected) + 2000).contains(&millis), "{millis} ms, not {expected}");
}

/// Sends a byte every 50 ms until the server has closed; gives how long that took.
async fn drip(stream: TcpStream, byte: u8) -> Duration {
    let began = Instant::now();
    let (mut reader, mut writer) = stream.into_split();
    let ended = tokio::spawn(async move {
        let mut answer = Vec::new();
        let _ = reader.read_to_end(&mut answer).await;
        began.elapsed()
    });
    while !ended.is_finished() && began.elapsed() < Duration::from_secs(5) {
        let _ = writer.write_all(&[byte]).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    ended.await.unwrap()
}

#[test]
fn silent_and_slow_clients_are_let_go() {
    block_on(async {
        let server = serve().await;
        let connect = || async { TcpStream::connect(server.address).await.unwrap() };
        let mut silent = connect().await;
        near(until_closed(&mut silent).await.1, 400);

        let mut half_sent = connect().await;
        half_sent.write_all(b"GET / HTTP/1.1\r\nHost").await.unwrap();
        near(until_closed(&mut half_sent).await.1, 400);

        let mut dripped_head = connect().await;
        dripped_head.write_all(b"GET /").await.unwrap();
        near(drip(dripped_head, b'x').await, 400);

        let mut dripped_body = connect().await;
        dripped_body.write_all(b"POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n").await.unwrap();
        near(drip(dripped_body, b'x').await, 900);

        let mut stuck = connect().await;
        stuck.write_all(b"GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        near(until_closed(&mut stuck).await.1, 900);

        let mut unread = connect().await;
        unread.write_all(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert!(until_closed(&mut unread).await.0.len() < 8_000_000, "the answer broke off at the deadline");

        let mut idle = connect().await;
        idle.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        let (answer, elapsed) = until_closed(&mut idle).await;
        assert!(answer.ends_with("\"here\""));
        near(elapsed, 600);
    });
}

#[test]
fn a_long_body_takes_the_time_that_it_moves() {
    block_on(async {
        let server = serve().await;
        let connect = || async { TcpStream::connect(server.address).await.unwrap() };
        // Two seconds, more than a request may take.
        let mut download = connect().await;
        download.write_all(b"GET /long HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        let (answer, elapsed) = until_closed(&mut download).await;
        assert!(answer.contains("content-length: 4000000\r\n") && answer.ends_with("\"here\""), "{}", answer.len());
        assert_eq!(answer.matches('x').count() / 100_000, 40);
        assert!(elapsed > Duration::from_millis(2_000));

        let mut unread = connect().await;
        unread.write_all(b"GET /longer HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_millis(3_500)).await;
        // What the kernel took is there; the rest is not.
        assert!(until_closed(&mut unread).await.0.len() < 40_000_000);
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
        let server = serve().await;
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        for _ in 0..8 {
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
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.check(request, 200, false).await;
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
        assert!(until_closed(&mut third).await.0.starts_with("HTTP/1.1 200"));
    });
}

#[spec(plain, "A137")]
fn a_panic_is_an_answer() {
    block_on(async {
        let server = serve().await;
        let answer = server.check("GET /panic HTTP/1.1\r\nHost: a\r\n\r\n", 500, false).await;
        assert!(answer.contains("x-error-code: internal") && !answer.contains("the test asked"), "{answer}");
        server.check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, false).await;
    });
}

#[test]
fn stopping_finishes_what_was_begun() {
    block_on(async {
        let mut server = serve().await;
        let mut idle = TcpStream::connect(server.address).await.unwrap();
        idle.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        assert!(idle.read(&mut [0; 4096]).await.unwrap() > 0);
        let mut fresh = TcpStream::connect(server.address).await.unwrap();
        let mut slow = TcpStream::connect(server.address).await.unwrap();
        slow.write_all(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;

        let began = Instant::now();
        server.stop();
        let (answer, _) = until_closed(&mut slow).await;
        assert!(answer.ends_with("\"slow\"") && answer.contains("connection: close"), "{answer}");
        assert_eq!(until_closed(&mut idle).await.0, "");
        assert_eq!(until_closed(&mut fresh).await.0, "");
        drop((slow, idle, fresh));
        server.task.await.unwrap();
        assert!(began.elapsed() < Duration::from_millis(1900), "{:?}", began.elapsed());
        assert!(server.probe.drained.load(std::sync::atomic::Ordering::SeqCst));
        assert!(TcpStream::connect(server.address).await.is_err());
    });
}

#[test]
fn stopping_does_not_wait_for_ever() {
    block_on(async {
        let mut limits = limits();
        limits.timeouts.request = Duration::from_secs(60);
        limits.shutdown = Duration::from_millis(300);
        let mut server = serve_with(limits).await;
        let mut stuck = TcpStream::connect(server.address).await.unwrap();
        stuck.write_all(b"GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let began = Instant::now();
        server.stop();
        server.task.await.unwrap();
        near(began.elapsed(), 300);
        assert_eq!(until_closed(&mut stuck).await.0, "");
    });
}
