//! The listener for operators: small requests without bodies, one on each connection, over TCP or a Unix socket.

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{HeaderMap, Method, Response, StatusCode};
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::fs::Permissions;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

/// The most connections at a time. Operators have few programs that ask.
const CONNECTIONS: usize = 32;
/// The time for a request and its answer.
const TIME: Duration = Duration::from_secs(30);
/// The most bytes of a request's head.
const HEAD_BYTES: usize = 16 * 1024;
/// The rest after a failure of the system.
const PAUSE: Duration = Duration::from_millis(100);

/// A listener that takes connections of operators.
#[derive(Debug)]
pub enum AdminListener {
    /// At an address of the network.
    Tcp(TcpListener),
    /// At a path, which is removed at the end where this process made it.
    Unix(UnixListener, Option<PathBuf>),
}

/// A request of an operator.
#[derive(Debug)]
pub struct AdminRequest {
    /// The method.
    pub method: Method,
    /// The path.
    pub path: String,
    /// The header fields.
    pub headers: HeaderMap,
}

/// An answer to an operator.
#[derive(Debug)]
pub struct AdminAnswer {
    /// The status.
    pub status: StatusCode,
    /// The media type of the text.
    pub media_type: &'static str,
    /// The body.
    pub text: String,
}

impl AdminListener {
    /// Listens at an address.
    pub async fn tcp(address: SocketAddr) -> io::Result<Self> {
        TcpListener::bind(address).await.map(AdminListener::Tcp)
    }

    /// Listens at a path, which the user and the group of this process may use. A socket that nobody serves any more is
    /// replaced.
    pub async fn unix(path: &Path) -> io::Result<Self> {
        let is_socket = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
        if is_socket && UnixStream::connect(path).await.is_err() {
            std::fs::remove_file(path)?;
        }
        let listener = UnixListener::bind(path)?;
        std::fs::set_permissions(path, Permissions::from_mode(0o660))?;
        Ok(AdminListener::Unix(listener, Some(path.to_owned())))
    }

    /// Returns the address, where it is one of the network.
    pub fn address(&self) -> Option<SocketAddr> {
        match self {
            AdminListener::Tcp(listener) => listener.local_addr().ok(),
            AdminListener::Unix(..) => None,
        }
    }
}

impl Drop for AdminListener {
    fn drop(&mut self) {
        if let AdminListener::Unix(_, Some(path)) = self {
            // Somebody else may have removed it.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Answers operators until the future is dropped.
pub async fn run_admin<F>(listener: AdminListener, answer: impl Fn(AdminRequest) -> F + Clone + Send + Sync + 'static)
where
    F: Future<Output = AdminAnswer> + Send + 'static,
{
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    // They end with this.
    let mut connections = JoinSet::new();
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await.expect("the semaphore is never closed");
        let accepted = match &listener {
            AdminListener::Tcp(listener) => listener.accept().await.map(|(stream, _)| {
                connections.spawn(serve(stream, answer.clone(), slot));
            }),
            AdminListener::Unix(listener, _) => listener.accept().await.map(|(stream, _)| {
                connections.spawn(serve(stream, answer.clone(), slot));
            }),
        };
        if let Err(error) = accepted {
            tracing::warn!(%error, "the listener for operators cannot accept connections");
            tokio::time::sleep(PAUSE).await;
        }
        while connections.try_join_next().is_some() {}
    }
}

/// Answers the one request of a connection.
async fn serve<F>(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: impl Fn(AdminRequest) -> F,
    _slot: OwnedSemaphorePermit,
) where
    F: Future<Output = AdminAnswer>,
{
    let service = service_fn(|request: hyper::Request<hyper::body::Incoming>| {
        let (parts, _) = request.into_parts();
        let request = AdminRequest { method: parts.method, path: parts.uri.path().to_owned(), headers: parts.headers };
        let answer = answer(request);
        async move { Ok::<_, Infallible>(answer.await.into_response()) }
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .header_read_timeout(None)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    // A client that goes early, or is too slow, is told nothing.
    let _ = tokio::time::timeout(TIME, connection).await;
}

impl AdminAnswer {
    /// Returns an answer in JSON.
    pub fn json(status: StatusCode, body: &serde_json::Value) -> Self {
        AdminAnswer { status, media_type: "application/json", text: format!("{body}\n") }
    }

    fn into_response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::from(self.text));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        response
    }
}
