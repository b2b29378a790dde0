//! Reading the parts of one token: numbers, names, zones.

use super::DateZone;
use super::relative::{RelativeChange, WeekdaySearch};
use super::zone::offset_of;

/// The unit that an amount counts.
#[derive(Clone, Copy)]
pub(super) enum TimeUnit {
    /// The part that it is added to, and how often.
    Of(fn(&mut RelativeChange) -> &mut i64, i64),
    /// A weekday, 0 is Sunday.
    Weekday(i64),
    /// Monday to Friday.
    BusinessDays,
}

/// A token, read from left to right. Behind its end are zeros.
pub(super) struct DateToken<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> DateToken<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        DateToken { text, at: 0 }
    }

    pub(super) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.peek() == 0
    }

    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) -> &'t [u8] {
        let from = self.at;
        while !self.at_end() && skip(self.peek()) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    /// The next digits, at most so many, as text.
    fn digits(&mut self, most: usize) -> Option<&'t [u8]> {
        self.skip_while(|byte| !byte.is_ascii_digit());
        let from = self.at;
        while self.at - from < most && self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > from).then(|| &self.text[from..self.at])
    }

    /// The next number of at most so many digits.
    pub(super) fn number(&mut self, most: usize) -> Option<i64> {
        value(self.digits(most)?)
    }

    /// The next year: with less than four digits below 100, of the century around 2000.
    pub(super) fn year(&mut self) -> Option<i64> {
        let digits = self.digits(4)?;
        let year = value(digits)?;
        Some(match (digits.len(), year) {
            (4.., year) => year,
            (_, 0..70) => year + 2000,
            (_, 70..100) => year + 1900,
            _ => year,
        })
    }

    /// The next number with its signs, which multiply.
    pub(super) fn signed(&mut self, most: usize) -> Option<i64> {
        self.skip_while(|byte| !byte.is_ascii_digit() && byte != b'+' && byte != b'-');
        let signs = self.skip_while(|byte| byte == b'+' || byte == b'-');
        let negative = signs.iter().filter(|byte| **byte == b'-').count() % 2 == 1;
        let digits = self.digits(most)?;
        digits.iter().try_fold(0_i64, |sum, digit| {
            let digit = i64::from(digit - b'0');
            let sum = sum.checked_mul(10)?;
            if negative { sum.checked_sub(digit) } else { sum.checked_add(digit) }
        })
    }

    /// Microseconds of a fraction that follows its point; further digits are cut off.
    pub(super) fn fraction(&mut self) -> Option<i64> {
        let digits = self.digits(usize::MAX)?;
        let shown = &digits[..digits.len().min(6)];
        let missing = 6 - u32::try_from(shown.len()).ok()?;
        Some(value(shown)? * 10_i64.pow(missing))
    }

    /// Returns the hours that `am` and `pm` add to an hour.
    pub(super) fn meridian(&mut self, hour: i64) -> i64 {
        self.skip_while(|byte| !b"AaPp".contains(&byte));
        match self.peek() {
            b'a' | b'A' if hour == 12 => -12,
            b'a' | b'A' => 0,
            _ if hour == 12 => 0,
            _ => 12,
        }
    }

    /// Spaces, tabs and the two sorts of spaces that do not break lines.
    pub(super) fn skip_spaces(&mut self) {
        loop {
            let rest = &self.text[self.at.min(self.text.len())..];
            self.at += match rest {
                [b' ' | b'\t', ..] => 1,
                [0xC2, 0xA0, ..] => 2,
                [0xE2, 0x80, 0xAF, ..] => 3,
                _ => return,
            };
        }
    }

    /// `st`, `nd`, `rd`, `th` behind a day.
    pub(super) fn skip_suffix(&mut self) {
        let pair = [self.peek().to_ascii_lowercase(), self.peek_at(1).to_ascii_lowercase()];
        if [*b"st", *b"nd", *b"rd", *b"th"].contains(&pair) {
            self.at += 2;
        }
    }

    /// The month that the next name means.
    pub(super) fn month(&mut self) -> Option<i64> {
        self.skip_while(|byte| b" \t-./".contains(&byte));
        let name = self.skip_while(|byte| byte.is_ascii_alphabetic());
        let place = MONTHS.iter().position(|names| names.iter().any(|other| same(other, name)));
        Some(place.map_or(0, |place| place as i64 + 1))
    }

    /// The amount that `next`, `third` or `last` is, and how a weekday behind it is looked for.
    pub(super) fn word(&mut self) -> (i64, WeekdaySearch) {
        self.skip_while(|byte| b" \t-/".contains(&byte));
        let name = self.skip_while(|byte| byte.is_ascii_alphabetic());
        let amount = |(_, amount): &(&str, i64)| *amount;
        match WORDS.iter().find(|(word, _)| same(word, name)).map_or(0, amount) {
            0 => (0, WeekdaySearch::OnOrAfter),
            amount => (amount, WeekdaySearch::After),
        }
    }

    /// The unit that follows.
    pub(super) fn unit(&mut self) -> Option<TimeUnit> {
        let name = self.skip_while(|byte| !b" ,\t;:/.-()".contains(&byte));
        UNITS.iter().find(|(unit, _)| same(unit, name)).map(|(_, unit)| *unit)
    }

    /// The zone that follows; none where nobody knows it.
    pub(super) fn zone(&mut self) -> Option<DateZone> {
        self.skip_spaces();
        self.skip_while(|byte| b" \t(".contains(&byte));
        if self.text[self.at..].starts_with(b"GMT") && matches!(self.peek_at(3), b'+' | b'-') {
            self.at += 3;
        }
        let sign = self.peek();
        if sign == b'+' || sign == b'-' {
            self.at += 1;
            let seconds = offset_of(self.skip_while(|byte| byte.is_ascii_digit() || byte == b':'))?;
            return Some(DateZone::Offset(if sign == b'-' { -seconds } else { seconds }));
        }
        let name = self.skip_while(|byte| byte.is_ascii_alphanumeric() || b"/_-+".contains(&byte));
        let name = std::str::from_utf8(name).ok()?;
        DateZone::abbreviation(name).or_else(|| DateZone::named(name))
    }
}

