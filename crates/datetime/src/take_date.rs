//! The meaning of each sort of date within a date text.

use super::civil;
use super::date_fields::DateFields;
use super::patterns::TokenRule;
use super::token::DateToken;

impl DateFields {
    pub(super) fn take_date_and_time(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        if rule == TokenRule::Log {
            (self.day, self.month, self.year) = (token.number(2), token.month(), token.number(4));
        } else {
            (self.year, self.month, self.day) = (token.number(4), token.number(2), token.number(2));
        }
        (self.hour, self.minute, self.second) = (token.number(2), token.number(2), token.number(2));
        let fraction = rule == TokenRule::DateAndTime && token.peek() == b'.';
        if fraction {
            self.micro = token.fraction();
        }
        if rule == TokenRule::Log || (fraction && !token.at_end()) {
            self.zone = Some(token.zone()?);
        }
        Some(())
    }

    pub(super) fn take_date(&mut self, rule: TokenRule, token: &mut DateToken<'_>) -> Option<()> {
        match rule {
            TokenRule::American => {
                (self.month, self.day) = (token.number(2), token.number(2));
                if token.peek() == b'/' {
                    self.year = token.year();
                }
            }
            TokenRule::YearMonthDay => {
                (self.year, self.month, self.day) = (token.signed(4), token.number(2), token.number(2));
            }
            TokenRule::LongYearMonthDay => {
                // A year beyond 64 bits is an error.
                self.year = Some(token.signed(19)?);
                (self.month, self.day) = (token.number(2), token.number(2));
            }
            TokenRule::ShortYearMonthDay | TokenRule::LooseYearMonthDay => {
                (self.year, self.month, self.day) = (token.year(), token.number(2), token.number(2));
            }
            TokenRule::YearMonth => (self.year, self.month, self.day) = (token.year(), token.number(2), Some(1)),
            TokenRule::DayNameYear => {
                self.day = token.number(2);
                token.skip_suffix();
                (self.month, self.year) = (token.month(), token.year());
            }
            TokenRule::DayMonthYearPoints => {
                (self.day, self.month, self.year) = (token.number(2), token.number(2), token.number(4));
            }
            TokenRule::DayMonthShortYearPoints => {
                (self.day, self.month, self.year) = (token.number(2), token.number(2), token.year());
            }
            TokenRule::NameYear => (self.month, self.year, self.day) = (token.month(), token.year(), Some(1)),
            TokenRule::YearName => (self.year, self.month, self.day) = (token.year(), token.month(), Some(1)),
            TokenRule::NameDay => {
                (self.month, self.day) = (token.month(), token.number(2));
                // Where no year follows, one that was named before is forgotten.
                self.year = token.year();
            }
            TokenRule::DayName => {
                self.day = token.number(2);
                token.skip_suffix();
                self.month = token.month();
            }
            TokenRule::Packed => {
                (self.year, self.month, self.day) = (token.number(4), token.number(2), token.number(2));
            }
            TokenRule::DayOfYear => (self.year, self.day, self.month) = (token.year(), token.number(3), Some(1)),
            TokenRule::WeekDay | TokenRule::Week => {
                self.year = token.number(4);
                let week = token.number(2).unwrap_or(1);
                let day = if rule == TokenRule::WeekDay { token.number(1).unwrap_or(1) } else { 1 };
                (self.month, self.day) = (Some(1), Some(1));
                self.relative.days = day_of_week(self.year.unwrap_or_default(), week, day);
            }
            TokenRule::NameDayYearDashes => {
                (self.month, self.day, self.year) = (token.month(), token.number(2), token.year());
            }
            TokenRule::YearNameDayDashes => {
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
