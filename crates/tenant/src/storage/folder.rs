//! Bytes in a folder of this machine. A file is complete and on disk before it has its name, and no link is followed.

use super::key::Key;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The ending of an unfinished file's name.
const UNFINISHED: &str = ".part";

/// A folder of files.
#[derive(Clone, Debug)]
pub(super) struct FileFolder {
    path: PathBuf,
}

/// A file that is being written. Dropped unfinished, it is gone.
pub(super) struct FileWriter {
    directory: OwnedFd,
    file: File,
    key: Key,
    finished: bool,
}

/// A file that lies in the folder, finished or not.
pub(super) struct FoundFile {
    /// The name; none where it is not one of ours.
    pub key: Option<Key>,
    /// When it was last written, in milliseconds.
    pub(super) written: i64,
    name: String,
}

impl FileFolder {
    pub(crate) fn new(path: PathBuf) -> Self {
        FileFolder { path }
    }

    /// Begins a file.
    pub(super) fn create(&self, key: &Key) -> io::Result<FileWriter> {
        let directory = match self.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make(&self.path)?;
                self.open()?
            }
            opened => opened?,
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&directory, unfinished(key), flags, Mode::RUSR | Mode::WUSR)?;
        Ok(FileWriter { directory, file: File::from(file), key: key.clone(), finished: false })
    }

    /// Opens a file at a place in it. What is no regular file is refused.
    pub(crate) fn read(&self, key: &Key, from: u64) -> io::Result<File> {
        // A FIFO that an operator placed there must not make us wait for its writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.open()?, key.as_str(), flags, Mode::empty())?;
        if FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode) != FileType::RegularFile {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
        }
        let mut file = File::from(file);
        file.seek(SeekFrom::Start(from))?;
        Ok(file)
    }

    /// Removes a file; that it is not there is no error.
    pub(super) fn delete(&self, name: &str) -> io::Result<()> {
        let directory = match self.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        match rustix::fs::unlinkat(directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes all of it; a link goes, and what it leads to stays.
    pub(super) fn remove(&self) -> io::Result<()> {
        match std::fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Hands each file to `each`.
    pub(super) fn list(&self, each: &mut dyn FnMut(FoundFile)) -> io::Result<()> {
        let directory = match self.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        for entry in rustix::fs::Dir::read_from(&directory)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            let key = Key::parse(name);
            if key.is_none() && name.strip_suffix(UNFINISHED).and_then(Key::parse).is_none() {
                // Not of our making.
                continue;
            }
            let Ok(state) = rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if FileType::from_raw_mode(state.st_mode) == FileType::RegularFile {
                let written = state.st_mtime.saturating_mul(1_000);
                each(FoundFile { key, written, name: name.to_owned() });
            }
        }
        Ok(())
    }

    fn open(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::open(&self.path, flags, Mode::empty())?)
    }
}

impl FoundFile {
    /// The name in the folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl FileWriter {
    /// Appends.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Makes the file last: its bytes, then its name.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        let (from, to) = (unfinished(&self.key), self.key.as_str());
        match rustix::fs::renameat_with(&self.directory, &from, &self.directory, to, RenameFlags::NOREPLACE) {
            // Some file systems cannot refuse to replace; names are random, so there is nothing to replace.
            Err(Errno::INVAL | Errno::NOSYS) => rustix::fs::renameat(&self.directory, &from, &self.directory, to)?,
            renamed => renamed?,
        }
        self.finished = true;
        Ok(rustix::fs::fsync(&self.directory)?)
    }
}

impl Drop for FileWriter {
    fn drop(&mut self) {
        if !self.finished {
            // What stays after a failure here is swept.
            let _ = rustix::fs::unlinkat(&self.directory, unfinished(&self.key), AtFlags::empty());
        }
    }
}

/// Reads up to so many bytes; fewer at the end alone.
pub(super) fn read_up_to(file: &mut File, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(most);
    file.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unfinished(key: &Key) -> String {
    format!("{key}{UNFINISHED}")
}

/// Makes a folder that nobody else on the machine may look into, and those above it that are missing; each lasts
/// through a loss of power.
fn make(path: &Path) -> io::Result<()> {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match rustix::fs::mkdir(path, Mode::RWXU) {
        Ok(()) => File::open(above)?.sync_all(),
        Err(Errno::EXIST) => Ok(()),
        Err(Errno::NOENT) if above != path => {
            make(above)?;
            make(path)
        }
        Err(error) => Err(error.into()),
    }
}
