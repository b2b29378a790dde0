//! Random numbers that are the same in every run, and uuids, which are not.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A generator of 64-bit numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `from` up to and without `to`.
    pub fn between(&mut self, from: i64, to: i64) -> i64 {
        from + (self.number() % (to - from).unsigned_abs()) as i64
    }
}

/// A uuid of version 7. A program that is measured needs no better randomness than a counter's.
pub fn uuid() -> [u8; 16] {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    #[expect(clippy::disallowed_methods, reason = "these programs have no layers that a clock could be handed through")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut random = Random::new(COUNTER.fetch_add(1, Ordering::Relaxed) ^ u64::from(now.subsec_nanos()) << 32);
    let mut uuid = [0; 16];
    uuid[..6].copy_from_slice(&(now.as_millis() as u64).to_be_bytes()[2..]);
    uuid[6..14].copy_from_slice(&random.number().to_be_bytes());
    uuid[14..].copy_from_slice(&random.number().to_be_bytes()[..2]);
    uuid[6] = 0x70 | uuid[6] & 0x0f;
    uuid[8] = 0x80 | uuid[8] & 0x3f;
    uuid
}
