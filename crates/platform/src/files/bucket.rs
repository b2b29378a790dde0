//! Bytes in a bucket of a store that speaks S3's protocol.

use super::key::Key;
use crate::error::{Error, Result};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::aws::AmazonS3Builder;
use object_store::buffered::BufWriter;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use std::ops::Range;
use std::sync::Arc;

/// What a part of an upload has, and what of it is in memory: S3 takes at least 5 MiB, and at most 10,000 parts.
const PART: usize = 8 << 20;

/// How a bucket is reached.
#[derive(Clone, Debug)]
pub struct BucketOptions {
    /// The store's address, such as `https://s3.eu-central-1.amazonaws.com`; empty for Amazon's own of the region.
    pub endpoint: String,
    /// The bucket.
    pub bucket: String,
    /// Its region.
    pub region: String,
    /// What names in the bucket begin with; may be empty.
    pub prefix: String,
    /// The id of the access key.
    pub access_key: String,
    /// The secret of the access key.
    pub secret_key: String,
}

/// A part of a bucket: the objects of one tenant.
#[derive(Clone)]
pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
}

impl Bucket {
    /// Prepares to reach a bucket; nothing is sent yet.
    pub(super) fn open(options: &BucketOptions) -> Result<Self> {
        // Another provider that the process has chosen serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&options.bucket)
            .with_region(&options.region)
            .with_access_key_id(&options.access_key)
            .with_secret_access_key(&options.secret_key);
        if !options.endpoint.is_empty() {
            builder = builder.with_endpoint(&options.endpoint).with_allow_http(options.endpoint.starts_with("http://"));
        }
        let store = builder.build().map_err(failed)?;
        let prefix = Path::parse(&options.prefix).map_err(|error| Error::failed(error.to_string()))?;
        Ok(Bucket { store: Arc::new(store), prefix })
    }

    /// The objects of a tenant.
    pub(super) fn of(&self, tenant: &str) -> Self {
        Bucket { store: Arc::clone(&self.store), prefix: self.prefix.clone().join(tenant) }
    }

    pub(super) fn create(&self, key: &Key) -> BufWriter {
        // One part under way while the next is filled.
        BufWriter::with_capacity(Arc::clone(&self.store), self.path(key), PART).with_max_concurrency(1)
    }

    pub(super) async fn read(&self, key: &Key, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes>>> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let found = self.store.get_opts(&self.path(key), options).await.map_err(failed)?;
        Ok(found.into_stream().map_err(failed).boxed())
    }

    pub(super) async fn delete(&self, key: &Key) -> Result<()> {
        match self.store.delete(&self.path(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    /// All objects that have a name of ours, and when they were written, in milliseconds.
    pub(super) fn list(&self) -> BoxStream<'static, Result<(Key, i64)>> {
        let prefix = self.prefix.clone();
        let listed = self.store.list(Some(&prefix)).map_err(failed);
        let ours = listed.try_filter_map(|object| async move {
            let key = object.location.filename().and_then(Key::parse);
            Ok(key.map(|key| (key, object.last_modified.timestamp_millis())))
        });
        ours.boxed()
    }

    fn path(&self, key: &Key) -> Path {
        self.prefix.clone().join(key.as_str())
    }
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The store's own form might show how it signs.
        write!(formatter, "Bucket({})", self.prefix)
    }
}

/// The store's error, for the log.
pub(super) fn failed(error: object_store::Error) -> Error {
    Error::failed(format!("the store of files: {error}"))
}
