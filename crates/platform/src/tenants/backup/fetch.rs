//! Archives of a bucket, copied to this machine to be read.

use super::create::make_private;
use super::place::ArchivePlace;
use super::scratch::{Scratch, unusable};
use model::error::{Error, Result};
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use tenant::storage::{BucketOptions, Content};
use tokio::runtime::Handle;

/// An archive that can be read as a file. A copy goes with this value.
pub struct LocalArchive {
    path: PathBuf,
    _copy: Option<Scratch>,
}

impl LocalArchive {
    /// Copies an archive of a bucket (`s3://…`) into a folder; one that is a file stays where it is. `progress` is told
    /// the bytes that were read. It blocks, within a runtime.
    pub fn get(
        path: &Path,
        options: &BucketOptions,
        scratch: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<LocalArchive> {
        let parent = path.parent().unwrap_or(path);
        let place = ArchivePlace::parse(parent, options).map_err(|error| Error::invalid("backup_place", error))?;
        let (ArchivePlace::Bucket(bucket, _), Some(name)) = (&place, place.name_of(path)) else {
            return Ok(LocalArchive { path: path.to_owned(), _copy: None });
        };
        make_private(scratch)?;
        let copy = Scratch::within(scratch)?;
        let local = copy.path().join("archive");
        let content = Handle::current().block_on(Content::of_object(bucket, name));
        let mut content = content.map_err(|error| match error.code {
            "file_bytes_missing" => Error::missing(
                "backup_missing",
                format!("There is no archive {}. See plinth backup list.", path.display()),
            ),
            _ => place.failed(error),
        })?;
        let file = File::options().write(true).create_new(true).mode(0o600).open(&local);
        let mut file = file.map_err(|error| unusable(&local, &error))?;
        while let Some(piece) = Handle::current().block_on(content.next()).map_err(|error| place.failed(error))? {
            file.write_all(&piece).map_err(|error| unusable(&local, &error))?;
            progress(piece.len() as u64);
        }
        Ok(LocalArchive { path: local, _copy: Some(copy) })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
