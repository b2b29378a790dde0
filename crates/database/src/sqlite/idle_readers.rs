//! Connections that read: each file keeps those that were used last, for any thread.

use super::connection::{ConnectionPurpose, SqliteConnection, StatementPatience};
use super::file::{FileIdentity, StoreFile};
use super::locks::lock;
use super::pool::ConnectionPermit;
use crate::deadline::JobDeadline;
use crate::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time for which a reader trusts that its file stands at the path. Looking at each read costs 7 % of a get-one.
/// Making or deleting a store takes as long, so that no read that begins afterwards sees the store before.
pub(super) const TRUST: Duration = Duration::from_millis(5);

/// The time after which a connection that nobody uses is closed: it holds half a MiB. To open one takes a millisecond.
pub(super) const IDLE: Duration = Duration::from_secs(10);

/// The times of a job and of its statements.
pub(super) struct JobBounds {
    pub(super) patience: StatementPatience,
    pub(super) deadline: JobDeadline,
}

/// A connection that reads, and the file of the disk that it was opened for.
pub(super) struct IdleReader {
    connection: SqliteConnection,
    identity: FileIdentity,
    /// The time at which the file was seen at the path.
    seen: Instant,
    /// Given back once the connection is closed.
    _permit: ConnectionPermit,
}

/// Runs a job on a connection to the file that no other job uses meanwhile. After a panic it is closed.
pub(super) fn with<R>(file: &Arc<StoreFile>, bounds: JobBounds, job: impl FnOnce(&SqliteConnection) -> R) -> Result<R> {
    file.touch();
    let reader = take(file)?;
    reader.connection.set_patience(bounds.patience);
    reader.connection.set_deadline(bounds.deadline);
    let outcome = job(&reader.connection);
    reader.connection.set_deadline(JobDeadline::default());
    file.note_damage(&reader.connection, reader.identity);
    let mut readers = lock(&file.readers);
    if !file.closed() && readers.len() < file.pool.idle {
        readers.push(reader);
    } else {
        drop(readers);
    }
    Ok(outcome)
}

/// Closes the connections that were used last before so long.
pub(super) fn close_idle(file: &StoreFile, now: Instant) {
    let mut readers = lock(&file.readers);
    let (kept, idle): (Vec<_>, Vec<_>) =
        readers.drain(..).partition(|reader| now.saturating_duration_since(reader.seen) < IDLE);
    *readers = kept;
    drop(readers);
    // Closing takes its time, which no read waits for.
    drop(idle);
}

/// Returns an open connection to the file that stands at the path. Another process may have deleted the one before, and
/// made another: what was opened for that one is closed.
fn take(file: &Arc<StoreFile>) -> Result<IdleReader> {
    if file.closed() {
        return Err(Error::NoStore);
    }
    let kept = lock(&file.readers).pop();
    let now = Instant::now();
    let kept = match kept {
        Some(kept) if now.duration_since(kept.seen) < TRUST => return Ok(kept),
        kept => kept,
    };
    let identity = file.identity()?;
    if let Some(kept) = kept {
        if kept.identity == identity {
            return Ok(IdleReader { seen: now, ..kept });
        }
        lock(&file.readers).retain(|reader| reader.identity == identity);
    }
    let permit = file.pool.enter(file)?;
    let connection = file.connect(ConnectionPurpose::Read)?;
    Ok(IdleReader { connection, identity, seen: now, _permit: permit })
}
