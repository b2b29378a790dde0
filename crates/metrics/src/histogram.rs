//! Histograms of times, in buckets that are the same for all of them.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The upper bounds of the buckets, in microseconds. One more bucket has all that is longer.
pub const BOUNDS: [u64; 12] =
    [500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 250_000, 1_000_000, 2_500_000, 10_000_000, 30_000_000];

/// The number of parts that threads spread over, so that processors seldom share a line of memory.
const SHARDS: usize = 4;

/// The times of things that ended.
#[derive(Debug, Default)]
pub struct Histogram {
    shards: [HistogramShard; SHARDS],
}

/// A part of a histogram.
#[derive(Debug, Default)]
#[repr(align(128))]
struct HistogramShard {
    counts: [AtomicU64; BOUNDS.len() + 1],
    nanoseconds: AtomicU64,
}

impl Histogram {
    /// Counts one that took so long.
    pub fn observe(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        let shard = &self.shards[shard_of_thread()];
        shard.counts[bucket].fetch_add(1, Relaxed);
        shard.nanoseconds.fetch_add(nanoseconds, Relaxed);
    }

    /// Returns how many were in each bucket alone, the last of which has no bound.
    pub fn counts(&self) -> [u64; BOUNDS.len() + 1] {
        std::array::from_fn(|bucket| self.shards.iter().map(|shard| shard.counts[bucket].load(Relaxed)).sum())
    }

    /// Returns the seconds of all together.
    pub fn seconds(&self) -> f64 {
        let nanoseconds: u64 = self.shards.iter().map(|shard| shard.nanoseconds.load(Relaxed)).sum();
        nanoseconds as f64 / 1e9
    }
}

/// Returns the shard that the thread adds to.
fn shard_of_thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARD: usize = NEXT.fetch_add(1, Relaxed) % SHARDS;
    }
    // A thread that ends has none any more.
    SHARD.try_with(|shard| *shard).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{BOUNDS, Histogram};
    use std::time::Duration;

    #[test]
    fn each_time_is_in_the_first_bucket_that_holds_it() {
        let histogram = Histogram::default();
        for micros in [0, 500, 501, 30_000_000, 30_000_001, u64::MAX] {
            histogram.observe(Duration::from_micros(micros));
        }
        let counts = histogram.counts();
        assert_eq!((counts[0], counts[1], counts[11], counts[12]), (2, 1, 1, 2));
        assert_eq!(counts.iter().sum::<u64>(), 6);
    }

    #[test]
    fn threads_add_to_one_histogram() {
        let histogram = Histogram::default();
        std::thread::scope(|scope| {
            for _ in 0..9 {
                scope.spawn(|| (0..100).for_each(|_| histogram.observe(Duration::from_millis(4))));
            }
        });
        assert_eq!(histogram.counts()[3], 900);
        assert!((histogram.seconds() - 3.6).abs() < 1e-6, "{}", histogram.seconds());
        assert_eq!((BOUNDS[0], BOUNDS[11]), (500, 30_000_000));
    }
}
