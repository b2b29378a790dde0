//! The present by the database's clock, so that all nodes agree on it whatever their own clocks say.
//!
//! The clock is read now and then; in between, the time that has passed is that of the node's monotonic clock. So a
//! node's own clock, and jumps of it, decide nothing.

use super::Clock;
use crate::error::Result;
use database::Database;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time for which a measurement holds: clocks drift apart by some milliseconds in that time.
const HOLDS: Duration = Duration::from_secs(60);
/// The most readings of the clock for a measurement: the reading with the shortest way counts.
const READINGS: usize = 3;
/// A reading with a way as short as this needs no other, in microseconds.
const CLOSE: i64 = 2_000;
/// The most that a node's own clock may be off before its operator is told.
const NOTABLE: SignedDuration = SignedDuration::from_secs(2);

/// A clock that follows the database's.
pub struct DatabaseClock {
    database: Database,
    own: Arc<dyn Clock>,
    origin: Instant,
    /// The time on the database's clock at `origin`, in microseconds since 1970.
    began: AtomicI64,
    /// The lead of the node's own clock, in milliseconds.
    ahead: AtomicI64,
    /// When it was measured last, in milliseconds since `origin`.
    measured: AtomicI64,
    /// The number of connections that there had been by then. A new one may lead to another server.
    connections: AtomicU64,
}

impl DatabaseClock {
    /// Follows the clock of a database; none where all its processes are on one machine, and share a clock. It blocks.
    pub fn follow(database: &Database, own: Arc<dyn Clock>) -> Result<Option<Arc<Self>>> {
        if database.present()?.is_none() {
            return Ok(None);
        }
        let clock = DatabaseClock {
            database: database.clone(),
            own,
            origin: Instant::now(),
            began: AtomicI64::default(),
            ahead: AtomicI64::default(),
            measured: AtomicI64::default(),
            connections: AtomicU64::default(),
        };
        clock.measure()?;
        Ok(Some(Arc::new(clock)))
    }

    /// Reads the database's clock. It blocks.
    pub fn measure(&self) -> Result<()> {
        let connections = self.database.connections_made();
        let mut best: Option<(i64, i64)> = None;
        for _ in 0..READINGS {
            let before = self.passed();
            let Some(present) = self.database.present()? else { return Ok(()) };
            let way = self.passed() - before;
            if best.is_none_or(|(shortest, _)| way < shortest) {
                best = Some((way, present - before - way / 2));
            }
            if way <= CLOSE {
                break;
            }
        }
        if let Some((_, began)) = best {
            self.began.store(began, Ordering::Relaxed);
        }
        let ahead = self.own.now().as_millisecond() - self.now().as_millisecond();
        self.ahead.store(ahead, Ordering::Relaxed);
        self.measured.store(self.passed() / 1_000, Ordering::Relaxed);
        self.connections.store(connections, Ordering::Relaxed);
        Ok(())
    }

    /// Returns true if it is time to measure: a minute after the last time, and once there was a new connection.
    pub fn is_stale(&self) -> bool {
        let since = self.passed() / 1_000 - self.measured.load(Ordering::Relaxed);
        since >= HOLDS.as_millis().cast_signed().try_into().unwrap_or(i64::MAX)
            || self.database.connections_made() != self.connections.load(Ordering::Relaxed)
    }

    /// Returns the lead of the node's own clock over the database's at its measurement.
    pub fn offset(&self) -> SignedDuration {
        SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed))
    }

    /// The same, where an operator should know.
    pub fn notable_skew(&self) -> Option<SignedDuration> {
        let ahead = self.offset();
        (ahead.abs() > NOTABLE).then_some(ahead)
    }

    /// Microseconds since the origin.
    fn passed(&self) -> i64 {
        i64::try_from(self.origin.elapsed().as_micros()).unwrap_or(i64::MAX)
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> Timestamp {
        let micros = self.began.load(Ordering::Relaxed) + self.passed();
        Timestamp::from_microsecond(micros).unwrap_or_else(|_| self.own.now())
    }
}

impl fmt::Debug for DatabaseClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DatabaseClock({} ms)", self.ahead.load(Ordering::Relaxed))
    }
}
