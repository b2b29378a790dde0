//! Civil time: the proleptic Gregorian calendar in 128 bits, so that no sum of what a text can say overflows.

pub(super) const DAY: i128 = 86_400;
/// The days after which the calendar, weekdays included, repeats: 400 years.
pub(super) const CYCLE: i128 = 146_097;

/// A wall clock's reading; fields may be out of range until [`WallClock::normal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WallClock {
    pub(super) year: i128,
    pub(super) month: i128,
    pub(super) day: i128,
    pub(super) hour: i128,
    pub(super) minute: i128,
    pub(super) second: i128,
    pub(super) micro: i128,
}

impl WallClock {
    /// The reading at so many seconds after 1970-01-01 00:00:00 on the same clock.
    pub(super) fn of(seconds: i128, micro: i128) -> Self {
        let seconds = seconds + micro.div_euclid(1_000_000);
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let rest = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        WallClock { year, month, day, hour, minute, second, micro: micro.rem_euclid(1_000_000) }
    }

    /// Seconds after 1970-01-01 00:00:00 on the same clock, without the microseconds.
    pub(super) fn seconds(&self) -> i128 {
        self.days() * DAY + self.time()
    }

    /// Days after 1970-01-01.
    pub(super) fn days(&self) -> i128 {
        days(self.year, self.month, self.day)
    }

    /// Seconds after midnight.
    pub(super) fn time(&self) -> i128 {
        self.hour * 3600 + self.minute * 60 + self.second
    }

    /// The same moment with every field in its range.
    pub(super) fn normal(&self) -> Self {
        WallClock::of(self.seconds(), self.micro)
    }

    /// 0 is Sunday.
    pub(super) fn weekday(&self) -> i128 {
        (self.days() + 4).rem_euclid(7)
    }

    /// Days after the first of January.
    pub(super) fn day_of_year(&self) -> i128 {
        self.days() - days(self.year, 1, 1)
    }

    /// The ISO year and week.
    pub(super) fn iso_week(&self) -> (i128, i128) {
        // The week belongs to the year that its Thursday is in.
        let thursday = self.days() + 3 - (self.weekday() + 6) % 7;
        let (year, _, _) = date(thursday);
        (year, (thursday - days(year, 1, 1)) / 7 + 1)
    }
}

/// Returns true if a year has a 29th of February.
pub(super) fn leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The length of a month, 1 to 12.
pub(super) fn month_length(year: i128, month: i128) -> i128 {
    match month {
        2 => 28 + i128::from(leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days after 1970-01-01 of a date, whose month and day may be out of range.
pub(super) fn days(year: i128, month: i128, day: i128) -> i128 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    // Years from March on, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let cycle = year.div_euclid(400);
    let of_cycle = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    cycle * CYCLE + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719_468
}

/// Year, month, day of so many days after 1970-01-01.
pub(super) fn date(days: i128) -> (i128, i128, i128) {
    let shifted = days + 719_468;
    let cycle = shifted.div_euclid(CYCLE);
    let of_cycle = shifted.rem_euclid(CYCLE);
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let month = (march + 2) % 12 + 1;
    (cycle * 400 + year + i128::from(month <= 2), month, of_year - (153 * march + 2) / 5 + 1)
}
