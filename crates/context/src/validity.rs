//! From when until when a key or a user is valid.
//!
//! The last day of year 9999 is the contract's "for ever" and lies beyond the greatest instant of the time
//! library, so instants are milliseconds here.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::error::{Error, Result};

/// A window of time: its start belongs to it, its end does not (D-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidityWindow {
    /// Milliseconds since 1970 in UTC.
    pub from: i64,
    /// The same.
    pub to: i64,
}

impl ValidityWindow {
    /// Returns true if the instant lies in the window.
    pub fn holds(&self, now: Timestamp) -> bool {
        (self.from..self.to).contains(&now.as_millisecond())
    }
}

/// The end of a key's validity: a date (its first moment in the zone), a naive datetime in the zone, or a
/// datetime with an offset.
pub fn parse_end(text: &str, zone: &TimeZone, now: Timestamp) -> Result<i64> {
    let end = read(text, zone).ok_or_else(|| {
        Error::invalid("valid_invalid", "valid must be a date such as 2030-12-31, at most 9999-12-31.")
    })?;
    if end <= now.as_millisecond() {
        return Err(Error::invalid("valid_past", "valid must lie in the future."));
    }
    Ok(end)
}

/// The end where none is asked for: 9999-12-31.
pub fn forever(zone: &TimeZone) -> i64 {
    milliseconds(Date::MAX.to_datetime(jiff::civil::Time::midnight()), zone)
}

/// The end so many days from now; the usual one where none are said.
pub fn after_days(days: Option<u32>, zone: &TimeZone, now: Timestamp) -> i64 {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    days.map_or_else(|| forever(zone), |days| now.as_millisecond() + i64::from(days) * DAY)
}

/// A datetime in the zone, with its offset; milliseconds where there are any.
pub fn text(milliseconds: i64, zone: &TimeZone) -> String {
    let near = Timestamp::from_millisecond(milliseconds).unwrap_or(if milliseconds > 0 {
        Timestamp::MAX
    } else {
        Timestamp::MIN
    });
    let offset = zone.to_offset(near);
    let local = DateTime::constant(1970, 1, 1, 0, 0, 0, 0)
        .saturating_add(SignedDuration::from_millis(milliseconds) + SignedDuration::from_secs(offset.seconds().into()));
    let format = if local.subsec_nanosecond() == 0 { "%Y-%m-%dT%H:%M:%S" } else { "%Y-%m-%dT%H:%M:%S%.3f" };
    let minutes = offset.seconds().abs() / 60;
    let sign = if offset.seconds() < 0 { '-' } else { '+' };
    format!("{}{sign}{:02}:{:02}", local.strftime(format), minutes / 60, minutes % 60)
}

fn read(text: &str, zone: &TimeZone) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"-: T+.Zz".contains(&byte));
    if !plain || text.len() < 10 || !text.as_bytes()[..4].iter().all(u8::is_ascii_digit) {
        return None;
    }
    match text.split_at(10) {
        (date, "") => Some(milliseconds(date.parse::<Date>().ok()?.to_datetime(jiff::civil::Time::midnight()), zone)),
        (_, time) if time.contains(['+', '-', 'Z', 'z']) => Some(text.parse::<Timestamp>().ok()?.as_millisecond()),
        _ => Some(milliseconds(text.parse::<DateTime>().ok()?, zone)),
    }
}

fn milliseconds(local: DateTime, zone: &TimeZone) -> i64 {
    if let Ok(zoned) = local.to_zoned(zone.clone()) {
        return zoned.timestamp().as_millisecond();
    }
    let offset = zone.to_offset(Timestamp::MAX);
    let since = local.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0));
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX) - i64::from(offset.seconds()) * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, zone: &str, expected: Option<&str>) {
        let zone = TimeZone::get(zone).unwrap();
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let end = parse_end(input, &zone, now).ok();
        assert_eq!(end.map(|end| text(end, &zone)).as_deref(), expected, "{input}");
    }

    #[test]
    fn ends_are_dates_and_datetimes_to_the_year_9999() {
        check("9999-12-31", "UTC", Some("9999-12-31T00:00:00+00:00"));
        check("9999-12-31", "Europe/Prague", Some("9999-12-31T00:00:00+01:00"));
        check("9999-12-31", "America/New_York", Some("9999-12-31T00:00:00-05:00"));
        check("2026-07-01", "Europe/Prague", Some("2026-07-01T00:00:00+02:00"));
        check("2026-07-01 10:00:00", "Europe/Prague", Some("2026-07-01T10:00:00+02:00"));
        check("2026-07-01T10:00:00.5Z", "Europe/Prague", Some("2026-07-01T12:00:00.500+02:00"));
        for input in ["yesterday", "2025-12-31", "10000-01-01", "\0", "", "2026-13-01", "2026-07-01\0", "+10000-01-01"]
        {
            check(input, "UTC", None);
        }
    }

    #[test]
    fn the_default_is_for_ever_in_every_zone() {
        for zone in ["UTC", "Europe/Prague", "Pacific/Kiritimati", "Pacific/Pago_Pago"] {
            let zone = TimeZone::get(zone).unwrap();
            assert!(text(forever(&zone), &zone).starts_with("9999-12-31T00:00:00"));
        }
    }
}
