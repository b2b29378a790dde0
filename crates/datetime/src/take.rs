//! The changes that each token of a date text makes.

use super::DateZone;
use super::date_fields::DateFields;
use super::patterns::TokenRule;
use super::relative::{MonthEdge, SpecialChange, WeekdaySearch};
use super::token::{DateToken, TimeUnit};

impl DateFields {
    /// Takes in a token; none where it contradicts what came before.
    pub(super) fn take(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        match rule {
            TokenRule::Yesterday | TokenRule::Tomorrow => {
                self.clear_time();
                self.relative.days = if rule == TokenRule::Yesterday { -1 } else { 1 };
            }
            TokenRule::Now | TokenRule::Skipped => {}
            TokenRule::Noon => {
                self.clear_time();
                self.times = 1;
                self.hour = Some(12);
            }
            TokenRule::Midnight => self.clear_time(),
            TokenRule::Timestamp | TokenRule::TimestampFraction => self.take_timestamp(rule, token)?,
            TokenRule::EdgeOfMonth => {
                let last = token.peek().eq_ignore_ascii_case(&b'l');
                self.relative.edge = Some(if last { MonthEdge::Last } else { MonthEdge::First });
            }
            TokenRule::AroundHour => self.take_around_hour(token)?,
            TokenRule::WeekdayOf => self.take_weekday_of(token)?,
            TokenRule::TwelveHours
            | TokenRule::TwelveHoursFraction
            | TokenRule::TwentyFourHours
            | TokenRule::HoursMinutesSeconds => {
                self.begin_time()?;
                self.take_time(rule, token)?;
            }
            TokenRule::HoursMinutes => self.take_hours_minutes(token)?,
            TokenRule::Year => self.year = token.number(4),
            TokenRule::Ago => self.relative.turn(),
            TokenRule::Weekday => {
                self.clear_time();
                self.relative.has_weekday = true;
                self.relative.weekday = match token.unit()? {
                    // Alone, `weekday` is Monday.
                    TimeUnit::BusinessDays => 1,
                    TimeUnit::Weekday(weekday) => weekday,
                    TimeUnit::Of(..) => return None,
                };
                if self.relative.search != WeekdaySearch::InWeek {
                    self.relative.search = WeekdaySearch::OnOrAfter;
                }
            }
            TokenRule::WordWeek | TokenRule::Word => self.take_word(rule, token)?,
            TokenRule::Number => {
                let amount = token.signed(24)?;
                token.skip_spaces();
                self.add(amount, WeekdaySearch::OnOrAfter, token, true)?;
            }
            TokenRule::Zone => self.take_zone(token)?,
            TokenRule::NameDayTwelveHours | TokenRule::NameDayTime => self.take_day_and_time(rule, token)?,
            TokenRule::DateAndTime | TokenRule::Log => {
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

    fn take_timestamp(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        self.dates = false;
        (self.year, self.month, self.day) = (Some(0), Some(0), Some(0));
        self.clear_time();
        if !self.begin_zone()? {
            return Some(());
        }
        let negative = token.peek_at(1) == b'-';
        let seconds = token.signed(24)?;
        self.relative.seconds = self.relative.seconds.checked_add(seconds)?;
        if rule == TokenRule::TimestampFraction {
            let micros = token.fraction()?;
            self.relative.micros = if negative { -micros } else { micros };
        }
        (self.year, self.month, self.day) = (Some(1970), Some(1), Some(1));
        self.zone = Some(DateZone::Offset(0));
        Some(())
    }

    fn take_around_hour(&mut self, token: &mut DateToken<'_>) -> Option<()> {
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

    fn take_weekday_of(&mut self, token: &mut DateToken<'_>) -> Option<()> {
        let (amount, search) = token.word();
        token.skip_spaces();
        let (special, search) = if amount > 0 {
            (SpecialChange::OfMonth, WeekdaySearch::OnOrAfter)
        } else {
            (SpecialChange::OfNextMonth, search)
        };
        self.relative.special = Some(special);
        self.add(amount, search, token, false)
    }

    fn take_word(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        let (amount, search) = token.word();
        token.skip_spaces();
        self.add(amount, search, token, false)?;
        if rule == TokenRule::WordWeek {
            self.relative.search = WeekdaySearch::InWeek;
            if !self.relative.has_weekday {
                self.relative.has_weekday = true;
                self.relative.weekday = 1;
            }
        }
        Some(())
    }

    /// Adds an amount of the unit that follows.
    fn add(&mut self, amount: i64, search: WeekdaySearch, token: &mut DateToken<'_>, keep_time: bool) -> Option<()> {
        let relative = &mut self.relative;
        match token.unit() {
            None => {}
            Some(TimeUnit::Of(part, factor)) => {
                let part = part(relative);
                *part = part.checked_add(amount.checked_mul(factor)?)?;
            }
            Some(TimeUnit::Weekday(weekday)) => {
                let weeks = if amount > 0 { amount - 1 } else { amount };
                relative.days = relative.days.checked_add(weeks.checked_mul(7)?)?;
                relative.has_weekday = true;
                relative.weekday = weekday;
                relative.search = search;
                if !keep_time {
                    self.clear_time();
                }
            }
            Some(TimeUnit::BusinessDays) => {
                relative.special = Some(SpecialChange::BusinessDays(amount));
                if !keep_time {
                    self.clear_time();
                }
            }
        }
        Some(())
    }

    fn take_hours_minutes(&mut self, token: &mut DateToken<'_>) -> Option<()> {
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

    fn take_time(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        let separator = |token: &DateToken<'_>| matches!(token.peek(), b':' | b'.');
        let hour = token.number(2)?;
        self.hour = Some(hour);
        if rule == TokenRule::HoursMinutesSeconds {
            (self.minute, self.second) = (token.number(2), token.number(2));
            return Some(());
        }
        if separator(token) {
            self.minute = token.number(2);
            if separator(token) {
                self.second = token.number(2);
                let fraction = match rule {
                    TokenRule::TwelveHoursFraction => separator(token),
                    _ => rule == TokenRule::TwentyFourHours && token.peek() == b'.',
                };
                if fraction {
                    self.micro = token.fraction();
                }
            }
        }
        if rule != TokenRule::TwentyFourHours {
            self.hour = Some(hour + token.meridian(hour));
        }
        Some(())
    }

    fn take_zone(&mut self, token: &mut DateToken<'_>) -> Option<()> {
        if self.begin_zone()? {
            self.zone = Some(token.zone()?);
        }
        Some(())
    }

    fn take_day_and_time(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        self.begin_date()?;
        (self.month, self.day) = (token.month(), token.number(2));
        self.begin_time()?;
        (self.hour, self.minute) = (token.number(2), token.number(2));
        let dot = rule == TokenRule::NameDayTwelveHours && token.peek() == b'.';
        if token.peek() == b':' || dot {
            self.second = token.number(2);
            if token.peek() == b'.' {
                self.micro = token.fraction();
            }
        }
        if rule == TokenRule::NameDayTwelveHours {
            let hour = self.hour?;
            self.hour = Some(hour + token.meridian(hour));
        } else if !token.at_end() {
            self.zone = Some(token.zone()?);
        }
        Some(())
    }
}
