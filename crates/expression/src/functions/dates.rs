//! Dates and times (R-376 to R-384).

use super::arguments::{integer, text, text_or_null};
use super::rows::{optional, required, row};
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::convert::to_bool;
use crate::numeric;
use crate::value::{Text, Value};
use crate::{Fault, Result, Run};
use datetime::{self, DateTime, DateZone};
use std::cmp::Ordering;
use std::sync::Arc;

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row(
        "date",
        &[optional("format", "string", "'Y-m-d H:i:s'"), optional("timestampOrDate", "mixed", "null").null(NullArgument::Present)],
        "string",
        "Returns a date or timestamp in a format of PHP; the present by default.",
        date,
    )
    .impure()
    .example(r#"date("j. n. Y", "2024-02-29")"#, r#""29. 2. 2024""#),
    row("today", &[], "string", "Returns today's date at 23:59:59.", today).impure().example(r#"length(today())"#, "19"),
    row("time", &[], "int", "Returns the present as a Unix timestamp.", time).impure().example("time() > 0", "true"),
    row(
        "strtotime",
        &[optional("dateTime", "string", "'now'").null(NullArgument::Passed), BASE],
        "int or null",
        "Returns the Unix timestamp of a date text; null if the text is not a date.",
        strtotime,
    )
    .impure()
    .example(r#"strtotime("+1 day", 0)"#, "86400"),
    row(
        "dateDiff",
        &[PASSED, required("date2", "mixed").null(NullArgument::Passed), optional("absolute", "boolean", "false")],
        "date interval",
        "Returns the interval from one date to another.",
        date_diff,
    )
    .impure()
    .example(r#"dateDiff("2024-01-01", "2024-02-01").days"#, "31"),
    row(
        "formatDate",
        &[required("date", "mixed"), required("format", "string")],
        "string",
        "Returns a date in a format of PHP, or an interval in one of intervals, such as '%a days'.",
        format_date,
    )
    .impure()
    .example(r#"formatDate("2024-02-29", "d/m/y")"#, r#""29/02/24""#),
    row(
        "compareDates",
        &[FIRST, required("operator", "string"), optional("date2", "mixed", "'now'").null(NullArgument::Present)],
        "boolean",
        "Compares two dates by >, >=, <, <=, ==, or by the same day, month or year in the display zone: within, withinMonth, withinYear.",
        compare_dates,
    )
    .impure()
    .example(r#"compareDates("2024-02-29", "withinMonth", "2024-02-01")"#, "true"),
    row(
        "toUtc",
        &[INPUT, optional("format", "string", "'Y-m-d H:i:s'"), optional("sourceTz", "string", "null")],
        "string or null",
        "Converts a wall-clock time of a zone to UTC.",
        to_utc,
    )
    .impure()
    .example(r#"toUtc("2024-07-01 12:00", "H:i", "Europe/Prague")"#, r#""10:00""#),
    row(
        "fromUtc",
        &[INPUT, optional("format", "string", "'c'"), optional("targetTz", "string", "null")],
        "string or null",
        "Converts a UTC time to the wall clock of a zone.",
        from_utc,
    )
    .impure()
    .example(r#"fromUtc("2024-07-01 12:00", "H:i", "Europe/Prague")"#, r#""14:00""#),
];

/// The most bytes that a letter of an interval's format writes.
const LONGEST_PART: usize = 20;

const FIRST: FunctionParameter = required("date1", "mixed");
const PASSED: FunctionParameter = FIRST.null(NullArgument::Passed);
const BASE: FunctionParameter = optional("baseTimestamp", "int", "null").null(NullArgument::Present);
const INPUT: FunctionParameter = required("input", "mixed").null(NullArgument::Passed);

fn date(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let format = text_or(run, arguments, 0, "Y-m-d H:i:s")?;
    let date = match arguments.get(1) {
        None => now(run),
        Some(value) => stamp_or_date(run, value)?,
    };
    formatted(run, &date, &format)
}

fn format_date(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    match super::arguments::at(arguments, 0)? {
        // A former version showed the present.
        Value::Null if !run.is_former() => return Ok(Value::Text(Text::EMPTY)),
        Value::Interval(interval) => {
            let format = text_or_null(run, arguments, 1)?;
            run.reserve(format.len().saturating_mul(LONGEST_PART))?;
            return Ok(Value::Text(Text::of_bytes(&datetime::format_interval(interval, format.as_bytes()))));
        }
        _ => {}
    }
    let date = stamp_or_date(run, super::arguments::at(arguments, 0)?)?;
    formatted(run, &date, &text_or_null(run, arguments, 1)?)
}

fn today(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    formatted(run, &now(run), &Text::from("Y-m-d 23:59:59"))
}

fn time(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    Ok(Value::Int(now(run).seconds))
}

fn strtotime(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let base = match arguments.get(1) {
        None | Some(Value::Null) => now(run),
        Some(Value::DateTime(date)) => date.in_zone(DateZone::of(&run.zone)),
        Some(_) => stamp(run, integer(arguments, 1)?),
    };
    if let Some(Value::DateTime(date)) = arguments.first() {
        return Ok(Value::Int(date.seconds));
    }
    let text = text_or(run, arguments, 0, "now")?;
    run.charge(text.len() as u64)?;
    let date = datetime::strtotime(text.as_bytes(), &base);
    Ok(date.map_or(Value::Null, |date| Value::Int(date.seconds)))
}

fn date_diff(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    // A former version took the present for it.
    if arguments.iter().take(2).any(Value::is_null) && !run.is_former() {
        return Ok(Value::Null);
    }
    let first = self::instant(run, arguments, 0)?;
    let second = self::instant(run, arguments, 1)?;
    let mut interval = datetime::difference(&first, &second);
    if arguments.get(2).is_some_and(to_bool) {
        interval.invert = false;
    }
    run.reserve(size_of_val(&interval))?;
    Ok(Value::Interval(Arc::new(interval)))
}

/// The order of two instants, whatever their zones are.
fn instants(first: &DateTime, second: &DateTime) -> Ordering {
    (first.seconds, first.micros).cmp(&(second.seconds, second.micros))
}

/// Returns true if an operator of order holds; none where it is no such operator.
pub(crate) fn ordered(operator: &[u8], order: Ordering) -> Option<bool> {
    Some(match operator {
        b">" => order == Ordering::Greater,
        b">=" => order != Ordering::Less,
        b"<" => order == Ordering::Less,
        b"<=" => order != Ordering::Greater,
        b"==" => order == Ordering::Equal,
        _ => return None,
    })
}

fn compare_dates(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    if let [Value::DateTime(first), Value::Text(operator), Value::DateTime(second)] = arguments
        && let Some(holds) = ordered(operator.as_bytes(), instants(first, second))
    {
        return Ok(Value::Bool(holds));
    }
    // A former version compared the present.
    if arguments.first().is_some_and(Value::is_null) && !run.is_former() {
        return Ok(Value::Bool(false));
    }
    let first = self::instant(run, arguments, 0)?;
    let operator = text(run, arguments, 1)?;
    let second = match arguments.get(2) {
        None => now(run),
        Some(_) => self::instant(run, arguments, 2)?,
    };
    let order = instants(&first, &second);
    let same = |format: &str| {
        let shown = |date: &DateTime| datetime::format(&date.in_zone(DateZone::of(&run.zone)), format.as_bytes());
        shown(&first) == shown(&second)
    };
    if let Some(holds) = ordered(operator.as_bytes(), order) {
        return Ok(Value::Bool(holds));
    }
    let holds = match operator.as_bytes() {
        b"within" => same("Y-m-d"),
        b"withinMonth" => same("Y-m"),
        b"withinYear" => same("Y"),
        _ => {
            let message = "The operator of compareDates is one of >, >=, <, <=, ==, within, withinMonth, withinYear.";
            return Err(Fault::new("operator_unknown", message));
        }
    };
    Ok(Value::Bool(holds))
}

fn to_utc(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let source = zone(run, arguments, 2)?;
    converted(run, arguments, "Y-m-d H:i:s", source, utc())
}

fn from_utc(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let target = zone(run, arguments, 2)?;
    converted(run, arguments, "c", utc(), target)
}

/// The input, read in one zone unless it names its own, shown in another; null stays null.
fn converted(
    run: &mut Run<'_>,
    arguments: &[Value],
    format: &str,
    source: DateZone,
    target: DateZone,
) -> Result<Value> {
    if super::arguments::at(arguments, 0)?.is_null() {
        return Ok(Value::Null);
    }
    let format = text_or(run, arguments, 1, format)?;
    let date = instant_in(run, arguments, 0, source)?;
    formatted(run, &date.in_zone(target), &format)
}

/// The zone that an argument names, or the display zone.
fn zone(run: &mut Run<'_>, arguments: &[Value], index: usize) -> Result<DateZone> {
    match arguments.get(index) {
        None | Some(Value::Null) => Ok(DateZone::of(&run.zone)),
        Some(_) => {
            let name = text(run, arguments, index)?;
            let unknown = || Fault::new("zone_unknown", "The text is not a time zone, such as Europe/Prague.");
            name.as_str().and_then(DateZone::parse).ok_or_else(unknown)
        }
    }
}

fn utc() -> DateZone {
    DateZone::of(&jiff::tz::TimeZone::UTC)
}

fn now(run: &Run<'_>) -> DateTime {
    DateTime::of(run.now, &run.zone)
}

fn stamp(run: &Run<'_>, seconds: i64) -> DateTime {
    DateTime { seconds, micros: 0, zone: DateZone::of(&run.zone) }
}

/// A date for `date` and `formatDate`: null is now, a number and a text that is one a timestamp.
fn stamp_or_date(run: &mut Run<'_>, value: &Value) -> Result<DateTime> {
    match value {
        Value::Null => Ok(now(run)),
        Value::DateTime(date) => Ok((**date).clone()),
        Value::Text(text) => match timestamp(text.as_bytes()) {
            Some(seconds) => Ok(stamp(run, seconds)),
            None => {
                let base = now(run);
                let date = parsed(run, text, &base)?;
                Ok(stamp(run, date.seconds))
            }
        },
        _ => instant(run, std::slice::from_ref(value), 0),
    }
}

/// A date that an argument is: a datetime, a timestamp, or a text that is read in the display zone.
fn instant(run: &mut Run<'_>, arguments: &[Value], index: usize) -> Result<DateTime> {
    let zone = DateZone::of(&run.zone);
    instant_in(run, arguments, index, zone)
}

fn instant_in(run: &mut Run<'_>, arguments: &[Value], index: usize, zone: DateZone) -> Result<DateTime> {
    match super::arguments::at(arguments, index)? {
        Value::DateTime(date) => Ok((**date).clone()),
        Value::Text(text) => {
            let base = now(run).in_zone(zone);
            parsed(run, text, &base)
        }
        Value::Int(seconds) => Ok(DateTime { seconds: *seconds, micros: 0, zone }),
        Value::Float(seconds) => Ok(DateTime { seconds: whole(*seconds)?, micros: 0, zone }),
        Value::Decimal(seconds) => Ok(DateTime { seconds: seconds.truncated(), micros: 0, zone }),
        Value::Bool(truth) => Ok(DateTime { seconds: i64::from(*truth), micros: 0, zone }),
        Value::Null => Ok(now(run).in_zone(zone)),
        other => {
            let message = format!("A date is a text, a timestamp or a datetime, not {}.", other.kind());
            Err(Fault::new("date_invalid", message))
        }
    }
}

fn parsed(run: &mut Run<'_>, text: &Text, base: &DateTime) -> Result<DateTime> {
    run.charge(text.len() as u64)?;
    let invalid = || Fault::new("date_invalid", "The text is not a date, such as 2026-11-20.");
    datetime::strtotime(text.as_bytes(), base).ok_or_else(invalid)
}

fn formatted(run: &mut Run<'_>, date: &DateTime, format: &Text) -> Result<Value> {
    run.reserve(format.len().saturating_mul(datetime::LONGEST))?;
    Ok(Value::Text(Text::of_bytes(&datetime::format(date, format.as_bytes()))))
}

fn text_or(run: &Run<'_>, arguments: &[Value], index: usize, default: &str) -> Result<Text> {
    match arguments.get(index) {
        None => Ok(Text::from(default)),
        Some(_) => text_or_null(run, arguments, index),
    }
}

/// The seconds of a text that is a number, cut to whole ones.
fn timestamp(text: &[u8]) -> Option<i64> {
    numeric::whole(text).map(|_| numeric::text_to_int(text))
}

fn whole(seconds: f64) -> Result<i64> {
    let within = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&seconds);
    let far = || {
        Fault::new(
            "date_invalid",
            "The timestamp is too far away: it is in seconds, and milliseconds are divided by 1000.",
        )
    };
    within.then_some(seconds as i64).ok_or_else(far)
}
