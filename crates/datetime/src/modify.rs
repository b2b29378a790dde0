//! Changing a date by a text, as Nette's `DateTime::modify` does it: amounts of hours, minutes and seconds are
//! time that really passes, whatever clocks do; all else is read on the wall clock.

use super::date_fields::DateFields;
use super::strtotime::evaluate;
use super::{DateTime, DateZone};
use regex::bytes::Regex;
use std::sync::LazyLock;

/// The date changed by a text such as `+24 hours` or `first day of next month`; none where the text is not one,
/// or is doubtful: a zone within it (`+24h`), a date that rolls over.
pub fn modify(date: &DateTime, modifier: &str) -> Option<DateTime> {
    let bytes = modifier.as_bytes();
    if bytes.is_empty() {
        return None;
    }
    let elapsed = ELAPSED.as_ref()?;
    let mut passed = Vec::new();
    let mut wall = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for found in elapsed.find_iter(bytes) {
        wall.extend_from_slice(&bytes[from..found.start()]);
        passed.extend_from_slice(found.as_bytes());
        passed.push(b' ');
        from = found.end();
    }
    wall.extend_from_slice(&bytes[from..]);
    let mut changed = date.clone();
    if !wall.iter().all(u8::is_ascii_whitespace) {
        changed = on_wall_clock(&changed, &wall)?;
    }
    if !passed.is_empty() {
        let zone = std::mem::replace(&mut changed.zone, DateZone::Offset(0));
        changed = on_wall_clock(&changed, &passed)?;
        changed.zone = zone;
    }
    Some(changed)
}

static ELAPSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)[+-]?(?-u:\s)*[0-9]+(?-u:\s)+(?:(?:microsecond|millisecond|[mµu]sec)s?|[mµ]s|sec(?:ond)?s?|min(?:ute)?s?|hours?)(?:(?-u:\s)+ago)?(?-u:\b)",
    )
    .ok()
});

fn on_wall_clock(date: &DateTime, text: &[u8]) -> Option<DateTime> {
    let parsed = DateFields::of(text)?;
    if parsed.doubtful {
        return None;
    }
    let mut wall = date.wall();
    let or = |field: Option<i64>, value: i128| field.map_or(value, i128::from);
    wall.year = or(parsed.year, wall.year);
    wall.month = or(parsed.month, wall.month);
    wall.day = or(parsed.day, wall.day);
    if let Some(hour) = parsed.hour {
        wall.hour = hour.into();
        wall.minute = or(parsed.minute, 0);
        wall.second = or(parsed.second, 0);
    }
    wall.micro = or(parsed.micro, wall.micro);
    let zone = if parsed.at_epoch() { DateZone::Offset(0) } else { date.zone.clone() };
    // Of an hour that happens twice, the occurrence stays.
    evaluate(wall, &parsed.relative, zone, Some(date.summer()))
}
