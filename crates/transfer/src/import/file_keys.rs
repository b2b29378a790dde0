//! Keys of the rows of a file, while they are only read: rows may refer to rows before them, and no two may have the same.

use super::lookups::LookupKey;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// The most keys that are remembered: 16 bytes each. Behind them, doubles are found when rows are written.
const MOST: usize = 2_000_000;

/// Keys of the rows of a file.
#[derive(Clone, Debug, Default)]
pub struct FileKeys {
    hasher: RandomState,
    keys: HashSet<u64>,
    /// Those since the last part was ended.
    fresh: HashSet<u64>,
    full: bool,
}

impl FileKeys {
    /// Notes the key of a row, by the position of its property; returns false where a row before has the same.
    pub(super) fn note(&mut self, position: usize, key: &LookupKey) -> bool {
        let hash = self.hasher.hash_one((position, key));
        if self.keys.contains(&hash) || self.fresh.contains(&hash) {
            return false;
        }
        if self.keys.len() + self.fresh.len() >= MOST {
            self.full = true;
        } else {
            self.fresh.insert(hash);
        }
        true
    }

    /// Returns true if a row before may have the key.
    pub(super) fn may_have(&self, position: usize, key: &LookupKey) -> bool {
        let hash = self.hasher.hash_one((position, key));
        self.full || self.keys.contains(&hash) || self.fresh.contains(&hash)
    }

    /// Forgets the rows since the last part was ended: they are read again.
    pub fn restart(&mut self) {
        self.fresh.clear();
    }

    /// Ends a part of the file.
    pub fn end(&mut self) {
        self.keys.extend(self.fresh.drain());
    }
}
