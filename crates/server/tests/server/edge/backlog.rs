//! A burst of connections: those that come before the server can accept them wait, and are answered.

use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;
use testing::{Engine, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::spawn_blocking;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
const SETTINGS: &[(&str, &str)] = &[("PLINTH_LIMITS_CONNECTIONS_PER_ADDRESS", "1000")];
/// More than the 128 that wait by default, less than the descriptors of a test.
const BURST: usize = 300;

/// Connects without the server's help. Where the system has no room for a connection, its handshake gets no answer.
fn connect(address: SocketAddr) -> Vec<TcpStream> {
    let connect = |number| {
        TcpStream::connect_timeout(&address, Duration::from_secs(5))
            .unwrap_or_else(|error| panic!("connection {number}: {error}"))
    };
    (0..BURST).map(connect).collect()
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the process was there");
}

#[test]
fn a_burst_of_connections_waits_until_it_is_accepted() {
    testing::run(Engine::Sqlite, "bursts", |engine: Engine| async move {
        let server = Server::with(engine, &[]).await;
        let process = server.process(PLINTH, SETTINGS).await;
        let address = process.client().address();
        signal("-STOP", process.id());
        let connected = spawn_blocking(move || std::panic::catch_unwind(|| connect(address))).await.unwrap();
        signal("-CONT", process.id());
        for stream in connected.expect("all connect") {
            stream.set_nonblocking(true).unwrap();
            let mut stream = tokio::net::TcpStream::from_std(stream).unwrap();
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: acme.test\r\nConnection: close\r\n\r\n").await.unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
    });
}
