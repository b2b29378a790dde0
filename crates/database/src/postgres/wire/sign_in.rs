//! Signing in: the driver's own part of the protocol, on a socket that blocks.

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
pub(crate) fn sign_in(socket: ServerSocket, config: &Config) -> Result<SignedIn, String> {
    socket.set_patience(config.get_connect_timeout().copied()).map_err(|error| error.to_string())?;
    let lent = Arc::new(Mutex::new(Some(socket)));
    let stream = MessageStream { socket: Arc::clone(&lent), message: Vec::new(), given: 0 };
    let config = driver_config(config);
    // No call of the stream is ever pending. What the driver makes of it is dropped without a word to the server.
    let (token, standby) = match config.connect_raw(stream, NoTls).now_or_never() {
        Some(Ok((client, connection))) => {
            (client.cancel_token(), connection.parameter("in_hot_standby").map(|value| value == "on"))
        }
        Some(Err(error)) => return Err(chain(&error)),
        None => return Err("the driver waits for nothing".into()),
    };
    let socket = lent.lock().unwrap_or_else(PoisonError::into_inner).take();
    let socket = socket.ok_or("the socket is gone")?;
    socket.read_with_pauses().map_err(|error| error.to_string())?;
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
    let stream = MessageStream { socket: Arc::clone(&lent), message: Vec::new(), given: 0 };
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
struct MessageStream {
    socket: Arc<Mutex<Option<ServerSocket>>>,
    message: Vec<u8>,
    given: usize,
}

impl MessageStream {
    fn with<T>(&self, call: impl FnOnce(&mut ServerSocket) -> io::Result<T>) -> io::Result<T> {
        let mut socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        socket.as_mut().map_or_else(|| Err(io::ErrorKind::NotConnected.into()), call)
    }

    fn next(&mut self) -> io::Result<()> {
        let mut head = [0; 5];
        self.with(|socket| socket.read_exact(&mut head))?;
        let [_, length @ ..] = head;
        let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
        let body = length.checked_sub(4).filter(|body| *body <= LONGEST);
        let body = body.ok_or_else(|| io::Error::other("this is no PostgreSQL server"))?;
        let mut message = vec![0; head.len() + body];
        let (start, rest) = message.split_at_mut(head.len());
        start.copy_from_slice(&head);
        self.with(|socket| socket.read_exact(rest))?;
        (self.message, self.given) = (message, 0);
        Ok(())
    }
}

impl AsyncRead for MessageStream {
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

impl AsyncWrite for MessageStream {
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
fn chain(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
