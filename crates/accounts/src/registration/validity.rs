//! The time for which a secret is good for, as a change of date: `+24 hours`.

use datetime::{self, DateTime, DateZone};
use jiff::{SignedDuration, Timestamp};

const LEAST: i64 = 60;
const MOST: i64 = 30 * 24 * 3_600;

/// Units of amounts. Names of days and months, ordinals (`first monday`) and times of day are no amounts. With them,
/// how long a code lives would depend on when it is asked for.
const UNITS: [&str; 18] = [
    "sec",
    "secs",
    "second",
    "seconds",
    "min",
    "mins",
    "minute",
    "minutes",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "fortnight",
    "fortnights",
    "month",
    "months",
];

/// From 1 minute to 30 days, in seconds. A retry begins it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChallengeValidity(i64);

impl ChallengeValidity {
    /// 24 hours.
    pub(super) const DEFAULT: ChallengeValidity = ChallengeValidity(24 * 3_600);

    /// Reads a change of date, made of amounts alone. A month is as long as the one that begins now; a day has 24
    /// hours.
    pub(super) fn parse(text: &str, now: Timestamp) -> Option<Self> {
        if text.len() > 100 || !amounts(text) {
            return None;
        }
        let start = DateTime { seconds: now.as_second(), micros: 0, zone: DateZone::Offset(0) };
        let end = datetime::modify(&start, text)?;
        Self::of_seconds(end.seconds - start.seconds)
    }

    /// A validity as it is stored.
    pub(super) fn of_seconds(seconds: i64) -> Option<Self> {
        (LEAST..=MOST).contains(&seconds).then_some(ChallengeValidity(seconds))
    }

    /// Its length in seconds.
    pub(super) fn seconds(self) -> i64 {
        self.0
    }

    /// When a secret dies that is made now.
    pub(super) fn end(self, now: Timestamp) -> Timestamp {
        now.saturating_add(SignedDuration::from_secs(self.0)).unwrap_or(Timestamp::MAX)
    }
}

/// Returns true if a text is one amount or more, each a number with its unit: `+1 day 12 hours`.
fn amounts(text: &str) -> bool {
    let mut rest = text.trim();
    let mut found = false;
    while !rest.is_empty() {
        let number = rest.strip_prefix(['+', '-']).unwrap_or(rest).trim_start();
        let unit = number.trim_start_matches(|character: char| character.is_ascii_digit());
        let digits = number.len() - unit.len();
        let unit = unit.trim_start();
        let end = unit.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(unit.len());
        if !(1..=9).contains(&digits) || !UNITS.contains(&unit[..end].to_ascii_lowercase().as_str()) {
            return false;
        }
        rest = unit[end..].trim_start();
        found = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::ChallengeValidity;

    fn check(text: &str, expected: Option<i64>) {
        let now = "2026-11-20T12:00:00.5Z".parse().unwrap();
        assert_eq!(ChallengeValidity::parse(text, now).map(ChallengeValidity::seconds), expected, "{text:?}");
    }

    #[test]
    fn amounts_of_time_are_read() {
        check("+24 hours", Some(86_400));
        check("24 hours", Some(86_400));
        check("+1 minute", Some(60));
        check("+60 seconds", Some(60));
        check("+15 min", Some(900));
        check("+1 day 12 hours", Some(129_600));
        check("+1 day -1 hour", Some(82_800));
        check("+1 DAY", Some(86_400));
        check("+2 weeks", Some(1_209_600));
        check("+30 days", Some(2_592_000));
        check("+1 month", Some(2_592_000));
    }

    #[test]
    fn what_is_no_amount_or_too_long_or_short_is_refused() {
        for text in [
            "",
            " ",
            "-1 day",
            "+100 years",
            "+1 day; DROP",
            "first monday",
            "+0 minutes",
            "+59 seconds",
            "+30 days 1 second",
            "+31 days",
            "+2 months",
            "tomorrow",
            "next week",
            "monday",
            "noon",
            "2026-11-21",
            "@1800000000",
            "+1",
            "1",
            "day",
            "+ day",
            "+1 day ago",
            "+1 day UTC",
            "+24h",
            "+999999999 days",
            "+9999999999 days",
            "+99999999999999999999 seconds",
            "+1 dáy",
            "+٣ days",
            "+1 day\0",
        ] {
            check(text, None);
        }
    }
}
