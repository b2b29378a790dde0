//! The connections that are open to the files of a folder, within the descriptors that they may take together.

use super::file::StoreFile;
use super::idle_readers;
use super::locks::lock;
use super::log_copies::LogCopier;
use crate::figures::{ConnectionCounts, EngineFigures};
use crate::{Error, Result};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Descriptors of one connection: the file, its log, and a part of the log's index.
pub(super) const DESCRIPTORS: usize = 3;
/// A read inside of a read, beside a write, its command and a copy of the log.
const FEWEST: usize = 5;
/// The longest wait for a file that others close.
const WAIT: Duration = Duration::from_secs(2);

/// The open connections of a folder.
pub(super) struct FilePool {
    most: usize,
    /// The number of idle connections that a file keeps.
    pub(super) idle: usize,
    pub(super) figures: EngineFigures,
    pub(super) log_copier: LogCopier,
    state: Mutex<PoolState>,
    closed: Condvar,
    turn: AtomicU64,
}

#[derive(Default)]
struct PoolState {
    open: usize,
    /// The files that have connections, with their number.
    files: HashMap<u64, (Arc<StoreFile>, usize)>,
}

/// The place of one open connection.
pub(super) struct ConnectionPermit {
    pool: Arc<FilePool>,
    file: u64,
}

impl FilePool {
    /// A pool for so many descriptors.
    pub(super) fn new(descriptors: usize, idle: usize, log_copier: LogCopier) -> Self {
        let most = (descriptors / DESCRIPTORS).max(FEWEST);
        FilePool {
            most,
            idle,
            figures: EngineFigures::default(),
            log_copier,
            state: Mutex::default(),
            closed: Condvar::new(),
            turn: AtomicU64::new(1),
        }
    }

    /// The next of the numbers that say which file was used last.
    pub(super) fn turn(&self) -> u64 {
        self.turn.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns whether a connection can be opened without closing another.
    pub(super) fn has_room(&self) -> bool {
        lock(&self.state).open < self.most
    }

    /// Returns the connections that are open, and how many may be.
    pub(super) fn counts(&self) -> ConnectionCounts {
        ConnectionCounts { used: None, open: lock(&self.state).open as u64, most: self.most as u64 }
    }

    /// Returns the number of files that may be written to at a time.
    pub(super) fn writers(&self) -> usize {
        self.most.div_ceil(2)
    }

    /// Closes the connections that read and that nobody has used for a while.
    pub(super) fn close_idle(&self) {
        let files: Vec<Arc<StoreFile>> = lock(&self.state).files.values().map(|(file, _)| Arc::clone(file)).collect();
        let now = Instant::now();
        files.iter().for_each(|file| idle_readers::close_idle(file, now));
    }

    /// Makes room for one more connection: files that were used longest ago are closed for it.
    pub(super) fn enter(self: &Arc<Self>, file: &Arc<StoreFile>) -> Result<ConnectionPermit> {
        let deadline = Instant::now() + WAIT;
        loop {
            let mut state = lock(&self.state);
            if state.open < self.most {
                state.open += 1;
                state.files.entry(file.id).or_insert_with(|| (Arc::clone(file), 0)).1 += 1;
                return Ok(ConnectionPermit { pool: Arc::clone(self), file: file.id });
            }
            let others: Vec<Arc<StoreFile>> = state.files.values().map(|(file, _)| Arc::clone(file)).collect();
            drop(state);
            if let Some(oldest) = oldest(&others, file)
                && oldest.let_go()
            {
                continue;
            }
            let state = lock(&self.state);
            if state.open < self.most {
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Busy);
            }
            // A writer that was told to rest closes a moment later; a read that ends gives its connection back.
            let moment = left.min(Duration::from_millis(5));
            drop(self.closed.wait_timeout(state, moment).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut state = lock(&self.pool.state);
        state.open -= 1;
        let gone = state.files.get_mut(&self.file).and_then(|(_, open)| {
            *open -= 1;
            (*open == 0).then_some(self.file)
        });
        let file = gone.and_then(|id| state.files.remove(&id));
        drop(state);
        drop(file);
        self.pool.closed.notify_one();
    }
}

/// The file that was used longest ago, of those that have something to close; that of the caller comes last.
fn oldest<'f>(files: &'f [Arc<StoreFile>], own: &StoreFile) -> Option<&'f Arc<StoreFile>> {
    let closable = files.iter().filter(|file| file.is_closable());
    closable.min_by_key(|file| (file.id == own.id, file.used.load(Ordering::Relaxed)))
}
