//! Answers of writes in memory. None is refused once the write is done: a client that is told to come again would do it
//! twice. So a write is refused before its work while answers of others, which nobody reads, fill a share.

use super::answer::Problem;
use super::budget::{Account, NO_ROOM, SMALL};
use bytes::Bytes;
use model::error::{Error, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

/// The answer of a write: counted from the moment that it is made, until the last of its bytes is written.
pub struct WriteAnswer {
    account: Account,
    bytes: Mutex<usize>,
}

/// Bytes of an answer, which stay counted until they go.
struct KeptBytes {
    bytes: Bytes,
    _answer: Arc<WriteAnswer>,
}

impl WriteAnswer {
    /// An answer that is not made yet.
    pub(super) fn new(account: Account) -> Self {
        WriteAnswer { account, bytes: Mutex::default() }
    }

    /// Refuses a write whose answer would be one too many.
    pub(super) fn admit(&self) -> Result<(), Problem> {
        if self.account.has_room_for_written() { Ok(()) } else { Err(Problem::unavailable(NO_ROOM)) }
    }

    /// Does a write, or refuses it, in its turn: many that were admitted may wait for theirs. `length` tells the bytes
    /// of the answer.
    pub fn admitted<T>(
        &self,
        work: impl FnOnce() -> Result<T, Error>,
        length: impl FnOnce(&T) -> usize,
    ) -> Result<T, Error> {
        // The work may be done again: what it made before is no answer.
        self.count(0);
        if !self.account.has_room_for_written() {
            return Err(Error::new(ErrorKind::Busy, "unavailable", NO_ROOM));
        }
        let done = work()?;
        self.count(length(&done));
        Ok(done)
    }

    /// Counts the bytes of the answer, in the place of those that were counted before.
    pub(super) fn count(&self, bytes: usize) {
        let counted = if bytes > SMALL { bytes } else { 0 };
        let mut known = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != counted {
            self.account.count_written(*known, counted);
            *known = counted;
        }
    }

    /// Keeps the answer counted until it is written.
    pub(super) fn keep(self: Arc<Self>, bytes: Bytes) -> Bytes {
        self.count(bytes.len());
        if bytes.len() <= SMALL { bytes } else { Bytes::from_owner(KeptBytes { bytes, _answer: self }) }
    }
}

impl Drop for WriteAnswer {
    fn drop(&mut self) {
        self.count(0);
    }
}

impl AsRef<[u8]> for KeptBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
