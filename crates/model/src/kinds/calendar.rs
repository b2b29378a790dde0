//! Days, clock times and offsets as digits: read from text and written without allocation.

use jiff::civil::Date;

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;

/// The first day of the year 1, and the last of the year 9999, as days since 1970-01-01.
pub(super) const FIRST_DAY: i64 = -719_162;
pub(super) const LAST_DAY: i64 = 2_932_896;

/// Days since 1970-01-01 of a day of the proleptic Gregorian calendar.
pub(super) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March put the leap day last; 400 of them have 146,097 days.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the number of days from 1970-01-01 to a day.
pub(super) fn days_since_epoch(day: Date) -> i32 {
    // A calendar day of the years that jiff knows is less than four million days away.
    (day - Date::constant(1970, 1, 1)).get_days()
}

/// Year, month and day of days since 1970-01-01.
pub(super) fn day_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Text that is read from its beginning.
pub(super) struct TextScanner<'t>(pub(super) &'t [u8]);

impl TextScanner<'_> {
    /// Exactly that many digits.
    pub(super) fn digits(&mut self, count: usize) -> Option<i64> {
        let digits = self.0.get(..count).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
        let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        self.0 = &self.0[count..];
        Some(value)
    }

    /// The next byte, if it is one of those.
    pub(super) fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = self.0.first().copied().filter(|byte| bytes.contains(byte))?;
        self.0 = &self.0[1..];
        Some(byte)
    }

    /// `YYYY-MM`, years 0001 to 9999.
    pub(super) fn month(&mut self) -> Option<(i64, i64)> {
        let year = self.digits(4).filter(|year| *year > 0)?;
        self.one_of(b"-")?;
        Some((year, self.digits(2).filter(|month| (1..=12).contains(month))?))
    }

    /// `YYYY-MM-DD`, as days since 1970-01-01.
    pub(super) fn date(&mut self) -> Option<i64> {
        let (year, month) = self.month()?;
        self.one_of(b"-")?;
        let day = self.digits(2)?;
        let days = days_of(year, month, day);
        // A day that is not in its month comes back as another one.
        (day_of(days) == (year, month, day)).then_some(days)
    }

    /// `HH:MM` or `HH:MM:SS`, as seconds, and whether there were seconds.
    pub(super) fn time(&mut self) -> Option<(i64, bool)> {
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        self.one_of(b":")?;
        let minutes = self.digits(2).filter(|minutes| *minutes < 60)?;
        if self.one_of(b":").is_none() {
            return Some((hours * 3_600 + minutes * 60, false));
        }
        let seconds = self.digits(2).filter(|seconds| *seconds < 60)?;
        Some((hours * 3_600 + minutes * 60 + seconds, true))
    }

    /// `.` and digits, as milliseconds; further digits are dropped.
    pub(super) fn fraction(&mut self) -> Option<i64> {
        if self.one_of(b".,").is_none() {
            return Some(0);
        }
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&count) {
            return None;
        }
        let digits = self.digits(count)?;
        let (count, unit) = (u32::try_from(count).ok()?, 3);
        Some(if count <= unit { digits * 10_i64.pow(unit - count) } else { digits / 10_i64.pow(count - unit) })
    }

    /// `Z`, `+hh:mm`, `+hhmm` or `+hh`, as seconds.
    pub(super) fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        let colon = self.one_of(b":").is_some();
        let minutes = if colon || !self.0.is_empty() { self.digits(2)? } else { 0 };
        (minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
    }

    /// Returns true if what is left is nothing, or a time and offset that may be dropped.
    pub(super) fn only_time_left(&self) -> bool {
        match self.0 {
            [] => true,
            [b'T' | b't' | b' ' | b'Z' | b'z' | b'+' | b'-', rest @ ..] => {
                rest.len() <= 40 && rest.iter().all(|byte| byte.is_ascii_digit() || b"+-:., Zz".contains(byte))
            }
            _ => false,
        }
    }
}

/// Writes two digits.
pub(super) fn write_two(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(&two(value));
}

/// Writes `YYYY-MM-DD`.
pub(super) fn write_date(out: &mut Vec<u8>, days: i64) {
    let (year, month, day) = day_of(days);
    let ([a, b], [c, d], [e, f], [g, h]) = (two(year / 100), two(year % 100), two(month), two(day));
    out.extend_from_slice(&[a, b, c, d, b'-', e, f, b'-', g, h]);
}

/// Writes `HH:MM:SS`.
pub(super) fn write_time(out: &mut Vec<u8>, seconds: i64) {
    let ([a, b], [c, d], [e, f]) = (two(seconds / 3_600), two(seconds / 60 % 60), two(seconds % 60));
    out.extend_from_slice(&[a, b, b':', c, d, b':', e, f]);
}

fn two(value: i64) -> [u8; 2] {
    let digit = |value: i64| b'0' + u8::try_from(value % 10).unwrap_or(0);
    [digit(value / 10), digit(value)]
}
