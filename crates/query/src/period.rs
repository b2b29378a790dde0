//! Spans of time in words, and periods of the calendar.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};
use model::groups::DatePart;
use model::types::WeekDay;

/// Days since 1970-01-01.
pub fn days(date: Date) -> i32 {
    // A calendar day of the years that jiff knows is less than four million days away.
    (date - Date::constant(1970, 1, 1)).get_days()
}

/// When a day begins: at midnight, or, where a clock change swallows that, right after the change.
pub fn start_of(day: Date, zone: &TimeZone) -> i64 {
    let start = day.to_zoned(zone.clone()).map(|start| start.timestamp().as_millisecond());
    // The library's instants end before the last day does.
    start.unwrap_or_else(|_| i64::from(days(day)) * 86_400_000)
}

/// `-7 days`, `+1 month -2 hours`: each term has a sign. An empty text, or `now`, is no time at all.
pub(crate) fn signed(text: &str) -> Option<Span> {
    if text.is_empty() || text == "now" {
        return Some(Span::new());
    }
    let mut span = Span::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let negative = match rest.as_bytes().first()? {
            b'+' => false,
            b'-' => true,
            _ => return None,
        };
        let end = rest[1..].find(['+', '-']).map_or(rest.len(), |end| end + 1);
        let (number, unit) = term(&rest[1..end])?;
        span = add(span, if negative { -number } else { number }, unit)?;
        rest = &rest[end..];
    }
    Some(span)
}

/// `30 days`: without a sign, and not nothing.
pub(crate) fn unsigned(text: &str) -> Option<Span> {
    let (number, unit) = term(text)?;
    if number == 0 { None } else { add(Span::new(), number, unit) }
}

/// A number of at most six digits, and a unit.
fn term(text: &str) -> Option<(i64, &str)> {
    let text = text.trim();
    let end = text.find(|character: char| !character.is_ascii_digit())?;
    let number = text[..end].parse().ok().filter(|_| end <= 6)?;
    let unit = text[end..].trim_start();
    Some((number, unit.strip_suffix('s').unwrap_or(unit)))
}

// Spans keep their units apart and cannot mix signs: what goes both ways is refused.
fn add(span: Span, number: i64, unit: &str) -> Option<Span> {
    if number != 0 && span.signum() != 0 && i64::from(span.signum()) != number.signum() {
        return None;
    }
    match unit {
        "second" => span.try_seconds(span.get_seconds() + number),
        "minute" => span.try_minutes(span.get_minutes() + number),
        "hour" => span.try_hours(i64::from(span.get_hours()) + number),
        "day" => span.try_days(i64::from(span.get_days()) + number),
        "week" => span.try_weeks(i64::from(span.get_weeks()) + number),
        "month" => span.try_months(i64::from(span.get_months()) + number),
        "quarter" => span.try_months(i64::from(span.get_months()) + number * 3),
        "year" => span.try_years(i64::from(span.get_years()) + number),
        _ => return None,
    }
    .ok()
}

/// The first day of a period of the calendar and the first day after it: `today`, `thisWeek`, `lastQuarter`.
pub(crate) fn named(name: &str, today: Date, week_start: WeekDay) -> Option<(Date, Date)> {
    let (steps, unit) = match name {
        "today" => (0, "Day"),
        "yesterday" => (-1, "Day"),
        "tomorrow" => (1, "Day"),
        _ => [("this", 0), ("last", -1), ("next", 1)]
            .iter()
            .find_map(|(word, steps)| Some((*steps, name.strip_prefix(word)?)))
            .filter(|(_, unit)| *unit != "Day")?,
    };
    let part = match unit {
        "Day" => DatePart::Day,
        "Week" => DatePart::Week,
        "Month" => DatePart::Month,
        "Quarter" => DatePart::Quarter,
        "Year" => DatePart::Year,
        _ => return None,
    };
    let (first, length) = around(part, today, week_start)?;
    let from = first.checked_add(length * steps).ok()?;
    Some((from, from.checked_add(length).ok()?))
}

/// The first day of the period of days that a day lies in, and the period's length; none for parts of a day and for what
/// comes again.
pub fn around(part: DatePart, day: Date, week_start: WeekDay) -> Option<(Date, Span)> {
    Some(match part {
        DatePart::Day => (day, 1.day()),
        DatePart::Week => (first_of_week(day, week_start)?, 1.week()),
        DatePart::Month => (day.first_of_month(), 1.month()),
        DatePart::Quarter => (Date::new(day.year(), (day.month() - 1) / 3 * 3 + 1, 1).ok()?, 3.months()),
        DatePart::Year => (day.first_of_year(), 1.year()),
        DatePart::Hour | DatePart::Weekday | DatePart::HourOfDay => return None,
    })
}

fn first_of_week(today: Date, week_start: WeekDay) -> Option<Date> {
    let start = match week_start {
        WeekDay::Monday => Weekday::Monday,
        WeekDay::Sunday => Weekday::Sunday,
        WeekDay::Saturday => Weekday::Saturday,
    };
    today.checked_sub(i64::from(start.until(today.weekday())).days()).ok()
}
