//! Slow refusals: a tenant whose requests are refused very often gets these answers late, so that refusing costs little.
//!
//! Each tenant has an allowance of quick refusals, which grows again. Beyond it, each refusal waits for longer than the
//! one before. What waits holds its connection alone.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The refusals that are quick after a rest.
const ALLOWANCE: i64 = 1_000;
/// The refusals that are quick again after each second.
const RATE: i64 = 100;
/// The wait of the first refusal beyond the allowance, in milliseconds. Each one more adds a millisecond.
const FIRST: i64 = 50;
/// The longest wait, in milliseconds.
const LONGEST: i64 = 1_000;
/// The most refusals that wait at a time, of all tenants.
const PLACES: usize = 4_096;
/// The part of the connections of the server that refusals may hold: the others are for good requests.
const PART: usize = 8;

/// The allowance of a tenant.
#[derive(Debug)]
pub struct RefusalAllowance {
    state: Mutex<AllowanceState>,
}

#[derive(Debug)]
struct AllowanceState {
    /// Quick refusals that are left; below zero, those beyond the allowance.
    left: i64,
    /// The instant up to which `left` has grown.
    grown: Instant,
}

/// The places for refusals that wait in this process.
#[derive(Debug)]
pub struct RefusalPlaces {
    most: usize,
    taken: AtomicUsize,
}

/// The way of an answer that refuses a request.
#[derive(Debug)]
pub enum RefusalPause {
    /// It is sent at once.
    None,
    /// It waits.
    Wait(WaitingRefusal),
    /// It would wait, but too many do: it is sent at once, and its connection is closed.
    Full,
}

/// A refusal that waits. Dropped, it gives its place back.
#[derive(Debug)]
pub struct WaitingRefusal {
    time: Duration,
    places: Arc<RefusalPlaces>,
}

impl Default for RefusalAllowance {
    fn default() -> Self {
        RefusalAllowance { state: Mutex::new(AllowanceState { left: ALLOWANCE, grown: Instant::now() }) }
    }
}

impl RefusalAllowance {
    /// Counts a refusal, and returns its way.
    pub fn refuse(&self, places: &Arc<RefusalPlaces>, now: Instant) -> RefusalPause {
        match self.take(now) {
            Some(time) if places.take() => RefusalPause::Wait(WaitingRefusal { time, places: Arc::clone(places) }),
            Some(_) => RefusalPause::Full,
            None => RefusalPause::None,
        }
    }

    /// Takes one of the allowance; returns the wait of one beyond it.
    fn take(&self, now: Instant) -> Option<Duration> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(state.grown).as_millis();
        let more = i64::try_from(passed).map_or(ALLOWANCE, |passed| passed.saturating_mul(RATE) / 1_000);
        // The rest of the time counts for the next one.
        state.grown = match more {
            more if more < ALLOWANCE => state.grown + Duration::from_millis((more * 1_000 / RATE).unsigned_abs()),
            _ => now,
        };
        // The debt has an end, so that a tenant has quick refusals again some seconds after an attack.
        state.left = state.left.saturating_add(more).min(ALLOWANCE).saturating_sub(1).max(FIRST - LONGEST);
        let wait = (FIRST - state.left).min(LONGEST);
        (state.left < 0).then(|| Duration::from_millis(wait.unsigned_abs()))
    }
}

impl RefusalPlaces {
    /// The places of a server with so many connections.
    pub(super) fn new(connections: usize) -> Self {
        RefusalPlaces { most: (connections / PART).min(PLACES), taken: AtomicUsize::new(0) }
    }

    fn take(&self) -> bool {
        let taken = self.taken.fetch_add(1, Relaxed);
        if taken >= self.most {
            self.taken.fetch_sub(1, Relaxed);
        }
        taken < self.most
    }
}

impl WaitingRefusal {
    /// Waits until the answer may be sent.
    pub async fn wait(self) {
        tokio::time::sleep(self.time).await;
    }
}

impl Drop for WaitingRefusal {
    fn drop(&mut self) {
        self.places.taken.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(allowance: &RefusalAllowance, count: i64, now: Instant) -> Vec<Option<u128>> {
        (0..count).map(|_| allowance.take(now).map(|wait| wait.as_millis())).collect()
    }

    #[test]
    fn refusals_beyond_the_allowance_wait_for_longer_and_longer_up_to_a_second() {
        let (allowance, begin) = (RefusalAllowance::default(), Instant::now());
        assert_eq!(waits(&allowance, ALLOWANCE, begin), vec![None; 1_000]);
        assert_eq!(waits(&allowance, 3, begin), [Some(51), Some(52), Some(53)]);
        waits(&allowance, 5_000, begin);
        assert_eq!(waits(&allowance, 2, begin), [Some(1_000); 2]);
        // Nothing is lost of short times.
        let rest = RefusalAllowance::default();
        waits(&rest, ALLOWANCE, begin);
        for (piece, count) in (1..).zip([1, 1, 1, 1, 1, 1, 1, 2, 2, 2]) {
            assert_eq!(waits(&rest, count, begin + Duration::from_millis(14 * piece))[count as usize - 1], None);
        }
        // After a rest, refusals are quick again.
        let later = begin + Duration::from_secs(10);
        assert_eq!(waits(&allowance, 51, later)[49..], [None, Some(51)]);
        assert_eq!(waits(&allowance, 1_001, later + Duration::from_secs(60))[999..], [None, Some(51)]);
    }

    #[test]
    fn a_flood_beyond_the_places_is_answered_at_once_and_a_dropped_wait_frees_its_place() {
        let (most, places) = (100, Arc::new(RefusalPlaces::new(800)));
        let (allowance, now) = (RefusalAllowance::default(), Instant::now());
        let mut held = Vec::new();
        for _ in 0..ALLOWANCE + most {
            match allowance.refuse(&places, now) {
                RefusalPause::Wait(waiting) => held.push(waiting),
                pause => assert!(matches!(pause, RefusalPause::None), "{pause:?}"),
            }
        }
        assert_eq!(i64::try_from(held.len()), Ok(most));
        assert!(matches!(allowance.refuse(&places, now), RefusalPause::Full));
        held.pop();
        assert!(matches!(allowance.refuse(&places, now), RefusalPause::Wait(_)));
        held.clear();
        assert_eq!(places.taken.load(Relaxed), 0);
    }
}
