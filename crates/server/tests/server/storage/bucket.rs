//! Files in a bucket.

use crate::storage::ALBUM;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use platform::tenants::Settings;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError};
use serde_json::json;
use spec::spec;
use std::path::PathBuf;
use tempfile::TempDir;
use tenant::storage::{BucketOptions, FileStorage, Files, Key};
use testing::{Engine, Server, Subject};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A server whose files are in a bucket.
struct Remote {
    server: Server,
    bucket: Bucket,
}

/// A server of S3's protocol over a folder, with one bucket.
pub(crate) struct Bucket {
    folder: TempDir,
    pub(crate) options: BucketOptions,
    /// The fault that it has just now.
    pub(crate) fault: watch::Sender<Option<BucketFault>>,
    /// The number of requests that a fault was about.
    pub(crate) asked: watch::Sender<usize>,
    task: JoinHandle<()>,
}

/// A fault of a server of S3's protocol.
#[derive(Clone, Debug)]
pub(crate) enum BucketFault {
    /// Requests of a method, with a text in their address, get this status.
    Refuse(Method, &'static str, u16),
    /// They get no answer.
    Hang(Method, &'static str),
    /// Bodies of downloads end in the middle.
    Cut,
    /// A bit of each download is another one.
    Flip,
}

impl BucketFault {
    fn is_about(&self, request: &Request<Incoming>) -> bool {
        match self {
            BucketFault::Refuse(method, text, _) | BucketFault::Hang(method, text) => {
                request.method() == method && request.uri().to_string().contains(text)
            }
            BucketFault::Cut | BucketFault::Flip => {
                request.method() == Method::GET && !request.uri().to_string().contains("list-type")
            }
        }
    }

    /// Answers a request that the fault is about.
    async fn answer(self, service: S3Service, request: Request<Incoming>) -> Result<Response<Body>, HttpError> {
        match self {
            BucketFault::Refuse(_, _, status) => Ok(Response::builder().status(status).body(Body::empty()).unwrap()),
            BucketFault::Hang(..) => std::future::pending().await,
            BucketFault::Cut | BucketFault::Flip => {
                let (head, body) = service.call(request.map(Body::from)).await?.into_parts();
                let mut bytes = body.collect().await.unwrap().to_bytes().to_vec();
                let middle = bytes.len() / 2;
                match self {
                    BucketFault::Cut => bytes.truncate(middle),
                    _ => bytes[middle] ^= 1,
                }
                Ok(Response::from_parts(head, Body::from(bytes)))
            }
        }
    }
}

impl Bucket {
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("plinth")).unwrap();
        let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single("the-key", "the-secret"));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let fault = watch::Sender::new(None::<BucketFault>);
        let (now, asked) = (fault.subscribe(), watch::Sender::new(0));
        let told = asked.clone();
        let task = tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let (service, now, told) = (service.clone(), now.clone(), told.clone());
                let answered = service_fn(move |request| {
                    let (service, fault, told) = (service.clone(), now.borrow().clone(), told.clone());
                    async move {
                        match fault.filter(|fault| fault.is_about(&request)) {
                            Some(fault) => {
                                told.send_modify(|count| *count += 1);
                                fault.answer(service, request).await
                            }
                            None => service.call(request.map(Body::from)).await,
                        }
                    }
                });
                tokio::spawn(async move {
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(socket), answered).await;
                });
            }
        });
        let text = str::to_owned;
        let options = BucketOptions {
            endpoint,
            bucket: text("plinth"),
            region: text("us-east-1"),
            prefix: text("some/place"),
            access_key: text("the-key"),
            secret_key: text("the-secret"),
            timeout: std::time::Duration::from_secs(30),
        };
        Bucket { folder, options, fault, asked, task }
    }

    /// The path of an object's file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("plinth").join(name)
    }

    /// The files of parts whose upload has not ended.
    pub(crate) fn parts(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains(".part-")).collect()
    }

    /// Removes all objects of all tenants, as somebody else might.
    fn empty(&self) {
        std::fs::remove_dir_all(self.folder.path().join("plinth/some")).unwrap();
    }

    /// The names and sizes of a tenant's objects.
    fn objects(&self, tenant: &str) -> Vec<(String, u64)> {
        let place = self.folder.path().join("plinth/some/place").join(tenant);
        let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
        entries
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len()))
            .collect()
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Subject for Remote {
    async fn on(engine: Engine) -> Self {
        let bucket = Bucket::start().await;
        let settings = Settings { files: FileStorage::bucket(&bucket.options).unwrap(), ..Settings::default() };
        Remote { server: Server::settled(engine, settings, Vec::new(), &[ALBUM]).await, bucket }
    }
}

