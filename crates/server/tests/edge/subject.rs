//! A server whose handler does what the tests need: read a body, wait, panic.

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use http::StatusCode;
use server::http::{Answer, Handler, Limits, Network, Outgoing, Problem, Reply, Request, Timeouts, Trace, body, run};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Answers by path.
#[derive(Default)]
pub(crate) struct Probe {
    pub(crate) drained: AtomicBool,
}

/// A server under test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) probe: Arc<Probe>,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) task: JoinHandle<()>,
}

impl Handler for Probe {
    async fn answer<'a>(&'a self, mut request: Request, _trace: &'a mut Trace) -> Reply {
        match request.uri.path() {
            "/client" => Ok(Answer::json(format!("{:?}", request.client.to_string()))),
            "/body" => {
                let bytes = body::read(&mut request.body, 1000).await?;
                Ok(Answer::json(format!(r#"{{"bytes":{}}}"#, bytes.len())))
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
            "/slow" => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                Ok(Answer::json("\"slow\""))
            }
            "/stuck" => std::future::pending().await,
            "/large" => Ok(Answer::json(vec![b' '; 8_000_000])),
            "/long" => {
                // 40 blocks of 100 KB; each takes a moment.
                let blocks = stream::iter(0..40).then(|_| async {
                    tokio::time::sleep(Duration::from_millis(50)).await;
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

/// Limits of production, with times that a test can wait for.
pub(crate) fn limits() -> Limits {
    Limits {
        timeouts: Timeouts {
            head: Duration::from_millis(400),
            request: Duration::from_millis(900),
            idle: Duration::from_millis(600),
            close: Duration::from_millis(200),
            download: Duration::from_millis(400),
            download_rate: 8 * 1024,
        },
        connections: 64,
        connections_per_address: 64,
        head_bytes: 32 * 1024,
        head_fields: 100,
        url_bytes: 8 * 1024,
        trusted_proxies: Vec::new(),
        shutdown_notice: Duration::ZERO,
        shutdown: Duration::from_secs(2),
    }
}

pub(crate) async fn serve() -> Served {
    serve_with(limits()).await
}

pub(crate) async fn serve_with(limits: Limits) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let probe = Arc::new(Probe::default());
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(run(listener, limits, Arc::clone(&probe), async {
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

    /// Sends bytes as they are; gives all that comes until the server closes, and whether it did.
    pub(crate) async fn raw(&self, bytes: impl AsRef<[u8]>) -> (String, bool) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = tokio::net::TcpStream::connect(self.address).await.unwrap();
        let _ = stream.write_all(bytes.as_ref()).await;
        let mut answer = Vec::new();
        let closed = loop {
            // The first byte may take long on a busy machine; once there is one, the rest follows at once.
            let silence = if answer.is_empty() { 5_000 } else { 250 };
            match tokio::time::timeout(Duration::from_millis(silence), stream.read_buf(&mut answer)).await {
                Ok(Ok(1..)) => {}
                Ok(_) => break true,
                Err(_) => break false,
            }
        };
        (String::from_utf8_lossy(&answer).into_owned(), closed)
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
