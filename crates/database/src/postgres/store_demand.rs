//! The number of stores that want connections at a time, and the share of each.

use std::time::{Duration, Instant};

/// The time for which shares stay as small as the stores with jobs made them.
const PERIOD: Duration = Duration::from_secs(1);
/// The most stores without jobs at the moment that shares are kept for.
const GONE: usize = 4;

/// The most stores with jobs at a time, of this period and of the last one.
#[derive(Default)]
pub(super) struct StoreDemand {
    /// The stores with jobs that wait or run.
    pub(super) now: usize,
    most: usize,
    before: usize,
    began: Option<Instant>,
}

impl StoreDemand {
    /// Notes that a job came.
    pub(super) fn note(&mut self, instant: Instant) {
        let age = self.began.map(|began| instant.saturating_duration_since(began));
        if age.is_none_or(|age| age >= PERIOD) {
            self.before = if age.is_some_and(|age| age < 2 * PERIOD) { self.most } else { 0 };
            self.most = self.now;
            self.began = Some(instant);
        }
        self.most = self.most.max(self.now);
    }

    /// Returns the connections of each store. One alone leaves a quarter to others that may come.
    pub(super) fn share(&self, connections: usize) -> usize {
        match self.most.max(self.before).min(GONE).max(self.now) {
            0 | 1 => connections.saturating_sub((connections / 4).max(1)),
            stores => connections / stores,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_small_for_a_second_or_two_after_others_wanted_theirs() {
        let (mut demand, start) = (StoreDemand::default(), Instant::now());
        let mut share = |now, milliseconds| {
            demand.now = now;
            demand.note(start + Duration::from_millis(milliseconds));
            demand.share(8)
        };
        assert_eq!((share(1, 0), share(2, 10), share(4, 20), share(1, 30)), (6, 4, 2, 2));
        assert_eq!((share(1, 1_010), share(1, 1_900), share(1, 2_020)), (2, 2, 6));
        assert_eq!((share(8, 2_030), share(1, 2_040), share(1, 9_000)), (1, 2, 6));
    }
}
