//! The units that an interval may have, as far as its expression tells them: not each kind of date takes each.

use super::ValueKind;
use datetime::{DateInterval, IntervalUnit};

/// Units of an interval. Without one nothing is known of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntervalUnits(u8);

impl IntervalUnits {
    const MONTHS: Self = IntervalUnits(1);
    const DAYS: Self = IntervalUnits(2);
    const TIME: Self = IntervalUnits(4);
    /// Those of an interval between two instants.
    pub const DAYS_AND_TIME: Self = Self::DAYS.joined(Self::TIME);

    /// Those of a number with a unit.
    pub fn of(unit: IntervalUnit) -> Self {
        match unit {
            IntervalUnit::Months | IntervalUnit::Years => Self::MONTHS,
            IntervalUnit::Days | IntervalUnit::Weeks => Self::DAYS,
            IntervalUnit::Hours | IntervalUnit::Minutes => Self::TIME,
        }
    }

    /// Those of an interval that is known.
    pub fn of_value(interval: &DateInterval) -> Self {
        let months = if interval.micros().is_none() { Self::MONTHS } else { Self::default() };
        let days = if interval.has_days() { Self::DAYS } else { Self::default() };
        let time = if interval.has_time() { Self::TIME } else { Self::default() };
        // Of months alone the days are not asked: they are what a month takes.
        let days = if months == Self::MONTHS && interval.d == 0 { Self::default() } else { days };
        months.joined(days).joined(time)
    }

    /// Those between two dates: whole days between two days, and at least days where nothing is known of one.
    pub fn between(kinds: [ValueKind; 2]) -> Self {
        match kinds {
            [ValueKind::Any, _] | [_, ValueKind::Any] => Self::DAYS,
            [ValueKind::Date | ValueKind::Month, ValueKind::Date | ValueKind::Month] => Self::DAYS,
            _ => Self::DAYS_AND_TIME,
        }
    }

    /// Those of an interval that is this or that.
    pub const fn joined(self, other: Self) -> Self {
        IntervalUnits(self.0 | other.0)
    }

    /// Returns true if it may have months, which differ in length.
    pub fn of_months(self) -> bool {
        self.0 & Self::MONTHS.0 != 0
    }

    /// Returns the units that a kind of date takes, where these are others.
    pub fn refused_by(self, kind: ValueKind) -> Option<&'static str> {
        let (refused, advice) = match kind {
            ValueKind::Date => (Self::TIME, "days, weeks, months or years; hours are for a datetime"),
            ValueKind::Month => (Self::DAYS_AND_TIME, "months or years"),
            ValueKind::Time => (Self::DAYS.joined(Self::MONTHS), "hours or minutes"),
            _ => return None,
        };
        (self.0 & refused.0 != 0).then_some(advice)
    }
}
