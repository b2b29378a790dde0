//! Zones: what they are called, what their offset is, and which instant a wall clock means.

use super::DateZone;
use super::abbreviations::ABBREVIATIONS;
use super::civil::{CYCLE, DAY};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::sync::{Arc, LazyLock};

static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The offset and the summer time of a zone at an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ZonePeriod {
    /// Seconds east of UTC.
    pub(super) offset: i32,
    /// True if it is summer time.
    pub(super) summer: bool,
}

impl DateZone {
    /// The zone that an identifier, an abbreviation or an offset names.
    pub fn parse(text: &str) -> Option<DateZone> {
        if let Some(rest) = text.strip_prefix(['+', '-']) {
            let seconds = offset_of(rest.as_bytes())?;
            return Some(DateZone::Offset(if text.starts_with('-') { -seconds } else { seconds }));
        }
        DateZone::abbreviation(text).or_else(|| DateZone::named(text))
    }

    /// The zone of the IANA database with this name, in any case.
    pub fn named(name: &str) -> Option<DateZone> {
        if name.eq_ignore_ascii_case("UTC") {
            return Some(DateZone::Named("UTC".into(), TimeZone::UTC));
        }
        let zone = DATABASE.get(name).ok().filter(|zone| !zone.is_unknown())?;
        let name = zone.iana_name().unwrap_or(name).into();
        Some(DateZone::Named(name, zone))
    }

