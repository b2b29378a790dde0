//! Cron against a reference that goes through time minute by minute, and against what people expect.

use super::CronExpression;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Zones with summer time, with half an hour of it, with a day left out, without any, and with quarters of hours.
const ZONES: [&str; 8] = [
    "Europe/Prague",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Havana",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "UTC",
];
/// The time that the reference looks ahead, in minutes.
const AHEAD: i64 = 3 * 24 * 60;

/// A field: what is written, and the numbers that it means.
type WrittenField = (String, BTreeSet<i8>);

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

fn items(least: i8, greatest: i8, names: &'static [&'static str]) -> impl Strategy<Value = WrittenField> {
    let number = least..=greatest;
    let item = (number.clone(), number, 1..=greatest, 0_u8..5).prop_map(move |(a, b, step, form)| {
        let (from, to) = (a.min(b), a.max(b));
        let written = |number: i8| {
            let name = usize::try_from(number - least).ok().and_then(|place| names.get(place));
            name.filter(|_| form == 3).map_or(number.to_string(), |name| name.to_uppercase())
        };
        let range = |step: i8| (from..=to).step_by(usize::try_from(step).unwrap()).collect::<BTreeSet<i8>>();
        match form {
            0 => (format!("{from}-{to}/{step}"), range(step)),
            1 | 3 => (format!("{}-{}", written(from), written(to)), range(1)),
            _ => (written(a), BTreeSet::from([a])),
        }
    });
    let list = prop::collection::vec(item, 1..4).prop_map(|items| {
        let texts: Vec<String> = items.iter().map(|(text, _)| text.clone()).collect();
        (texts.join(","), items.into_iter().flat_map(|(_, numbers)| numbers).collect())
    });
    let all = (1..=greatest).prop_map(move |step| {
        let numbers = (least..=greatest).step_by(usize::try_from(step).unwrap()).collect();
        (if step == 1 { "*".to_owned() } else { format!("*/{step}") }, numbers)
    });
    prop_oneof![2 => Just(("*".to_owned(), (least..=greatest).collect())), 1 => all, 3 => list]
}

fn expression() -> impl Strategy<Value = [WrittenField; 5]> {
    let fields = (
        items(0, 59, &[]),
        items(0, 23, &[]),
        items(1, 31, &[]),
        items(1, 12, &super::MONTHS),
        items(0, 6, &super::WEEKDAYS),
    );
    fields.prop_map(|(minutes, hours, days, months, weekdays)| [minutes, hours, days, months, weekdays])
}

fn matches(fields: &[WrittenField; 5], civil: DateTime) -> bool {
    let [minutes, hours, days, months, weekdays] = fields;
    let by_number = days.1.contains(&civil.day());
    let by_weekday = weekdays.1.contains(&civil.weekday().to_sunday_zero_offset());
    let star = days.0.starts_with('*') || weekdays.0.starts_with('*');
    let day = if star { by_number && by_weekday } else { by_number || by_weekday };
    let time = minutes.1.contains(&civil.minute()) && hours.1.contains(&civil.hour());
    day && months.1.contains(&civil.month()) && time
}

/// Minute after minute: what the clock shows now, what it showed before, and what it left out since.
fn reference(fields: &[WrittenField; 5], after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let every_hour = fields[1].1.len() == 24;
    let shown = |moment: Timestamp| zone.to_datetime(moment);
    let minute = |count: i64| SignedDuration::from_mins(count);
    let first = after.as_second().div_euclid(60) * 60 + 60;
    let first = Timestamp::from_second(first).unwrap();
    (0..AHEAD).map(|ahead| first + minute(ahead)).find(|moment| {
        let now = shown(*moment);
        if every_hour {
            return matches(fields, now);
        }
        // Whether the clock showed this already, within the longest change of a clock.
        let before = |civil: DateTime| (1..=25 * 60).any(|back| shown(*moment - minute(back)) == civil);
        let anew = matches(fields, now) && !before(now);
        let mut left_out = shown(*moment - minute(1)) + minute(1);
        let mut skipped = false;
        while left_out < now {
            skipped |= matches(fields, left_out);
            left_out += minute(1);
        }
        anew || skipped
    })
}

/// A moment near a change of the zone's clock, or anywhere.
fn moment(zone: &TimeZone, place: usize, seconds: i64) -> Timestamp {
    let start = if zone == &self::zone("Pacific/Apia") { "2011-12-01T00:00Z" } else { "2026-01-01T00:00Z" };
    let start: Timestamp = start.parse().unwrap();
    let changes: Vec<Timestamp> = zone.following(start).take(4).map(|change| change.timestamp()).collect();
    changes.get(place).copied().unwrap_or(start) + SignedDuration::from_secs(seconds)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_next_moment_is_the_reference_s(
        fields in expression(),
        (name, place, seconds) in (prop::sample::select(&ZONES[..]), 0_usize..5, -100_000_i64..100_000),
    ) {
        let zone = zone(name);
        let after = moment(&zone, place, seconds);
        let text = fields.each_ref().map(|(text, _)| text.as_str()).join(" ");
        match CronExpression::parse(&text) {
            Err(message) => prop_assert_eq!(message, "There is no such day in any month."),
            Ok(cron) => {
                let end = after + SignedDuration::from_mins(AHEAD - 1);
                let found = cron.next(after, &zone).filter(|found| *found < end);
                let wanted = reference(&fields, after, &zone).filter(|found| *found < end);
                prop_assert_eq!(found, wanted, "{} in {} after {}", text, name, after.to_zoned(zone.clone()));
            }
        }
    }
}

