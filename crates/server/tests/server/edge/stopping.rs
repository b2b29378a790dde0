//! The end of a server under load: what it accepted, it answers.

use crate::edge::pace::block_on;
use crate::edge::subject::{limits, serve_with, until};
use futures_util::future::join_all;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What clients saw.
#[derive(Default)]
struct Seen {
    answered: AtomicUsize,
    last: AtomicUsize,
    cut: AtomicUsize,
    ended: AtomicBool,
}

/// Reads one answer; gives whether it is the last of the connection.
async fn answer(stream: &mut TcpStream) -> io::Result<bool> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\"here\"") {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(bytes.windows(17).any(|part| part == b"connection: close"))
}

/// Sends each request on a connection of its own, until there are none to be had. Returns how many were cut.
fn newcomer(address: std::net::SocketAddr) -> io::Result<usize> {
    let mut cut = 0;
    while let Ok(mut stream) = std::net::TcpStream::connect_timeout(&address, Duration::from_secs(10)) {
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let mut answer = Vec::new();
        let asked = stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let read = asked.and_then(|()| stream.read_to_end(&mut answer));
        cut += usize::from(read.is_err() || !answer.ends_with(b"\"here\""));
    }
    Ok(cut)
}

/// Stops a server among clients that connect all the time. Returns how many requests were cut.
async fn stop_among_newcomers() -> usize {
    let mut limits = limits();
    limits.shutdown_notice = Duration::ZERO;
    let mut server = serve_with(limits).await;
    let address = server.address;
    let clients: Vec<_> = (0..16).map(|_| tokio::task::spawn_blocking(move || newcomer(address))).collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    server.stop();
    server.task.await.unwrap();
    let mut cut = 0;
    for client in clients {
        cut += client.await.unwrap().unwrap();
    }
    cut
}

#[test]
fn a_connection_made_as_the_listener_closes_is_served_or_refused() {
    block_on(async {
        let mut cut = 0;
        for _ in 0..8 {
            cut += join_all((0..2).map(|_| stop_among_newcomers())).await.iter().sum::<usize>();
        }
        assert_eq!(cut, 0, "of 16 stops");
    });
}

/// Sends requests one after the other, on a connection as long as it is kept, until there are none to be had.
async fn client(address: std::net::SocketAddr, seen: Arc<Seen>) {
    while let Ok(mut stream) = TcpStream::connect(address).await {
        loop {
            // A connection that is closed before anything was sent on it was not cut.
            if stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.is_err() {
                seen.cut.fetch_add(1, Relaxed);
                break;
            }
            match answer(&mut stream).await {
                Ok(last) => {
                    seen.answered.fetch_add(1, Relaxed);
                    if last {
                        seen.last.fetch_add(1, Relaxed);
                        break;
                    }
                }
                Err(_) => {
                    seen.cut.fetch_add(1, Relaxed);
                    break;
                }
            }
        }
        if seen.ended.load(Relaxed) {
            break;
        }
    }
}

#[test]
fn nothing_that_was_accepted_is_cut() {
    block_on(async {
        let (mut cut, mut last) = (0, 0);
        for stop in 0..8 {
            let mut limits = limits();
            limits.shutdown_notice = Duration::from_millis(100);
            let mut server = serve_with(limits).await;
            let seen = Arc::new(Seen::default());
            let clients: Vec<_> = (0..16).map(|_| tokio::spawn(client(server.address, Arc::clone(&seen)))).collect();
            until("there is load", async || seen.answered.load(Relaxed) > 100).await;
            tokio::time::sleep(Duration::from_millis(100 + 10 * stop)).await;
            server.stop();
            server.task.await.unwrap();
            seen.ended.store(true, Relaxed);
            for client in clients {
                client.await.unwrap();
            }
            cut += seen.cut.load(Relaxed);
            last += seen.last.load(Relaxed);
        }
        assert_eq!(cut, 0, "of 8 stops");
        assert!(last >= 8 * 16, "each answer of the notice ends its connection: {last}");
    });
}

#[test]
fn a_request_on_an_idle_connection_is_answered_while_the_server_leaves() {
    block_on(async {
        let mut server = serve_with(limits()).await;
        let mut idle = TcpStream::connect(server.address).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        idle.write_all(request).await.unwrap();
        assert!(!answer(&mut idle).await.unwrap());
        // Half a head is a request that has begun.
        let mut begun = TcpStream::connect(server.address).await.unwrap();
        begun.write_all(&request[..12]).await.unwrap();
        let mut fresh = TcpStream::connect(server.address).await.unwrap();
        server.stop();
        until("the server leaves", async || server.probe.drained.load(SeqCst)).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        idle.write_all(request).await.unwrap();
        fresh.write_all(request).await.unwrap();
        begun.write_all(&request[12..]).await.unwrap();
        for stream in [&mut idle, &mut fresh, &mut begun] {
            assert!(answer(stream).await.unwrap(), "it says that it is the last");
            assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 0, "the connection ends well");
        }
        drop((idle, fresh, begun));
        server.task.await.unwrap();
    });
}
