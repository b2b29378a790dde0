//! The number of rows of a batch: it grows and shrinks until batches take some time.

use database::Store;
use std::time::Duration;

/// Rows of a batch: the fewest, and the most. The first has the fewest: where the rows take so long that a larger one
/// cannot end in time, the job goes on all the same once it is taken over.
const LEAST: usize = 20;
const MOST: usize = 1_000;
/// The time that a batch takes at best, where others wait for its end, and where they write beside it.
const ALONE: (Duration, Duration) = (Duration::from_millis(25), Duration::from_millis(50));
const BESIDE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(100));

/// The number of rows of the next batch.
pub(super) struct BatchSize {
    rows: usize,
    quick: Duration,
    slow: Duration,
}

impl BatchSize {
    /// The first size of a store's batches.
    pub(super) fn of(store: &Store) -> Self {
        let (quick, slow) = if store.writes_alone() { ALONE } else { BESIDE };
        BatchSize { rows: LEAST, quick, slow }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Learns from a batch that took so long.
    pub(super) fn learn(&mut self, took: Duration) {
        if took < self.quick {
            self.rows = (self.rows * 3 / 2).min(MOST);
        } else if took > self.slow {
            self.rows = (self.rows / 2).max(LEAST);
        }
    }
}
