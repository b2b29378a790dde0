//! The place of archives: a folder, or a part of a bucket.

use super::archives::{ArchiveName, StoredArchive};
use super::scratch::unusable;
use crate::tenants::runtimes::within_runtime;
use jiff::{SignedDuration, Timestamp};
use model::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use tenant::storage::{Bucket, BucketObject, BucketOptions};
use tokio::runtime::Handle;

/// The beginning of addresses in buckets.
const SCHEME: &str = "s3:";
/// The name of what is written for a try.
const PROBE: &str = ".plinth-probe";
/// Bytes of a try.
const PROBE_BYTES: &[u8] = b"plinth doctor";

/// Runs something on the runtime, and waits for it. Where the runtime ends meanwhile, as that of a server that stops, this
/// is an error: timers of a runtime that has ended panic.
pub(super) fn wait<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    let runtime = Handle::current();
    let ended = runtime.block_on(runtime.spawn(work));
    ended.unwrap_or_else(|error| Err(Error::failed(format!("the process stops: {error}"))))
}

/// The place of archives.
#[derive(Clone, Debug)]
pub enum ArchivePlace {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A part of a bucket, and its address.
    Bucket(Bucket, PathBuf),
}

impl ArchivePlace {
    /// Reads a folder, or an address such as `s3://bucket/prefix`. The options tell how buckets are reached: bucket and
    /// prefix of their own do not count. The error is a sentence.
    pub fn parse(text: &Path, options: &BucketOptions) -> Result<Self, String> {
        let Some(address) = text.to_str().and_then(|text| text.strip_prefix(SCHEME)) else {
            if text.to_str().is_some_and(|text| text.contains("://")) {
                return Err(format!("{} is no folder, and no address such as s3://bucket/prefix.", text.display()));
            }
            return Ok(ArchivePlace::Folder(text.to_owned()));
        };
        let address = address.strip_prefix("//").unwrap_or_default().trim_end_matches('/');
        let (bucket, prefix) = address.split_once('/').unwrap_or((address, ""));
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if bucket.is_empty()
            || !bucket.bytes().all(is_plain)
            || prefix.split('/').skip(1).any(str::is_empty)
            || prefix.starts_with('/')
        {
            return Err(format!("{} is not an address such as s3://bucket/prefix.", text.display()));
        }
        if options.access_key.is_empty() || options.secret_key.is_empty() {
            return Err(format!(
                "{} needs a key: set backup.access_key and backup.secret_key, or those of [files].",
                text.display()
            ));
        }
        let options = BucketOptions { bucket: bucket.to_owned(), prefix: prefix.to_owned(), ..options.clone() };
        let bucket = Bucket::open(&options).map_err(|error| {
            let why = error.detail.unwrap_or(error.message);
            format!("{} cannot be used: {}.", text.display(), why.trim_end_matches('.'))
        })?;
        Ok(ArchivePlace::Bucket(bucket, PathBuf::from(format!("{SCHEME}//{address}"))))
    }

    /// Returns the folder, or the address in the bucket.
    pub fn path(&self) -> &Path {
        match self {
            ArchivePlace::Folder(path) | ArchivePlace::Bucket(_, path) => path,
        }
    }

    /// Returns the archives that lie there, by their tenants and instants. Others are passed over. It blocks, within a
    /// runtime.
    pub fn list(&self) -> Result<Vec<StoredArchive>> {
        let mut found = match self {
            ArchivePlace::Folder(folder) => list_folder(folder)?,
            ArchivePlace::Bucket(bucket, _) => {
                let listed = Handle::current().block_on(bucket.list()).map_err(|error| self.failed(error))?;
                let archive = |object: BucketObject| {
                    let name = ArchiveName::parse(&object.name)?;
                    Some(name.stored(self.path().join(&object.name), object.bytes))
                };
                listed.into_iter().filter_map(archive).collect()
            }
        };
        found.sort_by(|one, other| (&one.tenant, one.made, &one.path).cmp(&(&other.tenant, other.made, &other.path)));
        Ok(found)
    }

