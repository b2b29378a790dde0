//! Bytes of an archive on their way to their place, where it has its name once it is whole.

use super::place::{ArchivePlace, wait};
use super::scratch::unusable;
use bytes::Bytes;
use jiff::Timestamp;
use model::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use tenant::storage::BucketUpload;

/// The name of an archive, but for the seconds that others of its second have.
#[derive(Clone, Copy, Debug)]
pub(super) struct DraftName<'t> {
    /// The tenant.
    pub tenant: &'t str,
    /// The instant of which the archive is.
    pub made: Timestamp,
    /// True if it is encrypted.
    pub encrypted: bool,
}

/// An archive that is being written. Dropped unfinished, it is none.
pub(super) struct ArchiveSink<'p> {
    place: &'p ArchivePlace,
    way: SinkWay,
}

enum SinkWay {
    /// A file of another name, on the same disk.
    File(File, PathBuf),
    Object(Box<ObjectSink>),
}

/// An object that is being sent.
struct ObjectSink {
    name: String,
    /// None once it was finished or given up.
    upload: Option<BucketUpload>,
    bytes: u64,
}

impl<'p> ArchiveSink<'p> {
    /// Begins an archive of a length at most. `scratch` is a folder on the disk of the place, if that is a folder.
    pub(super) fn begin(place: &'p ArchivePlace, scratch: &Path, name: DraftName<'_>, most: u64) -> Result<Self> {
        let way = match place {
            ArchivePlace::Folder(_) => {
                let path = scratch.join("archive");
                let file = File::options().write(true).create_new(true).mode(0o600).open(&path);
                SinkWay::File(file.map_err(|error| unusable(&path, &error))?, path)
            }
            ArchivePlace::Bucket(bucket, _) => {
                let name = place.free_name(name.tenant, name.made, name.encrypted)?;
                let upload = Some(bucket.create(&name, most));
                SinkWay::Object(Box::new(ObjectSink { name, upload, bytes: 0 }))
            }
        };
        Ok(ArchiveSink { place, way })
    }

    /// Gives the archive its name; returns its path and length.
    pub(super) fn finish(self, name: DraftName<'_>) -> Result<(PathBuf, u64)> {
        let place = self.place;
        match self.way {
            SinkWay::File(file, from) => {
                file.sync_all().map_err(|error| unusable(&from, &error))?;
                let path = place.path().join(place.free_name(name.tenant, name.made, name.encrypted)?);
                let bytes = file.metadata().map_err(|error| unusable(&from, &error))?.len();
                fs::rename(&from, &path).map_err(|error| unusable(&path, &error))?;
                let folder = File::open(place.path()).and_then(|folder| folder.sync_all());
                folder.map_err(|error| unusable(place.path(), &error))?;
                Ok((path, bytes))
            }
            SinkWay::Object(mut object) => {
                // Another one of this second may have been faster; it is not replaced.
                if place.length(&object.name)?.is_some() {
                    let message = format!("{} has an archive {} already.", place.path().display(), object.name);
                    return Err(Error::conflict("backup_exists", message));
                }
                if let Err(error) = object.finish() {
                    // Its answer may be lost alone.
                    if place.length(&object.name).ok().flatten() != Some(object.bytes) {
                        return Err(place.failed(error));
                    }
                }
                Ok((place.path().join(&object.name), object.bytes))
            }
        }
    }
}

impl Write for ArchiveSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What calls this knows no place.
        match &mut self.way {
            SinkWay::File(file, _) => file.write(bytes).map_err(|error| {
                let message = unusable(self.place.path(), &error).message;
                io::Error::new(error.kind(), message)
            }),
            SinkWay::Object(object) => {
                let sent = object.put(bytes).map_err(|error| self.place.failed(error));
                sent.map(|()| bytes.len()).map_err(|error| io::Error::other(error.message))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        // The end of the archive makes it last.
        Ok(())
    }
}

impl ObjectSink {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        // Writers around this one end what they have even after a failure.
        let mut upload = self.upload.take().ok_or_else(given_up)?;
        let piece = Bytes::copy_from_slice(bytes);
        let (upload, sent) = wait(async move {
            let sent = upload.put(piece).await;
            Ok((upload, sent))
        })?;
        self.upload = Some(upload);
        self.bytes += bytes.len() as u64;
        sent.inspect_err(|_| self.abort())
    }

    fn finish(&mut self) -> Result<()> {
        let upload = self.upload.take().ok_or_else(given_up)?;
        wait(upload.finish())
    }

    fn abort(&mut self) {
        if let Some(upload) = self.upload.take() {
            // Parts that cannot be taken back are no archive.
            let _ = wait(async move {
                upload.abort().await;
                Ok(())
            });
        }
    }
}

fn given_up() -> Error {
    Error::failed("the upload was given up")
}

impl Drop for ObjectSink {
    fn drop(&mut self) {
        self.abort();
    }
}
