//! Days of cells as people write them: 31.12.2026, with a time or without one, and with slashes in an order that the
//! import names.

use super::options::DateOrder;
use jiff::civil::Date;
use model::kinds::ValueFault;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The most bytes of a cell that may be a day.
const LONGEST: usize = 32;

/// The day of a cell in the form of requests, `2026-12-31`; a text that is none stays. With points, the day comes first
/// everywhere. With slashes it does not: without an order that the import names, the cell is refused, and never guessed.
pub(super) fn plain_date(cell: &str, order: Option<DateOrder>) -> Result<Cow<'_, str>, ValueFault> {
    if let Some([day, month, year]) = parts(cell, '.') {
        return Ok(Cow::Owned(format!("{year:04}-{month:02}-{day:02}")));
    }
    let text = cell.trim();
    if !text.contains('/') || text.len() > LONGEST {
        return Ok(Cow::Borrowed(cell));
    }
    if let Some(order) = order {
        return read(text, order).map(|date| Cow::Owned(date.to_string())).ok_or_else(|| unfit(order));
    }
    match [DateOrder::DayFirst, DateOrder::MonthFirst].map(|order| read(text, order)) {
        [None, None] => Ok(Cow::Borrowed(cell)),
        [Some(day_first), None] => Err(unclear(&day_first.to_string(), text, "\"dmy\"")),
        [None, Some(month_first)] => Err(unclear(&month_first.to_string(), text, "\"mdy\"")),
        [Some(one), Some(other)] if one == other => Err(unclear(&one.to_string(), text, "\"dmy\" or \"mdy\"")),
        [Some(one), Some(other)] => Err(unclear(&format!("{one} or {other}"), text, "\"dmy\" or \"mdy\"")),
    }
}

/// The instant of a cell whose day has points, `31.12.2026 8:00`, in the form of requests, `2026-12-31T08:00`; a text that
/// is none stays. What follows the minutes is left to the kind.
pub(super) fn plain_instant(cell: &str) -> Cow<'_, str> {
    if let Some([day, month, year]) = parts(cell, '.') {
        return Cow::Owned(format!("{year:04}-{month:02}-{day:02}"));
    }
    let text = cell.trim();
    let Some((day, time)) = text.rsplit_once(char::is_whitespace).filter(|_| text.len() <= LONGEST) else {
        return Cow::Borrowed(cell);
    };
    let day = parts(day.trim_end().trim_end_matches(','), '.');
    let is_hour = |hour: &str| matches!(hour.len(), 1..=2) && hour.bytes().all(|byte| byte.is_ascii_digit());
    match (day, time.split_once(':')) {
        (Some([day, month, year]), Some((hour, rest))) if is_hour(hour) => {
            Cow::Owned(format!("{year:04}-{month:02}-{day:02}T{hour:0>2}:{rest}"))
        }
        _ => Cow::Borrowed(cell),
    }
}

/// The orders that the days of a column show.
#[derive(Clone, Debug, Default)]
pub struct DayOrders {
    day_first: bool,
    month_first: bool,
    sample: Option<String>,
}

impl DayOrders {
    /// Looks at a cell.
    pub fn note(&mut self, cell: &str) {
        if cell.len() > LONGEST || !cell.contains('/') {
            return;
        }
        match [DateOrder::DayFirst, DateOrder::MonthFirst].map(|order| read(cell, order).is_some()) {
            [false, false] => return,
            [true, true] => {}
            [day_first, month_first] => {
                self.day_first |= day_first;
                self.month_first |= month_first;
            }
        }
        self.sample.get_or_insert_with(|| cell.trim().to_owned());
    }

