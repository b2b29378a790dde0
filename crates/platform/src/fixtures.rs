//! Common parts of the crate's own tests.

use jiff::Timestamp;
use model::environment::{Clock, Environment, Random};
use std::sync::Arc;

/// A clock that stands still.
struct StillClock;

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

/// Randomness of one byte, again and again.
struct SameByte(u8);

impl Random for SameByte {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

/// An environment in which no time passes and all random bytes are the same.
pub(crate) fn environment(byte: u8) -> Environment {
    Environment { clock: Arc::new(StillClock), random: Arc::new(SameByte(byte)) }
}
