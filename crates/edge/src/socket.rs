//! The socket of a connection, encrypted or not.

use rustls::ServerConfig;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The answer to a request without TLS, in plain text as it came.
const NOT_ENCRYPTED: &str = "This server speaks HTTPS here: begin the address with https://.\n";
/// The most bytes that are read of such a request.
const PLAIN_BYTES: usize = 8 * 1024;

/// The socket of a connection.
pub(crate) enum Socket {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

impl Socket {
    /// Shakes hands with a client. One that speaks HTTP without TLS is told so.
    pub(crate) async fn encrypted(mut stream: TcpStream, tls: Arc<ServerConfig>) -> io::Result<Self> {
        let mut first = [0];
        // A handshake begins with the byte 22, a request with a letter of its method.
        if stream.peek(&mut first).await? == 1 && first[0].is_ascii_alphabetic() {
            let mut request = vec![0; PLAIN_BYTES];
            // Unread bytes would reset the connection before the client has the answer.
            let _ = stream.read(&mut request).await?;
            let length = NOT_ENCRYPTED.len();
            let answer = format!(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{NOT_ENCRYPTED}"
            );
            stream.write_all(answer.as_bytes()).await?;
            stream.shutdown().await?;
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a request without TLS"));
        }
        TlsAcceptor::from(tls).accept(stream).await.map(|stream| Socket::Encrypted(Box::new(stream)))
    }
}

impl AsyncRead for Socket {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Socket::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Socket::Encrypted(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Socket::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Socket::Encrypted(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Socket::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Socket::Encrypted(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Socket::Plain(stream) => Pin::new(stream).poll_flush(context),
            Socket::Encrypted(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Socket::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Socket::Encrypted(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
