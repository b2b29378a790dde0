//! Storage of bytes: a folder of this machine or a bucket, behind one type.

mod bucket;
mod folder;
pub mod key;
mod probe;

pub use bucket::{Bucket, BucketObject, BucketOptions, BucketUpload};
pub use key::{Key, is_token, token};

use bucket::PART;
use bytes::Bytes;
use folder::{FileFolder, FileWriter};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use model::error::{Error, Result};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes that are read or written at once.
pub const BLOCK: usize = 256 << 10;

/// The place of the bytes of all tenants.
#[derive(Clone, Debug, Default)]
pub struct FileStorage {
    place: StoragePlace,
}

#[derive(Clone, Debug, Default)]
enum StoragePlace {
    /// Nowhere: uploads fail.
    #[default]
    None,
    /// A folder for each tenant: below `above`, its name, then `below`.
    Folders {
        above: PathBuf,
        below: PathBuf,
    },
    Bucket(Bucket),
}

/// The place of the bytes of one tenant.
#[derive(Clone, Debug)]
pub struct Files {
    place: StorageHome,
}

#[derive(Clone, Debug)]
enum StorageHome {
    None,
    Folder(FileFolder),
    Bucket(Bucket),
}

/// Bytes on their way in. Dropped before [`Draft::finish`], nothing stays of them.
pub struct Draft {
    key: Key,
    way: UploadSink,
}

enum UploadSink {
    Folder(Option<FileWriter>),
    Bucket(Option<Box<BucketUpload>>),
}

/// Bytes on their way out.
pub struct Content {
    way: DownloadSource,
}

enum DownloadSource {
    Folder(Option<File>, u64),
    Bucket(BoxStream<'static, Result<Bytes>>, u64),
}

/// Something that lies in the storage, be there a row for it or not.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its key; none where it was never finished.
    pub key: Option<Key>,
    /// When it was last written, in milliseconds.
    pub written: i64,
    name: String,
}

impl FileStorage {
    /// A folder for each tenant: `above/<tenant>/below`.
    pub fn folders(above: PathBuf, below: PathBuf) -> Self {
        FileStorage { place: StoragePlace::Folders { above, below } }
    }

    /// A bucket, where the names of each tenant begin with its own.
    pub fn bucket(options: &BucketOptions) -> Result<Self> {
        Ok(FileStorage { place: StoragePlace::Bucket(Bucket::open(options)?) })
    }

    /// Fails where the folder of all tenants cannot be written. It blocks.
    pub fn check(&self) -> io::Result<()> {
        let StoragePlace::Folders { above, .. } = &self.place else { return Ok(()) };
        let mut private = std::fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
        private.recursive(true).create(above)?;
        let probe = above.join(format!(".new-probe-{}", std::process::id()));
        match private.recursive(false).create(&probe) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            // Another look at the same time may have removed it.
            _ => std::fs::remove_dir(&probe).or(Ok(())),
        }
    }

    /// Returns true if there is no place for bytes.
    pub fn is_nowhere(&self) -> bool {
        matches!(self.place, StoragePlace::None)
    }

    /// Returns the place of bytes within a folder in which a tenant's store is made, where they lie beside stores.
    pub fn within(&self, folder: &std::path::Path) -> Option<Files> {
        let StoragePlace::Folders { above, below } = &self.place else { return None };
        let is_beside = folder.parent() == Some(above.as_path()) && !below.as_os_str().is_empty();
        is_beside.then(|| Files { place: StorageHome::Folder(FileFolder::new(folder.join(below))) })
    }

    /// Returns the place of the bytes of a tenant.
    pub fn of(&self, tenant: &str) -> Files {
        let place = match &self.place {
            StoragePlace::None => StorageHome::None,
            // A path that ends with a slash would follow a link.
            StoragePlace::Folders { above, below } => {
                let own = above.join(tenant);
                StorageHome::Folder(FileFolder::new(if below.as_os_str().is_empty() { own } else { own.join(below) }))
            }
            StoragePlace::Bucket(bucket) => StorageHome::Bucket(bucket.of(tenant)),
        };
        Files { place }
    }
}

impl Files {
    /// Bytes of an upload that are in memory at a time.
    pub fn in_memory(&self) -> usize {
        match &self.place {
            StorageHome::None | StorageHome::Folder(_) => BLOCK,
            // One part is filled while another is sent.
            StorageHome::Bucket(_) => 2 * PART,
        }
    }

    /// Returns true if files lie in a folder of the machine.
    pub fn is_local(&self) -> bool {
        matches!(self.place, StorageHome::Folder(_))
    }

    /// The longest that a step of an upload waits for the storage, beyond what a request may take.
    pub fn longest_step(&self) -> Duration {
        match &self.place {
            StorageHome::None | StorageHome::Folder(_) => Duration::ZERO,
            StorageHome::Bucket(bucket) => bucket.longest_step(),
        }
    }

    /// Begins a file under a key that nothing has.
    pub async fn create(&self, key: Key) -> Result<Draft> {
        let way = match &self.place {
            StorageHome::None => return Err(nowhere()),
            StorageHome::Folder(folder) => {
                let (folder, name) = (folder.clone(), key.clone());
                UploadSink::Folder(Some(blocking(move || folder.create(&name)).await?))
            }
            StorageHome::Bucket(bucket) => UploadSink::Bucket(Some(Box::new(bucket.create(key.as_str(), 0)))),
        };
        Ok(Draft { key, way })
    }

