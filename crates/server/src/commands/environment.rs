//! The system's clock and randomness: the one place that reads them.

use model::environment::{Clock, Environment, Random};
use std::sync::Arc;

struct SystemClock;
struct SystemRandom;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }
}

impl Random for SystemRandom {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system's randomness")]
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the system gives random bytes; without them no key is safe");
    }
}

/// The system's clock and randomness.
pub fn system() -> Environment {
    Environment { clock: Arc::new(SystemClock), random: Arc::new(SystemRandom) }
}
