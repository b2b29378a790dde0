//! `+`, `-` and order of dates and intervals. Dates, months and times are texts (`2026-11-20`), and count as such
//! where the text is one as a whole.

use crate::value::{Text, Value};
use crate::{Fault, Result, Run};
use datetime::{DateInterval, DateTime, DateZone, IsoText, difference, shift};
use std::cmp::Ordering;
use std::sync::Arc;

/// `left + right` or `left - right`, where one is a date or an interval; none where they are counted as numbers.
pub(super) fn calculated(run: &mut Run<'_>, symbol: &str, left: &Value, right: &Value) -> Option<Result<Value>> {
    use Value::{DateTime, Interval, Text};
    let subtracts = match symbol {
        "+" => false,
        "-" => true,
        _ => return None,
    };
    Some(match (left, right) {
        (DateTime(_) | Text(_), Interval(interval)) if subtracts => moved(run, left, &interval.inverted()),
        (DateTime(_) | Text(_), Interval(interval)) => moved(run, left, interval),
        (Interval(interval), DateTime(_) | Text(_)) if !subtracts => moved(run, right, interval),
        (DateTime(_), DateTime(_) | Text(_)) | (Text(_), DateTime(_)) if subtracts => between(run, left, right),
        // A former version counted with the years that both begin with.
        (Text(first), Text(second)) if subtracts && is_date(first) && is_date(second) && !run.is_former() => {
            between(run, left, right)
        }
        _ => return None,
    })
}

/// Returns true if a text is a date, a month, a time or a moment as a whole.
pub(super) fn is_date(text: &Text) -> bool {
    IsoText::read(text.as_bytes(), || DateZone::Offset(0)).is_some()
}

/// Says what an operand of arithmetic takes that is a date or an interval; none where it is neither.
pub(super) fn remedy(value: &Value) -> Option<&'static str> {
    match value {
        Value::DateTime(_) => Some("A datetime takes an interval: date + 4.hours."),
        Value::Interval(_) => Some("An interval stands beside a date: date + 5.days. Its days are interval.days."),
        Value::Text(text) if is_date(text) => Some("A date takes an interval: date + 5.days."),
        _ => None,
    }
}

fn read(run: &mut Run<'_>, value: &Value) -> Result<IsoText> {
    match value {
        Value::DateTime(date) => Ok(IsoText::DateTime((**date).clone())),
        Value::Text(text) => {
            run.charge(text.len() as u64 / 16)?;
            let read = IsoText::read(text.as_bytes(), || DateZone::of(&run.zone));
            let wrong = || {
                let message = "An interval stands beside a date, and the string is none, such as 2026-11-20: \
                               date('Y-m-d', strtotime(text)) reads others.";
                Fault::new("wrong_operand", message)
            };
            read.ok_or_else(wrong)
        }
        other => Err(Fault::new(
            "wrong_operand",
            format!("An interval stands beside a date, not {}: date + 5.days.", other.kind()),
        )),
    }
}

/// A date an interval on.
fn moved(run: &mut Run<'_>, date: &Value, interval: &DateInterval) -> Result<Value> {
    run.reserve(size_of::<DateTime>())?;
    if let Value::DateTime(date) = date {
        return shift(date, interval).map(|date| Value::DateTime(Arc::new(date))).ok_or_else(too_far);
    }
    let read = read(run, date)?;
    let advice = match &read {
        IsoText::Date(_) if interval.has_time() => "days, weeks, months and years, and no hours",
        IsoText::Month(_) if interval.has_time() || interval.d != 0 => "months and years, and nothing shorter",
        IsoText::Time(..) if interval.has_days() => "hours and minutes, and nothing longer",
        _ => {
            let made = read.shifted(interval).ok_or_else(too_far)?;
            return Ok(match made {
                IsoText::DateTime(date) => Value::DateTime(Arc::new(date)),
                written => Value::text(&written.text().unwrap_or_default()),
            });
        }
    };
    Err(Fault::new("wrong_interval", format!("{} takes {advice}.", crate::error::capital(read.kind()))))
}

/// The days between two dates, with a sign; the interval between two moments.
fn between(run: &mut Run<'_>, later: &Value, earlier: &Value) -> Result<Value> {
    run.reserve(size_of::<DateInterval>())?;
    if let (Value::DateTime(later), Value::DateTime(earlier)) = (later, earlier) {
        return Ok(Value::Interval(Arc::new(difference(earlier, later))));
    }
    match (read(run, later)?, read(run, earlier)?) {
        (IsoText::Date(later), IsoText::Date(earlier)) => Ok(Value::Int(later - earlier)),
        (IsoText::DateTime(later), IsoText::DateTime(earlier)) => {
            Ok(Value::Interval(Arc::new(difference(&earlier, &later))))
        }
        (later, earlier) => {
            let message = format!(
                "- wants two dates or two datetimes, not {} and {}: formatDate(x, 'Y-m-d') is the day of a datetime.",
                later.kind(),
                earlier.kind()
            );
            Err(Fault::new("wrong_operand", message))
        }
    }
}

fn too_far() -> Fault {
    Fault::new("date_invalid", "The date would lie beyond the years 1 to 9999: take a shorter interval.")
}

/// The order of values of which one is a datetime or an interval; none where the general order holds.
pub(super) fn order(run: &mut Run<'_>, left: &Value, right: &Value) -> Option<Option<Ordering>> {
    match (left, right) {
        (Value::Interval(first), Value::Interval(second)) => {
            let totals = (first.micros(), second.micros());
            let (Some(first), Some(second)) = totals else { return None };
            // A former version knew whether they have the same parts.
            (!run.is_former()).then(|| Some(first.cmp(&second)))
        }
        (Value::DateTime(date), number @ (Value::Int(_) | Value::Float(_) | Value::Decimal(_))) => {
            instants(run, date, number)
        }
        (number @ (Value::Int(_) | Value::Float(_) | Value::Decimal(_)), Value::DateTime(date)) => {
            instants(run, date, number).map(|order| order.map(Ordering::reverse))
        }
        _ => None,
    }
}

/// A datetime and a timestamp. In a former version a datetime counted as 1.
fn instants(run: &mut Run<'_>, date: &DateTime, timestamp: &Value) -> Option<Option<Ordering>> {
    if run.is_former() {
        return None;
    }
    Some(match timestamp {
        Value::Int(seconds) => Some((date.seconds, date.micros).cmp(&(*seconds, 0))),
        other => {
            let seconds = date.seconds as f64 + f64::from(date.micros) / 1e6;
            seconds.partial_cmp(&crate::convert::to_float(other))
        }
    })
}
