//! A limit of so many in each second, without locks.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A limit of so many in each second.
#[derive(Debug)]
pub(crate) struct SecondLimit {
    most: u32,
    /// The second in the upper half, and in the lower one the number of those that it let pass.
    state: AtomicU64,
}

impl SecondLimit {
    pub(crate) fn new(most: u32) -> Self {
        SecondLimit { most, state: AtomicU64::new(0) }
    }

    /// Lets one pass, unless enough did in this second. `now` counts from any moment.
    pub(crate) fn takes(&self, now: Duration) -> bool {
        let second = now.as_secs() << 32;
        let step = |state: u64| {
            let count = if state >> 32 << 32 == second { state & u64::from(u32::MAX) } else { 0 };
            (count < u64::from(self.most)).then_some(second | (count + 1))
        };
        self.state.fetch_update(Relaxed, Relaxed, step).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::SecondLimit;
    use std::time::Duration;

    #[test]
    fn each_second_has_its_own() {
        let limit = SecondLimit::new(2);
        let passed = |millis: u64| limit.takes(Duration::from_millis(millis));
        assert_eq!([0, 10, 999, 1_000, 1_001, 1_002, 5_000].map(passed), [true, true, false, true, true, false, true]);
        assert!(!SecondLimit::new(0).takes(Duration::ZERO));
    }
}
