//! The instants of texts as programs write them (`2026-06-30T12:00:00Z`), read without looking for tokens. It is the
//! short way of [`strtotime`](super::strtotime), and gives nothing else than that does.

use jiff::tz::TimeZone;

/// Seconds and microseconds of ISO 8601's usual texts; none for all other texts, whether they are dates or not.
pub fn moment(text: &[u8], zone: &TimeZone) -> Option<(i64, u32)> {
    let (date, rest) = text.split_at_checked(10)?;
    let seconds = seconds_of_date(date)?;
    if rest.is_empty() {
        return is_utc(zone).then_some((seconds, 0));
    }
    let (time, mut rest) = rest.split_at_checked(9)?;
    let seconds = seconds + seconds_of_time(time)?;
    let mut micros = 0;
    if let [b'.', fraction @ ..] = rest {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || time[0] != b'T' {
            return None;
        }
        // Further digits are cut off.
        let digit = |place: usize| fraction.get(place).filter(|_| place < digits).map_or(0, |byte| byte - b'0');
        micros = (0..6).fold(0, |sum, place| sum * 10 + u32::from(digit(place)));
        rest = &fraction[digits..];
    }
    match rest {
        [] => is_utc(zone).then_some((seconds, micros)),
        b"Z" => Some((seconds, micros)),
        [sign @ (b'+' | b'-'), hours @ .., b':', _, _] if hours.len() == 2 => {
            let (hours, minutes) = (two(rest, 1, 14)?, two(rest, 4, 59)?);
            let offset = hours * 3600 + minutes * 60;
            Some((if *sign == b'-' { seconds + offset } else { seconds - offset }, micros))
        }
        _ => None,
    }
}

fn is_utc(zone: &TimeZone) -> bool {
    zone.iana_name() == Some("UTC")
}

/// Two digits from a place on, up to a number.
fn two(text: &[u8], place: usize, last: i64) -> Option<i64> {
    let (tens, ones) = (text.get(place)?.wrapping_sub(b'0'), text.get(place + 1)?.wrapping_sub(b'0'));
    let number = i64::from(tens) * 10 + i64::from(ones);
    (tens < 10 && ones < 10 && number <= last).then_some(number)
}

/// `2026-06-30`, a day that there is, in seconds after 1970.
fn seconds_of_date(text: &[u8]) -> Option<i64> {
    if text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let year = two(text, 0, 99)? * 100 + two(text, 2, 99)?;
    let (month, day) = (two(text, 5, 12)?, two(text, 8, 31)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        0 => return None,
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if day == 0 || day > length {
        return None;
    }
    // Years from March on, so that the leap day is the last; and 400 more, so that none is negative.
    let years = year + 400 - i64::from(month <= 2);
    let leap_days = years / 4 - years / 100 + years / 400;
    let days = years * 365 + leap_days + (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some((days - 719_468 - 146_097) * 86_400)
}

/// `T12:34:56`, or with a space, in seconds after midnight.
fn seconds_of_time(text: &[u8]) -> Option<i64> {
    if !matches!(text[0], b'T' | b' ') || text[3] != b':' || text[6] != b':' {
        return None;
    }
    Some(two(text, 1, 23)? * 3600 + two(text, 4, 59)? * 60 + two(text, 7, 59)?)
}

#[cfg(test)]
mod tests {
    use super::moment;
    use crate::{DateTime, DateZone, strtotime};
    use jiff::Timestamp;
    use jiff::tz::TimeZone;
    use proptest::prelude::*;

    /// Returns true if the text was read. Fails where the grammar reads another moment.
    fn agrees(text: &str, zone: &TimeZone) -> bool {
        let base = DateTime::of(Timestamp::from_second(1_700_000_000).unwrap(), zone);
        let Some(short) = moment(text.as_bytes(), zone) else { return false };
        // A blank in front leads past the grammar's own short way.
        for written in [text.to_owned(), format!("{text} ,")] {
            let full = strtotime(written.as_bytes(), &base).map(|date| (date.seconds, date.micros));
            assert_eq!(Some(short), full, "{written}");
        }
        true
    }

    fn zone(name: &str) -> TimeZone {
        match DateZone::named(name) {
            Some(DateZone::Named(_, zone)) => zone,
            _ => panic!("{name} is a zone"),
        }
    }

    #[test]
    fn edges_are_as_the_grammar_has_them() {
        let dates = ["0000-01-01", "0000-03-01", "1582-10-10", "1900-02-28", "1969-12-31", "2000-02-29", "2026-03-29"];
        let dates = dates.into_iter().chain(["2026-10-25", "2038-01-19", "2100-02-28", "9999-12-31"]);
        let times =
            ["T00:00:00", " 00:00:00", "T02:30:00", " 02:30:00", "T23:59:59", "T12:00:00.5", "T12:00:00.1234567"];
        let offsets = ["", "Z", "+00:00", "-00:00", "+01:00", "-05:30", "+14:00", "-12:45"];
        let (utc, prague) = (TimeZone::UTC, zone("Europe/Prague"));
        for date in dates {
            assert!(agrees(date, &utc), "{date}");
            assert!(!agrees(date, &prague), "{date} is read by the zone's rules");
            for time in times {
                for offset in offsets {
                    let text = format!("{date}{time}{offset}");
                    assert!(agrees(&text, &utc), "{text}");
                    assert_eq!(agrees(&text, &prague), !offset.is_empty(), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_rolls_over_or_is_written_otherwise_is_left_to_the_grammar() {
        let texts = ["2025-02-29", "2026-00-01", "2026-13-01", "2026-04-31", "2026-01-01T24:00:00Z", "", "2026-01-0"];
        let others = ["2026-01-01T12:00:60Z", "2026-01-01T12:00Z", "2026-01-01T12:00:00.Z", "2026-01-01T12:00:00z"];
        let offsets = ["2026-01-01T12:00:00+0200", "2026-01-01T12:00:00+15:00", "2026-01-01T12:00:00 +02:00"];
        for text in texts.into_iter().chain(others).chain(offsets) {
            assert_eq!(moment(text.as_bytes(), &TimeZone::UTC), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn texts_give_what_the_grammar_gives(
            text in "[0-9]{4}-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{1,9})?(Z|[+-][01][0-9]:[0-6][0-9])?)?",
            name in prop::sample::select(vec!["UTC", "Europe/Prague", "America/New_York", "Australia/Lord_Howe"]),
        ) {
            agrees(&text, &zone(name));
        }

        #[test]
        fn any_texts_of_these_letters_give_what_the_grammar_gives(text in "[0-9TZ:. +-]{10,30}") {
            agrees(&text, &TimeZone::UTC);
        }
    }
}
