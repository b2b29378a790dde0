//! Bytes in flight of one sort: how many the process, each address and each key have, and may have.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// The most bytes that may be in flight.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimits {
    /// Of the process.
    pub total: usize,
    /// Of one address.
    pub address: usize,
    /// Of one key.
    pub key: usize,
}

/// Bytes in flight of one sort.
pub(super) struct ByteLedger {
    limits: MemoryLimits,
    taken: Mutex<Taken>,
}

/// The one who holds bytes.
#[derive(Clone, Copy)]
pub(super) struct ByteHolder {
    pub(super) address: IpAddr,
    /// The digest of a key, whose text nobody can guess.
    pub(super) key: Option<u64>,
}

#[derive(Default)]
struct Taken {
    total: usize,
    shares: HashMap<Share, usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Share {
    Address(IpAddr),
    Key(u64),
}

impl ByteLedger {
    pub(super) fn new(limits: MemoryLimits) -> Self {
        ByteLedger { limits, taken: Mutex::default() }
    }

    /// Adds bytes to what a holder has, of which `own` belong to the caller; false where there is no room. What has
    /// nothing beside it may be as large as it is: it could never be served otherwise.
    pub(super) fn add(&self, holder: ByteHolder, own: usize, more: usize) -> bool {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |used: usize, limit: usize| used + more <= limit || used == own;
        let limits = [self.limits.address, self.limits.key];
        let has_room = holder.shares().into_iter().zip(limits).all(|(share, limit)| {
            share.is_none_or(|share| fits(taken.shares.get(&share).copied().unwrap_or(0), limit))
        });
        if !has_room || !fits(taken.total, self.limits.total) {
            return false;
        }
        taken.add(holder, more);
        true
    }

    /// Returns true if the shares of a holder are not full, and either the whole is not or the holder has nothing.
    pub(super) fn has_room(&self, holder: ByteHolder) -> bool {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let used = holder.shares().map(|share| share.map_or(0, |share| taken.shares.get(&share).copied().unwrap_or(0)));
        let [address, key] = used;
        let has_own_room = address < self.limits.address && key < self.limits.key;
        has_own_room && (taken.total < self.limits.total || address + key == 0)
    }

    /// Adds bytes, be there room for them or not.
    pub(super) fn force(&self, holder: ByteHolder, more: usize) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).add(holder, more);
    }

    pub(super) fn remove(&self, holder: ByteHolder, bytes: usize) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.total -= bytes;
        for share in holder.shares().into_iter().flatten() {
            if let Some(used) = taken.shares.get_mut(&share) {
                *used -= bytes;
                if *used == 0 {
                    taken.shares.remove(&share);
                }
            }
        }
    }

    /// Bytes of all, and the number of those who hold some.
    #[cfg(test)]
    pub(super) fn taken(&self) -> (usize, usize) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        (taken.total, taken.shares.len())
    }
}

impl ByteHolder {
    fn shares(self) -> [Option<Share>; 2] {
        [Some(Share::Address(self.address)), self.key.map(Share::Key)]
    }
}

impl Taken {
    fn add(&mut self, holder: ByteHolder, more: usize) {
        self.total += more;
        for share in holder.shares().into_iter().flatten() {
            *self.shares.entry(share).or_default() += more;
        }
    }
}
