//! Retention: the archives that are kept of many.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::BTreeSet;

/// The archives to keep: the last of so many days, weeks and months that have one, in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// The number of days.
    pub days: usize,
    /// The number of weeks, which begin on Monday.
    pub weeks: usize,
    /// The number of months.
    pub months: usize,
}

impl Retention {
    /// Returns the instants whose archives are kept; the last is always one of them.
    pub fn kept(&self, made: &BTreeSet<Timestamp>) -> BTreeSet<Timestamp> {
        let mut kept: BTreeSet<Timestamp> = made.last().copied().into_iter().collect();
        keep(&mut kept, made, self.days, |date| (date.year(), date.day_of_year()));
        keep(&mut kept, made, self.weeks, |date| {
            let week = date.iso_week_date();
            (week.year(), i16::from(week.week()))
        });
        keep(&mut kept, made, self.months, |date| (date.year(), i16::from(date.month())));
        kept
    }
}

/// Adds the last instant of each of the latest periods.
fn keep(kept: &mut BTreeSet<Timestamp>, made: &BTreeSet<Timestamp>, most: usize, period: impl Fn(Date) -> (i16, i16)) {
    let mut periods = BTreeSet::new();
    for instant in made.iter().rev() {
        let date = instant.to_zoned(TimeZone::UTC).date();
        if periods.len() < most && periods.insert(period(date)) {
            kept.insert(*instant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Retention;
    use jiff::{SignedDuration, Timestamp};
    use std::collections::BTreeSet;

    fn daily(days: i64) -> BTreeSet<Timestamp> {
        let last: Timestamp = "2026-11-29T03:15:00Z".parse().unwrap();
        (0..days).map(|back| last - SignedDuration::from_hours(24 * back)).collect()
    }

    fn kept(days: usize, weeks: usize, months: usize, made: &BTreeSet<Timestamp>) -> Vec<String> {
        let kept = Retention { days, weeks, months }.kept(made);
        kept.iter().map(|instant| instant.strftime("%m-%d").to_string()).collect()
    }

    #[test]
    fn days_weeks_and_months_each_keep_their_last() {
        let made = daily(100);
        assert_eq!(kept(3, 0, 0, &made), ["11-27", "11-28", "11-29"]);
        // The 29th is a Sunday.
        assert_eq!(kept(0, 3, 0, &made), ["11-15", "11-22", "11-29"]);
        assert_eq!(kept(0, 0, 3, &made), ["09-30", "10-31", "11-29"]);
        assert_eq!(kept(2, 2, 2, &made), ["10-31", "11-22", "11-28", "11-29"]);
    }

    #[test]
    fn the_last_stays_and_gaps_count_for_nothing() {
        assert_eq!(kept(0, 0, 0, &daily(5)), ["11-29"]);
        assert_eq!(kept(7, 4, 6, &BTreeSet::new()), [] as [&str; 0]);
        let gaps: BTreeSet<_> = daily(90).into_iter().step_by(30).collect();
        assert_eq!(kept(2, 0, 0, &gaps).len(), 2);
        // Several of a day: the last.
        let mut hours = daily(2);
        hours.insert("2026-11-29T02:00:00Z".parse().unwrap());
        assert_eq!(Retention { days: 9, weeks: 0, months: 0 }.kept(&hours), daily(2));
        // Kept ones stay kept, whatever is deleted.
        let policy = Retention { days: 7, weeks: 4, months: 6 };
        let once = policy.kept(&daily(200));
        assert_eq!(policy.kept(&once), once);
    }
}
