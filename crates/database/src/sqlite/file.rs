//! A file of the folder, while it is in use.

use super::connection::{ConnectionPurpose, SqliteConnection};
use super::idle_readers::IdleReader;
use super::locks::lock;
use super::pool::FilePool;
use super::writer::{OpenWriter, WriterThread};
use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The number of times that opening a file is tried.
const OPENINGS: usize = 3;

/// One file of the folder.
pub(super) struct StoreFile {
    /// Never given twice in a process, so that a recreated file is another.
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) pool: Arc<FilePool>,
    closed: AtomicBool,
    pub(super) writer: Mutex<Option<WriterThread>>,
    /// The connection that the last thread left.
    pub(super) idle_writer: Mutex<Option<OpenWriter>>,
    /// The copy of the log for which the writer asked has ended.
    pub(super) log_copied: AtomicBool,
    /// True once the disk did not save pages that were copied from the log.
    pub(super) log_failed: AtomicBool,
    damage: Mutex<Option<StoreDamage>>,
    /// Idle connections; the one that was used last is at the end.
    pub(super) readers: Mutex<Vec<IdleReader>>,
    /// The turn in which it was last read from or written to.
    pub(super) used: AtomicU64,
}

/// The damage of a file: what was found, and in which file of the disk.
struct StoreDamage {
    detail: String,
    identity: FileIdentity,
}

/// The identity of a file of the disk.
pub(super) type FileIdentity = (u64, u64);

/// The error of a file that is not there: no store, or a folder of stores that is away for now.
pub(super) fn absent(path: &Path) -> Error {
    let stores = path.parent().and_then(Path::parent);
    if stores.is_some_and(Path::is_dir) { Error::NoStore } else { Error::Busy }
}

impl StoreFile {
    pub(super) fn new(name: &str, path: PathBuf, pool: Arc<FilePool>) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        StoreFile {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            name: name.to_owned(),
            path,
            pool,
            closed: AtomicBool::new(false),
            writer: Mutex::default(),
            idle_writer: Mutex::default(),
            log_copied: AtomicBool::new(false),
            log_failed: AtomicBool::new(false),
            damage: Mutex::default(),
            readers: Mutex::default(),
            used: AtomicU64::new(0),
        }
    }

    /// Notes that it is used now.
    pub(super) fn touch(&self) {
        self.used.store(self.pool.turn(), Ordering::Relaxed);
    }

    /// Returns true if the store was deleted, or its database closed.
    pub(super) fn closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// The file of the disk that stands at the path now.
    pub(super) fn identity(&self) -> Result<FileIdentity> {
        let metadata = std::fs::metadata(&self.path).map_err(|_| absent(&self.path))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Ok((metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Ok((0, 0))
        }
    }

    /// Opens a connection; a file that is none of a database counts as damaged.
    pub(super) fn connect(&self, purpose: ConnectionPurpose) -> Result<SqliteConnection> {
        let mut tries = 0;
        loop {
            let identity = self.identity()?;
            let connection = SqliteConnection::open(&self.path, purpose);
            tries += 1;
            match &connection {
                // Another process may have moved the file away, as it does to delete the store: look again.
                Err(Error::Unusable(_) | Error::Failed(_)) if tries < OPENINGS => continue,
                Err(Error::Damaged(detail)) => self.set_damage(detail.clone(), identity),
                _ => {}
            }
            return connection;
        }
    }

    /// Takes over the damage that statements of a connection met. From then on the file is not written to.
    pub(super) fn note_damage(&self, connection: &SqliteConnection, identity: FileIdentity) {
        if let Some(detail) = connection.take_damage() {
            self.set_damage(detail, identity);
        }
    }

    fn set_damage(&self, detail: String, identity: FileIdentity) {
        let mut damage = lock(&self.damage);
        if damage.is_none() {
            tracing::error!(
                tenant = self.name,
                detail,
                "the file of a tenant is damaged: it is not written to until it is restored; see `plinth doctor`"
            );
            *damage = Some(StoreDamage { detail, identity });
        }
    }

    /// Returns the damage that was found in the file that stands at the path now.
    pub(super) fn damage(&self) -> Option<Error> {
        let mut damage = lock(&self.damage);
        // Another file stands there: a restored one.
        damage.take_if(|found| self.identity() != Ok(found.identity));
        damage.as_ref().map(|found| Error::Damaged(found.detail.clone()))
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.let_go();
    }

    /// Returns whether it has idle connections or a writer.
    pub(super) fn is_closable(&self) -> bool {
        !lock(&self.readers).is_empty() || lock(&self.writer).is_some() || lock(&self.idle_writer).is_some()
    }

    /// Closes the idle connections, and lets the writer end once it has done what waits for it: SQLite frees a descriptor
    /// of a file once no other connection of this process holds that file. Returns whether a connection was closed at
    /// once.
    pub(super) fn let_go(&self) -> bool {
        lock(&self.writer).take();
        let readers = std::mem::take(&mut *lock(&self.readers));
        let writer = lock(&self.idle_writer).take();
        !readers.is_empty() || writer.is_some()
    }
}