    /// Reads a range of a file, which must lie within it.
    pub async fn read(&self, key: &Key, range: Range<u64>) -> Result<Content> {
        let length = range.end.saturating_sub(range.start);
        let way = match &self.place {
            StorageHome::None => return Err(nowhere()),
            StorageHome::Folder(folder) => {
                let (folder, key) = (folder.clone(), key.clone());
                DownloadSource::Folder(Some(blocking(move || folder.read(&key, range.start)).await?), length)
            }
            StorageHome::Bucket(_) if length == 0 => DownloadSource::Bucket(futures_util::stream::empty().boxed(), 0),
            StorageHome::Bucket(bucket) => DownloadSource::Bucket(bucket.read(key.as_str(), range).await?, length),
        };
        Ok(Content { way })
    }

    /// Removes a file; that it is not there is no error.
    pub async fn delete(&self, key: &Key) -> Result<()> {
        match &self.place {
            StorageHome::None => Ok(()),
            StorageHome::Folder(folder) => {
                let (folder, key) = (folder.clone(), key.clone());
                blocking(move || folder.delete(key.as_str())).await
            }
            StorageHome::Bucket(bucket) => bucket.delete(key.as_str()).await,
        }
    }

    /// Removes the folder of a tenant that is no more, if it is one. It blocks.
    pub fn remove_folder(&self) -> Result<()> {
        let StorageHome::Folder(folder) = &self.place else { return Ok(()) };
        folder.remove().map_err(|error| Error::failed(format!("the folder of files: {error}")))
    }

    /// All that lies there.
    pub async fn list(&self) -> Result<Vec<Stored>> {
        match &self.place {
            StorageHome::None => Ok(Vec::new()),
            StorageHome::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || {
                    let mut stored = Vec::new();
                    folder.list(&mut |found| {
                        let name = found.name().to_owned();
                        stored.push(Stored { key: found.key, written: found.written, name });
                    })?;
                    Ok(stored)
                })
                .await
            }
            StorageHome::Bucket(bucket) => {
                // Others are not of our making.
                let ours = bucket.list().await?.into_iter().filter_map(|BucketObject { name, written, .. }| {
                    Some(Stored { key: Some(Key::parse(&name)?), written, name })
                });
                Ok(ours.collect())
            }
        }
    }

    /// Removes what [`Files::list`] found.
    pub async fn remove(&self, stored: &Stored) -> Result<()> {
        match (&self.place, &stored.key) {
            (StorageHome::Folder(folder), None) => {
                let (folder, name) = (folder.clone(), stored.name.clone());
                blocking(move || folder.delete(&name)).await
            }
            (_, Some(key)) => self.delete(key).await,
            (_, None) => Ok(()),
        }
    }
}

impl Draft {
    /// The key under which the bytes will lie.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Appends bytes; best in pieces of some 100 KB.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        match &mut self.way {
            UploadSink::Folder(writing) => {
                let mut taken = writing.take().ok_or_else(spoilt)?;
                let written = blocking(move || taken.write(&bytes).map(|()| taken)).await?;
                *writing = Some(written);
                Ok(())
            }
            UploadSink::Bucket(writer) => {
                let writer = writer.as_mut().ok_or_else(spoilt)?;
                writer.put(bytes).await
            }
        }
    }

    /// Makes the bytes last under their key: when this is done, they survive a loss of power.
    pub async fn finish(mut self) -> Result<Key> {
        match &mut self.way {
            UploadSink::Folder(writing) => {
                let writing = writing.take().ok_or_else(spoilt)?;
                blocking(move || writing.finish()).await?;
            }
            UploadSink::Bucket(writer) => {
                // Once its end was asked for, it cannot be taken back any more.
                writer.take().ok_or_else(spoilt)?.finish().await?;
            }
        }
        Ok(self.key.clone())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let UploadSink::Bucket(writer) = &mut self.way
            && let Some(writer) = writer.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            // Parts that were sent stay in the bucket, unseen, until they are taken back.
            runtime.spawn(writer.abort());
        }
    }
}

impl Content {
    /// Reads a whole object of a bucket.
    pub async fn of_object(bucket: &Bucket, name: &str) -> Result<Self> {
        let (bytes, pieces) = bucket.read_whole(name).await?;
        Ok(Content { way: DownloadSource::Bucket(pieces, bytes) })
    }

    /// The next bytes; none at the end. A file that ends too soon is an error.
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        match &mut self.way {
            DownloadSource::Folder(_, 0) | DownloadSource::Bucket(_, 0) => Ok(None),
            DownloadSource::Folder(file, left) => {
                let mut open = file.take().ok_or_else(spoilt)?;
                let most = usize::try_from(*left).unwrap_or(BLOCK).min(BLOCK);
                let (open, bytes) =
                    blocking(move || folder::read_up_to(&mut open, most).map(|bytes| (open, bytes))).await?;
                *file = Some(open);
                *left -= bytes.len() as u64;
                if bytes.len() < most { Err(too_short()) } else { Ok(Some(bytes.into())) }
            }
            DownloadSource::Bucket(stream, left) => match stream.next().await {
                Some(bytes) => {
                    let bytes = bytes?;
                    *left = left.checked_sub(bytes.len() as u64).ok_or_else(too_short)?;
                    Ok(Some(bytes))
                }
                None => Err(too_short()),
            },
        }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| Error::failed(error.to_string()))?;
    done.map_err(|error| Error::failed(format!("the folder of files: {error}")))
}

fn nowhere() -> Error {
    Error::failed("no storage of files is configured")
}

fn spoilt() -> Error {
    Error::failed("a file was used after it had failed")
}

fn too_short() -> Error {
    Error::failed("the bytes are not as many as expected")
}
