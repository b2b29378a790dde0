//! What a date text says: the fields that it names, filled token by token.

use super::civil::{Wall, month_length};
use super::patterns::{self, Rule};
use super::relative::{Edge, Relative, Search, Special};
use super::token::{Token, Unit};
use super::{Zone, civil};

/// The fields that a text names; those that it does not are none.
#[derive(Debug, Clone, Default)]
pub(super) struct Parsed {
    pub(super) year: Option<i64>,
    pub(super) month: Option<i64>,
    pub(super) day: Option<i64>,
    pub(super) hour: Option<i64>,
    pub(super) minute: Option<i64>,
    pub(super) second: Option<i64>,
    pub(super) micro: Option<i64>,
    pub(super) zone: Option<Zone>,
    pub(super) relative: Relative,
    /// How many times were named: the second `hhmm` is a year.
    times: u32,
    dates: bool,
    pub(super) zones: u32,
    /// Whether a timestamp (`@0`) put the date into UTC.
    pub(super) timestamp: bool,
    /// Whether PHP would warn: a second zone, or a date or time that rolls over.
    pub(super) doubtful: bool,
}

impl Parsed {
    /// Reads a text; none where it is not a date.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let trimmed = trim(text);
        if text.is_empty() {
            return None;
        }
        // Some tokens want to see the end.
        let mut ended = Vec::with_capacity(trimmed.len() + 1);
        ended.extend_from_slice(trimmed);
        ended.push(0);
        let mut parsed = Parsed::default();
        for token in patterns::tokens(&ended) {
            let (rule, token) = token?;
            parsed.take(rule, &mut Token::of(token))?;
        }
        parsed.doubtful |= parsed.rolls_over();
        Some(parsed)
    }

    /// The reading with what the text leaves open taken from a base, before anything relative.
    pub(super) fn fill(&self, base: &Wall) -> Wall {
        let midnight = self.dates && self.times == 0;
        let open = |value: i128| if midnight { 0 } else { value };
        let named = [self.year, self.month, self.day, self.hour, self.minute, self.second];
        let micro = if midnight || named.iter().any(Option::is_some) { 0 } else { base.micro };
        let or = |field: Option<i64>, value: i128| field.map_or(value, i128::from);
        let time = |field: Option<i64>, value: i128| if midnight { 0 } else { or(field, open(value)) };
        Wall {
            year: or(self.year, base.year),
            month: or(self.month, base.month),
            day: or(self.day, base.day),
            hour: time(self.hour, base.hour),
            minute: time(self.minute, base.minute),
            second: time(self.second, base.second),
            micro: if midnight { 0 } else { or(self.micro, micro) },
        }
    }

    fn rolls_over(&self) -> bool {
        let day = || {
            let (year, month, day) = (self.year?, self.month?, self.day?);
            let valid = year >= 0 && (1..=12).contains(&month) && day >= 1;
            (valid && i128::from(day) <= month_length(year.into(), month.into())).then_some(())
        };
        let time = || {
            let inside = |field: Option<i64>, end: i64| field.is_some_and(|field| (0..end).contains(&field));
            inside(self.hour, 24) && inside(self.minute, 60) && inside(self.second, 60)
        };
        (self.dates && day().is_none()) || (self.times > 0 && !time())
    }

    fn take(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        match rule {
            Rule::Yesterday | Rule::Tomorrow => {
                self.clear_time();
                self.relative.days = if rule == Rule::Yesterday { -1 } else { 1 };
            }
            Rule::Now | Rule::Skipped => {}
            Rule::Noon => {
                self.clear_time();
                self.times = 1;
                self.hour = Some(12);
            }
            Rule::Midnight => self.clear_time(),
            Rule::Timestamp | Rule::TimestampFraction => self.take_timestamp(rule, token)?,
            Rule::EdgeOfMonth => {
                let last = token.peek().eq_ignore_ascii_case(&b'l');
                self.relative.edge = Some(if last { Edge::Last } else { Edge::First });
            }
            Rule::AroundHour => self.take_around_hour(token)?,
            Rule::WeekdayOf => self.take_weekday_of(token)?,
            Rule::TwelveHours | Rule::TwelveHoursFraction | Rule::TwentyFourHours | Rule::HoursMinutesSeconds => {
                self.begin_time()?;
                self.take_time(rule, token)?;
            }
            Rule::HoursMinutes => self.take_hours_minutes(token)?,
            Rule::Year => self.year = token.number(4),
            Rule::Ago => self.relative.turn(),
            Rule::Weekday => {
                self.clear_time();
                self.relative.has_weekday = true;
                self.relative.weekday = match token.unit()? {
                    // Alone, `weekday` is Monday.
                    Unit::BusinessDays => 1,
                    Unit::Weekday(weekday) => weekday,
                    Unit::Of(..) => return None,
                };
                if self.relative.search != Search::InWeek {
                    self.relative.search = Search::OnOrAfter;
                }
            }
            Rule::WordWeek | Rule::Word => self.take_word(rule, token)?,
            Rule::Number => {
                let amount = token.signed(24)?;
                token.skip_spaces();
                self.add(amount, Search::OnOrAfter, token, true)?;
            }
            Rule::Zone => self.take_zone(token)?,
            Rule::NameDayTwelveHours | Rule::NameDayTime => self.take_day_and_time(rule, token)?,
            Rule::DateAndTime | Rule::Log => {
                self.begin_time()?;
                self.begin_date()?;
                self.take_date_and_time(rule, token)?;
            }
            _ => {
                self.begin_date()?;
                self.take_date(rule, token)?;
            }
        }
        Some(())
    }

    /// A time follows; none where there was one.
    fn begin_time(&mut self) -> Option<()> {
        if self.times > 0 {
            return None;
        }
        self.clear_time();
        self.times = 1;
        Some(())
    }

    /// Midnight, and a time may follow.
    fn clear_time(&mut self) {
        self.times = 0;
        (self.hour, self.minute, self.second, self.micro) = (Some(0), Some(0), Some(0), Some(0));
    }

    fn begin_date(&mut self) -> Option<()> {
        (!std::mem::replace(&mut self.dates, true)).then_some(())
    }

    /// Whether the zone that follows counts: the second one does not, a third is an error.
    fn begin_zone(&mut self) -> Option<bool> {
        self.zones += 1;
        self.doubtful |= self.zones == 2;
        (self.zones < 3).then_some(self.zones == 1)
    }

    fn take_timestamp(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        self.dates = false;
        (self.year, self.month, self.day) = (None, None, None);
        self.clear_time();
        if !self.begin_zone()? {
            return Some(());
        }
        let negative = token.peek_at(1) == b'-';
        let seconds = token.signed(24)?;
        self.relative.seconds = self.relative.seconds.checked_add(seconds)?;
        if rule == Rule::TimestampFraction {
            let micros = token.fraction()?;
            self.relative.micros = if negative { -micros } else { micros };
        }
        (self.year, self.month, self.day) = (Some(1970), Some(1), Some(1));
        self.zone = Some(Zone::Offset(0));
        self.timestamp = true;
        Some(())
    }

    fn take_around_hour(&mut self, token: &mut Token<'_>) -> Option<()> {
        // A capital B is the front, as in PHP.
        let back = token.peek() == b'b';
        self.clear_time();
        self.times = 1;
        let hour = token.number(2)? - i64::from(!back);
        self.minute = Some(if back { 15 } else { 45 });
        let shift = if token.at_end() { 0 } else { token.meridian(hour) };
        self.hour = Some(hour + shift);
        Some(())
    }

    fn take_weekday_of(&mut self, token: &mut Token<'_>) -> Option<()> {
        let (amount, search) = token.word();
        token.skip_spaces();
        let (special, search) =
            if amount > 0 { (Special::OfMonth, Search::OnOrAfter) } else { (Special::OfNextMonth, search) };
        self.relative.special = Some(special);
        self.add(amount, search, token, false)
    }

    fn take_word(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        let (amount, search) = token.word();
        token.skip_spaces();
        self.add(amount, search, token, false)?;
        if rule == Rule::WordWeek {
            self.relative.search = Search::InWeek;
            if !self.relative.has_weekday {
                self.relative.has_weekday = true;
                self.relative.weekday = 1;
            }
        }
        Some(())
    }

    /// Adds an amount of the unit that follows.
    fn add(&mut self, amount: i64, search: Search, token: &mut Token<'_>, keep_time: bool) -> Option<()> {
        let relative = &mut self.relative;
        match token.unit() {
            None => {}
            Some(Unit::Of(part, factor)) => {
                let part = part(relative);
                *part = part.checked_add(amount.checked_mul(factor)?)?;
            }
            Some(Unit::Weekday(weekday)) => {
                let weeks = if amount > 0 { amount - 1 } else { amount };
                relative.days = relative.days.checked_add(weeks.checked_mul(7)?)?;
                relative.has_weekday = true;
                relative.weekday = weekday;
                relative.search = search;
                if !keep_time {
                    self.clear_time();
                }
            }
            Some(Unit::BusinessDays) => {
                relative.special = Some(Special::BusinessDays(amount));
                if !keep_time {
                    self.clear_time();
                }
            }
        }
        Some(())
    }

    fn take_hours_minutes(&mut self, token: &mut Token<'_>) -> Option<()> {
        match self.times {
            0 => {
                (self.hour, self.minute, self.second) = (token.number(2), token.number(2), Some(0));
            }
            1 => self.year = token.number(4),
            _ => return None,
        }
        self.times += 1;
        Some(())
    }

    fn take_time(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        let separator = |token: &Token<'_>| matches!(token.peek(), b':' | b'.');
        let hour = token.number(2)?;
        self.hour = Some(hour);
        if rule == Rule::HoursMinutesSeconds {
            (self.minute, self.second) = (token.number(2), token.number(2));
            return Some(());
        }
        if separator(token) {
            self.minute = token.number(2);
            if separator(token) {
                self.second = token.number(2);
                let fraction = match rule {
                    Rule::TwelveHoursFraction => separator(token),
                    _ => rule == Rule::TwentyFourHours && token.peek() == b'.',
                };
                if fraction {
                    self.micro = token.fraction();
                }
            }
        }
        if rule != Rule::TwentyFourHours {
            self.hour = Some(hour + token.meridian(hour));
        }
        Some(())
    }

    fn take_zone(&mut self, token: &mut Token<'_>) -> Option<()> {
        if self.begin_zone()? {
            self.zone = Some(token.zone()?);
        }
        Some(())
    }

    fn take_day_and_time(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        self.begin_date()?;
        (self.month, self.day) = (token.month(), token.number(2));
        self.begin_time()?;
        (self.hour, self.minute) = (token.number(2), token.number(2));
        let dot = rule == Rule::NameDayTwelveHours && token.peek() == b'.';
        if token.peek() == b':' || dot {
            self.second = token.number(2);
            if token.peek() == b'.' {
                self.micro = token.fraction();
            }
        }
        if rule == Rule::NameDayTwelveHours {
            let hour = self.hour?;
            self.hour = Some(hour + token.meridian(hour));
        } else if !token.at_end() {
            self.zone = Some(token.zone()?);
        }
        Some(())
    }

    fn take_date_and_time(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        if rule == Rule::Log {
            (self.day, self.month, self.year) = (token.number(2), token.month(), token.number(4));
        } else {
            (self.year, self.month, self.day) = (token.number(4), token.number(2), token.number(2));
        }
        (self.hour, self.minute, self.second) = (token.number(2), token.number(2), token.number(2));
        let fraction = rule == Rule::DateAndTime && token.peek() == b'.';
        if fraction {
            self.micro = token.fraction();
        }
        if rule == Rule::Log || (fraction && !token.at_end()) {
            self.zone = Some(token.zone()?);
        }
        Some(())
    }

    fn take_date(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        match rule {
            Rule::American => {
                (self.month, self.day) = (token.number(2), token.number(2));
                if token.peek() == b'/' {
                    self.year = token.year();
                }
            }
            Rule::YearMonthDay => {
                (self.year, self.month, self.day) = (token.signed(4), token.number(2), token.number(2));
            }
            Rule::LongYearMonthDay => {
                // A year beyond 64 bits is an error.
                self.year = Some(token.signed(19)?);
                (self.month, self.day) = (token.number(2), token.number(2));
            }
            Rule::ShortYearMonthDay | Rule::LooseYearMonthDay => {
                (self.year, self.month, self.day) = (token.year(), token.number(2), token.number(2));
            }
            Rule::YearMonth => (self.year, self.month, self.day) = (token.year(), token.number(2), Some(1)),
            Rule::DayNameYear => {
                self.day = token.number(2);
                token.skip_suffix();
                (self.month, self.year) = (token.month(), token.year());
            }
            Rule::DayMonthYearPoints => {
                (self.day, self.month, self.year) = (token.number(2), token.number(2), token.number(4));
            }
            Rule::DayMonthShortYearPoints => {
                (self.day, self.month, self.year) = (token.number(2), token.number(2), token.year());
            }
            Rule::NameYear => (self.month, self.year, self.day) = (token.month(), token.year(), Some(1)),
            Rule::YearName => (self.year, self.month, self.day) = (token.year(), token.month(), Some(1)),
            Rule::NameDay => {
                (self.month, self.day) = (token.month(), token.number(2));
                self.year = token.year().or(self.year);
            }
            Rule::DayName => {
                self.day = token.number(2);
                token.skip_suffix();
                self.month = token.month();
            }
            Rule::Packed => {
                (self.year, self.month, self.day) = (token.number(4), token.number(2), token.number(2));
            }
            Rule::DayOfYear => (self.year, self.day, self.month) = (token.year(), token.number(3), Some(1)),
            Rule::WeekDay | Rule::Week => {
                self.year = token.number(4);
                let week = token.number(2).unwrap_or(1);
                let day = if rule == Rule::WeekDay { token.number(1).unwrap_or(1) } else { 1 };
                (self.month, self.day) = (Some(1), Some(1));
                self.relative.days = day_of_week(self.year.unwrap_or_default(), week, day);
            }
            Rule::NameDayYearDashes => {
                (self.month, self.day, self.year) = (token.month(), token.number(2), token.year());
            }
            Rule::YearNameDayDashes => {
                (self.year, self.month, self.day) = (token.year(), token.month(), token.number(2));
            }
            _ => self.month = token.month(),
        }
        Some(())
    }
}

/// Days from the first of January to a day of an ISO week.
fn day_of_week(year: i64, week: i64, day: i64) -> i64 {
    let weekday = i64::try_from((civil::days(year.into(), 1, 1) + 4).rem_euclid(7)).unwrap_or_default();
    let start = if weekday > 4 { 7 - weekday } else { -weekday };
    start + (week - 1) * 7 + day
}

/// Without the white space that C sees around it.
fn trim(text: &[u8]) -> &[u8] {
    let space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    let from = text.iter().position(|byte| !space(byte)).unwrap_or(text.len());
    let to = text.iter().rposition(|byte| !space(byte)).map_or(from, |place| place + 1);
    &text[from..to]
}
