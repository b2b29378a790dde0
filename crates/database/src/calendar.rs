//! Months of the calendar, for the engine that has none.

/// The days that a date may have, counted from 1970-01-01: 0001-01-01 to 9999-12-31.
pub(crate) const DAYS: (i64, i64) = (-719_162, 2_932_896);

/// A number of no day: the calendar ends before.
pub(crate) const BEYOND: i64 = 9_999_999;

/// The months of the years that dates have, counted from January of the year 0.
const MONTHS: std::ops::Range<i64> = 12..120_000;

/// Returns the day that lies so many months after another, at the last day of its month where that is shorter; [`BEYOND`]
/// where either is none.
pub(crate) fn months_on(day: i64, months: i64) -> i64 {
    if !(DAYS.0..=DAYS.1).contains(&day) {
        return BEYOND;
    }
    let (month, of_month) = month_of(day);
    match month.checked_add(months).filter(|month| MONTHS.contains(month)) {
        Some(month) => first_day(month) + of_month.min(first_day(month + 1) - first_day(month) - 1),
        None => BEYOND,
    }
}

/// Returns the month of a day, counted from January of the year 0, and the days of it that are over.
fn month_of(day: i64) -> (i64, i64) {
    // Months have 30.436875 days: the guess is at most one off.
    let mut month = (day + 719_528) * 10_000 / 304_369;
    while first_day(month) > day {
        month -= 1;
    }
    while first_day(month + 1) <= day {
        month += 1;
    }
    (month, day - first_day(month))
}

/// Returns the first day of a month.
fn first_day(month: i64) -> i64 {
    // Years from March on, so that the leap day is the last one.
    let shifted = month - 2;
    let (year, month) = (shifted.div_euclid(12), shifted.rem_euclid(12));
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 - 719_468
}

#[cfg(test)]
mod tests {
    use super::{BEYOND, DAYS, first_day, month_of, months_on};

    #[test]
    fn months_end_at_their_last_day() {
        // 1970-01-31, 1971-12-31, 2028-02-29.
        for (day, months, wanted) in [
            (30, 1, 58),
            (30, 13, 423),
            (729, 2, 789),
            (21_243, 12, 21_608),
            (21_243, 48, 22_704),
            (0, 0, 0),
            (0, -1, -31),
            (DAYS.0, -1, BEYOND),
            (DAYS.1, 1, BEYOND),
            (DAYS.0, 119_987, DAYS.1 - 30),
            (DAYS.1 + 1, 0, BEYOND),
            (0, i64::MAX, BEYOND),
            (0, i64::MIN, BEYOND),
        ] {
            assert_eq!(months_on(day, months), wanted, "{day} {months}");
        }
    }

    #[test]
    fn every_day_has_its_month() {
        let mut month = 12;
        for day in DAYS.0..=DAYS.1 {
            if first_day(month + 1) == day {
                month += 1;
            }
            assert_eq!(month_of(day), (month, day - first_day(month)));
        }
        assert_eq!((month, first_day(12)), (119_999, DAYS.0));
    }
}
