//! A bucket that takes connections and bytes, and answers no more: uploads and downloads end within seconds.

use crate::storage::ALBUM;
use crate::storage::bucket::Bucket;
use platform::tenants::Settings;
use serde_json::json;
use spec::spec;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tenant::storage::{BucketOptions, FileStorage};
use testing::{Client, Engine, Reply, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The time for which the bucket may be silent.
const TIMEOUT: Duration = Duration::from_secs(4);
/// The longest time of a request: the bucket's, and a wide margin for a busy machine.
const WITHIN: Duration = Duration::from_secs(60);
/// The time for all but the bucket's silence. It is shorter than the bucket's: two silences in a row are too long.
const ANSWER: Duration = Duration::from_secs(3);

/// A way to a bucket that can be made to hang, behind so many bytes.
pub(crate) struct Link {
    pub(crate) address: String,
    hangs: watch::Sender<bool>,
    left: Arc<AtomicUsize>,
}

impl Link {
    pub(crate) async fn to(endpoint: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (hangs, left) = (watch::Sender::new(false), Arc::new(AtomicUsize::new(usize::MAX)));
        let (tell, counted, to) = (hangs.clone(), Arc::clone(&left), endpoint.trim_start_matches("http://").to_owned());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let store = TcpStream::connect(&to).await.unwrap();
                let ((from_client, to_client), (from_store, to_store)) = (client.into_split(), store.into_split());
                tokio::spawn(pass(from_client, to_store, tell.clone(), Arc::clone(&counted)));
                tokio::spawn(pass(from_store, to_client, tell.clone(), Arc::new(AtomicUsize::new(usize::MAX))));
            }
        });
        Link { address, hangs, left }
    }

    pub(crate) fn hang_behind(&self, bytes: usize) {
        self.left.store(bytes, Relaxed);
        self.hangs.send_replace(bytes == 0);
    }

    pub(crate) fn heal(&self) {
        self.left.store(usize::MAX, Relaxed);
        self.hangs.send_replace(false);
    }
}

/// Hands bytes on until the way hangs; then it holds the connection, and does nothing until the way is healed.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, hangs: watch::Sender<bool>, left: Arc<AtomicUsize>) {
    let mut hung = hangs.subscribe();
    let mut bytes = vec![0; 64 << 10];
    loop {
        tokio::select! {
            biased;
            () = async { drop(hung.wait_for(|hangs| *hangs).await) } => break,
            read = from.read(&mut bytes) => match read {
                Ok(count @ 1..) => {
                    if left.fetch_sub(count, Relaxed) <= count {
                        hangs.send_replace(true);
                    } else if to.write_all(&bytes[..count]).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
        }
    }
    drop(hung.wait_for(|hangs| !*hangs).await);
}

/// A request that is given up in time, and says when to come again; gives the time that it took.
async fn given_up(request: impl Future<Output = Reply>, of: &str) -> Duration {
    let began = Instant::now();
    let told = request.await.is(503);
    assert_eq!((told.header("retry-after"), told.header("x-error-code")), ("2", "files_unavailable"), "{of}");
    assert!(began.elapsed() < WITHIN, "{of}: {:?}", began.elapsed());
    began.elapsed()
}

/// The same where the bucket has this long. A busy machine only adds to the time, so one of a few tries is in time.
async fn given_up_after(bucket_has: Duration, request: impl AsyncFn() -> Reply, of: &str) {
    let mut took = Vec::new();
    for _ in 0..4 {
        took.push(given_up(request(), of).await);
        if took.iter().any(|took| (bucket_has..bucket_has + ANSWER).contains(took)) {
            return;
        }
    }
    panic!("{of}: {took:?} where the bucket has {bucket_has:?}");
}

async fn upload(admin: &Client, bytes: &[u8]) -> Reply {
    admin.upload("album/photos", &[("a.txt", "text/plain", bytes)]).await
}

#[spec("R-161")]
async fn a_bucket_that_hangs_has_five_seconds_unless_the_operator_says_otherwise(engine: Engine) {
    let bucket = Bucket::start().await;
    let link = Link::to(&bucket.options.endpoint).await;
    let usual = server::settings::Settings::load(&server::settings::Sources::default()).unwrap().files.timeout;
    assert_eq!(usual, Duration::from_secs(5));
    let options = BucketOptions { endpoint: link.address.clone(), timeout: usual, ..bucket.options.clone() };
    let settings = Settings { files: FileStorage::bucket(&options).unwrap(), ..Settings::default() };
    let server = Server::settled(engine, settings, Vec::new(), &[ALBUM]).await;
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.txt", b"hello").await;
    let row = admin.create("album", json!({"cover": promise})).await;
    link.hang_behind(0);
    let address = row["cover"]["url"].as_str().unwrap();
    given_up_after(usual, async || server.client().get(address).await, "a download").await;
    given_up_after(usual, async || upload(&admin, b"hello").await, "an upload").await;
}

#[spec("R-161")]
async fn requests_for_files_of_a_bucket_that_hangs_end_within_seconds(engine: Engine) {
    let bucket = Bucket::start().await;
    let link = Link::to(&bucket.options.endpoint).await;
    let options = BucketOptions { endpoint: link.address.clone(), timeout: TIMEOUT, ..bucket.options.clone() };
    let settings = Settings { files: FileStorage::bucket(&options).unwrap(), ..Settings::default() };
    let server = Server::settled(engine, settings, Vec::new(), &[ALBUM]).await;
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.txt", b"hello").await;
    let row = admin.create("album", json!({"cover": promise})).await;
    let address = row["cover"]["url"].as_str().unwrap().to_owned();
    let large = vec![b'x'; 9 << 20];
    link.hang_behind(0);
    given_up(server.client().get(&address), "a download").await;
    given_up(upload(&admin, b"hello"), "a small upload").await;
    given_up(upload(&admin, &large), "a large upload").await;
    link.heal();
    // It falls silent in the middle of a part.
    link.hang_behind(2 << 20);
    given_up(upload(&admin, &large), "an upload that had begun").await;
    link.heal();
    upload(&admin, &large).await.is(200);
    assert_eq!(&server.client().get(&address).await.is(200).bytes[..], b"hello");
}
