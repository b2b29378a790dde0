//! Lines of the log about what fails again and again: one in a while, with how many were left out.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for which no line follows another one.
const PAUSE: Duration = Duration::from_secs(10);

/// A sampler, which chooses the lines that are written. While a database is away, each tenant's turn fails.
#[derive(Default)]
pub struct Sample(Mutex<(Option<Instant>, u64)>);

impl Sample {
    /// Returns true if a line is to be written now: then how many were left out since the last one.
    pub fn take(&self) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, left_out) = &mut *state;
        if last.is_some_and(|last| last.elapsed() < PAUSE) {
            *left_out += 1;
            return None;
        }
        *last = Some(Instant::now());
        Some(std::mem::take(left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn one_line_is_written_in_a_while() {
        let sample = Sample::default();
        assert_eq!(sample.take(), Some(0));
        assert_eq!([sample.take(), sample.take()], [None, None]);
        if let Some((last, left_out)) = sample.0.lock().ok().map(|state| *state) {
            assert!(last.is_some() && left_out == 2);
        }
    }
}
