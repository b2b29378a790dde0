//! The socket as hyper sees it: well-formed heads, then exactly the bodies that they announce.
//!
//! A head that we refuse reaches hyper as a request of our own making ([`REFUSED`]), so that its
//! answer comes after those of the requests before it, with the body that every error has; then the
//! connection ends.

use super::head::{Bounds, Framing, Head, Verdict};
use super::socket::Socket;
use super::timeouts::ConnectionTimer;
use hyper::rt::{Read, ReadBufCursor, Write};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The method of the request that stands for a refused one.
pub(crate) const REFUSED: &str = "REFUSED";
const STAND_IN: &[u8] = b"REFUSED / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
const BUFFER: usize = 8 * 1024;

/// A connection's socket.
pub(crate) struct FramedStream {
    stream: Socket,
    connection_timer: Arc<ConnectionTimer>,
    bounds: Bounds,
    /// The bytes that are read, after we closed, so that the client gets our last answer and not a reset.
    linger: u64,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    stage: FrameStage,
    head: Head,
    lingered: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameStage {
    /// The next byte belongs to a head.
    Head,
    /// So many bytes of head and body may pass.
    Pass(u64),
    /// All may pass: the body is chunked, and the connection ends after it.
    Open,
    /// The stand-in passes, then nothing.
    Last,
}

impl FramedStream {
    /// Wraps a socket.
    pub(crate) fn new(stream: Socket, connection_timer: Arc<ConnectionTimer>, bounds: Bounds, linger: u64) -> Self {
        let buffer = vec![0; BUFFER];
        let (stage, head) = (FrameStage::Head, Head::default());
        FramedStream { stream, connection_timer, bounds, linger, buffer, start: 0, end: 0, stage, head, lingered: 0 }
    }

    /// Looks at the bytes of a head; true when they, or what stands for them, may pass.
    fn judge(&mut self) -> bool {
        match self.head.scan(&self.buffer[self.start..self.end], self.bounds) {
            Verdict::Incomplete => {
                self.connection_timer.head_goes_on();
                return false;
            }
            Verdict::Complete(length, Framing::Length(body)) => {
                self.stage = FrameStage::Pass((length as u64).saturating_add(body));
            }
            Verdict::Complete(_, Framing::Chunked) => self.stage = FrameStage::Open,
            Verdict::Refused(malformed) => {
                self.connection_timer.refuse(malformed);
                self.buffer = STAND_IN.to_vec();
                (self.start, self.end) = (0, STAND_IN.len());
                self.stage = FrameStage::Last;
            }
        }
        self.connection_timer.head_done();
        self.head = Head::default();
        true
    }

    /// Hands over what may pass; false when that is nothing.
    fn hand_over(&mut self, cursor: &mut ReadBufCursor<'_>) -> bool {
        let allowed = match self.stage {
            FrameStage::Head => 0,
            FrameStage::Pass(left) => usize::try_from(left).unwrap_or(usize::MAX),
            FrameStage::Open | FrameStage::Last => usize::MAX,
        };
        let count = allowed.min(self.end - self.start).min(cursor.remaining());
        cursor.put_slice(&self.buffer[self.start..self.start + count]);
        self.start += count;
        if let FrameStage::Pass(left) = &mut self.stage {
            *left -= count as u64;
            if *left == 0 {
                self.stage = FrameStage::Head;
            }
        }
        count > 0
    }

    /// Reads more behind what is there; the number of bytes, 0 at the end.
    fn poll_more(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            // A long head has made it longer, a refused one shorter.
            if self.buffer.len() != BUFFER {
                self.buffer = vec![0; BUFFER];
            }
        } else if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.end == self.buffer.len() {
                self.buffer.resize(self.end * 2, 0);
            }
        }
        let mut free = ReadBuf::new(&mut self.buffer[self.end..]);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut free))?;
        let count = free.filled().len();
        self.end += count;
        Poll::Ready(Ok(count))
    }
}

impl Read for FramedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        loop {
            if wire.start < wire.end
                && (wire.stage != FrameStage::Head || wire.judge())
                && (cursor.remaining() == 0 || wire.hand_over(&mut cursor))
            {
                return Poll::Ready(Ok(()));
            }
            if wire.stage == FrameStage::Last || ready!(wire.poll_more(context))? == 0 {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

impl Write for FramedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.connection_timer.sent(count);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.connection_timer.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        wire.connection_timer.closing();
        ready!(Pin::new(&mut wire.stream).poll_shutdown(context))?;
        while wire.lingered < wire.linger {
            (wire.start, wire.end) = (0, 0);
            match ready!(wire.poll_more(context))? {
                0 => break,
                count => {
                    wire.lingered += count as u64;
                    wire.connection_timer.lingers();
                }
            }
        }
        Poll::Ready(Ok(()))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, slices))?;
        self.connection_timer.sent(count);
        Poll::Ready(Ok(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeouts::Timeouts;
    use hyper::rt::ReadBuf as Passed;
    use std::future::poll_fn;
    use std::time::Duration;
    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};

    #[tokio::test]
    async fn what_follows_a_refused_head_is_read_in_large_pieces() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nno field\r\n\r\n").await.unwrap();
        let long = Duration::from_secs(60);
        let timeouts = Timeouts {
            head: long,
            request: long,
            idle: long,
            close: long,
            download: long,
            download_rate: 0,
            answer_rate: 0,
        };
        let bounds = Bounds { bytes: 1024, fields: 10, target: 1024 };
        let mut wire =
            FramedStream::new(Socket::Plain(stream), Arc::new(ConnectionTimer::new(timeouts)), bounds, 1 << 20);
        let mut bytes = [0; 1024];
        let mut passed = Passed::new(&mut bytes);
        poll_fn(|context| Pin::new(&mut wire).poll_read(context, passed.unfilled())).await.unwrap();
        assert_eq!(passed.filled(), STAND_IN);
        client.write_all(&vec![b'x'; 100_000]).await.unwrap();
        client.shutdown().await.unwrap();
        poll_fn(|context| Pin::new(&mut wire).poll_shutdown(context)).await.unwrap();
        assert_eq!((wire.lingered, wire.buffer.len()), (100_000, BUFFER));
    }
}
