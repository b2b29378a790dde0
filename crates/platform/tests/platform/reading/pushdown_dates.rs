//! Random parts of expressions about things: dates and intervals that are counted with.

use super::pushdown_words::Words;

const KNOWN: [&str; 9] = [
    "'2024-02-29'",
    "'2025-01-31'",
    "'0001-01-01'",
    "'9999-12-31'",
    "date('Y-m-d')",
    "user('born')",
    "'2026-03-01'",
    "date('Y-m-d', strtotime('-1 month'))",
    "null",
];

impl Words {
    /// A comparison with a date, a month or a datetime that was counted with.
    pub(super) fn counted_dates(&mut self) -> String {
        match self.below(16) {
            0..=2 => {
                format!("({} {} {})", self.moved_day(2), self.order(), self.other_day())
            }
            3 => format!("({} {} {})", self.moved_day(1), self.order(), self.moved_day(1)),
            4 | 5 => format!(
                "({} {} {})",
                self.days_between(),
                self.order(),
                self.of(&["0", "5", "-31", "count", "3652058", "365.25", "null", "length(text)"])
            ),
            6 => format!("(({} + {}) > 2)", self.days_between(), self.of(&["count", "1", "limit"])),
            7 => format!(
                "(formatDate({}, '{}') === {})",
                self.moved_day(1),
                self.of(&["Y-m-d", "Y-m", "d.m.Y", "Y"]),
                self.of(&["'2026-11-20'", "'2026-03'", "'28.02.2027'", "''", "'9999'"])
            ),
            8 => format!("(({} ~ 'x') {} '2026-12-01x')", self.moved_day(1), self.of(&["===", "<", ">="])),
            9 => format!(
                "(({} {} {}) {} {})",
                self.of(&["month", "month", "(flag ? month : null)"]),
                self.of(&["+", "-"]),
                self.of(&["1.months", "2.years", "count.months", "limit.years", "9998.years", "big.months"]),
                self.order(),
                self.of(&["'2026-10'", "'2027-01'", "month", "null", "'9999-12'", "(month + 3.months)"])
            ),
            10 | 11 => format!("({} {} {})", self.moved_moment(1), self.order(), self.other_moment()),
            12 => format!(
                "({} {} {})",
                self.elapsed(),
                self.order(),
                self.of(&[
                    "4.hours",
                    "90.minutes",
                    "3.days",
                    "-1.hours",
                    "0.days",
                    "count.hours",
                    "limit.days",
                    "null"
                ])
            ),
            13 => format!(
                "({}.{} {} {})",
                self.elapsed(),
                self.of(&["totalDays", "totalHours", "totalMinutes", "totalSeconds"]),
                self.order(),
                self.of(&["1.5", "0", "24", "-3600", "5580", "23.5", "count"])
            ),
            14 => format!(
                "compareDates({}, '{}', {})",
                self.moved_day(1),
                self.of(&["<", "<=", "==", ">", "within", "withinMonth"]),
                self.of(&["'2026-11-20'", "user('born')", "null", "'9999-12-31'"])
            ),
            _ => format!(
                "({} {} {})",
                self.moved_day(1),
                self.of(&["and", "or", "??", "=="]),
                self.of(&["flag", "null"])
            ),
        }
    }

    fn order(&mut self) -> &'static str {
        self.of(&["==", "!=", "<", "<=", ">", ">="])
    }

    fn interval(&mut self) -> &'static str {
        self.of(&[
            "5.days",
            "-5.days",
            "2.weeks",
            "1.months",
            "-13.months",
            "4.years",
            "9998.years",
            "120000.months",
            "0.days",
            "3652058.days",
            "9223372036854775807.days",
            "dateDiff('2026-01-31', '2026-03-01')",
            "dateDiff('2026-03-01', user('born'))",
            "count.days",
            "limit.weeks",
            "count.months",
            "owner.salary.years",
            "owner.salary.weeks",
            "big.days",
            "big.weeks",
            "big.months",
            "(count + limit).days",
            "(count ?? 3).months",
            "toInt(cost).days",
            "toInt(length(text)).months",
            "(-limit.years)",
        ])
    }

    fn moved_day(&mut self, depth: usize) -> String {
        if depth > 1 && self.below(3) == 0 {
            return format!("({} {} {})", self.moved_day(depth - 1), self.of(&["+", "-"]), self.interval());
        }
        let interval = self.interval();
        match self.below(6) {
            0 => format!("({interval} + {})", self.of(&["day", "until"])),
            1 if interval.contains(|letter: char| letter.is_alphabetic() && letter != 'd') => {
                let row = self.of(&["count.days", "limit.months", "owner.salary.years", "big.weeks"]);
                format!("({} {} {row})", self.of(&KNOWN), self.of(&["+", "-"]))
            }
            2 => format!("((flag ? day : until) {} {interval})", self.of(&["+", "-"])),
            3 => format!("((day ?? until) {} {interval})", self.of(&["+", "-"])),
            _ => format!(
                "({} {} {interval})",
                self.of(&["day", "until", "owner.born", "owner.chief.born", "day"]),
                self.of(&["+", "-"])
            ),
        }
    }

    fn other_day(&mut self) -> &'static str {
        self.of(&[
            "day",
            "until",
            "owner.born",
            "'2026-11-20'",
            "'2026-02-28'",
            "'0001-01-01'",
            "'9999-12-31'",
            "'2026-11'",
            "date('Y-m-d')",
            "user('born')",
            "null",
        ])
    }

    fn days_between(&mut self) -> String {
        match self.below(4) {
            0 => format!("({} - day)", self.of(&KNOWN)),
            1 => format!("(until - {})", self.of(&KNOWN)),
            2 => format!("({} - {})", self.moved_day(1), self.of(&["day", "until"])),
            _ => self.of(&["(until - day)", "(day - owner.born)", "(day - day)"]).to_owned(),
        }
    }

    fn moved_moment(&mut self, depth: usize) -> String {
        let interval = self.of(&[
            "4.hours",
            "-90.minutes",
            "count.hours",
            "limit.minutes",
            "0.hours",
            "owner.salary.hours",
            "87600000.hours",
            "(count + limit).minutes",
        ]);
        if depth > 0 && self.below(4) == 0 {
            return format!("({} {} {interval})", self.moved_moment(depth - 1), self.of(&["+", "-"]));
        }
        match self.below(4) {
            0 => format!("({interval} + {})", self.of(&["at", "begun"])),
            _ => format!("({} {} {interval})", self.of(&["at", "begun"]), self.of(&["+", "-"])),
        }
    }

    fn other_moment(&mut self) -> String {
        match self.below(3) {
            0 => self.moved_moment(0),
            1 => self.of(&["at", "begun", "null", "(flag ? at : begun)"]).to_owned(),
            _ => self
                .of(&["'2026-10-25T04:30:00Z'", "'2026-11-20 22:30:00'", "'2026-03-29T05:30:00.123Z'", "'nonsense'"])
                .to_owned(),
        }
    }

    fn elapsed(&mut self) -> String {
        match self.below(3) {
            0 => format!("({} - {})", self.moved_moment(0), self.of(&["at", "begun"])),
            _ => self.of(&["(at - begun)", "(begun - at)", "(at - at)"]).to_owned(),
        }
    }
}
