//! The meaning of each sort of date within a date text.

use super::civil;
use super::parsed::Parsed;
use super::patterns::Rule;
use super::token::Token;

impl Parsed {
    pub(super) fn take_date_and_time(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
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

    pub(super) fn take_date(&mut self, rule: Rule, token: &mut Token<'_>) -> Option<()> {
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
                // Where no year follows, one that was named before is forgotten.
                self.year = token.year();
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
