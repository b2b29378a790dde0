//! The difference of two dates in years to microseconds, with PHP's way of borrowing.

use super::civil::{DAY, WallClock, month_length};
use super::{DateInterval, DateTime, DateZone};

/// From the first date to the second; `invert` says that the first is the later one.
pub fn difference(first: &DateTime, second: &DateTime) -> DateInterval {
    let (first, second) = (DateSide::of(first), DateSide::of(second));
    let named = same_name(&first.date.zone, &second.date.zone);
    let swapped = if named {
        first.wall > second.wall
    } else {
        (first.date.seconds, first.date.micros) > (second.date.seconds, second.date.micros)
    };
    let (earlier, later) = if swapped { (&second, &first) } else { (&first, &second) };
    let mut parts = DateParts::between(&earlier.wall, &later.wall);
    let instant = |side: &DateSide<'_>| i128::from(side.date.seconds) * 1_000_000 + i128::from(side.date.micros);
    let elapsed = (instant(later) - instant(earlier)).abs();
    let days = (days(earlier, later), elapsed);
    let mut invert = swapped;
    let correction = i128::from(later.offset) - i128::from(earlier.offset);
    if !named {
        parts.second -= correction;
        parts.borrow(if invert { &earlier.wall } else { &later.wall }, invert);
        return parts.interval(invert, days);
    }
    if later.date.seconds < earlier.date.seconds {
        // The hour that happens twice: the clock went on, time did not.
        let real = (parts.minute * 60 + parts.second - correction).abs();
        (parts.hour, parts.minute, parts.second) = (real / 3600, real / 60 % 60, real % 60);
        invert = !invert;
    }
    parts.borrow(if invert { &earlier.wall } else { &later.wall }, invert);
    correct_for_summer(&mut parts, earlier, later, correction);
    parts.interval(invert, days)
}

/// One of the two dates.
struct DateSide<'d> {
    date: &'d DateTime,
    wall: WallClock,
    offset: i32,
    summer: bool,
}

impl<'d> DateSide<'d> {
    fn of(date: &'d DateTime) -> Self {
        let period = date.zone.period(date.seconds.into());
        DateSide { date, wall: date.wall(), offset: period.offset, summer: period.summer }
    }
}

/// Clock changes between the dates, where both have the same named zone.
fn correct_for_summer(parts: &mut DateParts, earlier: &DateSide<'_>, later: &DateSide<'_>, correction: i128) {
    let (from, to) = (i128::from(earlier.date.seconds), i128::from(later.date.seconds));
    let (hours, minutes) = (correction / 3600, correction % 3600 / 60);
    match (earlier.summer, later.summer) {
        (true, false) if to - from + correction < DAY => {
            parts.hour -= hours;
            parts.minute -= minutes;
        }
        (true, false) => {}
        (false, true) => {
            let Some(start) = later.date.zone.start(to) else { return };
            let tomorrow = from + DAY;
            let skipped = tomorrow > start && tomorrow <= start + correction;
            if !skipped && to >= start && (to - from + correction) % DAY > to - start {
                parts.hour -= hours;
                parts.minute -= minutes;
            }
        }
        _ if to - from >= DAY => {
            let probe = to - i128::from(later.offset);
            let Some(start) = later.date.zone.start(probe) else { return };
            let gone = i128::from(earlier.offset) - i128::from(later.date.zone.period(probe).offset);
            if to >= start - gone && to < start {
                parts.day -= 1;
                parts.hour = 24;
            }
        }
        _ => {}
    }
}

/// Whole days between two dates: on the clock where they share it, otherwise in time.
fn days(earlier: &DateSide<'_>, later: &DateSide<'_>) -> i64 {
    let days = if same_zone(&earlier.date.zone, &later.date.zone) {
        let instant = |side: &DateSide<'_>| (side.date.seconds, side.date.micros);
        let (first, last) = if instant(earlier) < instant(later) { (earlier, later) } else { (later, earlier) };
        let days = (earlier.wall.days() - later.wall.days()).abs();
        let time = |side: &DateSide<'_>| (side.wall.time(), side.wall.micro);
        if time(last) < time(first) && days > 0 { days - 1 } else { days }
    } else {
        (i128::from(earlier.date.seconds) - i128::from(later.date.seconds)).abs() / DAY
    };
    i64::try_from(days).unwrap_or(i64::MAX)
}

fn same_name(first: &DateZone, second: &DateZone) -> bool {
    matches!((first, second), (DateZone::Named(first, _), DateZone::Named(second, _)) if first == second)
}

fn same_zone(first: &DateZone, second: &DateZone) -> bool {
    match (first, second) {
        (DateZone::Abbreviation(_, first, _), DateZone::Abbreviation(_, second, _)) => first == second,
        (DateZone::Offset(first), DateZone::Offset(second)) => first == second,
        _ => same_name(first, second),
    }
}

struct DateParts {
    year: i128,
    month: i128,
    day: i128,
    hour: i128,
    minute: i128,
    second: i128,
    micro: i128,
}

impl DateParts {
    fn between(earlier: &WallClock, later: &WallClock) -> Self {
        DateParts {
            year: later.year - earlier.year,
            month: later.month - earlier.month,
            day: later.day - earlier.day,
            hour: later.hour - earlier.hour,
            minute: later.minute - earlier.minute,
            second: later.second - earlier.second,
            micro: later.micro - earlier.micro,
        }
    }

    /// Makes every part fit. Days borrow the months before the later date, walking back; inverted, the earlier
    /// date's own month, walking on.
    fn borrow(&mut self, base: &WallClock, invert: bool) {
        carry(&mut self.micro, &mut self.second, 1_000_000);
        carry(&mut self.second, &mut self.minute, 60);
        carry(&mut self.minute, &mut self.hour, 60);
        carry(&mut self.hour, &mut self.day, 24);
        carry(&mut self.month, &mut self.year, 12);
        let (mut year, mut month) = (base.year, base.month);
        // A clock's difference is at most some days below zero, so this ends soon.
        while self.day < 0 {
            if !invert {
                (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
            }
            self.day += month_length(year, month);
            self.month -= 1;
            if invert {
                (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            }
        }
        carry(&mut self.month, &mut self.year, 12);
    }

    fn interval(&self, invert: bool, (days, elapsed): (i64, i128)) -> DateInterval {
        let part = |value: i128| i64::try_from(value).unwrap_or(i64::MAX);
        DateInterval {
            y: part(self.year),
            m: part(self.month),
            d: part(self.day),
            h: part(self.hour),
            i: part(self.minute),
            s: part(self.second),
            f: part(self.micro),
            invert,
            days: Some(days),
            elapsed: Some(elapsed),
        }
    }
}

fn carry(part: &mut i128, next: &mut i128, size: i128) {
    *next += part.div_euclid(size);
    *part = part.rem_euclid(size);
}
