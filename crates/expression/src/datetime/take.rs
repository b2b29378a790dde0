//! The changes that each token of a date text makes.

use super::Zone;
use super::parsed::Parsed;
use super::patterns::Rule;
use super::relative::{Edge, Search, Special};
use super::token::{Token, Unit};

impl Parsed {
    /// Takes in a token; none where it contradicts what came before.
    pub(super) fn take(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
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

    fn take_timestamp(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
        self.dates = false;
        (self.year, self.month, self.day) = (Some(0), Some(0), Some(0));
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
}
