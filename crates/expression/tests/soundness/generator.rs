//! Random programs towards a type that is wanted, of whose steps a tenth are towards another one.

use crate::model::{Kind, Model, OPTIONS, Property};
use crate::random::Random;

/// The type that a step is to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Int,
    Number,
    Text,
    Bool,
    Date,
    DateTime,
    Month,
    Time,
    Interval,
    /// An array of texts.
    List,
    /// A value of which nothing is known.
    Any,
}

/// Each type, and those that are wanted twice as often as others.
pub(super) const ALL: [Wanted; 15] = [
    Wanted::Int,
    Wanted::Int,
    Wanted::Number,
    Wanted::Text,
    Wanted::Text,
    Wanted::Bool,
    Wanted::Bool,
    Wanted::Date,
    Wanted::DateTime,
    Wanted::Number,
    Wanted::Month,
    Wanted::Time,
    Wanted::Interval,
    Wanted::List,
    Wanted::Any,
];

/// The generator: a model and what is left of randomness.
pub(crate) struct Generator<'m, 'r> {
    pub(super) model: &'m Model,
    pub(super) random: &'r mut Random,
}

impl<'m, 'r> Generator<'m, 'r> {
    pub(crate) fn of(model: &'m Model, random: &'r mut Random) -> Self {
        Generator { model, random }
    }

    pub(crate) fn program(&mut self) -> String {
        let wanted = ALL[self.random.below(ALL.len())];
        let depth = 1 + self.random.below(4);
        self.of_type(wanted, depth)
    }

    /// A text with parts.
    pub(crate) fn template(&mut self) -> String {
        let part = |generator: &mut Self, wanted| generator.of_type(wanted, 1);
        let (first, second) = (part(self, Wanted::Text), part(self, Wanted::Int));
        let wanted = ALL[self.random.below(ALL.len())];
        format!("Dear {{={first}}}, {{={second}}} of {{={}}}.", part(self, wanted))
    }

    pub(super) fn of_type(&mut self, wanted: Wanted, depth: usize) -> String {
        let wanted = if self.random.once_in(10) { ALL[self.random.below(ALL.len())] } else { wanted };
        if depth == 0 || self.random.once_in(5) {
            return self.leaf(wanted);
        }
        let depth = depth - 1;
        match self.random.below(9) {
            0 => self.choice(wanted, depth),
            1 => self.instead(wanted, depth),
            2 => self.guarded(wanted),
            3 => self.member(wanted, depth),
            _ => match wanted {
                Wanted::Int | Wanted::Number => self.number(wanted, depth),
                Wanted::Text => self.text(depth),
                Wanted::Bool => self.condition(depth),
                Wanted::Date | Wanted::DateTime | Wanted::Month | Wanted::Time => self.moved(wanted, depth),
                Wanted::Interval => self.interval(depth),
                Wanted::List => self.list(depth),
                Wanted::Any => self.leaf(wanted),
            },
        }
    }

    fn fits(wanted: Wanted, kind: Kind) -> bool {
        match wanted {
            Wanted::Int => matches!(kind, Kind::Int | Kind::Count),
            Wanted::Number => matches!(kind, Kind::Int | Kind::Count | Kind::Float | Kind::Decimal),
            Wanted::Text => matches!(kind, Kind::Text | Kind::Option),
            Wanted::Bool => kind == Kind::Bool,
            Wanted::Date => kind == Kind::Date,
            Wanted::DateTime => kind == Kind::DateTime,
            Wanted::Month => kind == Kind::Month,
            Wanted::Time => kind == Kind::Time,
            Wanted::List => kind == Kind::Tags,
            Wanted::Any => kind == Kind::Json,
            Wanted::Interval => false,
        }
    }

    /// A property that fits, of the resource or its company, with its path.
    pub(super) fn property(&mut self, fits: impl Fn(Kind) -> bool) -> Option<(String, Kind)> {
        let own = self.model.own.iter().map(|property| (String::new(), property));
        let further = self.model.company.iter().map(|property| ("company.".to_owned(), property));
        let all: Vec<(String, &Property)> = own.chain(further).filter(|(_, property)| fits(property.kind)).collect();
        if all.is_empty() {
            return None;
        }
        let (path, property) = &all[self.random.below(all.len())];
        Some((format!("{path}{}", property.name), property.kind))
    }

