//! Leases of rows that a worker claimed.

use std::time::Duration;

/// The time for which the claimant of a row has it alone unless it renews that, in milliseconds, by the clock that all
/// nodes share.
pub const LEASE: i64 = 8_000;
/// The time between two renewals of leases.
pub const RENEWAL: Duration = Duration::from_secs(2);
