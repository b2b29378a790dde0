//! A clock that was ahead, and is right again.

/// The least time, in milliseconds, by which a clock that goes back was wrong: what waits for a moment of it is due.
/// Smaller steps are waited for, so that nothing comes twice.
pub const CLOCK_ERROR: i64 = 3 * 60 * 60 * 1_000;