/// The moments from one on, as the zone's clock shows them.
fn moments(text: &str, zone_name: &str, from: &str, count: usize) -> Vec<String> {
    let (cron, zone) = (CronExpression::parse(text).unwrap(), zone(zone_name));
    let mut at: Timestamp = from.parse().unwrap();
    let mut found = Vec::new();
    for _ in 0..count {
        at = cron.next(at, &zone).unwrap();
        found.push(at.to_zoned(zone.clone()).strftime("%a %F %R %Z").to_string());
    }
    found
}

#[test]
fn days_and_names_mean_what_cron_means() {
    let of = |text, count| moments(text, "UTC", "2026-11-20T12:00:00Z", count);
    assert_eq!(of("0 6 * * 1-5", 2), ["Mon 2026-11-23 06:00 UTC", "Tue 2026-11-24 06:00 UTC"]);
    // Either day is enough where both are given; both must be right where one begins with a star.
    assert_eq!(of("0 0 1 * fri", 2), ["Fri 2026-11-27 00:00 UTC", "Tue 2026-12-01 00:00 UTC"]);
    assert_eq!(of("0 0 */2 * Mon", 2), ["Mon 2026-11-23 00:00 UTC", "Mon 2026-12-07 00:00 UTC"]);
    assert_eq!(of("5,10-12/2 23 31 DEC *", 2), ["Thu 2026-12-31 23:05 UTC", "Thu 2026-12-31 23:10 UTC"]);
    assert_eq!(of("0 12 29 feb 7", 1), ["Sun 2027-02-07 12:00 UTC"]);
    assert_eq!(of("0 12 29 2 *", 2), ["Tue 2028-02-29 12:00 UTC", "Sun 2032-02-29 12:00 UTC"]);
    assert_eq!(of("0 12 * * 5-7", 3)[1..], ["Sun 2026-11-22 12:00 UTC", "Fri 2026-11-27 12:00 UTC"]);
    assert_eq!(of("@daily", 1), of("@midnight", 1));
    assert_eq!(of("@weekly", 1), ["Sun 2026-11-22 00:00 UTC"]);
    assert_eq!(of("@Hourly", 1), ["Fri 2026-11-20 13:00 UTC"]);
    assert_eq!(of("@monthly", 1), ["Tue 2026-12-01 00:00 UTC"]);
    assert_eq!(of("@yearly", 1), of("@annually", 1));
}

#[test]
fn gaps_run_once_right_after_and_overlaps_once() {
    let spring = |text, count| moments(text, "Europe/Prague", "2026-03-28T23:00:00Z", count);
    assert_eq!(spring("30 2 * * *", 2), ["Sun 2026-03-29 03:00 CEST", "Mon 2026-03-30 02:30 CEST"]);
    assert_eq!(spring("*/20 2,4 * * *", 2), ["Sun 2026-03-29 03:00 CEST", "Sun 2026-03-29 04:00 CEST"]);
    assert_eq!(spring("0 * * * *", 2), ["Sun 2026-03-29 01:00 CET", "Sun 2026-03-29 03:00 CEST"]);
    let autumn = |text, count| moments(text, "Europe/Prague", "2026-10-24T23:30:00Z", count);
    assert_eq!(autumn("30 2 * * *", 2), ["Sun 2026-10-25 02:30 CEST", "Mon 2026-10-26 02:30 CET"]);
    assert_eq!(autumn("30 * * * *", 3)[..2], ["Sun 2026-10-25 02:30 CEST", "Sun 2026-10-25 02:30 CET"]);
}

#[test]
fn mistakes_are_told_with_their_field() {
    for (text, told) in [
        ("0 6 * *", "five fields (minute, hour, day of the month, month, day of the week); 4 are given"),
        ("0 0 6 * * 1", "6 are given"),
        ("", "0 are given"),
        ("60 * * * *", "\"60\" cannot be the minute: it has numbers from 0 to 59."),
        ("* 24 * * *", "\"24\" cannot be the hour"),
        ("* * 0 * *", "the day of the month: it has numbers from 1 to 31"),
        ("* * * sept *", "it has numbers from 1 to 12, or names from jan to dec"),
        ("* * * * 8", "numbers from 0 to 7, or names from sun to sat"),
        ("+1 * * * *", "\"+1\" cannot be the minute"),
        ("5-1 * * * *", "the range goes backwards"),
        ("5/10 * * * *", "a step needs a range or *"),
        ("*/0 * * * *", "the step must be"),
        ("*/99999999999999 * * * *", "the step must be"),
        ("1,,2 * * * *", "\"\" cannot be the minute"),
        ("0 0 30 2 *", "There is no such day in any month."),
        ("@reboot", "is none of @yearly"),
    ] {
        let message = CronExpression::parse(text).unwrap_err();
        assert!(message.contains(told), "{text}: {message}");
    }
}
