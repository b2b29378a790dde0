//! Copies of logs into their files, beside the writers: no commit waits for a long one.
//!
//! SQLite begins a log anew once all of it stands in the file and no reader needs the pages before. A copy beside a
//! busy writer never reaches the end of the log. So a thread of the folder copies most of it. The writer copies the few
//! pages that came meanwhile, between two commits, and waits some milliseconds for readers of pages before.

use super::connection::{ConnectionPurpose, LogPatience, SqliteConnection};
use super::file::StoreFile;
use crate::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The pages from which on a log is copied (16 MB).
const LONG: u32 = 4_000;
/// The pages from which on the writer copies the log itself, where the thread does not keep up (64 MB).
const LONGEST: u32 = 16_000;
/// The pages by which a log grows before the next try, where a reader kept the last one from its end.
const STEP: u32 = 1_000;
/// The pages that are left to the writer.
const REST: u32 = 250;
/// The most copies of one log in a row: a busy writer adds pages meanwhile.
const ROUNDS: usize = 4;
/// The most logs that wait for the thread.
const QUEUE: usize = 1_024;

/// The way to the thread, which ends when this is dropped.
pub(super) struct LogCopier {
    files: flume::Sender<Arc<StoreFile>>,
}

/// A writer's view of its log.
#[derive(Debug, Default)]
pub(super) struct LogTender {
    /// The thread was asked for a copy.
    asked: bool,
    /// The length from which on the log is copied again.
    next: u32,
}

impl LogCopier {
    pub(super) fn start() -> std::io::Result<Self> {
        let (files, queue) = flume::bounded::<Arc<StoreFile>>(QUEUE);
        std::thread::Builder::new().name("copy logs".into()).spawn(move || {
            for file in &queue {
                if let Err(error) = copy(&file) {
                    // The writer copies all of it instead.
                    tracing::debug!(%error, store = file.name, "a log was not copied beside its writer");
                }
                file.log_copied.store(true, Ordering::Release);
            }
        })?;
        Ok(LogCopier { files })
    }

    /// Asks for a copy of a file's log; returns false where too many wait.
    fn ask(&self, file: &Arc<StoreFile>) -> bool {
        self.files.try_send(Arc::clone(file)).is_ok()
    }
}

impl LogTender {
    /// Does the writer's part between two commits: asks for a copy of a long log, or ends one.
    pub(super) fn tend(&mut self, file: &Arc<StoreFile>, writer: &mut SqliteConnection) {
        let pages = writer.log_pages();
        if pages < LONG {
            *self = LogTender::default();
            return;
        }
        let copied = self.asked && file.log_copied.load(Ordering::Acquire);
        if copied || pages >= LONGEST.max(self.next) {
            let patience = if pages < LONGEST { LogPatience::Short } else { LogPatience::Long };
            if let Err(error) = writer.end_log(patience) {
                tracing::warn!(%error, store = file.name, "the log could not be copied into the file; it grows");
            }
            *self = LogTender { asked: false, next: pages.saturating_add(STEP) };
        } else if !self.asked && pages >= self.next {
            file.log_copied.store(false, Ordering::Release);
            self.asked = file.pool.log_copier.ask(file);
        }
    }
}

/// Copies a log beside its writer, until few pages are left.
fn copy(file: &Arc<StoreFile>) -> Result<()> {
    if file.closed() {
        return Ok(());
    }
    let _permit = file.pool.enter(file)?;
    let connection = SqliteConnection::open(&file.path, ConnectionPurpose::CopyLog)?;
    for _ in 0..ROUNDS {
        if connection.copy_log()? <= REST {
            break;
        }
    }
    save(file);
    Ok(())
}

/// Has the copied pages saved on the disk. SQLite does that only with a copy that reaches the end of the log, so the
/// writer would wait for all of them. The file itself cannot be named here: closing it would lose SQLite's locks on it.
fn save(file: &StoreFile) {
    #[cfg(target_os = "linux")]
    {
        let folder = file.path.parent().map(std::fs::File::open);
        if let Some(Ok(folder)) = folder {
            // Where it fails, the writer meets the same error as it ends the copy.
            let _ = rustix::fs::syncfs(&folder);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}
