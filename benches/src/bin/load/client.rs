//! A connection that speaks as much HTTP as the servers answer with: keep-alive and a length.

use crate::Result;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A server on the loopback interface; there is no other kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loopback(SocketAddr);

impl Loopback {
    /// The address in `http://127.0.0.1:1234`, refused where it is another machine's.
    pub(crate) fn of_url(url: &str) -> Result<Self> {
        let authority = url.strip_prefix("http://").ok_or_else(|| format!("not an http address: {url}"))?;
        let address: SocketAddr = authority.trim_end_matches('/').parse()?;
        if !address.ip().is_loopback() {
            return Err(format!("{address} is not on the loopback interface").into());
        }
        Ok(Loopback(address))
    }
}

impl Loopback {
    /// The address itself.
    pub(crate) fn address(self) -> SocketAddr {
        self.0
    }
}

/// One connection, with one request at a time.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(server: Loopback) -> Result<Self> {
        let stream = TcpStream::connect(server.0).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// Sends a request and gives status and body of the answer.
    pub(crate) async fn request(&mut self, request: &[u8]) -> Result<(u16, &[u8])> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            self.receive().await?;
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let status = std::str::from_utf8(&self.buffer[9..12])?.parse()?;
        let length = if status == 204 { 0 } else { content_length(&self.buffer[..head])? };
        while self.buffer.len() < head + length {
            self.receive().await?;
        }
        Ok((status, &self.buffer[head..head + length]))
    }

    async fn receive(&mut self) -> Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            return Err("the server closed the connection".into());
        }
        Ok(())
    }
}

fn content_length(head: &[u8]) -> Result<usize> {
    for line in head.split(|&byte| byte == b'\n') {
        if line.len() > 15 && line[..15].eq_ignore_ascii_case(b"content-length:") {
            return Ok(std::str::from_utf8(&line[15..])?.trim().parse()?);
        }
    }
    // An answer that has no body may do without.
    if find(head, b" 304 ").is_some_and(|at| at < 16) {
        return Ok(0);
    }
    Err("an answer without Content-Length".into())
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_a_server() {
        assert!(Loopback::of_url("http://127.0.0.1:80").is_ok());
        assert!(Loopback::of_url("http://[::1]:80/").is_ok());
        assert!(Loopback::of_url("http://192.0.2.1:80").is_err());
        assert!(Loopback::of_url("http://example.com:80").is_err());
    }
}