    /// Returns the name of an archive that is of this place.
    pub(super) fn name_of<'p>(&self, path: &'p Path) -> Option<&'p str> {
        path.file_name()?.to_str().filter(|_| path.parent() == Some(self.path()))
    }

    /// Returns the length of an archive; none where it is missing.
    pub(super) fn length(&self, name: &str) -> Result<Option<u64>> {
        match self {
            ArchivePlace::Folder(folder) => match fs::metadata(folder.join(name)) {
                Ok(facts) => Ok(Some(facts.len())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(unusable(&folder.join(name), &error)),
            },
            ArchivePlace::Bucket(bucket, _) => {
                let (bucket, name) = (bucket.clone(), name.to_owned());
                wait(async move { bucket.length(&name).await }).map_err(|error| self.failed(error))
            }
        }
    }

    /// Removes an archive; that it is not there is no error.
    pub(super) fn remove(&self, name: &str) -> Result<()> {
        match self {
            ArchivePlace::Folder(folder) => match fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unusable(&folder.join(name), &error)),
                _ => Ok(()),
            },
            ArchivePlace::Bucket(bucket, _) => {
                let (bucket, name) = (bucket.clone(), name.to_owned());
                wait(async move { bucket.delete(&name).await }).map_err(|error| self.failed(error))
            }
        }
    }

    /// Returns a name that no archive has: names have seconds, and of several in one second each later one has the next.
    pub(super) fn free_name(&self, tenant: &str, now: Timestamp, is_encrypted: bool) -> Result<String> {
        let seconds = (0..60).filter_map(|later| now.checked_add(SignedDuration::from_secs(later)).ok());
        for instant in seconds {
            let name = ArchiveName::new(tenant, instant, is_encrypted).text();
            if self.length(&name)?.is_none() {
                return Ok(name);
            }
        }
        let message = format!("{} has an archive of each second of the last minute.", self.path().display());
        Err(Error::conflict("backup_exists", message))
    }

    /// Writes something of its own, reads it and removes it. Returns the reason why it could not be removed. A folder that
    /// is missing is not made: the one above it is tried. It blocks.
    pub fn probe(&self) -> Result<Option<String>> {
        match self {
            ArchivePlace::Folder(folder) => probe_folder(folder).map(|()| None),
            ArchivePlace::Bucket(bucket, _) => {
                let tried = within_runtime(|| Handle::current().block_on(bucket.probe(PROBE)));
                tried.map_err(|error| self.failed(error))
            }
        }
    }

    /// The error of a bucket, with its address.
    pub(super) fn failed(&self, error: Error) -> Error {
        let why = error.detail.unwrap_or(error.message);
        unusable(self.path(), &why.trim_end_matches('.'))
    }
}

fn list_folder(folder: &Path) -> Result<Vec<StoredArchive>> {
    let failed = |error: io::Error| unusable(folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let file_name = entry.file_name();
        let Some(name) = file_name.to_str().and_then(ArchiveName::parse) else { continue };
        let path = entry.path();
        // One that was removed meanwhile is none.
        let Ok(facts) = fs::metadata(&path) else { continue };
        if facts.is_file() {
            let encrypted = File::open(&path).and_then(backups::is_encrypted);
            let archive = name.stored(path, facts.len());
            found.push(StoredArchive { encrypted: encrypted.unwrap_or(archive.encrypted), ..archive });
        }
    }
    Ok(found)
}

fn probe_folder(folder: &Path) -> Result<()> {
    let there = folder.ancestors().find(|above| above.is_dir()).unwrap_or(Path::new("."));
    let failed = |error: io::Error| unusable(there, &error);
    let mut file = tempfile::Builder::new().prefix(PROBE).tempfile_in(there).map_err(failed)?;
    let mut read = Vec::new();
    let tried = file.write_all(PROBE_BYTES).and_then(|()| file.as_file().sync_all()).and_then(|()| file.rewind());
    tried.and_then(|()| file.read_to_end(&mut read)).map_err(failed)?;
    file.close().map_err(failed)?;
    if read == PROBE_BYTES {
        Ok(())
    } else {
        Err(unusable(there, &"a file was read with other bytes than were written"))
    }
}

#[cfg(test)]
mod tests {
    use super::ArchivePlace;
    use std::path::Path;
    use std::time::Duration;
    use tenant::storage::BucketOptions;

    #[test]
    fn addresses_are_folders_or_buckets() {
        let key = |text: &str| BucketOptions {
            endpoint: "http://127.0.0.1:1".to_owned(),
            bucket: "files".to_owned(),
            region: "us-east-1".to_owned(),
            prefix: "other".to_owned(),
            access_key: text.to_owned(),
            secret_key: text.to_owned(),
            timeout: Duration::from_secs(1),
        };
        let parse = |text: &str, options: &BucketOptions| {
            ArchivePlace::parse(Path::new(text), options).map(|place| place.path().display().to_string())
        };
        let with = key("k");
        for (text, expected) in [
            ("/backup", "/backup"),
            ("s3", "s3"),
            ("s3://b", "s3://b"),
            ("s3://b/a/c/", "s3://b/a/c"),
            ("s3://my.b_u-1/a", "s3://my.b_u-1/a"),
        ] {
            assert_eq!(parse(text, &with).as_deref(), Ok(expected), "{text}");
        }
        for text in ["s3:", "s3:/b/a", "s3://", "s3:///a", "s3://b?x/a", "s3://b//a", "s3://b/a//c"] {
            assert!(parse(text, &with).unwrap_err().contains("is not an address such as"), "{text}");
        }
        for text in ["S3://b/a", "https://s3.example.com/b"] {
            assert!(parse(text, &with).unwrap_err().contains("is no folder"), "{text}");
        }
        assert!(parse("s3://b/a", &key("")).unwrap_err().contains("needs a key"));
    }
}
