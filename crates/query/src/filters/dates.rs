//! Days, months, years and periods of the calendar, as spans of instants or days.
//!
//! The spans are computed here, in the caller's zone: the databases compare values and know no calendar.

use crate::condition::{Condition, ValueCheck, ValueComparison};
use crate::filters::subject::FilterSubject;
use crate::period;
use database::Value;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, Zoned};
use model::error::Result;
use serde_json::Value as Json;

/// `onDay`, `within`: on that calendar day.
pub(super) fn on_day<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let day = day(subject)?;
    span(subject, day, day.checked_add(1.day()).ok())
}

/// `withinMonth`: in that day's month.
pub(super) fn within_month<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let first = day(subject)?.first_of_month();
    span(subject, first, first.checked_add(1.month()).ok())
}

/// `withinYear`: in that day's year.
pub(super) fn within_year<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let first = day(subject)?.first_of_year();
    span(subject, first, first.checked_add(1.year()).ok())
}

/// `inPeriod`: in a period that is named after the present.
pub(super) fn in_period<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let week_start = subject.access.model.settings.week_start;
    let period = subject.param().as_str().and_then(|name| period::named(name, subject.now().date(), week_start));
    let (from, to) = period.ok_or_else(|| {
        let words = "today, yesterday, tomorrow, or this, last or next with Week, Month, Quarter or Year";
        subject.refused(&format!("needs a period as param: {words}"))
    })?;
    span(subject, from, Some(to))
}

/// `inLast`: from so long ago until now.
pub(super) fn in_last<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let now = subject.now();
    let from = now.checked_sub(length(subject)?).map_err(|_| subject.refused("goes back too far"))?;
    both(subject, &from, &now)
}

/// `inNext`: from now on for so long.
pub(super) fn in_next<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let now = subject.now();
    let to = now.checked_add(length(subject)?).map_err(|_| subject.refused("goes too far ahead"))?;
    both(subject, &now, &to)
}

fn length(subject: &FilterSubject<'_, '_>) -> Result<jiff::Span> {
    let span = subject.param().as_str().and_then(period::unsigned);
    span.ok_or_else(|| subject.refused("needs a length of time such as \"30 days\" as param"))
}

/// The day that the param names; today where there is none.
fn day(subject: &FilterSubject<'_, '_>) -> Result<Date> {
    let fault = || subject.refused("needs a date such as \"2026-11-20\" as param, or none for today");
    match subject.param() {
        Json::Null => Ok(subject.now().date()),
        Json::String(text) => parse_day(subject, text).filter(|day| day.year() > 0).ok_or_else(fault),
        Json::Object(members) if members.len() == 1 => {
            let shift = members.get("$now").ok_or_else(fault)?;
            subject.instant(shift).map(|instant| instant.date())
        }
        _ => Err(fault()),
    }
}

/// `YYYY-MM-DD`, `YYYY-MM` for its first day, or a datetime. One with an offset is an instant, whose day is the
/// display zone's; where days are asked about, it is the day as written (a day is never converted).
fn parse_day(subject: &FilterSubject<'_, '_>, text: &str) -> Option<Date> {
    if text.len() == 7 {
        return format!("{text}-01").parse().ok();
    }
    match text.parse::<Timestamp>() {
        Ok(instant) if subject.property().kind.is_instant() => {
            Some(instant.to_zoned(subject.value_context().zone.clone()).date())
        }
        Ok(_) => text.get(..10)?.parse().ok(),
        Err(_) => text.parse().ok(),
    }
}

/// From the first day up to, and without, the other; without that, to the end of time.
fn span<'m>(subject: &FilterSubject<'_, 'm>, from: Date, to: Option<Date>) -> Result<Condition<'m>> {
    let value = |day: Date| match subject.property().kind.is_instant() {
        true => Value::Timestamp(period::start_of(day, subject.value_context().zone)),
        false => Value::Date(period::days(day)),
    };
    let mut conditions = vec![subject.test(ValueCheck::Compare(ValueComparison::GreaterOrEqual, value(from)))];
    if let Some(to) = to {
        conditions.push(subject.test(ValueCheck::Compare(ValueComparison::Less, value(to))));
    }
    Ok(Condition::All(conditions))
}

/// From one instant to another, both included; for days, from the day of the one to the day of the other.
fn both<'m>(subject: &FilterSubject<'_, 'm>, from: &Zoned, to: &Zoned) -> Result<Condition<'m>> {
    let value = |instant: &Zoned| match subject.property().kind.is_instant() {
        true => Value::Timestamp(instant.timestamp().as_millisecond()),
        false => Value::Date(period::days(instant.date())),
    };
    Ok(Condition::All(vec![
        subject.test(ValueCheck::Compare(ValueComparison::GreaterOrEqual, value(from))),
        subject.test(ValueCheck::Compare(ValueComparison::LessOrEqual, value(to))),
    ]))
}
