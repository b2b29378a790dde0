//! A server whose handler does what the tests need: read a body, wait, panic.

use bytes::Bytes;
use edge::{
    Answer, Handler, Limits, MemoryLimits, Network, Outgoing, Problem, Reply, Request, Timeouts, Trace, body, run,
};
use futures_util::stream::{self, StreamExt};
use http::StatusCode;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

/// A time that no test comes near, on a busy machine either.
pub(crate) const LONG: Duration = Duration::from_secs(600);
/// A time limit that a test waits for.
pub(crate) const SHORT: Duration = Duration::from_millis(400);
/// The time within which whatever is to happen happens, on a busy machine too.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Answers by path.
pub(crate) struct Probe {
    pub(crate) drained: AtomicBool,
    huge: AtomicUsize,
    waiting: AtomicUsize,
    let_go: Semaphore,
    large: AtomicUsize,
}

/// A server under test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) probe: Arc<Probe>,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) task: JoinHandle<()>,
}

impl Probe {
    fn new() -> Self {
        let [huge, waiting, large] = [const { AtomicUsize::new(0) }; 3];
        Self { drained: AtomicBool::new(false), huge, waiting, let_go: Semaphore::new(0), large }
    }

    /// How often 40 MB were made.
    pub(crate) fn huge(&self) -> usize {
        self.huge.load(Ordering::SeqCst)
    }

    /// Waits until so many requests for `/held` and `/stuck` are under way.
    pub(crate) async fn under_way(&self, count: usize) {
        until("requests are under way", async || self.waiting.load(Ordering::SeqCst) == count).await;
    }

    /// Lets the requests for `/held` be answered.
    pub(crate) fn let_go(&self) {
        self.let_go.add_permits(1_000);
    }

    /// The number of times that 8 MB were made.
    pub(crate) fn large(&self) -> usize {
        self.large.load(Ordering::SeqCst)
    }
}