async fn read(files: &Files, key: &Key, range: std::ops::Range<u64>) -> model::error::Result<Vec<u8>> {
    let mut content = files.read(key, range).await?;
    let mut bytes = Vec::new();
    while let Some(next) = content.next().await? {
        bytes.extend_from_slice(&next);
    }
    Ok(bytes)
}

#[spec]
async fn files_live_in_a_bucket(Remote { server, bucket }: Remote) {
    let admin = server.admin();
    // Several parts, and one that is smaller than a part.
    let large: Vec<u8> = (0..18_000_000_u32).flat_map(|number| [b'a' + (number % 23) as u8]).collect();
    let files: [(&str, &str, &[u8]); 2] = [("large.txt", "text/plain", &large), ("small.txt", "text/plain", b"hello")];
    let promises = admin.upload("album/photos", &files).await.is(200).json();
    let row = admin.create("album", json!({"photos": promises})).await;
    assert_eq!(row["photos"][0]["size"], large.len());
    let mut objects = bucket.objects("acme");
    objects.sort_by_key(|(_, size)| *size);
    let sizes: Vec<u64> = objects.iter().map(|(_, size)| *size).collect();
    assert_eq!(sizes, [5, large.len() as u64]);

    let own = FileStorage::bucket(&bucket.options).unwrap().of("acme");
    let key = Key::parse(&objects[1].0).unwrap();
    assert!(read(&own, &key, 0..large.len() as u64).await.unwrap() == large);
    assert_eq!(read(&own, &key, 17_999_990..18_000_000).await.unwrap(), large[17_999_990..]);
    assert_eq!(read(&own, &key, 5..5).await.unwrap(), b"");
    assert!(read(&own, &Key::parse(&"a".repeat(26)).unwrap(), 0..1).await.is_err());
    let other = FileStorage::bucket(&bucket.options).unwrap().of("other");
    assert!(read(&other, &key, 0..1).await.is_err(), "another tenant's");

    // What is refused leaves nothing, and what is deleted goes.
    let mismatch: [(&str, &str, &[u8]); 2] = [("a.txt", "text/plain", b"hello"), ("a.png", "image/png", b"no image")];
    admin.upload("album/photos", &mismatch).await.is(400);
    assert_eq!(bucket.objects("acme").len(), 2);
    admin.delete(&format!("collection/album/{}", row["id"])).await.is(204);
    server.clock().set("2099-01-01T00:00:00Z");
    let mut orphan = own.create(Key::parse(&"b".repeat(26)).unwrap()).await.unwrap();
    orphan.write(Bytes::from_static(b"an orphan")).await.unwrap();
    orphan.finish().await.unwrap();
    let swept = server.sweep_files().await;
    assert_eq!((swept.expired, swept.orphans), (2, 1));
    assert_eq!(bucket.objects("acme"), []);
}

