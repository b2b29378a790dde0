//! Intervals of a number and a unit, their totals, and what they make of a date.

use super::civil::{WallClock, month_length};
use super::{DateInterval, DateTime};

/// A unit of intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalUnit {
    /// Minutes: time that passes.
    Minutes,
    /// Hours: time that passes.
    Hours,
    /// Days of the calendar.
    Days,
    /// Seven days.
    Weeks,
    /// Months of the calendar, which differ in length.
    Months,
    /// Twelve months.
    Years,
}

/// Microseconds of a second.
const SECOND: i128 = 1_000_000;

impl IntervalUnit {
    /// All units by the word that stands behind a number: `14.days`.
    pub const ALL: [(&'static str, IntervalUnit); 6] = [
        ("days", IntervalUnit::Days),
        ("weeks", IntervalUnit::Weeks),
        ("months", IntervalUnit::Months),
        ("years", IntervalUnit::Years),
        ("hours", IntervalUnit::Hours),
        ("minutes", IntervalUnit::Minutes),
    ];

    /// The unit of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, unit)| *unit)
    }

    /// The interval of so many units; none where it is too long.
    pub fn times(self, count: i64) -> Option<DateInterval> {
        let invert = count < 0;
        let count = i64::try_from(count.unsigned_abs()).ok()?;
        let none = DateInterval { y: 0, m: 0, d: 0, h: 0, i: 0, s: 0, f: 0, invert, days: Some(0), elapsed: None };
        let days = |days: i64| DateInterval { d: days, days: Some(days), ..none.clone() };
        Some(match self {
            IntervalUnit::Minutes => DateInterval { i: count, days: Some(count / 1440), ..none },
            IntervalUnit::Hours => DateInterval { h: count, days: Some(count / 24), ..none },
            IntervalUnit::Days => days(count),
            IntervalUnit::Weeks => days(count.checked_mul(7)?),
            IntervalUnit::Months => DateInterval { m: count, days: None, ..none },
            IntervalUnit::Years => DateInterval { y: count, days: None, ..none },
        })
    }
}

impl DateInterval {
    /// The microseconds that it lasts, with its sign; none where it has months, which differ in length.
    pub fn micros(&self) -> Option<i128> {
        let of_parts = || {
            let calendar = self.y != 0 || self.m != 0;
            let days = if calendar { self.days? } else { self.d };
            let seconds = [(days, 86_400), (self.h, 3600), (self.i, 60), (self.s, 1)];
            let seconds: i128 = seconds.into_iter().map(|(count, size)| i128::from(count) * size).sum();
            Some(seconds * SECOND + i128::from(self.f))
        };
        let micros = self.elapsed.or_else(of_parts)?;
        Some(if self.invert { -micros } else { micros })
    }

    /// Returns true if it has hours or less: no day can take them.
    pub fn has_time(&self) -> bool {
        [self.h, self.i, self.s, self.f].iter().any(|part| *part != 0)
    }

    /// Returns true if it has days or months.
    pub fn has_days(&self) -> bool {
        self.d != 0 || self.has_months()
    }

    /// Returns true if it has months or years.
    pub fn has_months(&self) -> bool {
        self.y != 0 || self.m != 0
    }

    /// The same the other way.
    #[must_use]
    pub fn inverted(&self) -> Self {
        DateInterval { invert: !self.invert, ..self.clone() }
    }

    /// The months that it has, with its sign.
    pub(super) fn months(&self) -> i128 {
        self.signed(i128::from(self.y) * 12 + i128::from(self.m))
    }

    pub(super) fn signed(&self, count: i128) -> i128 {
        if self.invert { -count } else { count }
    }
}

impl WallClock {
    /// The clock so many months on, at the month's last day where it has no such day.
    pub(super) fn months_on(mut self, months: i128) -> Self {
        let month = self.year * 12 + self.month - 1 + months;
        (self.year, self.month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
        self.day = self.day.min(month_length(self.year, self.month));
        self
    }
}

/// The date an interval on: months, which end at the month's last day, and days on the clock; then time that passes.
/// None where that is too far away.
pub fn shift(date: &DateTime, interval: &DateInterval) -> Option<DateTime> {
    let mut seconds = date.seconds;
    if interval.has_days() {
        let mut wall = date.wall().months_on(interval.months());
        wall.day += interval.signed(interval.d.into());
        // Of an hour that happens twice, the occurrence stays.
        seconds = date.zone.instant(wall.seconds(), Some(date.summer()))?;
    }
    let time = i128::from(interval.h) * 3600 + i128::from(interval.i) * 60 + i128::from(interval.s);
    let micros = interval.signed(time * SECOND + i128::from(interval.f)) + i128::from(date.micros);
    let seconds = i64::try_from(i128::from(seconds) + micros.div_euclid(SECOND)).ok()?;
    Some(DateTime { seconds, micros: u32::try_from(micros.rem_euclid(SECOND)).ok()?, zone: date.zone.clone() })
}

impl PartialEq for DateInterval {
    fn eq(&self, other: &Self) -> bool {
        let parts = |of: &DateInterval| ([of.y, of.m, of.d, of.h, of.i, of.s, of.f], of.invert, of.days);
        parts(self) == parts(other)
    }
}

impl Eq for DateInterval {}
