//! PHP's dates, ours: zones, wall-clock arithmetic, relative texts, formats, intervals.
//!
//! Years go far beyond jiff's range: civil arithmetic is done here in 64 bits, and jiff's bundled database tells
//! the offsets of zones. Beside expressions, validity windows use it (`+24 hours`): see [`modify`].

mod abbreviations;
mod civil;
mod date_fields;
mod difference;
mod format;
mod interval;
mod interval_format;
mod iso_text;
mod modify;
mod moment;
mod patterns;
mod relative;
mod strtotime;
mod take;
mod take_date;
mod token;
mod zone;

pub use difference::difference;
pub use format::LONGEST;
pub use format::format;
pub use interval::{IntervalUnit, shift};
pub use interval_format::format_interval;
pub use iso_text::IsoText;
pub use modify::modify;
pub use moment::moment;
pub use strtotime::strtotime;

use civil::WallClock;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;

/// A zone, in PHP's three kinds.
#[derive(Debug, Clone)]
pub enum DateZone {
    /// Of the IANA database, by its name.
    Named(Arc<str>, TimeZone),
    /// An abbreviation such as `CEST`: a fixed offset in seconds east of UTC, and whether it is summer time.
    Abbreviation(Arc<str>, i32, bool),
    /// An offset in seconds east of UTC.
    Offset(i32),
}

/// An instant and the zone that it is shown in.
#[derive(Debug, Clone)]
pub struct DateTime {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// And microseconds, 0 to 999,999.
    pub micros: u32,
    /// The zone.
    pub zone: DateZone,
}

/// A difference of two dates, in PHP's parts, or a number of some unit. Two are equal that have the same parts.
#[derive(Debug, Clone)]
pub struct DateInterval {
    /// Years.
    pub y: i64,
    /// Months.
    pub m: i64,
    /// Days.
    pub d: i64,
    /// Hours.
    pub h: i64,
    /// Minutes.
    pub i: i64,
    /// Seconds.
    pub s: i64,
    /// Microseconds.
    pub f: i64,
    /// True if the first date is the later one.
    pub invert: bool,
    /// Whole days between the dates, where that is known.
    pub days: Option<i64>,
    /// The microseconds that pass between the dates, without a sign, where that is known: months have no length.
    pub elapsed: Option<i128>,
}

impl DateTime {
    /// An instant in a zone.
    pub fn of(instant: Timestamp, zone: &TimeZone) -> Self {
        let nanoseconds = instant.as_nanosecond();
        let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).unwrap_or_default();
        let micros = u32::try_from(nanoseconds.rem_euclid(1_000_000_000) / 1000).unwrap_or_default();
        DateTime { seconds, micros, zone: DateZone::of(zone) }
    }

    /// The same instant in another zone.
    pub fn in_zone(&self, zone: DateZone) -> Self {
        DateTime { zone, ..*self }
    }

    /// Seconds that the zone is east of UTC at this instant.
    pub fn offset(&self) -> i32 {
        self.zone.period(self.seconds.into()).offset
    }

    fn summer(&self) -> bool {
        self.zone.period(self.seconds.into()).summer
    }

    fn wall(&self) -> WallClock {
        WallClock::of(i128::from(self.seconds) + i128::from(self.offset()), self.micros.into())
    }
}
