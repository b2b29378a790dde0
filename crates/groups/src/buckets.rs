//! Periods by which dates and instants are grouped. Their edges are worked out here, with one database of zones, and
//! both engines compare numbers.

use database::{ColumnType, Sql};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use model::error::{Error, Result};
use model::groups::DatePart;
use model::types::WeekDay;
use query::period;

/// The most periods of a key.
const MOST: usize = 10_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// The number of the first Monday: 1970-01-01 was a Thursday.
const TO_MONDAY: i64 = 3;

/// The periods of a key, from the first that has a row to the last.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    /// The beginning of each period, in milliseconds or days since 1970; of a part that repeats, the changes of the
    /// zone's offset.
    edges: Vec<i64>,
    /// The labels of the periods.
    labels: Vec<String>,
    /// The offset from UTC before each edge and behind the last, in milliseconds.
    offsets: Vec<i64>,
}

/// The calendar by which a key's values are grouped.
#[derive(Clone, Copy)]
pub(crate) struct BucketCalendar<'c> {
    pub(crate) part: DatePart,
    /// True for instants, which are in the zone; else days are.
    pub(crate) instants: bool,
    pub(crate) zone: &'c TimeZone,
    pub(crate) week_start: WeekDay,
}

impl BucketCalendar<'_> {
    /// The column's type.
    pub(crate) fn column(&self) -> ColumnType {
        if self.instants { ColumnType::Timestamp } else { ColumnType::Date }
    }

    /// Returns the periods between two values, which are milliseconds or days since 1970.
    pub(crate) fn between(&self, first: i64, last: i64) -> Result<Buckets> {
        match self.part {
            DatePart::Weekday | DatePart::HourOfDay if self.instants => Ok(self.offsets(first, last)),
            DatePart::Weekday | DatePart::HourOfDay => Ok(Buckets::default()),
            DatePart::Hour => self.hours(first, last),
            _ => self.periods(self.day(first), self.day(last)),
        }
    }

    /// Returns the local time of an instant. The library's instants end a day before the calendar does.
    fn local(&self, millisecond: i64) -> Zoned {
        let end = if millisecond < 0 { Timestamp::MIN } else { Timestamp::MAX };
        Timestamp::from_millisecond(millisecond).unwrap_or(end).to_zoned(self.zone.clone())
    }

    /// Returns the offset from UTC at an instant, in milliseconds.
    fn offset(&self, millisecond: i64) -> i64 {
        i64::from(self.local(millisecond).offset().seconds()) * 1_000
    }

    fn day(&self, value: i64) -> Date {
        let days = if self.instants { (value + self.offset(value)).div_euclid(DAY) } else { value };
        let day = Date::constant(1970, 1, 1).checked_add(days.days());
        day.unwrap_or(if days < 0 { Date::constant(1, 1, 1) } else { Date::MAX })
    }

    fn periods(&self, first: Date, last: Date) -> Result<Buckets> {
        let mut buckets = Buckets::default();
        let mut next = first;
        while next <= last {
            let Some((start, length)) = period::around(self.part, next, self.week_start) else { break };
            let edge = if self.instants { period::start_of(start, self.zone) } else { period::days(start).into() };
            buckets.add(edge, self.label(start))?;
            // The calendar ends with the year 9999.
            let Ok(following) = start.checked_add(length) else { break };
            next = following;
        }
        Ok(buckets)
    }

    fn label(&self, start: Date) -> String {
        match self.part {
            DatePart::Year => format!("{:04}", start.year()),
            DatePart::Quarter => format!("{:04}-Q{}", start.year(), (start.month() - 1) / 3 + 1),
            DatePart::Month => format!("{:04}-{:02}", start.year(), start.month()),
            _ => start.to_string(),
        }
    }

    /// Hours of the clock. One that a change of the zone interrupts is another one behind it.
    fn hours(&self, first: i64, last: i64) -> Result<Buckets> {
        let mut buckets = Buckets::default();
        let start = first - (first + self.offset(first)).rem_euclid(HOUR);
        let mut edge = self.change_after(start).filter(|change| *change <= first).unwrap_or(start);
        while edge <= last {
            let offset = self.offset(edge);
            buckets.add(edge, hour_label(edge + offset, offset))?;
            let next = edge + HOUR - (edge + offset).rem_euclid(HOUR);
            edge = self.change_after(edge).map_or(next, |change| change.min(next));
        }
        Ok(buckets)
    }

    /// Returns the next instant at which the zone's offset may change.
    fn change_after(&self, millisecond: i64) -> Option<i64> {
        let from = Timestamp::from_millisecond(millisecond).ok()?;
        Some(self.zone.following(from).next()?.timestamp().as_millisecond())
    }

    /// The offsets that the zone has between two instants.
    fn offsets(&self, first: i64, last: i64) -> Buckets {
        let mut buckets = Buckets { offsets: vec![self.offset(first)], ..Buckets::default() };
        let start = Timestamp::from_millisecond(first).unwrap_or(Timestamp::MAX);
        let changes = self.zone.following(start).map(|change| change.timestamp().as_millisecond());
        for change in changes.take_while(|change| *change <= last) {
            // Some twenty thousand up to the end of the calendar.
            buckets.offsets.push(self.offset(change));
            buckets.edges.push(change);
        }
        buckets
    }

    /// Appends the number of a value's period, or its part that repeats.
    pub(crate) fn push(&self, sql: &mut Sql, buckets: &Buckets, value: impl Fn(&mut Sql)) {
        match self.part {
            DatePart::Weekday if !self.instants => {
                sql.push("CAST(((");
                sql.day_number(&value).push(" + ").literal(TO_MONDAY).push(") % 7 + 7) % 7 + 1 AS ");
                sql.column_type(ColumnType::Integer).push(")");
            }
            DatePart::Weekday => {
                self.remainder(sql, buckets, TO_MONDAY * DAY, 7 * DAY, value);
                sql.push(" / ").literal(DAY).push(" + 1)");
            }
            DatePart::HourOfDay => {
                self.remainder(sql, buckets, 0, DAY, value);
                sql.push(" / ").literal(HOUR).push(")");
            }
            _ => _ = sql.bucket(self.column(), value, &buckets.edges),
        }
    }

    /// Appends the time that has passed of a span of local time, after an opening parenthesis.
    fn remainder(&self, sql: &mut Sql, buckets: &Buckets, ahead: i64, span: i64, value: impl Fn(&mut Sql)) {
        sql.push("(((CAST(");
        sql.instant_number(&value).push(" AS ").column_type(ColumnType::Integer).push(") + ");
        sql.step(self.column(), &value, &buckets.edges, &buckets.offsets);
        sql.push(" + ").literal(ahead).push(") % ").literal(span).push(" + ").literal(span).push(") % ").literal(span);
    }
}

/// `2026-10-25T02:00+02:00`, of local milliseconds and the offset.
fn hour_label(local: i64, offset: i64) -> String {
    let day = Date::constant(1970, 1, 1).checked_add(local.div_euclid(DAY).days()).unwrap_or(Date::MAX);
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60_000);
    let hour = local.rem_euclid(DAY) / HOUR;
    format!("{day}T{hour:02}:00{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

impl Buckets {
    fn add(&mut self, edge: i64, label: String) -> Result<()> {
        if self.edges.len() == MOST {
            let message = format!(
                "The rows lie in more than {MOST} periods. Filter them by date, or group by a longer part of a date."
            );
            return Err(Error::invalid("groups_too_many", message));
        }
        self.edges.push(edge);
        self.labels.push(label);
        Ok(())
    }

    /// The number of periods.
    pub(crate) fn count(&self) -> usize {
        self.labels.len()
    }

    /// Returns the label of a period by its number, which begins at 1.
    pub(crate) fn label(&self, number: i64) -> Option<&str> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.labels.get(place).map(String::as_str)
    }
}
