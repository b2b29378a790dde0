//! Signing in: the driver's own part of the protocol, on a socket that blocks.

use super::silence_watch::{SilenceWatch, WatchedStream};
use super::socket::ServerSocket;
use futures_util::FutureExt;
use std::error::Error as _;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::SslMode;
use tokio_postgres::{CancelToken, Config, NoTls};

/// The longest message that a server sends before it is ready.
const LONGEST: usize = 1 << 20;
/// The time for which the server may take to pass on that a connection is to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// A connection whose server waits for the first statement.
pub(crate) struct SignedIn {
    pub(crate) socket: ServerSocket,
    /// Stops the statement that the connection runs.
    pub(crate) token: CancelToken,
    /// True for a standby; none where the server does not say so, which is one before PostgreSQL 14.
    pub(crate) standby: Option<bool>,
}

/// Signs in.
pub(super) fn sign_in(socket: ServerSocket, watch: &SilenceWatch<'_>) -> io::Result<SignedIn> {
    socket.set_patience(Some(watch.address.patience()))?;
    socket.read_in_slices()?;
    let lent = Arc::new(Mutex::new(Some(socket)));
    let stream = MessageStream { socket: Arc::clone(&lent), watch: Some(watch), message: Vec::new(), given: 0 };
    let config = driver_config(&watch.address.config);
    // No call of the stream is ever pending. What the driver makes of it is dropped without a word to the server.
    let (token, standby) = match config.connect_raw(stream, NoTls).now_or_never() {
        Some(Ok((client, connection))) => {
            (client.cancel_token(), connection.parameter("in_hot_standby").map(|value| value == "on"))
        }
        Some(Err(error)) => return Err(chain(&error)),
        None => return Err(io::Error::other("the driver waits for nothing")),
    };
    let socket = lent.lock().unwrap_or_else(PoisonError::into_inner).take();
    let socket = socket.ok_or_else(|| io::Error::other("the socket is gone"))?;
    socket.read_with_pauses()?;
    Ok(SignedIn { socket, token, standby })
}

/// Returns the part of an address that is said to the server. Some poolers refuse options, even empty ones.
fn driver_config(config: &Config) -> Config {
    let mut said = Config::new();
    said.ssl_mode(SslMode::Disable).channel_binding(config.get_channel_binding());
    if let Some(user) = config.get_user() {
        said.user(user);
    }
    if let Some(password) = config.get_password() {
        said.password(password);
    }
    if let Some(database) = config.get_dbname() {
        said.dbname(database);
    }
    if let Some(name) = config.get_application_name() {
        said.application_name(name);
    }
    if let Some(options) = config.get_options().filter(|options| !options.is_empty()) {
        said.options(options);
    }
    said
}

/// Asks the server, on a socket of its own, to stop what a connection runs; waits until the server has passed it on.
pub(crate) fn cancel(socket: ServerSocket, token: &CancelToken) -> io::Result<()> {
    socket.set_patience(Some(PATIENCE))?;
    let lent = Arc::new(Mutex::new(Some(socket)));
    let stream = MessageStream { socket: Arc::clone(&lent), watch: None, message: Vec::new(), given: 0 };
    match token.cancel_query_raw(stream, NoTls).now_or_never() {
        Some(sent) => sent.map_err(io::Error::other)?,
        None => return Err(io::Error::other("the driver waits for nothing")),
    }
    let socket = lent.lock().unwrap_or_else(PoisonError::into_inner).take();
    // The server closes it once it has told the process.
    socket.map_or(Ok(0), |mut socket| socket.read(&mut [0])).map(drop)
}

/// A socket that gives one message after the other, and never reads more than what it was asked for: what follows
/// the last one is for others.
struct MessageStream<'w> {
    socket: Arc<Mutex<Option<ServerSocket>>>,
    watch: Option<&'w SilenceWatch<'w>>,
    message: Vec<u8>,
    given: usize,
}

impl MessageStream<'_> {
    fn with<T>(&self, call: impl FnOnce(&mut ServerSocket) -> io::Result<T>) -> io::Result<T> {
        let mut socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        socket.as_mut().map_or_else(|| Err(io::ErrorKind::NotConnected.into()), call)
    }

    fn read_exact(&self, into: &mut [u8]) -> io::Result<()> {
        self.with(|stream| match self.watch {
            Some(watch) => WatchedStream { stream, watch }.read_exact(into),
            None => stream.read_exact(into),
        })
    }

    fn next(&mut self) -> io::Result<()> {
        let mut head = [0; 5];
        self.read_exact(&mut head)?;
        let [_, length @ ..] = head;
        let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
        let body = length.checked_sub(4).filter(|body| *body <= LONGEST);
        let body = body.ok_or_else(|| io::Error::other("this is no PostgreSQL server"))?;
        let mut message = vec![0; head.len() + body];
        let (start, rest) = message.split_at_mut(head.len());
        start.copy_from_slice(&head);
        self.read_exact(rest)?;
        (self.message, self.given) = (message, 0);
        Ok(())
    }
}

impl AsyncRead for MessageStream<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.given == self.message.len() {
            self.next()?;
        }
        let rest = &self.message[self.given..];
        let count = rest.len().min(into.remaining());
        into.put_slice(&rest[..count]);
        self.given += count;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for MessageStream<'_> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.with(|socket| socket.write(bytes)))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// An error with its causes; the driver's own text names only the kind.
fn chain(error: &tokio_postgres::Error) -> io::Error {
    let mut text = error.to_string();
    let mut kind = io::ErrorKind::Other;
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        kind = error.downcast_ref().map_or(kind, io::Error::kind);
        cause = error.source();
    }
    io::Error::new(kind, text)
}
