//! The connections that are open to the files of a folder, within the descriptors that they may take together.

use super::file::StoreFile;
use super::locks::lock;
use super::log_copies::LogCopier;
use super::{idle_readers, writer};
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
/// The part of the connections that are closed before others need their place: closing a writer waits for the disk.
const SPARE: usize = 8;
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
    /// The way to the thread that closes connections, which ends when this is dropped.
    closer: flume::Sender<()>,
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
    /// A pool for so many descriptors, with a thread that closes connections which are not in use.
    pub(super) fn start(descriptors: usize, idle: usize, log_copier: LogCopier) -> std::io::Result<Arc<Self>> {
        let most = (descriptors / DESCRIPTORS).max(FEWEST);
        let (closer, asked) = flume::bounded(1);
        let pool = Arc::new(FilePool {
            most,
            idle,
            figures: EngineFigures::default(),
            log_copier,
            state: Mutex::default(),
            closed: Condvar::new(),
            closer,
            turn: AtomicU64::new(1),
        });
        let weak = Arc::downgrade(&pool);
        std::thread::Builder::new().name("close idle".into()).spawn(move || {
            while asked.recv_timeout(idle_readers::IDLE / 4) != Err(flume::RecvTimeoutError::Disconnected) {
                let Some(pool) = weak.upgrade() else { return };
                pool.close_idle();
                pool.keep_room();
            }
        })?;
        Ok(pool)
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

    /// Closes the connections without work for a while.
    fn close_idle(&self) {
        let (files, now) = (self.files(&lock(&self.state)), Instant::now());
        for file in &files {
            idle_readers::close_idle(file, now);
            writer::close_idle(file, now);
        }
    }

    /// Closes the files that were used longest ago, until some connections can be opened without that.
    fn keep_room(&self) {
        loop {
            let state = lock(&self.state);
            if self.is_roomy(&state) {
                return;
            }
            let files = self.files(&state);
            drop(state);
            if !oldest(&files, None).is_some_and(|oldest| oldest.let_go()) {
                return;
            }
        }
    }

    fn is_roomy(&self, state: &PoolState) -> bool {
        state.open + self.most / SPARE <= self.most
    }

    /// The files that have connections.
    fn files(&self, state: &PoolState) -> Vec<Arc<StoreFile>> {
        state.files.values().map(|(file, _)| Arc::clone(file)).collect()
    }

    /// Makes room for one more connection: files that were used longest ago are closed for it.
    pub(super) fn enter(self: &Arc<Self>, file: &Arc<StoreFile>) -> Result<ConnectionPermit> {
        let deadline = Instant::now() + WAIT;
        loop {
            let mut state = lock(&self.state);
            if state.open < self.most {
                state.open += 1;
                state.files.entry(file.id).or_insert_with(|| (Arc::clone(file), 0)).1 += 1;
                if !self.is_roomy(&state) {
                    // One that is full was asked already.
                    let _ = self.closer.try_send(());
                }
                return Ok(ConnectionPermit { pool: Arc::clone(self), file: file.id });
            }
            let others = self.files(&state);
            drop(state);
            if let Some(oldest) = oldest(&others, Some(file))
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
fn oldest<'f>(files: &'f [Arc<StoreFile>], own: Option<&StoreFile>) -> Option<&'f Arc<StoreFile>> {
    let closable = files.iter().filter(|file| file.is_closable());
    closable.min_by_key(|file| (own.is_some_and(|own| file.id == own.id), file.used.load(Ordering::Relaxed)))
}
