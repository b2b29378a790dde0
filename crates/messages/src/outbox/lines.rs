//! A connection that is read a line at a time, so that what was said before encryption cannot pass for what is said in it.
//!
//! A client has to forget what it knows when encryption begins (RFC 3207, 4.2), and what it has read ahead of that moment
//! most of all: somebody in between can put answers there that seem to come encrypted. `lettre` reads ahead; of this
//! connection it gets no more than the line that it waits for, and what was put behind that meets the TLS handshake.

use lettre::transport::smtp::client::AsyncTokioStream;
use std::io::Result;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The most bytes that are asked of the connection at a time.
const PART: usize = 4_096;

/// A connection, and what was read of it and not asked for yet.
#[derive(Debug)]
pub(super) struct LineReader {
    stream: TcpStream,
    ahead: Vec<u8>,
}

impl LineReader {
    pub(crate) fn new(stream: TcpStream) -> Self {
        LineReader { stream, ahead: Vec::new() }
    }
}

impl AsyncTokioStream for LineReader {
    fn peer_addr(&self) -> Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

impl AsyncRead for LineReader {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let LineReader { stream, ahead } = self.get_mut();
        if ahead.is_empty() {
            let mut part = [0; PART];
            let mut read = ReadBuf::new(&mut part);
            ready!(Pin::new(stream).poll_read(context, &mut read))?;
            ahead.extend_from_slice(read.filled());
        }
        let line = ahead.iter().position(|byte| *byte == b'\n').map_or(ahead.len(), |end| end + 1);
        let given = line.min(into.remaining());
        into.put_slice(&ahead[..given]);
        ahead.drain(..given);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LineReader {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
