//! The view of operators: the listener of their own, metrics, `plinth top`, lines of the log, and the doctor.

mod admin;
mod advice;
mod healthcheck;
mod metrics;
mod queues;
mod request_log;
mod top;
mod traces;

use crate::commands::program::Plinth;
use std::path::Path;
use testing::{Client, Process};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::task::block_in_place;

/// An answer to an operator.
pub(crate) struct AdminReply {
    status: u16,
    head: String,
    pub(crate) body: String,
}

/// A server that answers operators at a socket in its folder.
struct Watched {
    plinth: Plinth,
    server: Process,
    /// A client with the key of an administrator.
    client: Client,
}

impl Watched {
    /// Starts one, with settings of its own.
    fn start(plinth: Plinth, settings: &[(&str, &str)]) -> Self {
        let socket = format!("unix:{}", plinth.path("admin.sock").display());
        let (server, client) = block_in_place(|| {
            let settings = [&[("PLINTH_ADMIN_LISTEN", socket.as_str())], settings].concat();
            plinth.served_with_things(&settings)
        });
        Watched { plinth, server, client: client.at_contract() }
    }

    /// Asks as an operator.
    async fn ask(&self, path: &str) -> AdminReply {
        ask_at(&self.plinth.path("admin.sock"), "GET", path, "").await
    }

    /// Returns the metrics.
    async fn metrics(&self) -> String {
        let reply = self.ask("/metrics").await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.body
    }
}

/// Sends a request without a body to a socket.
pub(crate) async fn ask_at(socket: &Path, method: &str, path: &str, headers: &str) -> AdminReply {
    let stream = UnixStream::connect(socket).await.unwrap();
    exchange(stream, method, path, headers).await
}

/// Sends a request without a body, and reads the answer to the end of the connection.
async fn exchange(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    method: &str,
    path: &str,
    headers: &str,
) -> AdminReply {
    let request = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    AdminReply { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// Returns the value of a series, or zero where it did not occur.
pub(crate) fn value(page: &str, series: &str) -> f64 {
    let line = page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0.0, |value| value.parse().unwrap())
}
