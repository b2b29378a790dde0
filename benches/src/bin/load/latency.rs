//! Counts of latencies, exact to 3 %.

use std::time::Duration;

/// How many requests took how long.
pub(crate) struct Latencies {
    counts: Vec<u64>,
}

/// Each doubling is divided into this many steps.
const STEPS: u64 = 32;

impl Latencies {
    pub(crate) fn new() -> Self {
        Latencies { counts: vec![0; 64 * STEPS as usize] }
    }

    pub(crate) fn add(&mut self, latency: Duration) {
        self.counts[index(latency.as_micros() as u64)] += 1;
    }

    pub(crate) fn merge(&mut self, other: &Latencies) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The latency in milliseconds that this part of the requests did not exceed.
    pub(crate) fn quantile(&self, part: f64) -> f64 {
        let wanted = (self.count() as f64 * part).ceil() as u64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return value(index as u64) as f64 / 1000.0;
            }
        }
        0.0
    }
}

fn index(microseconds: u64) -> usize {
    let doublings = (microseconds / STEPS + 1).ilog2() as u64;
    let first = (STEPS << doublings) - STEPS;
    (doublings * STEPS + ((microseconds - first) >> doublings)) as usize
}

fn value(index: u64) -> u64 {
    let (doublings, step) = (index / STEPS, index % STEPS);
    (STEPS << doublings) - STEPS + (step << doublings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_near() {
        for microseconds in 0..200_000 {
            let near = value(index(microseconds) as u64);
            assert!(
                near <= microseconds && (microseconds - near) * 32 <= microseconds.max(1) + 32,
                "{microseconds} {near}"
            );
        }
    }
}
