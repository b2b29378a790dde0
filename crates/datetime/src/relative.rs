//! The changes that a text makes to a date, and the order in which they happen.

use super::civil::WallClock;

/// The day of the month that `first day of` and `last day of` choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MonthEdge {
    First,
    Last,
}

/// A change that goes beyond adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecialChange {
    /// So many days from Monday to Friday.
    BusinessDays(i64),
    /// The n-th weekday of the month.
    OfMonth,
    /// The last weekday of the month, counted from the first of the following one.
    OfNextMonth,
}

/// The way in which a weekday is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum WeekdaySearch {
    /// Strictly after the date.
    #[default]
    After,
    /// On the date or after it.
    OnOrAfter,
    /// In the ISO week of the date.
    InWeek,
}

/// Everything that is added and snapped to.
#[derive(Debug, Clone, Default)]
pub(super) struct RelativeChange {
    pub(super) years: i64,
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) hours: i64,
    pub(super) minutes: i64,
    pub(super) seconds: i64,
    pub(super) micros: i64,
    /// 0 is Sunday; negative after `ago`.
    pub(super) weekday: i64,
    /// True if `weekday` is to be moved to.
    pub(super) has_weekday: bool,
    pub(super) search: WeekdaySearch,
    pub(super) special: Option<SpecialChange>,
    pub(super) edge: Option<MonthEdge>,
}

impl RelativeChange {
    /// `ago`: the other way; microseconds stay, as in PHP.
    pub(super) fn turn(&mut self) {
        for part in
            [&mut self.years, &mut self.months, &mut self.days, &mut self.hours, &mut self.minutes, &mut self.seconds]
        {
            *part = part.saturating_neg();
        }
        self.weekday = if self.weekday == 0 { -7 } else { -self.weekday };
        if let Some(SpecialChange::BusinessDays(count)) = &mut self.special {
            *count = count.saturating_neg();
        }
    }

    /// The reading after all changes, every field in its range.
    pub(super) fn apply(&self, wall: WallClock) -> WallClock {
        let mut wall = wall;
        let mut months = i128::from(self.months);
        match self.special {
            Some(SpecialChange::OfMonth) => {
                wall.day = 1;
                wall.month += std::mem::take(&mut months);
            }
            Some(SpecialChange::OfNextMonth) => {
                wall.day = 1;
                wall.month += std::mem::take(&mut months) + 1;
            }
            Some(SpecialChange::BusinessDays(_)) | None => {}
        }
        self.snap(&mut wall);
        wall = wall.normal();
        if self.has_weekday {
            self.move_to_weekday(&mut wall);
            wall = wall.normal();
        }
        wall.year += i128::from(self.years);
        wall.month += months;
        wall.day += i128::from(self.days);
        wall.hour += i128::from(self.hours);
        wall.minute += i128::from(self.minutes);
        wall.second += i128::from(self.seconds);
        wall.micro += i128::from(self.micros);
        self.snap(&mut wall);
        wall = wall.normal();
        if let Some(SpecialChange::BusinessDays(count)) = self.special {
            wall.day += business_days(wall.weekday(), i128::from(count));
            wall = wall.normal();
        }
        wall
    }

    /// To the first or last day of the month, which `first day of` wants.
    fn snap(&self, wall: &mut WallClock) {
        match self.edge {
            Some(MonthEdge::First) => wall.day = 1,
            Some(MonthEdge::Last) => {
                wall.day = 0;
                wall.month += 1;
            }
            None => {}
        }
    }

    fn move_to_weekday(&self, wall: &mut WallClock) {
        let today = wall.weekday();
        let wanted = i128::from(self.weekday);
        if self.search == WeekdaySearch::InWeek {
            // A week begins on Monday: a Sunday belongs to the days before it.
            let wanted = match (today, wanted) {
                (0, wanted) if wanted != 0 => wanted - 7,
                (1.., 0) => 7,
                (_, wanted) => wanted,
            };
            wall.day += wanted - today;
            return;
        }
        if wanted < 0 {
            wall.day -= 7 - (wanted.abs() - today);
            return;
        }
        let mut difference = wanted - today;
        let least = if self.search == WeekdaySearch::OnOrAfter { 0 } else { 1 };
        if (self.days < 0 && difference < 0) || (self.days >= 0 && difference < least) {
            difference += 7;
        }
        wall.day += difference;
    }
}

/// Returns the number of days of so many business days, from a weekday on.
fn business_days(weekday: i128, count: i128) -> i128 {
    let (weeks, rest) = (count / 5, count % 5);
    let around_weekend = match (count > 0, rest, weekday) {
        (true, 0, 0) => -2,
        (true, 0, 6) => -1,
        (true, 0, _) => 0,
        (true, _, 6) => 1,
        (true, rest, weekday) if weekday + rest > 5 => 2,
        (true, ..) => 0,
        (false, 0, 6) => 2,
        (false, 0, 0) => 1,
        (false, 0, _) => 0,
        (false, _, 0) => -1,
        (false, rest, weekday) if weekday + rest < 1 => -2,
        (false, ..) => 0,
    };
    weeks * 7 + around_weekend + rest
}
