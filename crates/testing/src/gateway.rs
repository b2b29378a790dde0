//! An SMS gateway of the test's own: HTTP over TCP, that can be made to answer in each bad way.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// A gateway. It stops when the last handle is dropped.
#[derive(Clone, Debug)]
pub struct SmsGateway {
    address: SocketAddr,
    state: Arc<Mutex<GatewayState>>,
    _running: Arc<JoinSet<()>>,
}

/// The answer of a gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayAnswer {
    /// With these bytes, the whole answer.
    Bytes(String),
    /// Never.
    Hang,
    /// With a body that does not end.
    Endless,
}

#[derive(Debug)]
struct GatewayState {
    answer: GatewayAnswer,
    requests: Vec<String>,
    /// Bytes of bodies that clients let it send.
    sent: u64,
}

impl SmsGateway {
    /// Starts a gateway on a port of its own, that takes every SMS.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("the system has a free port");
        let address = listener.local_addr().expect("it listens");
        let answer = GatewayAnswer::Bytes(answer("200 OK", "{\"ok\":true}"));
        let state = Arc::new(Mutex::new(GatewayState { answer, requests: Vec::new(), sent: 0 }));
        let mut running = JoinSet::new();
        let shared = Arc::clone(&state);
        running.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                // What a client breaks off is no concern of the test's.
                connections.spawn(async move { drop(serve(stream, &shared).await) });
            }
        });
        Self { address, state, _running: Arc::new(running) }
    }

    /// Its address, with a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Has it answer so from now on.
    pub fn answers(&self, answer: GatewayAnswer) {
        self.lock().answer = answer;
    }

    /// Has it answer with a status line, such as `500 Oops`, and a body.
    pub fn says(&self, status: &str, body: &str) {
        self.answers(GatewayAnswer::Bytes(answer(status, body)));
    }

    /// The requests that came, heads and bodies.
    pub fn requests(&self) -> Vec<String> {
        self.lock().requests.clone()
    }

    /// Returns the number of bytes that it could send of bodies without an end.
    pub fn sent(&self) -> u64 {
        self.lock().sent
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, GatewayState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

async fn serve(mut stream: TcpStream, state: &Mutex<GatewayState>) -> std::io::Result<()> {
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let mut request = Vec::new();
    while !whole(&request) {
        let mut bytes = [0; 4_096];
        match stream.read(&mut bytes).await? {
            0 => return Ok(()),
            length => request.extend_from_slice(&bytes[..length]),
        }
    }
    lock().requests.push(String::from_utf8_lossy(&request).into_owned());
    let answer = lock().answer.clone();
    match answer {
        GatewayAnswer::Hang => std::future::pending().await,
        GatewayAnswer::Bytes(text) => stream.write_all(text.as_bytes()).await,
        GatewayAnswer::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n").await?;
            loop {
                stream.write_all(&[b'x'; 65_536]).await?;
                lock().sent += 65_536;
            }
        }
    }
}

/// Returns true if a request came with all of its body.
fn whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}
