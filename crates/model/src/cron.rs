//! Moments as cron writes them: five fields, in the zone of a clock on the wall.
//!
//! A schedule for every hour follows time as it passes; any other follows the clock: what lies in a gap comes right
//! after it, what lies in an overlap comes once.

use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};

/// The most days that are searched: the 29 February of a year is at most eight years away.
const DAYS: i32 = 366 * 9;

/// Names that stand for five fields.
const NICKNAMES: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const ALL_HOURS: u64 = (1 << 24) - 1;

/// Moments that come again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CronExpression {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// True if a day must be right by its number and by its weekday: one of these fields begins with `*`. Else either
    /// is enough.
    both: bool,
}

/// A field: its name, the least and the greatest number, and names from the least on.
struct CronField {
    name: &'static str,
    least: u32,
    greatest: u32,
    names: &'static [&'static str],
}

const FIELDS: [CronField; 5] = [
    CronField { name: "minute", least: 0, greatest: 59, names: &[] },
    CronField { name: "hour", least: 0, greatest: 23, names: &[] },
    CronField { name: "day of the month", least: 1, greatest: 31, names: &[] },
    CronField { name: "month", least: 1, greatest: 12, names: &MONTHS },
    CronField { name: "day of the week", least: 0, greatest: 7, names: &WEEKDAYS },
];

impl CronExpression {
    /// Reads five fields, or a nickname such as `@daily`. The error is a sentence for whoever configures.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let found = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        if text.starts_with('@') && found.is_none() {
            let names: Vec<&str> = NICKNAMES.iter().map(|(name, _)| *name).collect();
            return Err(format!("{text:?} is none of {}.", names.join(", ")));
        }
        let parts: Vec<&str> = found.map_or(text, |(_, fields)| fields).split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = parts[..] else {
            let count = parts.len();
            return Err(format!(
                "A schedule has five fields (minute, hour, day of the month, month, day of the week); {count} are given."
            ));
        };
        let mut weekday_set = FIELDS[4].read(weekdays)?;
        // Sunday is 0 and 7.
        weekday_set |= weekday_set >> 7;
        let cron = CronExpression {
            minutes: FIELDS[0].read(minutes)?,
            hours: FIELDS[1].read(hours)?,
            days: FIELDS[2].read(days)?,
            months: FIELDS[3].read(months)?,
            weekdays: weekday_set & 0x7F,
            both: days.starts_with('*') || weekdays.starts_with('*'),
        };
        let start = Date::constant(2000, 1, 1);
        if cron.day_from(start).is_none() {
            return Err("There is no such day in any month.".to_owned());
        }
        Ok(cron)
    }

    /// The first moment after another one; none beyond the calendar's end.
    pub fn next(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self.hours == ALL_HOURS { self.next_passing(after, zone) } else { self.next_on_clock(after, zone) }
    }

    /// By time as it passes: what the clock shows twice comes twice, what it leaves out does not come.
    fn next_passing(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let mut moment = whole_minute(&after.to_zoned(zone.clone()))?;
        loop {
            let civil = moment.datetime();
            let day = self.day_from(civil.date())?;
            if day > civil.date() {
                // Where a day begins twice, its beginning may lie behind.
                let begin = day.to_zoned(zone.clone()).ok()?;
                moment = begin.max(whole_minute(&moment)?);
            } else if self.minutes >> civil.minute() & 1 == 1 {
                return Some(moment.timestamp());
            } else {
                moment = whole_minute(&moment)?;
            }
        }
    }

    /// By the clock on the wall: each moment that it should show comes once.
    fn next_on_clock(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let from = after.to_zoned(zone.clone()).datetime();
        let mut day = self.day_from(from.date())?;
        loop {
            let times = (0..24).flat_map(|hour| (0..60).map(move |minute| (hour, minute)));
            let times = times.filter(|(hour, minute)| self.hours >> hour & 1 == 1 && self.minutes >> minute & 1 == 1);
            for (hour, minute) in times {
                let civil = day.at(hour, minute, 0, 0);
                if civil >= from.date().at(from.hour(), from.minute(), 0, 0) {
                    let moment = right_after(civil, zone)?;
                    if moment > after {
                        return Some(moment);
                    }
                }
            }
            day = self.day_from(day.tomorrow().ok()?)?;
        }
    }

    /// The first day from this one on.
    fn day_from(&self, mut day: Date) -> Option<Date> {
        for _ in 0..DAYS {
            let month = self.months >> day.month() & 1 == 1;
            let by_number = self.days >> day.day() & 1 == 1;
            let by_weekday = self.weekdays >> day.weekday().to_sunday_zero_offset() & 1 == 1;
            let right = if self.both { by_number && by_weekday } else { by_number || by_weekday };
            if month && right {
                return Some(day);
            }
            day = day.tomorrow().ok()?;
        }
        None
    }
}

/// The next moment at which the clock shows a whole minute.
fn whole_minute(moment: &Zoned) -> Option<Zoned> {
    let rest = SignedDuration::from_secs(60 - i64::from(moment.second()))
        .checked_sub(SignedDuration::from_nanos(i64::from(moment.subsec_nanosecond())))?;
    moment.checked_add(rest).ok()
}

/// When the clock shows this for the first time; where it leaves it out, when it goes on.
fn right_after(civil: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(civil);
    if !matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. }) {
        return ambiguous.earlier().ok();
    }
    // Read with the offset behind the gap, the moment lies before the gap's end, and after any change before it.
    let before = ambiguous.earlier().ok()?;
    let change = zone.following(before.checked_sub(1.second()).ok()?).next()?;
    Some(change.timestamp())
}

impl CronField {
    /// The numbers of a field, as bits.
    fn read(&self, text: &str) -> Result<u64, String> {
        let mut set = 0;
        for item in text.split(',') {
            let (range, step) = item.split_once('/').map_or((item, None), |(range, step)| (range, Some(step)));
            let (from, to) = match range.split_once('-') {
                _ if range == "*" => (self.least, self.greatest - u32::from(self.greatest == 7)),
                Some((from, to)) => (self.number(from)?, self.number(to)?),
                None if step.is_some() => {
                    return Err(self.wrong(item, "a step needs a range or *: 0-59/15, */15"));
                }
                None => (self.number(range)?, self.number(range)?),
            };
            if from > to {
                return Err(self.wrong(item, "the range goes backwards"));
            }
            let step = match step.map(str::parse::<u32>) {
                None => 1,
                Some(Ok(step)) if step > 0 && step <= self.greatest => step,
                Some(_) => return Err(self.wrong(item, "the step must be a number of what the field has")),
            };
            for number in (from..=to).step_by(usize::try_from(step).unwrap_or(1)) {
                set |= 1_u64 << number;
            }
        }
        Ok(set)
    }

    fn number(&self, text: &str) -> Result<u32, String> {
        let named = self.names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let named = named.and_then(|place| u32::try_from(place).ok()).map(|place| place + self.least);
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = named.or_else(|| text.parse().ok().filter(|_| digits));
        let CronField { least, greatest, .. } = self;
        number
            .filter(|number| (least..=greatest).contains(&number))
            .ok_or_else(|| self.wrong(text, &format!("it has numbers from {least} to {greatest}{}", self.or_names())))
    }

    fn or_names(&self) -> String {
        match (self.names.first(), self.names.last()) {
            (Some(first), Some(last)) => format!(", or names from {first} to {last}"),
            _ => String::new(),
        }
    }

    fn wrong(&self, item: &str, why: &str) -> String {
        format!("{item:?} cannot be the {}: {why}.", self.name)
    }
}

#[cfg(test)]
mod tests;
