//! Bytes in a bucket of a store that speaks S3's protocol.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use model::error::{Error, ErrorKind, Result};
use object_store::aws::AmazonS3Builder;
use object_store::buffered::BufWriter;
use object_store::path::Path;
use object_store::{ClientOptions, GetOptions, GetRange, ObjectStore, ObjectStoreExt, RetryConfig};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// The bytes of a part of an upload, which are in memory: S3 takes at least 5 MiB.
pub(super) const PART: usize = 8 << 20;

/// The most parts of an upload, some below the 10,000 of S3.
const MOST_PARTS: u64 = 9_900;

/// Bytes a second that a link to the store has at least. A part is given as much time as it takes at this rate.
const LEAST_RATE: usize = 64 << 10;

/// The options by which a bucket is reached.
#[derive(Clone, Debug)]
pub struct BucketOptions {
    /// The store's address, such as `https://s3.eu-central-1.amazonaws.com`; empty for Amazon's own of the region.
    pub endpoint: String,
    /// The bucket.
    pub bucket: String,
    /// Its region.
    pub region: String,
    /// The beginning of names in the bucket; may be empty.
    pub prefix: String,
    /// The id of the access key.
    pub access_key: String,
    /// The secret of the access key.
    pub secret_key: String,
    /// The time for which the store may be silent; bytes on their way to it have their time beside that.
    pub timeout: Duration,
}

/// A part of a bucket: the objects whose names begin alike.
#[derive(Clone)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    timeout: Duration,
}

/// An object that lies in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketObject {
    /// Its name, behind the beginning of all.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// When it was written, in milliseconds.
    pub written: i64,
}

/// An object on its way into the bucket. It is there once it is finished, and whole.
pub struct BucketUpload {
    bucket: Bucket,
    writer: BufWriter,
    /// The bytes of a part.
    part: usize,
    /// Bytes that may be on their way, or wait for it.
    under_way: usize,
}

impl Bucket {
    /// Prepares to reach a bucket; nothing is sent yet.
    pub fn open(options: &BucketOptions) -> Result<Self> {
        // Another provider that the process has chosen serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&options.bucket)
            .with_region(&options.region)
            .with_access_key_id(&options.access_key)
            .with_secret_access_key(&options.secret_key)
            // One object at a time is removed, by the request that each store has.
            .with_disable_bulk_delete(true)
            // Each call is bounded here; the client's own bound would end a slow transfer that goes on.
            .with_client_options(ClientOptions::new().with_connect_timeout(options.timeout).with_timeout_disabled())
            .with_retry(RetryConfig { max_retries: 2, retry_timeout: options.timeout, ..RetryConfig::default() });
        if !options.endpoint.is_empty() {
            builder = builder.with_endpoint(&options.endpoint).with_allow_http(options.endpoint.starts_with("http://"));
        }
        let store = builder.build().map_err(failed)?;
        let prefix = Path::parse(&options.prefix).map_err(|error| Error::failed(error.to_string()))?;
        Ok(Bucket { store: Arc::new(store), prefix, timeout: options.timeout })
    }

    /// The objects of a tenant.
    pub(crate) fn of(&self, tenant: &str) -> Self {
        let prefix = self.prefix.clone().join(tenant);
        Bucket { store: Arc::clone(&self.store), prefix, timeout: self.timeout }
    }

    /// Begins an object of some length at most, in parts of which two are in memory.
    pub fn create(&self, name: &str, most: u64) -> BucketUpload {
        let part = usize::try_from(most.div_ceil(MOST_PARTS)).unwrap_or(usize::MAX).max(PART);
        // One part under way while the next is filled.
        let writer = BufWriter::with_capacity(Arc::clone(&self.store), self.path(name), part).with_max_concurrency(1);
        BucketUpload { bucket: self.clone(), writer, part, under_way: 0 }
    }

    pub(crate) async fn read(&self, name: &str, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes>>> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let path = self.path(name);
        let found = self.within(self.store.get_opts(&path, options)).await?;
        Ok(self.watched(found.into_stream()))
    }

    /// Reads a whole object; returns its length, too.
    pub(crate) async fn read_whole(&self, name: &str) -> Result<(u64, BoxStream<'static, Result<Bytes>>)> {
        let path = self.path(name);
        let found = self.within(self.store.get(&path)).await?;
        Ok((found.meta.size, self.watched(found.into_stream())))
    }