#[spec]
async fn a_bucket_that_cannot_be_reached_fails_uploads_alone(Remote { server, bucket }: Remote) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.txt", b"hello").await;
    let wrong = BucketOptions { secret_key: "another".to_owned(), ..bucket.options.clone() };
    let wrong = FileStorage::bucket(&wrong).unwrap().of("acme");
    assert!(wrong.list().await.is_err(), "the key is checked");
    drop(bucket);
    let text: (&str, &str, &[u8]) = ("a.txt", "text/plain", b"hello");
    let refused = admin.upload("album/cover", &[text]).await.is(503);
    assert_eq!((refused.header("retry-after"), refused.header("x-error-code")), ("2", "files_unavailable"));
    assert!(!refused.text.contains("127.0.0.1"), "{}", refused.text);
    let row = admin.create("album", json!({"cover": promise})).await;
    assert_eq!(row["cover"]["name"], "a.txt");
}

#[spec]
async fn an_object_that_is_gone_is_told_apart_from_a_store_that_is(Remote { server, bucket }: Remote) {
    let admin = server.admin();
    let promise = admin.promise("album/cover", "a.txt", b"hello").await;
    let row = admin.create("album", json!({"cover": promise})).await;
    let address = row["cover"]["url"].as_str().unwrap().to_owned();
    server.client().get(&address).await.is(200);
    bucket.empty();
    let gone = server.client().get(&address).await.is(404).says("bytes are missing");
    assert_eq!(gone.header("x-error-code"), "file_bytes_missing");
}

#[spec]
async fn a_silent_store_is_given_up(Remote { server, bucket }: Remote) {
    // It takes connections and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let timeout = std::time::Duration::from_secs(1);
    let options = BucketOptions { endpoint, timeout, ..bucket.options.clone() };
    let own = FileStorage::bucket(&options).unwrap().of("acme");
    let began = std::time::Instant::now();
    let read = own.read(&Key::parse(&"b".repeat(26)).unwrap(), 0..5).await;
    assert_eq!(read.err().map(|error| error.code), Some("files_unavailable"));
    let mut draft = own.create(Key::parse(&"c".repeat(26)).unwrap()).await.unwrap();
    draft.write(Bytes::from_static(b"hello")).await.unwrap();
    assert_eq!(draft.finish().await.err().map(|error| error.code), Some("files_unavailable"));
    assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", began.elapsed());
    drop(server);
}

/// Passes a store on at so many bytes a second; gives its address.
async fn slow_link(to: String, rate: usize) -> String {
    const STEPS: usize = 20;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let store = TcpStream::connect(to.trim_start_matches("http://")).await.unwrap();
            let ((mut from_client, mut to_client), (mut from_store, mut to_store)) =
                (client.into_split(), store.into_split());
            tokio::spawn(async move { tokio::io::copy(&mut from_store, &mut to_client).await });
            tokio::spawn(async move {
                let mut bytes = vec![0; rate / STEPS];
                while let Ok(count @ 1..) = from_client.read(&mut bytes).await {
                    to_store.write_all(&bytes[..count]).await?;
                    let pause = std::time::Duration::from_secs(1) * count as u32 / rate as u32;
                    tokio::time::sleep(pause).await;
                }
                to_store.shutdown().await
            });
        }
    });
    address
}

#[spec]
async fn a_slow_link_takes_its_time(Remote { server, bucket }: Remote) {
    // A part takes twice as long as the store may be silent; it answers others meanwhile.
    let endpoint = slow_link(bucket.options.endpoint.clone(), 1 << 20).await;
    let options = BucketOptions { endpoint, timeout: std::time::Duration::from_secs(4), ..bucket.options.clone() };
    let own = FileStorage::bucket(&options).unwrap().of("slow");
    for (name, size) in [("d", 6 << 20), ("e", 9 << 20)] {
        let mut draft = own.create(Key::parse(&name.repeat(26)).unwrap()).await.unwrap();
        for piece in vec![b'x'; size].chunks(256 << 10) {
            draft.write(Bytes::copy_from_slice(piece)).await.unwrap();
        }
        let key = draft.finish().await.unwrap();
        assert!(bucket.objects("slow").contains(&(key.to_string(), size as u64)), "{:?}", bucket.objects("slow"));
    }
    drop(server);
}
