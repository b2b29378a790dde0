//! `pDateTime`: an instant, stored in UTC, read and shown in the display zone.

use crate::kinds::calendar::{DAY, FIRST_DAY, LAST_DAY, TextScanner, write_date, write_time, write_two};
use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::Value as LanguageValue;
use expression::scope::ValueKind as LanguageKind;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, Zoned, civil};
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pDateTime",
    help: "An instant. Input without an offset is in the user's display zone. Answers are in that zone, with the offset.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(DateTimeKind),
};

/// The instants of the years 1 to 9999, in milliseconds.
const INSTANTS: std::ops::Range<i64> = FIRST_DAY * DAY * 1_000..(LAST_DAY + 1) * DAY * 1_000;

#[derive(Debug)]
struct DateTimeKind;

impl Kind for DateTimeKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Timestamp)
    }

    fn class(&self) -> KindClass {
        KindClass::DateTime
    }

    fn value_at(&self, instant: &Zoned) -> Option<Value> {
        Some(Value::Timestamp(instant.timestamp().as_millisecond()))
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::DateTime
    }

    fn takes(&self, given: LanguageKind) -> bool {
        matches!(given, LanguageKind::DateTime | LanguageKind::Int | LanguageKind::Text)
    }

    fn sample(&self) -> Json {
        "2000-01-31T12:00:00Z".into()
    }

    fn read(&self, input: &Json, context: &ValueContext<'_>) -> Result<Value, ValueFault> {
        read_instant(input.as_str().ok_or_else(fault)?, context.zone).map(Value::Timestamp)
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        match result.value {
            LanguageValue::DateTime(at) => {
                Ok(Value::Timestamp(at.seconds.saturating_mul(1_000).saturating_add(i64::from(at.micros / 1_000))))
            }
            // Unix seconds, as time() and strtotime() give them.
            LanguageValue::Int(seconds) => Ok(Value::Timestamp(seconds.saturating_mul(1_000))),
            _ => self.read(&result.scalar()?, result.context),
        }
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
        let ValueRef::Timestamp(instant) = value else { return json::write_null(out) };
        out.push(b'"');
        write_instant(out, instant, context.zone);
        out.push(b'"');
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "date-time"})
    }
}

/// Reads an instant, in milliseconds since 1970; without an offset it is one of the zone.
pub fn read_instant(text: &str, zone: &TimeZone) -> Result<i64, ValueFault> {
    let local = parse(text).ok_or_else(fault)?;
    let offset = local.offset.or_else(|| offset_of(&local, zone)).ok_or_else(fault)?;
    let instant = (local.days * DAY + local.seconds - offset) * 1_000 + local.milliseconds;
    if !INSTANTS.contains(&instant) {
        return Err(ValueFault::new("out_of_range", "must be in the years 1 to 9999"));
    }
    Ok(instant)
}

/// [`write_instant`] as a text.
pub fn instant_text(instant: i64, zone: &TimeZone) -> String {
    let mut out = Vec::with_capacity(32);
    write_instant(&mut out, instant, zone);
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes an instant, in milliseconds since 1970, as `YYYY-MM-DDThh:mm:ss+hh:mm` in the zone; milliseconds
/// stand there only when they are not zero.
pub fn write_instant(out: &mut Vec<u8>, instant: i64, zone: &TimeZone) {
    let (seconds, milliseconds) = (instant.div_euclid(1_000), instant.rem_euclid(1_000));
    // Zones had offsets with seconds once. Hours and minutes are all the form has: with the seconds left out
    // of the offset and of the local time alike, the instant is unchanged.
    let mut minutes = i64::from(zone.to_offset(timestamp(instant)).seconds() / 60);
    let mut local = seconds + minutes * 60;
    if !(FIRST_DAY * DAY..(LAST_DAY + 1) * DAY).contains(&local) {
        // The local year would not have four digits.
        (minutes, local) = (0, seconds);
    }
    write_date(out, local.div_euclid(DAY));
    out.push(b'T');
    write_time(out, local.rem_euclid(DAY));
    if milliseconds != 0 {
        out.push(b'.');
        out.push(b'0' + u8::try_from(milliseconds / 100).unwrap_or(0));
        write_two(out, milliseconds % 100);
    }
    out.push(if minutes < 0 { b'-' } else { b'+' });
    write_two(out, minutes.abs() / 60);
    out.push(b':');
    write_two(out, minutes.abs() % 60);
}

fn fault() -> ValueFault {
    let example = "must be a date and time such as 2026-11-20 14:30:00 or 2026-11-20T14:30:00+01:00";
    ValueFault::new("not_datetime", example)
}

/// A local date and time, and its offset where the text has one.
struct LocalDateTime {
    days: i64,
    seconds: i64,
    milliseconds: i64,
    offset: Option<i64>,
}

fn parse(text: &str) -> Option<LocalDateTime> {
    let mut scan = TextScanner(text.as_bytes());
    let days = scan.date()?;
    if scan.0.is_empty() {
        return Some(LocalDateTime { days, seconds: 0, milliseconds: 0, offset: None });
    }
    scan.one_of(b"Tt ")?;
    let (seconds, exact) = scan.time()?;
    let milliseconds = if exact { scan.fraction()? } else { 0 };
    let space = scan.one_of(b" ").is_some();
    let offset = if scan.0.is_empty() && !space { None } else { Some(scan.offset()?) };
    scan.0.is_empty().then_some(LocalDateTime { days, seconds, milliseconds, offset })
}

/// The zone's offset at a local time. A time in a gap gets the offset before it, which moves it forward; one
/// that occurs twice gets the first one's.
fn offset_of(local: &LocalDateTime, zone: &TimeZone) -> Option<i64> {
    let (year, month, day) = crate::kinds::calendar::day_of(local.days);
    let date = civil::Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    let (hour, minute, second) = (local.seconds / 3_600, local.seconds / 60 % 60, local.seconds % 60);
    let time = date.at(hour.try_into().ok()?, minute.try_into().ok()?, second.try_into().ok()?, 0);
    let offset = match zone.to_ambiguous_timestamp(time).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset,
        AmbiguousOffset::Gap { before, .. } | AmbiguousOffset::Fold { before, .. } => before,
    };
    Some(offset.seconds().into())
}

/// The instant, or the nearest that `jiff` knows: its last is a day before the year's end in 9999.
fn timestamp(instant: i64) -> Timestamp {
    Timestamp::from_millisecond(instant).unwrap_or(if instant < 0 { Timestamp::MIN } else { Timestamp::MAX })
}
