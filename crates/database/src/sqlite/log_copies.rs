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
/// The most times that this is doubled, while readers keep one try after another from its end.
const MOST_DOUBLED: u32 = 2;
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
    /// The tries in a row that readers kept from their end.
    held: u32,
}

impl LogCopier {
    pub(super) fn start() -> std::io::Result<Self> {
        let (files, queue) = flume::bounded::<Arc<StoreFile>>(QUEUE);
        std::thread::Builder::new().name("copy logs".into()).spawn(move || {
            for file in &queue {
                match copy(&file) {
                    Ok(Saved::Yes) => {}
                    Ok(Saved::No(error)) => {
                        file.log_failed.store(true, Ordering::Release);
                        tracing::error!(%error, store = file.name, "the disk did not save the file: its log is kept until a restart");
                    }
                    // The writer copies all of it instead.
                    Err(error) => tracing::debug!(%error, store = file.name, "a log was not copied beside its writer"),
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
        // Pages that were copied may not be on the disk: a log that has them begins anew with the next process alone.
        if file.log_failed.load(Ordering::Acquire) {
            if let Err(error) = writer.keep_log() {
                tracing::error!(%error, store = file.name, "the log cannot be kept");
            }
            return;
        }
        let pages = writer.log_pages();
        if pages < LONG {
            *self = LogTender::default();
            return;
        }
        let copied = self.asked && file.log_copied.load(Ordering::Acquire);
        if copied || pages >= LONGEST.max(self.next) {
            let patience = if pages < LONGEST { LogPatience::Short } else { LogPatience::Long };
            let held = match writer.end_log(patience) {
                Ok(ended) => {
                    if ended {
                        0
                    } else {
                        self.held + 1
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, store = file.name, "the log could not be copied into the file; it grows");
                    self.held + 1
                }
            };
            // A reader that takes long costs the writer less and less.
            let step = STEP << held.min(MOST_DOUBLED);
            *self = LogTender { asked: false, next: pages.saturating_add(step), held };
        } else if !self.asked && pages >= self.next {
            file.log_copied.store(false, Ordering::Release);
            self.asked = file.pool.log_copier.ask(file);
        }
    }
}

/// True if the disk has the pages that were copied.
enum Saved {
    Yes,
    No(std::io::Error),
}

/// Copies a log beside its writer, until few pages are left or a reader needs them.
fn copy(file: &Arc<StoreFile>) -> Result<Saved> {
    if file.closed() {
        return Ok(Saved::Yes);
    }
    let disk = Disk::of(file);
    let _permit = file.pool.enter(file)?;
    let connection = SqliteConnection::open(&file.path, ConnectionPurpose::CopyLog)?;
    let mut left = u32::MAX;
    for _ in 0..ROUNDS {
        let before = std::mem::replace(&mut left, connection.copy_log()?);
        if left <= REST || left >= before {
            break;
        }
    }
    Ok(disk.save().map_or_else(Saved::No, |()| Saved::Yes))
}

/// The disk of a file, opened before pages are copied, so that it tells of errors since then.
struct Disk {
    #[cfg(target_os = "linux")]
    folder: std::io::Result<std::fs::File>,
}

impl Disk {
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "SQLite saves the pages itself there"))]
    fn of(file: &StoreFile) -> Self {
        Disk {
            #[cfg(target_os = "linux")]
            folder: std::fs::File::open(file.path.parent().unwrap_or(&file.path)),
        }
    }

    /// Saves the copied pages. SQLite does that only with a copy that reaches the end of the log, so the writer would
    /// wait for all of them. The file itself cannot be named here: closing it would lose SQLite's locks on it.
    fn save(self) -> std::io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(&self.folder?)?;
        Ok(())
    }
}