    /// The order; none where the days do not show it, or not the same.
    pub fn order(&self) -> Option<DateOrder> {
        match (self.day_first, self.month_first) {
            (true, false) => Some(DateOrder::DayFirst),
            (false, true) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// The first day with slashes.
    pub fn sample(&self) -> Option<&str> {
        self.sample.as_deref()
    }
}

/// Reads a day with slashes in this order; none where the calendar has no such day.
fn read(text: &str, order: DateOrder) -> Option<Date> {
    let [first, second, year] = parts(text, '/')?;
    let (day, month) = match order {
        DateOrder::DayFirst => (first, second),
        DateOrder::MonthFirst => (second, first),
    };
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

/// The three numbers of a day by a sign, of which the last has four digits.
fn parts(text: &str, sign: char) -> Option<[u16; 3]> {
    let mut parts = text.trim().split(sign).map(str::trim);
    let mut part = |lengths: RangeInclusive<usize>| {
        let part = parts.next().filter(|part| lengths.contains(&part.len()))?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then_some(part)?.parse().ok()
    };
    let found = [part(1..=2)?, part(1..=2)?, part(4..=4)?];
    parts.next().is_none().then_some(found)
}

fn unfit(order: DateOrder) -> ValueFault {
    let example = match order {
        DateOrder::DayFirst => "31/12/2026",
        DateOrder::MonthFirst => "12/31/2026",
    };
    let message = format!("must be a date such as {example}, as the import has dates {:?}", order.word());
    ValueFault::new("date_unclear", message)
}

fn unclear(days: &str, text: &str, words: &str) -> ValueFault {
    let message = format!("is {days} where the file has {text:?}: set dates to {words} for the import");
    ValueFault::new("date_unclear", message)
}

#[cfg(test)]
mod tests {
    use super::DateOrder::{DayFirst, MonthFirst};
    use super::{DayOrders, plain_date, plain_instant};

    #[test]
    fn days_are_read_by_the_order_that_is_named() {
        for (text, without, day_first, month_first) in [
            ("31.12.2026", Some("2026-12-31"), Some("2026-12-31"), Some("2026-12-31")),
            (" 1. 2. 2026", Some("2026-02-01"), Some("2026-02-01"), Some("2026-02-01")),
            ("31.12.26", Some("31.12.26"), Some("31.12.26"), Some("31.12.26")),
            ("1.2.2026.3", Some("1.2.2026.3"), Some("1.2.2026.3"), Some("1.2.2026.3")),
            ("+1.2.2026", Some("+1.2.2026"), Some("+1.2.2026"), Some("+1.2.2026")),
            ("2026-12-31", Some("2026-12-31"), Some("2026-12-31"), Some("2026-12-31")),
            ("31/12/2026", None, Some("2026-12-31"), None),
            ("12/31/2026", None, None, Some("2026-12-31")),
            ("1/2/2026", None, Some("2026-02-01"), Some("2026-01-02")),
            (" 5 / 05 / 2026", None, Some("2026-05-05"), Some("2026-05-05")),
            ("29/2/2024", None, Some("2024-02-29"), None),
            ("29/2/2026", Some("29/2/2026"), None, None),
            ("31/12/26", Some("31/12/26"), None, None),
            ("2026/12/31", Some("2026/12/31"), None, None),
            ("a/b", Some("a/b"), None, None),
            ("1/2/2026/3", Some("1/2/2026/3"), None, None),
        ] {
            let read = |order| plain_date(text, order).ok().map(|date| date.into_owned());
            let expected = [without, day_first, month_first].map(|date| date.map(str::to_owned));
            assert_eq!([None, Some(DayFirst), Some(MonthFirst)].map(read), expected, "{text}");
        }
        let long = format!("1/2/2026{}", " ".repeat(50)) + "x";
        assert_eq!(plain_date(&long, Some(DayFirst)).unwrap(), long);
    }

    #[test]
    fn instants_with_points_have_the_form_of_requests() {
        for (text, instant) in [
            ("15.12.2026 8:00", "2026-12-15T08:00"),
            ("15.12.2026 08:00:00", "2026-12-15T08:00:00"),
            (" 5. 1. 2026  8:05:06.5+01:00 ", "2026-01-05T08:05:06.5+01:00"),
            ("15.12.2026, 18:00", "2026-12-15T18:00"),
            ("15.12.2026", "2026-12-15"),
            ("15.12.26 8:00", "15.12.26 8:00"),
            ("15.12.2026 800:00", "15.12.2026 800:00"),
            ("15.12.2026 8", "15.12.2026 8"),
            ("15.12.2026 :00", "15.12.2026 :00"),
            ("15/12/2026 8:00", "15/12/2026 8:00"),
            ("2026-12-15 8:00", "2026-12-15 8:00"),
            (" x", " x"),
            ("", ""),
        ] {
            assert_eq!(plain_instant(text), instant);
        }
        let long = format!("1.2.2026{}8:00", " ".repeat(50));
        assert_eq!(plain_instant(&long), long);
    }

    #[test]
    fn an_order_is_seen_where_a_part_is_over_twelve() {
        for (cells, order, sample) in [
            (&["1/2/2026", "13/2/2026", "x"][..], Some(DayFirst), Some("1/2/2026")),
            (&["", "1/2/2026", "2/13/2026"], Some(MonthFirst), Some("1/2/2026")),
            (&["1/2/2026", "12/12/2026"], None, Some("1/2/2026")),
            (&["13/2/2026", "2/13/2026"], None, Some("13/2/2026")),
            (&["a/b", "31.12.2026", "13/13/2026"], None, None),
        ] {
            let mut orders = DayOrders::default();
            cells.iter().for_each(|cell| orders.note(cell));
            assert_eq!((orders.order(), orders.sample()), (order, sample), "{cells:?}");
        }
    }
}