    /// Returns the length of an object; none where it is missing.
    pub async fn length(&self, name: &str) -> Result<Option<u64>> {
        let path = self.path(name);
        let asked = async {
            match self.store.head(&path).await {
                Ok(found) => Ok(Some(found.size)),
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        };
        self.within(asked).await
    }

    /// Returns what the store sends piece by piece: it may fall silent between two of them, too.
    fn watched<T: Send + 'static>(
        &self,
        pieces: BoxStream<'static, object_store::Result<T>>,
    ) -> BoxStream<'static, Result<T>> {
        let bucket = self.clone();
        let watched = futures_util::stream::try_unfold(pieces, move |mut pieces| {
            let bucket = bucket.clone();
            async move { Ok(bucket.within(pieces.try_next()).await?.map(|piece| (piece, pieces))) }
        });
        watched.boxed()
    }

    /// Removes an object; that it is not there is no error.
    pub async fn delete(&self, name: &str) -> Result<()> {
        let path = self.path(name);
        let deleted = async {
            match self.store.delete(&path).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(error),
            }
        };
        self.within(deleted).await
    }

    /// Waits for the store, and no longer than it may be silent.
    async fn within<T>(&self, asked: impl Future<Output = object_store::Result<T>>) -> Result<T> {
        self.moving(0, asked).await
    }

    /// Waits for the store to take bytes, too, at the least rate of a link, while it answers others.
    async fn moving<T>(&self, bytes: usize, asked: impl Future<Output = object_store::Result<T>>) -> Result<T> {
        let most = self.timeout + transfer(bytes);
        let call = traces::begin_call("s3");
        let outcome = tokio::select! {
            biased;
            answered = tokio::time::timeout(most, asked) => match answered {
                Ok(answered) => answered.map_err(failed),
                Err(_) => Err(unavailable(format!("no answer for {most:?}"))),
            },
            silent = self.silent(), if bytes > 0 => Err(silent),
        };
        if let Some(call) = call {
            call.end(None, outcome.is_err());
        }
        outcome
    }

    /// Ends once the store answers nobody. How far bytes on their way have come cannot be seen from here: to tell a
    /// slow link from a store that hangs, it is asked for something small beside them, again and again.
    async fn silent(&self) -> Error {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        let pause = self.timeout / 4;
        let nothing = self.prefix.clone().join("nothing");
        loop {
            tokio::time::sleep(pause).await;
            match tokio::time::timeout(self.timeout - pause, self.store.head(&nothing)).await {
                Ok(Ok(_) | Err(NotFound { .. } | PermissionDenied { .. } | Unauthenticated { .. })) => {}
                Ok(Err(error)) => return unavailable(error.to_string()),
                Err(_) => return unavailable(format!("no answer for {:?}", self.timeout)),
            }
        }
    }

    /// The longest that one step of an upload takes.
    pub(super) fn longest_step(&self) -> Duration {
        self.timeout + transfer(2 * PART)
    }

    /// All objects, without those that have a slash behind the beginning of all names.
    pub async fn list(&self) -> Result<Vec<BucketObject>> {
        let mut listed = self.watched(self.store.list(Some(&self.prefix)));
        let mut found = Vec::new();
        while let Some(object) = listed.try_next().await? {
            let mut steps = object.location.prefix_match(&self.prefix).into_iter().flatten();
            if let (Some(name), None) = (steps.next(), steps.next()) {
                let (name, written) = (name.as_ref().to_owned(), object.last_modified.timestamp_millis());
                found.push(BucketObject { name, bytes: object.size, written });
            }
        }
        Ok(found)
    }

    fn path(&self, name: &str) -> Path {
        self.prefix.clone().join(name)
    }
}

impl BucketUpload {
    /// Appends bytes.
    pub async fn put(&mut self, bytes: Bytes) -> Result<()> {
        // One part is filled while another is sent.
        self.under_way = (self.under_way + bytes.len()).min(2 * self.part);
        self.bucket.moving(self.under_way, self.writer.put(bytes)).await
    }

    /// Makes it an object, in one step. After a failure here, the parts that were sent are taken back.
    pub async fn finish(mut self) -> Result<()> {
        let ended = async {
            let ended = self.writer.shutdown().await;
            // The writer hands the store's own errors on as those of input and output.
            ended.map_err(|error| object_store::Error::Generic { store: "S3", source: error.into() })
        };
        self.bucket.moving(self.under_way, ended).await
    }

    /// Takes back the parts that were sent.
    pub async fn abort(mut self) {
        let _ = self.bucket.within(self.writer.abort()).await;
    }
}

/// The time of bytes at the least rate.
fn transfer(bytes: usize) -> Duration {
    Duration::from_secs(bytes.div_ceil(LEAST_RATE) as u64)
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The store's own form might show how it signs.
        write!(formatter, "Bucket({})", self.prefix)
    }
}

/// The store's error: what is not there, what it refuses us, and that it is not to be reached.
pub(super) fn failed(error: object_store::Error) -> Error {
    use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
    match error {
        NotFound { .. } => {
            let message = "The file's bytes are missing in the store of files. Tell the operator of the service.";
            Error { detail: Some(error.to_string()), ..Error::missing("file_bytes_missing", message) }
        }
        PermissionDenied { .. } | Unauthenticated { .. } => Error::failed(format!("the bucket refuses it: {error}")),
        error => unavailable(error.to_string()),
    }
}

/// The store cannot be reached: a matter of time.
pub(super) fn unavailable(detail: String) -> Error {
    let message = "The store of files does not answer. Try again in a few seconds.";
    Error { detail: Some(detail), ..Error::new(ErrorKind::Busy, "files_unavailable", message) }
}
