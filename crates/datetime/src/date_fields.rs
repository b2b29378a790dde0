//! The contents of a date text: the fields that it names, filled token by token.

use super::DateZone;
use super::civil::{WallClock, month_length};
use super::patterns;
use super::relative::RelativeChange;
use super::token::DateToken;

/// The fields that a text names; those that it does not are none.
#[derive(Debug, Clone, Default)]
pub(super) struct DateFields {
    pub(super) year: Option<i64>,
    pub(super) month: Option<i64>,
    pub(super) day: Option<i64>,
    pub(super) hour: Option<i64>,
    pub(super) minute: Option<i64>,
    pub(super) second: Option<i64>,
    pub(super) micro: Option<i64>,
    pub(super) zone: Option<DateZone>,
    pub(super) relative: RelativeChange,
    /// The number of times that were named: the second `hhmm` is a year.
    pub(super) times: u32,
    pub(super) dates: bool,
    pub(super) zones: u32,
    /// True if PHP would warn: a second zone, or a date or time that rolls over.
    pub(super) doubtful: bool,
}

impl DateFields {
    /// Reads a text; none where it is not a date.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let trimmed = trim(text);
        if text.is_empty() {
            return None;
        }
        if let Some(parsed) = DateFields::of_iso(trimmed) {
            return Some(parsed);
        }
        // Some tokens want to see the end.
        let mut ended = Vec::with_capacity(trimmed.len() + 1);
        ended.extend_from_slice(trimmed);
        ended.push(0);
        let mut parsed = DateFields::default();
        for token in patterns::tokens(&ended) {
            let (rule, token) = token?;
            parsed.take(rule, &mut DateToken::of(token))?;
        }
        parsed.doubtful |= parsed.rolls_over();
        Some(parsed)
    }

    /// Reads what nearly every text is, `2024-02-29` or `2024-02-29 12:34:56`, without looking for tokens.
    fn of_iso(text: &[u8]) -> Option<Self> {
        let two = |place: usize, end: i64| {
            let digits = text.get(place..place + 2).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
            let value = i64::from(digits[0] - b'0') * 10 + i64::from(digits[1] - b'0');
            (value < end).then_some(value)
        };
        let at = |places: [usize; 2], mark: u8| places.iter().all(|place| text.get(*place) == Some(&mark));
        if !at([4, 7], b'-') {
            return None;
        }
        let mut parsed = DateFields { dates: true, ..DateFields::default() };
        parsed.year = Some(two(0, 100)? * 100 + two(2, 100)?);
        (parsed.month, parsed.day) = (Some(two(5, 13)?), Some(two(8, 32)?));
        match text.len() {
            10 => {}
            19 if at([13, 16], b':') && matches!(text[10], b' ' | b'T') => {
                parsed.times = 1;
                (parsed.hour, parsed.minute, parsed.second) =
                    (Some(two(11, 25)?), Some(two(14, 60)?), Some(two(17, 61)?));
                parsed.micro = Some(0);
            }
            _ => return None,
        }
        parsed.doubtful = parsed.rolls_over();
        Some(parsed)
    }

    /// The reading with what the text leaves open taken from a base, before anything relative.
    pub(super) fn fill(&self, base: &WallClock) -> WallClock {
        let midnight = self.dates && self.times == 0;
        let open = |value: i128| if midnight { 0 } else { value };
        let named = [self.year, self.month, self.day, self.hour, self.minute, self.second];
        let micro = if midnight || named.iter().any(Option::is_some) { 0 } else { base.micro };
        let or = |field: Option<i64>, value: i128| field.map_or(value, i128::from);
        let time = |field: Option<i64>, value: i128| if midnight { 0 } else { or(field, open(value)) };
        WallClock {
            year: or(self.year, base.year),
            month: or(self.month, base.month),
            day: or(self.day, base.day),
            hour: time(self.hour, base.hour),
            minute: time(self.minute, base.minute),
            second: time(self.second, base.second),
            micro: if midnight { 0 } else { or(self.micro, micro) },
        }
    }

    /// Returns true if the text says 1970-01-01 00:00 UTC before anything relative, as a timestamp (`@0`) does.
    pub(super) fn at_epoch(&self) -> bool {
        let date = (self.year, self.month, self.day) == (Some(1970), Some(1), Some(1));
        let time = (self.hour, self.minute, self.second, self.micro) == (Some(0), Some(0), Some(0), Some(0));
        date && time && self.zones > 0 && matches!(self.zone, Some(DateZone::Offset(0)))
    }

    fn rolls_over(&self) -> bool {
        let day = || {
            // Where no year is named, there is no 29th of February.
            let (year, month, day) = (self.year.unwrap_or(1), self.month?, self.day?);
            let valid = (1..=12).contains(&month) && day >= 1;
            (valid && i128::from(day) <= month_length(year.into(), month.into())).then_some(())
        };
        let time = || {
            let inside = |field: Option<i64>, end: i64| field.is_some_and(|field| (0..end).contains(&field));
            inside(self.hour, 24) && inside(self.minute, 60) && inside(self.second, 60)
        };
        (self.dates && day().is_none()) || (self.times > 0 && !time())
    }

    /// A time follows; none where there was one.
    pub(super) fn begin_time(&mut self) -> Option<()> {
        if self.times > 0 {
            return None;
        }
        self.clear_time();
        self.times = 1;
        Some(())
    }

    /// Midnight, and a time may follow.
    pub(super) fn clear_time(&mut self) {
        self.times = 0;
        (self.hour, self.minute, self.second, self.micro) = (Some(0), Some(0), Some(0), Some(0));
    }

    pub(super) fn begin_date(&mut self) -> Option<()> {
        (!std::mem::replace(&mut self.dates, true)).then_some(())
    }

    /// Returns true if the zone that follows counts: the second one does not, a third is an error.
    pub(super) fn begin_zone(&mut self) -> Option<bool> {
        self.zones += 1;
        self.doubtful |= self.zones == 2;
        (self.zones < 3).then_some(self.zones == 1)
    }
}

/// Without the white space that C sees around it. Of nothing but white space the last byte stays.
fn trim(text: &[u8]) -> &[u8] {
    let space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let last = text.len().saturating_sub(1);
    let from = text.iter().position(|byte| !space(byte)).unwrap_or(last);
    let to = text.iter().rposition(|byte| !space(byte)).map_or(text.len(), |place| place + 1);
    &text[from..to]
}
