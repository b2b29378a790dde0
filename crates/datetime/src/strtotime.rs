//! From a text to an instant, as PHP's `strtotime` and `new DateTime` do it.

use super::civil::WallClock;
use super::date_fields::DateFields;
use super::relative::RelativeChange;
use super::{DateTime, DateZone};

/// The date that a text says, seen from a base in its zone; none where the text is not a date, or too far away.
pub fn strtotime(text: &[u8], base: &DateTime) -> Option<DateTime> {
    let parsed = DateFields::of(text)?;
    let wall = parsed.fill(&base.wall());
    let named = matches!(parsed.zone, Some(DateZone::Named(..)));
    // Of an hour that happens twice in a zone that the text names, PHP takes the summer's.
    let summer = (named && parsed.zones > 0).then_some(true);
    let zone = parsed.zone.unwrap_or_else(|| base.zone.clone());
    evaluate(wall, &parsed.relative, zone, summer)
}

/// The instant after everything relative has been applied.
pub(super) fn evaluate(
    wall: WallClock,
    relative: &RelativeChange,
    zone: DateZone,
    summer: Option<bool>,
) -> Option<DateTime> {
    let wall = relative.apply(wall);
    let seconds = zone.instant(wall.seconds(), summer)?;
    Some(DateTime { seconds, micros: u32::try_from(wall.micro).ok()?, zone })
}
