//! Random parts of expressions about things: floats, quotients, casts and the texts of days.

use super::pushdown_words::Words;

impl Words {
    /// A float, or a quotient.
    pub(super) fn real(&mut self, depth: usize) -> String {
        if depth > 0 {
            let inner = depth - 1;
            match self.below(8) {
                0 => return format!("({} + {})", self.real(inner), self.real(inner)),
                1 => return format!("({} - {})", self.real(inner), self.part(inner)),
                2 => return format!("({} * {})", self.real(inner), self.of(&["2", "-3", "count", "limit", "0"])),
                3 => {
                    return format!(
                        "({} * {})",
                        self.of(&["count", "limit", "owner.salary"]),
                        self.of(&["0.1", "-2.5"])
                    );
                }
                4 => return format!("(-{})", self.real(inner)),
                5 => return format!("({} + {})", self.part(inner), self.real(inner)),
                6 => return format!("(flag ? {} : {})", self.quotient(inner), self.quotient(inner)),
                _ => {}
            }
        }
        match self.below(3) {
            0 => self.of(&["share", "share", "-share"]).to_owned(),
            _ => self.quotient(depth),
        }
    }

    fn quotient(&mut self, depth: usize) -> String {
        format!("({} / {})", self.part(depth.min(1)), self.part(depth.min(1)))
    }

    /// What is divided: an integer whose limits are known.
    fn part(&mut self, depth: usize) -> String {
        if depth > 0 && self.below(3) == 0 {
            return format!("({} {} {})", self.part(0), self.of(&["+", "-", "*"]), self.part(0));
        }
        self.of(&["count", "limit", "owner.salary", "owner.chief.salary", "2", "3", "-7", "count"]).to_owned()
    }

    pub(super) fn beside_real(&mut self, depth: usize) -> String {
        match self.below(4) {
            0 => self.real(depth.min(1)),
            1 => self.of(&["count", "ratio", "share", "limit", "(share ?? 0.5)", "(flag ? share : ratio)"]).to_owned(),
            _ => {
                self.of(&["0", "1", "0.5", "-0.3333333333333333", "0.1", "1.5", "33", "-1", "null", "true"]).to_owned()
            }
        }
    }

    pub(super) fn cast(&mut self) -> String {
        match self.below(4) {
            0 => format!(
                "toInt({})",
                self.of(&["price", "net", "cost", "share", "flag", "price + net", "count / limit"])
            ),
            1 => format!("toFloat({})", self.of(&["cost", "share", "flag", "cost - 1", "count / limit", "ratio"])),
            2 => format!("(toInt({}) * 2)", self.of(&["cost", "share", "flag"])),
            _ => format!("(toFloat({}) + {})", self.of(&["cost", "count", "flag"]), self.of(&["share", "1", "0.5"])),
        }
    }

    pub(super) fn shown_day(&mut self) -> String {
        let format = self.of(&["Y-m-d", "Y-m", "Y", "m", "d.m.Y", "j. n. y", "j/n", "y"]);
        format!("formatDate({}, '{format}')", self.of(&["day", "until", "owner.born"]))
    }

    pub(super) fn shown(&mut self) -> String {
        match self.below(3) {
            0 => self.shown_day(),
            1 => self.of(&["text", "memo", "toString(count)"]).to_owned(),
            _ => {
                let texts =
                    ["'2026-11-20'", "'2026-03'", "'2026'", "'11'", "'20.11.2026'", "'1. 1. 27'", "'29/3'", "'26'"];
                self.of(&texts).to_owned()
            }
        }
    }
}
