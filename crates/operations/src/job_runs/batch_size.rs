//! The number of rows of a batch: it grows and shrinks until batches take some time.

use std::time::Duration;

/// Rows of a batch: the fewest, and the most. The first has the fewest: where the rows take so long that a larger one
/// cannot end in time, the job goes on all the same once it is taken over.
const LEAST: usize = 20;
const MOST: usize = 1_000;
/// The time that a batch takes at best: others write between two.
const QUICK: Duration = Duration::from_millis(25);
const SLOW: Duration = Duration::from_millis(50);

/// The number of rows of the next batch.
pub(super) struct BatchSize(usize);

impl BatchSize {
    pub(super) fn new() -> Self {
        BatchSize(LEAST)
    }

    pub(super) fn rows(&self) -> usize {
        self.0
    }

    /// Learns from a batch that took so long.
    pub(super) fn learn(&mut self, took: Duration) {
        if took < QUICK {
            self.0 = (self.0 * 3 / 2).min(MOST);
        } else if took > SLOW {
            self.0 = (self.0 / 2).max(LEAST);
        }
    }
}
