//! Numbers that many threads change: counters, which only grow, and gauges.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds to it.
    pub fn add(&self, count: u64) {
        // A change of what other processors read costs more than a look at the number.
        if count > 0 {
            self.0.fetch_add(count, Relaxed);
        }
    }

    /// Adds one.
    pub fn increment(&self) {
        self.add(1);
    }

    /// Adds a time, in nanoseconds.
    pub fn add_time(&self, time: Duration) {
        self.add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Returns the number so far.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

/// One that is counted in a gauge until it is dropped.
#[derive(Debug)]
pub struct HeldGauge<'g>(&'g Gauge);

impl Gauge {
    /// Adds to it; a negative number takes away.
    pub fn add(&self, count: i64) {
        self.0.fetch_add(count, Relaxed);
    }

    /// Counts one until the guard is dropped.
    #[must_use]
    pub fn hold(&self) -> HeldGauge<'_> {
        self.add(1);
        HeldGauge(self)
    }

    /// Returns the number now, and none below zero.
    pub fn get(&self) -> u64 {
        u64::try_from(self.0.load(Relaxed)).unwrap_or(0)
    }
}

impl Drop for HeldGauge<'_> {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}

#[cfg(test)]
mod tests {
    use super::Gauge;

    #[test]
    fn a_gauge_counts_what_is_held() {
        let gauge = Gauge::default();
        let (first, second) = (gauge.hold(), gauge.hold());
        assert_eq!(gauge.get(), 2);
        drop((first, second));
        gauge.add(-1);
        assert_eq!(gauge.get(), 0);
    }
}
