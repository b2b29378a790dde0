//! A file of the folder, while it is in use.

use super::writer::Writer;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One file of the folder.
pub(super) struct File {
    /// Never given twice in a process, so that a recreated file is another.
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) path: PathBuf,
    closed: AtomicBool,
    pub(super) writer: Mutex<Option<Writer>>,
    /// The turn in which it was last written to.
    pub(super) written: AtomicU64,
}

/// Which file of the disk it is.
pub(super) type Identity = (u64, u64);

impl File {
    pub(super) fn new(name: &str, path: PathBuf) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        File {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            name: name.to_owned(),
            path,
            closed: AtomicBool::new(false),
            writer: Mutex::new(None),
            written: AtomicU64::new(0),
        }
    }

    /// Whether the store was deleted, or its database closed.
    pub(super) fn closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Which file of the disk stands at the path now, if any.
    pub(super) fn identity(&self) -> Option<Identity> {
        let metadata = std::fs::metadata(&self.path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Some((0, 0))
        }
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.rest();
    }

    /// Lets the writer end once it has done what waits for it.
    pub(super) fn rest(&self) {
        lock(&self.writer).take();
    }
}

/// Nothing that holds these locks can leave a half-made state behind.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
