//! Members of values that are not resources: the units of integers, and the parts of intervals.

use crate::check::nearest;
use crate::error::{Diagnostic, Span, mistake};
use datetime::IntervalUnit;
use values::types::{ValueKind, ValueType};

/// The members of an interval, with the kinds of their values.
const INTERVAL: [(&str, ValueKind); 13] = [
    ("y", ValueKind::Int),
    ("m", ValueKind::Int),
    ("d", ValueKind::Int),
    ("h", ValueKind::Int),
    ("i", ValueKind::Int),
    ("s", ValueKind::Int),
    ("f", ValueKind::Int),
    ("invert", ValueKind::Int),
    ("totalSeconds", ValueKind::Int),
    ("totalDays", ValueKind::Float),
    ("totalHours", ValueKind::Float),
    ("totalMinutes", ValueKind::Float),
    // PHP's is an integer, or false.
    ("days", ValueKind::Any),
];

/// Returns the members of a value of a type, with their types: for editors.
pub fn members(of: &ValueType) -> Vec<(&'static str, ValueType)> {
    match of.known().at_run_time() {
        ValueKind::Int => {
            IntervalUnit::ALL.iter().map(|(word, _)| (*word, ValueType::of(ValueKind::Interval))).collect()
        }
        ValueKind::Interval => INTERVAL.iter().map(|(word, kind)| (*word, member(word, *kind))).collect(),
        _ => Vec::new(),
    }
}

/// Returns the type of an interval's member.
pub(crate) fn of_interval(name: &str, span: Span) -> Result<ValueType, Diagnostic> {
    if let Some((_, kind)) = INTERVAL.iter().find(|(word, _)| *word == name) {
        return Ok(member(name, *kind));
    }
    let message = format!("An interval has no member `{name}`, but days, totalDays, totalHours and others.");
    Err(mistake("unknown_property", span, message, nearest(name, INTERVAL.iter().map(|(word, _)| *word))))
}

fn member(name: &str, kind: ValueKind) -> ValueType {
    match name {
        "days" => ValueType::default().told(ValueKind::Int).or_null(false),
        _ => ValueType::of(kind),
    }
}