    pub(super) fn leaf(&mut self, wanted: Wanted) -> String {
        if !self.random.once_in(4)
            && let Some((path, _)) = self.property(|kind| Self::fits(wanted, kind))
        {
            return path;
        }
        match wanted {
            Wanted::Int => self.random.pick(&["0", "1", "-3", "100", "9223372036854775807"]).to_owned(),
            Wanted::Number => self.random.pick(&["0", "1.5", "-0.25", "12", "1e10"]).to_owned(),
            Wanted::Text => self.random.pick(&["''", "'a'", "'draft'", "'12'", "'Ada'"]).to_owned(),
            Wanted::Bool => self.random.pick(&["true", "false"]).to_owned(),
            Wanted::Date => self.random.pick(&["'2026-12-31'", "date('Y-m-d')"]).to_owned(),
            // An instant cannot be written: the first property stands there.
            Wanted::DateTime => "p0".to_owned(),
            Wanted::Month => self.random.pick(&["'2026-11'", "date('Y-m')"]).to_owned(),
            Wanted::Time => self.random.pick(&["'14:30'", "date('H:i:s')"]).to_owned(),
            Wanted::Interval => {
                self.random.pick(&["3.days", "1.months", "2.hours", "1.years", "30.minutes"]).to_owned()
            }
            Wanted::List => self.random.pick(&["[]", "['a', 'draft']", "explode(',', 'a,b')"]).to_owned(),
            Wanted::Any => self.random.pick(&["$x", "var('x')", "jsonDecode('[1]')", "$y"]).to_owned(),
        }
    }

    fn choice(&mut self, wanted: Wanted, depth: usize) -> String {
        let (then, otherwise) = (self.of_type(wanted, depth), self.of_type(wanted, depth));
        let condition = self.of_type(Wanted::Bool, depth);
        match self.random.below(3) {
            0 => format!("if({condition}, {then}, {otherwise})"),
            _ => format!("({condition} ? {then} : {otherwise})"),
        }
    }

    fn instead(&mut self, wanted: Wanted, depth: usize) -> String {
        let (first, other) = (self.of_type(wanted, depth), self.of_type(wanted, 0));
        format!("({first} ?? {other})")
    }

    /// Uses that narrowing allows: a test, and what the tested value is used for.
    fn guarded(&mut self, wanted: Wanted) -> String {
        let Some((path, kind)) = self.property(|kind| kind != Kind::Bool) else { return self.leaf(wanted) };
        let test = match self.random.below(6) {
            0 => path.clone(),
            1 => format!("!({path} == null)"),
            2 if Self::fits(Wanted::Number, kind) => {
                let operator = self.random.pick(&["!=", ">", "<", ">=", "<=", "=="]);
                let number = self.random.pick(&["0", "1", "-1"]);
                format!("{path} {operator} {number}")
            }
            3 if kind == Kind::Text => format!("length({path}) > 0"),
            4 if kind == Kind::Text => format!("startsWith({path}, 'A')"),
            _ => format!("{path} != null"),
        };
        let test = match self.random.below(5) {
            0 => format!("{test} and {}", self.of_type(Wanted::Bool, 0)),
            1 => format!("!({test}) or {}", self.of_type(Wanted::Bool, 0)),
            2 => format!("{test} or {}", self.of_type(Wanted::Bool, 0)),
            _ => test,
        };
        let other = self.leaf(wanted);
        let used = match wanted {
            Wanted::Number if Self::fits(Wanted::Number, kind) => format!("100 / {path}"),
            Wanted::Int if Self::fits(Wanted::Int, kind) => format!("7 % {path}"),
            Wanted::Text if kind == Kind::Text => format!("webalize({path})"),
            Wanted::Bool if kind == Kind::Text => format!("startsWith('abc', {path})"),
            _ => return format!("({test} ? {other} : {})", self.leaf(wanted)),
        };
        match self.random.below(3) {
            0 => format!("({test} ? {other} : {used})"),
            1 if wanted == Wanted::Bool => format!("({test} and {used})"),
            2 if wanted == Wanted::Bool => format!("({test} or {used})"),
            _ => format!("({test} ? {used} : {other})"),
        }
    }