impl Handler for Probe {
    async fn answer<'a>(&'a self, mut request: Request, _trace: &'a mut Trace) -> Reply {
        match request.uri.path() {
            "/client" => Ok(Answer::json(format!("{:?}", request.client.to_string()))),
            "/host" => Ok(Answer::json(format!("{:?}", request.headers["host"].to_str().unwrap()))),
            "/body" => {
                let bytes = body::read(&mut request, 1000).await?;
                Ok(Answer::json(format!(r#"{{"bytes":{}}}"#, bytes.len())))
            }
            "/large-body" => {
                let bytes = body::read(&mut request, 1_000_000).await?;
                Ok(Answer::json(format!(r#"{{"bytes":{}}}"#, bytes.len())))
            }
            "/huge" => {
                self.huge.fetch_add(1, Ordering::SeqCst);
                Ok(Answer::json(vec![b' '; 40_000_000]))
            }
            "/object" => {
                let object = body::object(&mut request, 1000).await?;
                Ok(Answer::created(serde_json::Value::Object(object).to_string()))
            }
            "/form" => {
                let form = body::form(&mut request, &["user", "password"]).await?;
                Ok(Answer::json(format!("{:?}", form.get("user"))))
            }
            "/panic" => panic!("the test asked for it"),
            "/held" => {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                let _ = self.let_go.acquire().await;
                Ok(Answer::json("\"held\""))
            }
            "/stuck" => {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                std::future::pending().await
            }
            "/last" => Ok(Answer::json("\"last\"")),
            "/large" => {
                self.large.fetch_add(1, Ordering::SeqCst);
                Ok(Answer::json(vec![b' '; 8_000_000]))
            }
            "/long" => {
                // 40 blocks of 100 KB; each takes a moment.
                let blocks = stream::iter(0..40).then(|_| async {
                    tokio::time::sleep(Duration::from_millis(150)).await;
                    Ok(Bytes::from(vec![b'x'; 100_000]))
                });
                let body = Outgoing::stream(4_000_000, Box::pin(blocks));
                Ok(Answer { body, ..Answer::json("") })
            }
            "/longer" => {
                // More than the kernel takes for a client that reads nothing.
                let blocks = stream::iter((0..400).map(|_| Ok(Bytes::from(vec![b'x'; 100_000]))));
                Ok(Answer { body: Outgoing::stream(40_000_000, Box::pin(blocks)), ..Answer::json("") })
            }
            "/short" => {
                let blocks = stream::iter([Ok(Bytes::from_static(b"half"))]);
                Ok(Answer { body: Outgoing::stream(8, Box::pin(blocks)), ..Answer::json("") })
            }
            "/teapot" => Err(Problem::new(StatusCode::CONFLICT, "teapot", "A \"teapot\".")),
            _ => Ok(Answer::json("\"here\"")),
        }
    }

    fn drain(&self) {
        self.drained.store(true, Ordering::SeqCst);
    }
}

/// Limits of production, with times that pass in no test: each test shortens those that it is about.
pub(crate) fn limits() -> Limits {
    Limits {
        timeouts: Timeouts {
            head: LONG,
            request: LONG,
            idle: LONG,
            close: LONG,
            download: LONG,
            download_rate: 8 * 1024,
            answer_rate: 8 * 1024,
        },
        connections: 64,
        connections_per_address: 64,
        head_bytes: 32 * 1024,
        head_fields: 100,
        url_bytes: 8 * 1024,
        memory: MemoryLimits { total: 64 << 20, address: 48 << 20, key: 20 << 20 },
        spool: MemoryLimits { total: 1 << 30, address: 128 << 20, key: 256 << 20 },
        refused_body_bytes: 64 << 20,
        trusted_proxies: Vec::new(),
        proxy_protocol: false,
        shutdown_notice: Duration::ZERO,
        shutdown_idle: LONG,
        shutdown: LONG,
    }
}

/// Waits until something holds.
pub(crate) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, wait).await.is_ok(), "in vain: {what}");
}

/// Reads until the server closes.
pub(crate) async fn until_closed(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the server closes");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Reads one answer; false where the server closes before its end.
async fn read_one(stream: &mut TcpStream, is_head: bool, answer: &mut Vec<u8>) -> bool {
    while !is_whole(answer, is_head) {
        let read = tokio::time::timeout(PATIENCE, stream.read_buf(answer)).await;
        if !matches!(read.expect("the server answers or closes"), Ok(1..)) {
            return false;
        }
    }
    true
}

/// Tells whether these are the bytes of an answer to its end.
fn is_whole(answer: &[u8], is_head: bool) -> bool {
    let Some(end) = answer.windows(4).position(|part| part == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&answer[..end]);
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |text| text.parse().unwrap());
    is_head || answer.len() >= end + 4 + length
}

pub(crate) async fn serve() -> Served {
    serve_with(limits()).await
}

pub(crate) async fn serve_with(limits: Limits) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let probe = Arc::new(Probe::new());
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(run(listener, None, limits, Arc::clone(&probe), async {
        let _ = stopped.await;
    }));
    Served { address, probe, stop: Some(stop), task }
}

/// A range of addresses.
pub(crate) fn network(text: &str) -> Network {
    Network::parse(text).unwrap()
}

impl Served {
    /// Asks the server to stop.
    pub(crate) fn stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// A new connection.
    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends bytes as they are; gives all that comes until the server closes.
    pub(crate) async fn all(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut stream = self.connect().await;
        let _ = stream.write_all(bytes.as_ref()).await;
        until_closed(&mut stream).await
    }

    /// Sends bytes as they are; gives what comes before the answer to another request on the connection, and whether the
    /// server closed without that answer.
    pub(crate) async fn raw(&self, bytes: impl AsRef<[u8]>) -> (String, bool) {
        let mut stream = self.connect().await;
        let _ = stream.write_all(bytes.as_ref()).await;
        let mut answer = Vec::new();
        if read_one(&mut stream, bytes.as_ref().starts_with(b"HEAD "), &mut answer).await {
            // A server that has closed does not take it, and sends nothing.
            let _ = stream.write_all(b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
            let mut rest = until_closed(&mut stream).await;
            let goes_on = rest.ends_with("\"last\"");
            if goes_on {
                rest.truncate(rest.rfind("HTTP/1.1 ").unwrap());
            }
            return (String::from_utf8_lossy(&answer).into_owned() + &rest, !goes_on);
        }
        (String::from_utf8_lossy(&answer).into_owned(), true)
    }

    /// Checks that the bytes get one answer with this status, after which the server closes or does not.
    pub(crate) async fn check(&self, bytes: impl AsRef<[u8]>, status: u16, closes: bool) -> String {
        let shown: String = String::from_utf8_lossy(bytes.as_ref()).chars().take(120).collect();
        let (answer, closed) = self.raw(bytes).await;
        assert_eq!(answer.get(9..12), Some(status.to_string().as_str()), "{shown:?} got {answer:?}");
        assert_eq!(answer.matches("HTTP/1.").count(), 1, "{shown:?} got {answer:?}");
        assert_eq!(closed, closes, "closed after {shown:?}: {answer:?}");
        answer
    }
}