    /// The zone that an abbreviation means; `UTC` in capitals is an identifier.
    pub(super) fn abbreviation(text: &str) -> Option<DateZone> {
        if text == "UTC" {
            return DateZone::named(text);
        }
        // What is longer than any abbreviation needs no copy.
        if text.len() > 6 {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let place = ABBREVIATIONS.binary_search_by(|(name, ..)| (*name).cmp(&lower)).ok()?;
        let (_, offset, summer) = ABBREVIATIONS[place];
        Some(DateZone::Abbreviation(text.to_ascii_uppercase().into(), offset, summer))
    }

    /// Of jiff's.
    pub fn of(zone: &TimeZone) -> DateZone {
        match zone.iana_name() {
            Some(name) => DateZone::Named(name.into(), zone.clone()),
            None => match zone.to_fixed_offset() {
                Ok(offset) => DateZone::Offset(offset.seconds()),
                Err(_) => DateZone::Named("UTC".into(), TimeZone::UTC),
            },
        }
    }

    /// Returns the zone's period at an instant, however far.
    pub(super) fn period(&self, seconds: i128) -> ZonePeriod {
        match self {
            DateZone::Named(name, zone) => {
                let info = zone.to_offset_info(within(seconds).0);
                let offset = info.offset().seconds();
                let summer = winter_time(name, seconds, offset).unwrap_or_else(|| info.dst().is_dst());
                ZonePeriod { offset, summer }
            }
            DateZone::Abbreviation(_, offset, summer) => ZonePeriod { offset: *offset, summer: *summer },
            DateZone::Offset(offset) => ZonePeriod { offset: *offset, summer: false },
        }
    }

    /// Returns the name that people give the zone at an instant: `CEST`, `-03`, `GMT+0545`.
    pub(super) fn short_name(&self, seconds: i128) -> String {
        match self {
            DateZone::Named(_, zone) => zone.to_offset_info(within(seconds).0).abbreviation().to_owned(),
            DateZone::Abbreviation(name, ..) => name.to_string(),
            DateZone::Offset(offset) => {
                let (sign, size) = (if *offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
                format!("GMT{sign}{:02}{:02}", size / 3600, size / 60 % 60)
            }
        }
    }

    /// When the period that holds an instant began; none where it is the first one, or the zone has but one.
    pub(super) fn start(&self, seconds: i128) -> Option<i128> {
        let DateZone::Named(_, zone) = self else { return None };
        let (instant, shift) = within(seconds);
        // `preceding` gives what lies strictly before.
        let after = Timestamp::from_second(instant.as_second() + 1).ok()?;
        let start = zone.preceding(after).next()?;
        Some(i128::from(start.timestamp().as_second()) + shift)
    }

    /// The instant that a wall clock means, given as seconds since 1970-01-01 00:00:00 on it. PHP's own rule:
    /// what a gap skips moves forward; what happens twice is the second east of UTC and the first west of it,
    /// unless `summer` says which one was meant.
    pub(super) fn instant(&self, local: i128, summer: Option<bool>) -> Option<i64> {
        let guess = self.period(local);
        if !matches!(self, DateZone::Named(..)) {
            return i64::try_from(local - i128::from(guess.offset)).ok();
        }
        let first = i128::from(guess.offset);
        let mut probe = local - first;
        let mut second = i128::from(self.period(probe).offset);
        let meant = summer.filter(|_| first == second).and_then(|summer| self.occurrence(local, &guess, summer));
        if let Some(meant) = meant {
            probe = meant;
            second = i128::from(self.period(probe).offset);
        }
        let mut offset = first;
        if first != second {
            let skipped = self
                .start(probe)
                .is_some_and(|start| local - second >= start + first - second && local - second < start);
            if !skipped {
                offset = second;
            }
        }
        i64::try_from(local - offset).ok()
    }

    /// The instant to take the offset from where the clock shows a time twice and `summer` tells which is meant.
    fn occurrence(&self, local: i128, guess: &ZonePeriod, summer: bool) -> Option<i128> {
        let offset = i128::from(guess.offset);
        if offset >= 0 && summer && !guess.summer {
            let earlier = local - offset - 7200;
            let before = i128::from(self.period(earlier).offset);
            let start = self.start(local - offset)?;
            (before != offset && local - before < start).then_some(earlier)
        } else if offset <= 0 && guess.summer && !summer {
            let later = local - offset + 7200;
            let after = i128::from(self.period(later).offset);
            let start = self.start(later)?;
            (after != offset && local - after >= start).then_some(later)
        } else {
            None
        }
    }
}

/// Some laws put clocks back in winter rather than forward in summer, so that the winter's time is the special one.
/// PHP says so, as the IANA's main data does; the data that we have tell it the other way round.
fn winter_time(name: &str, seconds: i128, offset: i32) -> Option<bool> {
    match name {
        "Europe/Dublin" | "Eire" if seconds >= 57_722_400 => Some(offset == 0),
        "Africa/Casablanca" | "Africa/El_Aaiun" if seconds >= 1_540_692_000 => Some(offset == 0),
        "Africa/Windhoek" if (764_200_800..1_508_796_000).contains(&seconds) => Some(offset == 3600),
        // The winter of 1946.
        "Europe/Prague" | "Europe/Bratislava" if offset == 0 => Some(true),
        _ => None,
    }
}

/// Seconds of an offset without its sign: `5`, `0530`, `5:30`, `05:30`, `053000`, `05:30:00`.
pub(super) fn offset_of(text: &[u8]) -> Option<i32> {
    if !text.iter().all(|byte| byte.is_ascii_digit() || *byte == b':') {
        return None;
    }
    let number = |from: usize| {
        text[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .fold(0_i32, |sum, byte| sum.saturating_mul(10).saturating_add(i32::from(byte - b'0')))
    };
    let colon = |place: usize| text.get(place) == Some(&b':');
    match text.len() {
        1 | 2 => Some(number(0) * 3600),
        3 | 4 if colon(1) => Some(number(0) * 3600 + number(2) * 60),
        3..=5 if colon(2) => Some(number(0) * 3600 + number(3) * 60),
        3 | 4 => Some(number(0) / 100 * 3600 + number(0) % 100 * 60),
        6 => Some(number(0) / 10_000 * 3600 + number(0) / 100 % 100 * 60 + number(0) % 100),
        8 if colon(2) && colon(5) => Some(number(0) * 3600 + number(3) * 60 + number(6)),
        _ => None,
    }
}

/// An instant of jiff's range at which zones do the same, and the seconds between the two. Rules repeat with the
/// calendar; before the first of them nothing changes.
fn within(seconds: i128) -> (Timestamp, i128) {
    // The years 9492 to 9892: one cycle in which rules alone hold, within jiff's range.
    const FROM: i128 = 250_000_000_000 - CYCLE * DAY;
    const END: i128 = 250_000_000_000;
    let mapped = match seconds {
        ..=-377_000_000_000 => -377_000_000_000,
        END.. => FROM + (seconds - FROM).rem_euclid(CYCLE * DAY),
        _ => seconds,
    };
    let second = i64::try_from(mapped).unwrap_or_default();
    (Timestamp::from_second(second).unwrap_or_default(), seconds - mapped)
}

impl From<&TimeZone> for DateZone {
    fn from(zone: &TimeZone) -> Self {
        DateZone::of(zone)
    }
}

/// The name that `e` shows.
pub(super) fn full_name(zone: &DateZone) -> Arc<str> {
    match zone {
        DateZone::Named(name, _) => name.clone(),
        DateZone::Abbreviation(name, ..) => name.clone(),
        DateZone::Offset(offset) => {
            let (sign, size) = (if *offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
            format!("{sign}{:02}:{:02}", size / 3600, size / 60 % 60).into()
        }
    }
}
