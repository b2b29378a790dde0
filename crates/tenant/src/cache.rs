//! Answers that a process remembers, within a number of bytes for all its tenants.
//!
//! Nothing is ever invalidated: an entry names the epochs and versions at which it was made, and is found to hold or
//! not when it is asked for, by a reader that has just read these in the store. Outdated entries are replaced or fall
//! out.

mod answers;
mod parts;
mod single_flight;

pub use answers::AnswerEntry;
pub use answers::AskedAnswer;
pub use answers::{Answer, AnswerBody};
pub use parts::Order;
pub use parts::Part;
pub use parts::Parts;

use answers::KeptAnswers;
use parts::KeptParts;
use single_flight::SingleFlights;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The cache of a process.
#[derive(Debug)]
pub struct Cache {
    answers: KeptAnswers,
    parts: KeptParts,
    windows: SingleFlights<parts::PartKey>,
    /// Larger entries are not kept: they would push out too many others.
    largest: u64,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// Figures that tell how well the cache does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheFigures {
    /// Answers that were given out of it.
    pub hits: u64,
    /// Answers that had to be made, though they might have been in it.
    pub misses: u64,
    /// The bytes that it takes.
    pub bytes: u64,
}

impl Cache {
    /// One of so many bytes; of none, it keeps nothing.
    pub fn new(bytes: u64) -> Self {
        // Remembered counts and orders are small, and each serves many answers.
        let parts = bytes / 4;
        Cache {
            answers: KeptAnswers::new(bytes - parts),
            parts: KeptParts::new(parts),
            windows: SingleFlights::default(),
            largest: bytes / 32,
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Returns true if it keeps anything.
    pub fn keeps(&self) -> bool {
        self.largest > 0
    }

    /// The most bytes of an answer that it keeps; without a cache, none.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// Counts a request as answered out of the cache, or not.
    pub fn note(&self, hit: bool) {
        if hit { &self.hits } else { &self.misses }.fetch_add(1, Relaxed);
    }

    /// Returns the figures so far.
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            hits: self.hits.load(Relaxed),
            misses: self.misses.load(Relaxed),
            bytes: self.answers.bytes() + self.parts.bytes(),
        }
    }
}