    fn number(&mut self, wanted: Wanted, depth: usize) -> String {
        match self.random.below(8) {
            0 => format!("length({})", self.of_type(Wanted::Text, depth)),
            1 => format!("-{}", self.leaf(wanted)),
            2 if wanted == Wanted::Number => {
                let divisor = self.random.pick(&["2", "0.5", "-3"]);
                format!("({} / {divisor})", self.of_type(wanted, depth))
            }
            3 if self.random.once_in(2) => self.counted(wanted, depth),
            3 => format!("toInt({})", self.of_type(Wanted::Text, depth)),
            4 => match self.property(|kind| kind == Kind::Count) {
                Some((path, _)) => format!("({} % {path})", self.of_type(wanted, depth)),
                None => self.leaf(wanted),
            },
            _ => {
                let operator = self.random.pick(&["+", "-", "*"]);
                let (left, right) = (self.of_type(wanted, depth), self.of_type(wanted, depth));
                format!("({left} {operator} {right})")
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let inner = self.of_type(Wanted::Text, depth);
        // Without a second choice, too: an empty text is a text there.
        let inner = if self.random.once_in(3) { format!("{inner} ?? ''") } else { inner };
        match self.random.below(11) {
            0 => format!("upper({inner})"),
            1 => format!("firstNChars({inner}, 3)"),
            2 => format!("toString({})", self.of_type(Wanted::Number, depth)),
            3 => format!("trim({inner})"),
            4 => {
                format!("{}({inner})", self.random.pick(&["lower", "firstUpper", "removeHtmlTags", "webalize", "md5"]))
            }
            5 => self.formatted(depth),
            6 | 7 => self.text_of_list(depth),
            _ => {
                let wanted = ALL[self.random.below(ALL.len())];
                let other = self.of_type(wanted, depth);
                format!("({inner} ~ ' ' ~ {other})")
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let order = self.random.pick(&["==", "!=", "<", "<=", ">", ">=", "===", "!=="]);
        match self.random.below(12) {
            0 => format!("({} and {})", self.of_type(Wanted::Bool, depth), self.of_type(Wanted::Bool, depth)),
            1 => format!("({} or {})", self.of_type(Wanted::Bool, depth), self.of_type(Wanted::Bool, depth)),
            2 => format!("!{}", self.leaf(Wanted::Bool)),
            3 => {
                let (left, right) = (self.of_type(Wanted::Text, depth), self.of_type(Wanted::Text, depth));
                format!("({left} {} {right})", self.random.pick(&["==", "!=", "===", "!=="]))
            }
            4 => match self.property(|kind| kind == Kind::Option) {
                Some((path, _)) => {
                    let (one, other) = (self.random.pick(&OPTIONS), self.random.pick(&OPTIONS));
                    let operator = self.random.pick(&["in", "not in"]);
                    format!("({path} {operator} ['{one}', '{other}'])")
                }
                None => self.leaf(Wanted::Bool),
            },
            5 => {
                let wanted = [Wanted::Date, Wanted::DateTime, Wanted::Month, Wanted::Time][self.random.below(4)];
                format!("({} {order} {})", self.of_type(wanted, depth), self.leaf(wanted))
            }
            8 | 9 => self.of_list(depth),
            10 => {
                let (left, right) = (Wanted::Any, ALL[self.random.below(ALL.len())]);
                format!(
                    "({} {} {})",
                    self.leaf(left),
                    self.random.pick(&["==", "!=", "in"]),
                    self.of_type(right, depth)
                )
            }
            6 => match self.property(|_| true) {
                Some((path, _)) => format!("({path} {} null)", self.random.pick(&["==", "!=", "===", "!=="])),
                None => self.leaf(Wanted::Bool),
            },
            7 => format!("contains({}, 'a')", self.of_type(Wanted::Text, depth)),
            _ => {
                let (left, right) = (self.of_type(Wanted::Number, depth), self.of_type(Wanted::Number, depth));
                format!("({left} {order} {right})")
            }
        }
    }
}
