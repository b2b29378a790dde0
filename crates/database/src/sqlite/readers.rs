//! Connections that read: each thread keeps its own, for the files that it used last.

use super::connection::{Connection, Patience, Purpose};
use super::file::{File, Identity};
use crate::{Error, Result};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a connection makes sure that its file is still the one at its path.
const RECHECK: Duration = Duration::from_secs(1);

thread_local! {
    static READERS: RefCell<HashMap<u64, Reader>> = RefCell::default();
}

struct Reader {
    file: Arc<File>,
    connection: Connection,
    identity: Identity,
    used: Instant,
    checked: Instant,
}

/// Runs a job on this thread's connection to the file. At most `capacity` stay open on a thread.
pub(super) fn with<R>(
    file: &Arc<File>,
    capacity: usize,
    patience: Patience,
    job: impl FnOnce(&Connection) -> R,
) -> Result<R> {
    // Taken out while it is used: a job that reads within a job gets another, and a panic closes it.
    let kept = READERS.with_borrow_mut(|readers| readers.remove(&file.id));
    let now = Instant::now();
    let mut reader = match kept {
        Some(reader) if reader.still(file, now) => reader,
        _ => open(file, now)?,
    };
    if now.duration_since(reader.checked) > RECHECK {
        reader.checked = now;
    }
    reader.used = now;
    reader.connection.set_patience(patience);
    let outcome = job(&reader.connection);
    READERS.with_borrow_mut(|readers| {
        if readers.len() >= capacity {
            make_room(readers, capacity);
        }
        readers.insert(file.id, reader);
    });
    Ok(outcome)
}

impl Reader {
    /// Whether the file was neither deleted nor replaced; another process may have done so.
    fn still(&self, file: &File, now: Instant) -> bool {
        !file.closed() && (now.duration_since(self.checked) <= RECHECK || file.identity() == Some(self.identity))
    }
}

fn open(file: &Arc<File>, now: Instant) -> Result<Reader> {
    if file.closed() {
        return Err(Error::NoStore);
    }
    let identity = file.identity().ok_or(Error::NoStore)?;
    let connection = Connection::open(&file.path, Purpose::Read)?;
    Ok(Reader { file: Arc::clone(file), connection, identity, used: now, checked: now })
}

/// Closes what is of no use any more, then what was used longest ago.
fn make_room(readers: &mut HashMap<u64, Reader>, capacity: usize) {
    readers.retain(|_, reader| !reader.file.closed());
    while readers.len() >= capacity.max(1) {
        let Some(oldest) = readers.iter().min_by_key(|(_, reader)| reader.used).map(|(id, _)| *id) else { return };
        readers.remove(&oldest);
    }
}
