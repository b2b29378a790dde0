//! Texts that are a day, a month, a time or a moment as a whole, as properties keep them, and what is counted with them.

use super::civil::{DAY, WallClock, date, days, month_length};
use super::{DateInterval, DateTime, DateZone, shift, strtotime};

/// A point in time that a text is: `2026-11-20`, `2026-11`, `14:30:00`, `2026-11-20 14:30:00`.
#[derive(Debug, Clone)]
pub enum IsoText {
    /// Days after 1970-01-01.
    Date(i64),
    /// Months after January of the year 0.
    Month(i64),
    /// Seconds after midnight, and true if the text has them.
    Time(i64, bool),
    /// An instant. A text without a zone is of the zone that it is read in.
    DateTime(DateTime),
}

/// The years that dates are kept of.
const YEARS: std::ops::RangeInclusive<i128> = 1..=9999;

impl IsoText {
    /// Reads a text in a zone; none where it is anything else, or no such day exists.
    pub fn read(text: &[u8], zone: impl FnOnce() -> DateZone) -> Option<Self> {
        match text.len() {
            5 | 8 if text.get(2) == Some(&b':') => time(text),
            7 => Some(IsoText::Month(month(text)?)),
            10 => Some(IsoText::Date(day(text)?)),
            16..=32 => moment(text, zone),
            _ => None,
        }
    }

    /// The kind, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            IsoText::Date(_) => "a date",
            IsoText::Month(_) => "a month",
            IsoText::Time(..) => "a time",
            IsoText::DateTime(_) => "a datetime",
        }
    }

    /// The text an interval on. None where the kind does not take it: no day takes hours; or where it ends beyond the
    /// years 1 to 9999.
    pub fn shifted(&self, interval: &DateInterval) -> Option<IsoText> {
        match self {
            IsoText::Date(from) if !interval.has_time() => {
                let (year, month, day) = date((*from).into());
                let wall = WallClock { year, month, day, hour: 0, minute: 0, second: 0, micro: 0 };
                let mut wall = wall.months_on(interval.months());
                wall.day += interval.signed(interval.d.into());
                let to = wall.days();
                YEARS.contains(&date(to).0).then_some(IsoText::Date(i64::try_from(to).ok()?))
            }
            IsoText::Month(from) if !interval.has_time() && interval.d == 0 => {
                let to = i128::from(*from) + interval.months();
                YEARS.contains(&to.div_euclid(12)).then_some(IsoText::Month(i64::try_from(to).ok()?))
            }
            IsoText::Time(from, has_seconds) if !interval.has_days() => {
                let time = i128::from(interval.h) * 3600 + i128::from(interval.i) * 60 + i128::from(interval.s);
                let to = (i128::from(*from) + interval.signed(time)).rem_euclid(DAY);
                Some(IsoText::Time(i64::try_from(to).ok()?, *has_seconds))
            }
            IsoText::DateTime(from) => shift(from, interval).map(IsoText::DateTime),
            _ => None,
        }
    }

    /// The text as it is kept; none of a moment, which is a value of its own.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            IsoText::Date(count) => {
                let (year, month, day) = date((*count).into());
                format!("{year:04}-{month:02}-{day:02}")
            }
            IsoText::Month(count) => format!("{:04}-{:02}", count.div_euclid(12), count.rem_euclid(12) + 1),
            IsoText::Time(seconds, has_seconds) => {
                let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
                if *has_seconds {
                    format!("{hour:02}:{minute:02}:{:02}", seconds % 60)
                } else {
                    format!("{hour:02}:{minute:02}")
                }
            }
            IsoText::DateTime(_) => return None,
        })
    }
}

/// The number that digits alone are.
fn number(digits: &[u8]) -> Option<i64> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
}

fn month(text: &[u8]) -> Option<i64> {
    let (year, month) = (number(text.get(..4)?)?, number(text.get(5..7)?)?);
    (text[4] == b'-' && (1..=12).contains(&month)).then_some(year * 12 + month - 1)
}

fn day(text: &[u8]) -> Option<i64> {
    let month = i128::from(month(text.get(..7)?)?);
    let day = i128::from(number(text.get(8..10)?)?);
    let (year, month) = (month / 12, month % 12 + 1);
    if text[7] != b'-' || day < 1 || day > month_length(year, month) {
        return None;
    }
    i64::try_from(days(year, month, day)).ok()
}

fn time(text: &[u8]) -> Option<IsoText> {
    let (hour, minute) = (number(text.get(..2)?)?, number(text.get(3..5)?)?);
    let second = match text.get(5..) {
        Some([b':', seconds @ ..]) => number(seconds)?,
        _ => 0,
    };
    (hour < 24 && minute < 60 && second < 60)
        .then_some(IsoText::Time(hour * 3600 + minute * 60 + second, text.len() == 8))
}

/// A day, `T` or a blank, a time, and perhaps a zone in digits.
fn moment(text: &[u8], zone: impl FnOnce() -> DateZone) -> Option<IsoText> {
    day(text.get(..10)?)?;
    time(text.get(11..16)?)?;
    let is_known = |byte: &u8| byte.is_ascii_digit() || b":.+-Z".contains(byte);
    if !matches!(text[10], b'T' | b' ') || !text.get(16..)?.iter().all(is_known) {
        return None;
    }
    let base = DateTime { seconds: 0, micros: 0, zone: zone() };
    strtotime(text, &base).map(IsoText::DateTime)
}

#[cfg(test)]
mod tests {
    use super::IsoText;
    use crate::{DateZone, IntervalUnit};

    fn shifted(text: &str, count: i64, unit: &str) -> Option<String> {
        let read = IsoText::read(text.as_bytes(), || DateZone::Offset(0))?;
        read.shifted(&IntervalUnit::of(unit)?.times(count)?)?.text()
    }

    #[test]
    fn months_end_at_the_last_day_and_days_go_on() {
        for (text, count, unit, wanted) in [
            ("2026-01-31", 1, "months", "2026-02-28"),
            ("2028-01-31", 1, "months", "2028-02-29"),
            ("2026-03-31", -1, "months", "2026-02-28"),
            ("2028-02-29", 1, "years", "2029-02-28"),
            ("2026-12-31", 1, "days", "2027-01-01"),
            ("2026-01-01", -1, "days", "2025-12-31"),
            ("2026-11-20", 2, "weeks", "2026-12-04"),
            ("2026-11", 2, "months", "2027-01"),
            ("2026-11", -2, "years", "2024-11"),
            ("23:30", 45, "minutes", "00:15"),
            ("00:10:05", -1, "hours", "23:10:05"),
            ("0001-03-01", -1, "days", "0001-02-28"),
        ] {
            assert_eq!(shifted(text, count, unit).as_deref(), Some(wanted), "{text} {count} {unit}");
        }
    }

    #[test]
    fn kinds_take_their_units_and_years_have_four_digits() {
        for (text, count, unit) in [
            ("2026-11-20", 1, "hours"),
            ("2026-11", 1, "days"),
            ("14:30", 1, "days"),
            ("9999-12-31", 1, "days"),
            ("0001-01-01", -1, "days"),
            ("2026-11-20", i64::MAX, "months"),
            ("2026-11-20", i64::MIN, "days"),
            ("2026-02-30", 1, "days"),
            ("2026-13", 1, "months"),
            ("24:00", 1, "hours"),
            ("2026-11-20x", 1, "days"),
            ("20.11.2026", 1, "days"),
        ] {
            assert_eq!(shifted(text, count, unit), None, "{text} {count} {unit}");
        }
    }
}
