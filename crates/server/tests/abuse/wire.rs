//! A connection that sends requests one after the other: as little work as can be beside the server's own.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that is kept.
pub(crate) struct Wire {
    stream: TcpStream,
    request: Vec<u8>,
    received: Vec<u8>,
}

/// What was answered.
pub(crate) struct Answer<'w> {
    pub(crate) status: u16,
    pub(crate) head: &'w str,
    pub(crate) body: &'w [u8],
}

impl Wire {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, request: Vec::with_capacity(1024), received: Vec::with_capacity(16_384) }
    }

    /// Sends a request, whose head has all but the length of its body and the empty line, and waits for the answer.
    pub(crate) async fn send(&mut self, head: &str, body: &str) -> Answer<'_> {
        self.request.clear();
        self.request.extend_from_slice(head.as_bytes());
        if !body.is_empty() {
            self.request.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
        }
        self.request.extend_from_slice(b"\r\n");
        self.request.extend_from_slice(body.as_bytes());
        self.stream.write_all(&self.request).await.unwrap();
        self.received.clear();
        let body = loop {
            let read = self.stream.read_buf(&mut self.received).await.unwrap();
            assert!(read > 0, "the server closed: {}", String::from_utf8_lossy(&self.received));
            if let Some(end) = self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let answer = Answer { status: 0, head: std::str::from_utf8(&self.received[..body]).unwrap(), body: &[] };
        let length = answer.header("content-length").parse().unwrap_or(0);
        while self.received.len() < body + length {
            assert!(self.stream.read_buf(&mut self.received).await.unwrap() > 0, "the server closed");
        }
        let head = std::str::from_utf8(&self.received[..body]).unwrap();
        let status: u16 = head[9..12].parse().unwrap();
        assert!(status == 304 || self.received.len() == body + length, "more was answered than asked");
        Answer { status, head, body: &self.received[body..] }
    }
}

impl Answer<'_> {
    /// A header's value; empty where there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let of = |line: &&str| line.split_once(':').is_some_and(|(this, _)| this.eq_ignore_ascii_case(name));
        self.head.lines().find(of).and_then(|line| line.split_once(':')).map_or("", |(_, value)| value.trim())
    }

    /// All of it but what differs between any two answers: the date, and the request's id.
    pub(crate) fn constant(&self) -> String {
        let differs = |line: &&str| {
            let line = line.to_ascii_lowercase();
            !line.starts_with("date:") && !line.starts_with("x-request-id:")
        };
        let head: Vec<&str> = self.head.lines().filter(differs).collect();
        format!("{}\n{}", head.join("\n"), String::from_utf8_lossy(self.body))
    }
}