fn value(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0_i64, |sum, digit| sum.checked_mul(10)?.checked_add(i64::from(digit - b'0')))
}

fn same(name: &str, other: &[u8]) -> bool {
    name.as_bytes().eq_ignore_ascii_case(other)
}

const MONTHS: [&[&str]; 12] = [
    &["jan", "january", "i"],
    &["feb", "february", "ii"],
    &["mar", "march", "iii"],
    &["apr", "april", "iv"],
    &["may", "v"],
    &["jun", "june", "vi"],
    &["jul", "july", "vii"],
    &["aug", "august", "viii"],
    &["sep", "sept", "september", "ix"],
    &["oct", "october", "x"],
    &["nov", "november", "xi"],
    &["dec", "december", "xii"],
];

const WORDS: [(&str, i64); 17] = [
    ("first", 1),
    ("next", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eight", 8),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("last", -1),
    ("previous", -1),
    ("this", 0),
];

const MICRO: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.micros;
const SECOND: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.seconds;
const MINUTE: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.minutes;
const HOUR: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.hours;
const DAY: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.days;
const MONTH: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.months;
const YEAR: fn(&mut RelativeChange) -> &mut i64 = |relative| &mut relative.years;

const UNITS: &[(&str, TimeUnit)] = &[
    ("ms", TimeUnit::Of(MICRO, 1000)),
    ("msec", TimeUnit::Of(MICRO, 1000)),
    ("msecs", TimeUnit::Of(MICRO, 1000)),
    ("millisecond", TimeUnit::Of(MICRO, 1000)),
    ("milliseconds", TimeUnit::Of(MICRO, 1000)),
    ("µs", TimeUnit::Of(MICRO, 1)),
    ("µsec", TimeUnit::Of(MICRO, 1)),
    ("µsecs", TimeUnit::Of(MICRO, 1)),
    ("usec", TimeUnit::Of(MICRO, 1)),
    ("usecs", TimeUnit::Of(MICRO, 1)),
    ("microsecond", TimeUnit::Of(MICRO, 1)),
    ("microseconds", TimeUnit::Of(MICRO, 1)),
    ("sec", TimeUnit::Of(SECOND, 1)),
    ("secs", TimeUnit::Of(SECOND, 1)),
    ("second", TimeUnit::Of(SECOND, 1)),
    ("seconds", TimeUnit::Of(SECOND, 1)),
    ("min", TimeUnit::Of(MINUTE, 1)),
    ("mins", TimeUnit::Of(MINUTE, 1)),
    ("minute", TimeUnit::Of(MINUTE, 1)),
    ("minutes", TimeUnit::Of(MINUTE, 1)),
    ("hour", TimeUnit::Of(HOUR, 1)),
    ("hours", TimeUnit::Of(HOUR, 1)),
    ("day", TimeUnit::Of(DAY, 1)),
    ("days", TimeUnit::Of(DAY, 1)),
    ("week", TimeUnit::Of(DAY, 7)),
    ("weeks", TimeUnit::Of(DAY, 7)),
    ("fortnight", TimeUnit::Of(DAY, 14)),
    ("fortnights", TimeUnit::Of(DAY, 14)),
    ("forthnight", TimeUnit::Of(DAY, 14)),
    ("forthnights", TimeUnit::Of(DAY, 14)),
    ("month", TimeUnit::Of(MONTH, 1)),
    ("months", TimeUnit::Of(MONTH, 1)),
    ("year", TimeUnit::Of(YEAR, 1)),
    ("years", TimeUnit::Of(YEAR, 1)),
    ("sun", TimeUnit::Weekday(0)),
    ("sunday", TimeUnit::Weekday(0)),
    ("sundays", TimeUnit::Weekday(0)),
    ("mon", TimeUnit::Weekday(1)),
    ("monday", TimeUnit::Weekday(1)),
    ("mondays", TimeUnit::Weekday(1)),
    ("tue", TimeUnit::Weekday(2)),
    ("tuesday", TimeUnit::Weekday(2)),
    ("tuesdays", TimeUnit::Weekday(2)),
    ("wed", TimeUnit::Weekday(3)),
    ("wednesday", TimeUnit::Weekday(3)),
    ("wednesdays", TimeUnit::Weekday(3)),
    ("thu", TimeUnit::Weekday(4)),
    ("thursday", TimeUnit::Weekday(4)),
    ("thursdays", TimeUnit::Weekday(4)),
    ("fri", TimeUnit::Weekday(5)),
    ("friday", TimeUnit::Weekday(5)),
    ("fridays", TimeUnit::Weekday(5)),
    ("sat", TimeUnit::Weekday(6)),
    ("saturday", TimeUnit::Weekday(6)),
    ("saturdays", TimeUnit::Weekday(6)),
    ("weekday", TimeUnit::BusinessDays),
    ("weekdays", TimeUnit::BusinessDays),
];
