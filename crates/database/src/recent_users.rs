//! The users of something shared that came last: with them, a user knows if it is alone.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The bits of a place that hold the user; the others are milliseconds, which last for 17 years.
const USER: u64 = (1 << 24) - 1;

/// The last two users, each with the instant of its last use. Two are enough: one of them is another user.
///
/// Users that come at the same time may overwrite each other. They come again: nothing is counted here.
#[derive(Debug)]
pub struct RecentUsers {
    began: Instant,
    /// Milliseconds since the beginning, and the number of the user.
    places: [AtomicU64; 2],
}

impl Default for RecentUsers {
    fn default() -> Self {
        RecentUsers { began: Instant::now(), places: [const { AtomicU64::new(0) }; 2] }
    }
}

impl RecentUsers {
    /// Notes a use. Of the number of the user, 24 bits count, of which one at least must be set.
    pub fn note(&self, user: u64, now: Instant) {
        let use_now = self.milliseconds(now) << 24 | user & USER;
        let [first, second] = self.places.each_ref().map(|place| place.load(Relaxed));
        let place = match () {
            () if first & USER == user & USER => 0,
            () if second & USER == user & USER => 1,
            () => usize::from(second < first),
        };
        if [first, second][place] != use_now {
            self.places[place].store(use_now, Relaxed);
        }
    }

    /// Returns true if another user came within this time.
    pub fn has_other(&self, user: u64, now: Instant, within: Duration) -> bool {
        let since = self.milliseconds(now).saturating_sub(u64::try_from(within.as_millis()).unwrap_or(u64::MAX));
        let uses = self.places.each_ref().map(|place| place.load(Relaxed));
        uses.iter().any(|last| *last != 0 && last & USER != user & USER && last >> 24 >= since)
    }

    fn milliseconds(&self, now: Instant) -> u64 {
        // The first one is not 0, which stands for none.
        u64::try_from(now.saturating_duration_since(self.began).as_millis()).unwrap_or(0) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_knows_if_another_came_a_moment_ago() {
        let (users, second) = (RecentUsers::default(), Duration::from_secs(1));
        let at = |milliseconds| users.began + Duration::from_millis(milliseconds);
        let has_other = |user, milliseconds| users.has_other(user, at(milliseconds), second);
        assert!(!has_other(1, 0));
        users.note(1, at(0));
        assert!(!has_other(1, 0) && has_other(2, 0));
        users.note(2, at(500));
        for milliseconds in 500..600 {
            users.note(1, at(milliseconds));
            users.note(3 + milliseconds % 7, at(milliseconds));
        }
        assert!((1..9).all(|user| has_other(user, 700)));
        users.note(1, at(1_500));
        assert!(has_other(1, 1_599) && !has_other(1, 1_600) && has_other(2, 1_600));
    }
}
