//! Random steps about dates, times and intervals.

use crate::generator::{Generator, Wanted};
use crate::model::Kind;

impl Generator<'_, '_> {
    /// A date, month, time or instant that an interval moves.
    pub(super) fn moved(&mut self, wanted: Wanted, depth: usize) -> String {
        let (date, sign) = (self.leaf(wanted), self.random.pick(&["+", "-"]));
        match self.random.below(3) {
            0 => date,
            // With a unit that fits the kind.
            1 => {
                let units: &[&str] = match wanted {
                    Wanted::Month => &["months", "years"],
                    Wanted::Time => &["hours", "minutes"],
                    _ => &["days", "weeks", "months", "years"],
                };
                let unit = self.random.pick(units);
                format!("({date} {sign} {}.{unit})", self.length())
            }
            _ => format!("({date} {sign} {})", self.interval(depth)),
        }
    }

    /// A number before a unit: a property, or one that is written.
    fn length(&mut self) -> String {
        let property = self.property(|kind| matches!(kind, Kind::Int | Kind::Count));
        match property {
            Some((path, _)) if self.random.once_in(2) => path,
            _ => self.random.pick(&["0", "1", "14", "(-3)", "400"]).to_owned(),
        }
    }

    pub(super) fn interval(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("dateDiff({}, {})", self.of_type(Wanted::Date, depth), self.leaf(Wanted::Date)),
            1 => format!("({} - {})", self.leaf(Wanted::DateTime), self.leaf(Wanted::DateTime)),
            2 => {
                let unit = self.random.pick(&["days", "weeks", "months", "years", "hours", "minutes"]);
                format!("{}.{unit}", self.length())
            }
            _ => self.leaf(Wanted::Interval),
        }
    }

    /// A number that dates, intervals or lists have.
    pub(super) fn counted(&mut self, wanted: Wanted, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!("({} - {})", self.of_type(Wanted::Date, depth), self.leaf(Wanted::Date)),
            1 => format!("{}.{}", self.interval(depth), self.random.pick(&["days", "y", "h", "totalSeconds"])),
            2 if wanted == Wanted::Number => {
                format!("{}.{}", self.interval(depth), self.random.pick(&["totalDays", "totalHours"]))
            }
            3 => format!("strtotime({})", self.of_type(Wanted::Date, depth)),
            4 => format!("length({})", self.of_type(Wanted::List, depth)),
            _ => format!("length({})", self.random.pick(&["lines", "map(lines, 'l0')"])),
        }
    }

    /// The text of a date or an interval.
    pub(super) fn formatted(&mut self, depth: usize) -> String {
        if self.random.once_in(3) {
            let format = self.random.pick(&["%a", "%d %h", "%R%a days"]);
            return format!("formatDate({}, '{format}')", self.interval(depth));
        }
        let wanted = if self.random.once_in(2) { Wanted::Date } else { Wanted::DateTime };
        let format = self.random.pick(&["d.m.Y", "Y-m-d", "H:i", "U"]);
        format!("formatDate({}, '{format}')", self.of_type(wanted, depth))
    }
}
