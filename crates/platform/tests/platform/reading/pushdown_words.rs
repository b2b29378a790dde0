//! Random expressions about things: each of a sort that is known.

use serde_json::Value as Json;

/// Texts that are no numbers.
const PLAIN: [&str; 16] =
    ["", "a", "A", "ab", "b", "Čapek", "čapek", "σας", "σασ", "SS", "i̇i", "it's", "x", "trim", "😀", "ž"];
const DAY_TEXTS: [&str; 9] =
    ["2026-03-29", "2026-10-25", "2026-11-20", "9999-12-31", "2026-11-2", "2026", "zzz", "2026-13-40", ""];
const MONTH_TEXTS: [&str; 7] = ["2026-03", "2026-10", "2026-11", "2026-11-01", "2026", "a", "2026-00"];
const MOMENT_TEXTS: [&str; 8] = [
    "2026-03-29 03:30:00",
    "2026-10-25 02:30:00",
    "2026-11-20",
    "now",
    "yesterday",
    "no date",
    "2026-10-25 02:30:00.123",
    "1970-01-01 00:59:59.9995",
];

/// A source of rows and expressions, the same for the same seed.
pub(super) struct Words(u64);

impl Words {
    pub(super) fn new(seed: u64) -> Self {
        Words(seed)
    }

    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub(super) fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Some of them, in their order.
    pub(super) fn some(&mut self, all: Vec<Json>) -> Json {
        all.into_iter().filter(|_| self.below(3) == 0).collect()
    }

    pub(super) fn or_null(&mut self, value: Json) -> Json {
        if self.below(5) == 0 { Json::Null } else { value }
    }

    /// An expression that decides.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth > 0 {
            let inner = depth - 1;
            match self.below(12) {
                0 => return format!("({} and {})", self.condition(inner), self.condition(inner)),
                1 => return format!("({} or {})", self.condition(inner), self.condition(inner)),
                2 => return format!("(not {})", self.condition(inner)),
                3 => return format!("({} xor {})", self.condition(inner), self.condition(inner)),
                4 => {
                    let (condition, then) = (self.condition(inner), self.condition(inner));
                    return format!("({condition} ? {then} : {})", self.condition(inner));
                }
                5 => {
                    let (condition, then) = (self.condition(inner), self.condition(inner));
                    return format!("if({condition}, {then}, {})", self.condition(inner));
                }
                6 => return format!("({} ?: {})", self.condition(inner), self.condition(inner)),
                7 => return format!("toBool({})", self.condition(inner)),
                8 => return format!("({} == {})", self.condition(inner), self.of(&["true", "false", "flag", "null"])),
                _ => {}
            }
        }
        self.leaf(depth.min(2))
    }

    fn leaf(&mut self, depth: usize) -> String {
        match self.below(33) {
            29..=31 => self.counted_dates(),
            28 => self.about_user(depth),
            24 => format!("({} {} {})", self.real(depth), self.comparison(), self.beside_real(depth)),
            25 => format!("({} {} {})", self.shown_day(), self.of(&["===", "!==", "<", ">="]), self.shown()),
            26 => format!("({} {} {})", self.cast(), self.comparison(), self.constant()),
            27 => format!(
                "(length({}) {} {})",
                self.of(&["people", "marks", "owner.friends", "owner.chief.friends"]),
                self.comparison(),
                self.of(&["0", "1", "2", "count", "length(text)"])
            ),
            20 => self.dates(),
            21 => format!(
                "in_array({}, {})",
                self.of(&["count", "flag", "price", "owner", "limit", "ratio"]),
                self.of(&["[1, 3]", "[0]", "[null]", "[]", "[false, 2]", "[user('id')]"])
            ),
            22 => format!(
                "in_array({}, {})",
                self.words(depth),
                self.of(&["['a', 'ab']", "['']", "[null, 'x']", "[true]"])
            ),
            23 => format!(
                "({}({}) {} {})",
                self.of(&["toInt", "toFloat"]),
                self.number(depth),
                self.comparison(),
                self.constant()
            ),
            0 | 1 => format!("({} {} {})", self.number(depth), self.comparison(), self.number(depth)),
            2 => format!("({} {} {})", self.number(depth), self.comparison(), self.constant()),
            3 => format!("({} {} {})", self.of(&["price", "net", "price + net"]), self.comparison(), self.decimal()),
            4 => format!(
                "({} {} {})",
                self.of(&["ratio", "ratio"]),
                self.comparison(),
                self.of(&["0.1", "10", "-1", "1e300", "0", "count"])
            ),
            5 => format!("({} {} {})", self.words(depth), self.comparison(), self.literal()),
            6 => format!("({} {} {})", self.words(depth), self.of(&["===", "!=="]), self.words(depth)),
            7 => format!(
                "({} {} {})",
                self.of(&["day", "until", "owner.born", "owner.chief.born"]),
                self.comparison(),
                self.day_value()
            ),
            8 => match self.below(3) {
                0 => format!("(time {} '{}')", self.comparison(), self.of(&["14:30", "14:30:00", "00:00", "zz"])),
                1 => format!("(month {} (date('Y-m') {} 1.months))", self.comparison(), self.of(&["+", "-"])),
                _ => format!("(month {} '{}')", self.comparison(), self.of(&MONTH_TEXTS)),
            },
            9 => format!("(at {} '{}')", self.comparison(), self.of(&MOMENT_TEXTS)),
            10 => format!(
                "({} {} [{}, {}])",
                self.words(depth),
                self.of(&["in", "not in"]),
                self.literal(),
                self.literal()
            ),
            11 => format!(
                "({} {} [{}, {}, {}])",
                self.number(depth),
                self.of(&["in", "not in"]),
                self.constant(),
                self.constant(),
                self.of(&["count", "null", "limit"])
            ),
            12 => {
                let function = self.of(&["startsWith", "endsWith", "contains"]);
                format!("{function}({}, {})", self.words(depth), self.words(depth))
            }
            13 => format!(
                "({} {} {})",
                self.of(&["owner", "owner.chief", "owner.chief.chief"]),
                self.of(&["==", "!="]),
                self.of(&["1", "3", "user('id')", "null", "owner", "owner.chief"])
            ),
            14 => self.about_people(),
            15 => format!("('{}' {} marks)", self.of(&["red", "blue", "x"]), self.of(&["in", "not in"])),
            16 => format!(
                "(state {} {})",
                self.of(&["==", "!=", "<", "==="]),
                self.of(&["'new'", "'old'", "null", "text", "mail"])
            ),
            17 => self
                .of(&[
                    "flag",
                    "count",
                    "text",
                    "price",
                    "ratio",
                    "day",
                    "at",
                    "owner",
                    "people",
                    "marks",
                    "owner.name",
                    "state",
                    "month",
                    "time",
                    "big",
                ])
                .to_owned(),
            18 => format!(
                "({} {} {})",
                self.of(&["flag", "owner", "text", "at", "day"]),
                self.of(&["==", "!="]),
                self.of(&["null", "true", "false", "flag"])
            ),
            _ => format!("({} in {})", self.literal(), self.words(depth)),
        }
    }

    /// Facts of the user that a request alone knows; webalize() fails, as there is no note.
    fn about_user(&mut self, depth: usize) -> String {
        match self.below(8) {
            0 | 1 => format!("({} {} user('marks'))", self.words(depth), self.of(&["in", "not in"])),
            2 => format!("in_array({}, user('marks'))", self.words(depth)),
            3 => format!("({} in user('marks'))", self.of(&["flag", "owner.name", "owner.chief.name", "state"])),
            4 => format!("({} {} webalize(user('note')))", self.words(depth), self.of(&["===", "!=="])),
            5 => format!("(({} ?? webalize(user('note'))) === {})", self.words(depth), self.literal()),
            6 => format!("(webalize(user('note')) {} {})", self.of(&["or", "and", "xor", "?:"]), self.leaf(0)),
            _ => format!(
                "compareDates({}, '{}', {})",
                self.of(&["day", "at", "owner.born"]),
                self.of(&["<", ">=", "==", "within", "withinMonth"]),
                self.of(&["user('mail')", "user('born')", "user('note')"])
            ),
        }
    }

    fn dates(&mut self) -> String {
        let date = self.of(&["day", "until", "owner.born", "at", "at"]);
        let other = match self.below(3) {
            0 => format!("'{}'", self.of(&DAY_TEXTS)),
            1 => format!("'{}'", self.of(&MOMENT_TEXTS)),
            _ => self.of(&["time()", "today()", "null", "1761350400", "strtotime('-3 days')"]).to_owned(),
        };
        let operator = self.of(&["<", "<=", ">", ">=", "==", "within", "withinMonth", "withinYear"]);
        match self.below(7) {
            0 => format!("compareDates({date}, '{operator}')"),
            6 => {
                let operator = self.of(&["<", "<=", ">", ">=", "=="]);
                format!("compareDates({}, '{operator}', {})", self.of(&["at", "begun"]), self.of(&["at", "begun"]))
            }
            1 => format!("compareDates({other}, '{operator}', {date})"),
            _ => format!("compareDates({date}, '{operator}', {other})"),
        }
    }

    /// What relations to several lead to.
    fn about_people(&mut self) -> String {
        match self.below(9) {
            0 => format!("(people {} {})", self.of(&["==", "!="]), self.of(&["1", "3", "user('id')", "owner"])),
            1 => format!(
                "(people.id {} {})",
                self.of(&["==", "!=", "<", ">="]),
                self.of(&["1", "user('id')", "count", "4"])
            ),
            2 => format!("(people.salary {} {})", self.comparison(), self.of(&["0", "3", "count", "null"])),
            3 => format!(
                "(people.name {} {})",
                self.of(&["==", "!=", "in", "not in"]),
                self.of(&["['a', 'Čapek']", "['x']"])
            ),
            4 => format!(
                "({} {} people)",
                self.of(&["1", "user('id')", "count", "owner.id"]),
                self.of(&["in", "not in"])
            ),
            5 => format!("(people.chief.id {} {})", self.of(&["==", "!="]), self.of(&["1", "2", "null", "owner.id"])),
            6 => format!("(owner.friends.id {} {})", self.of(&["==", "!="]), self.of(&["1", "user('id')", "count"])),
            7 => format!(
                "(people.friends.name {} {})",
                self.of(&["==", "!="]),
                self.of(&["'a'", "'Čapek'", "null", "''"])
            ),
            _ => format!("(people.country.code {} {})", self.comparison(), self.literal()),
        }
    }

    fn comparison(&mut self) -> &'static str {
        self.of(&["==", "!=", "<", "<=", ">", ">="])
    }

    fn number(&mut self, depth: usize) -> String {
        if depth > 0 {
            let inner = depth - 1;
            match self.below(9) {
                0 => return format!("({} + {})", self.number(inner), self.number(inner)),
                1 => return format!("({} - {})", self.number(inner), self.number(inner)),
                2 => return format!("({} * {})", self.number(inner), self.of(&["2", "-3", "0", "7"])),
                3 => return format!("({} % {})", self.number(inner), self.of(&["2", "3", "-7"])),
                4 => return format!("(-{})", self.number(inner)),
                5 => return format!("({} ?? {})", self.number(inner), self.number(inner)),
                6 => return format!("length({})", self.words(inner)),
                7 => return format!("(flag ? {} : {})", self.number(inner), self.number(inner)),
                _ => {}
            }
        }
        self.of(&["count", "limit", "owner.salary", "owner.chief.salary", "owner.id", "3", "-1", "count", "limit"])
            .to_owned()
    }

    fn constant(&mut self) -> &'static str {
        self.of(&[
            "0",
            "1",
            "-3",
            "10",
            "2.5",
            "-0.5",
            "1e30",
            "null",
            "true",
            "9007199254740993",
            "9223372036854775807",
            "user('id')",
            "(user('id') * 2)",
        ])
    }

    fn decimal(&mut self) -> &'static str {
        self.of(&[
            "0", "0.05", "12.5", "12.505", "-3", "1e18", "1e40", "1e-40", "-1e-40", "net", "price", "count", "null",
            "true",
        ])
    }

    fn day_value(&mut self) -> String {
        match self.below(4) {
            0 => self.of(&["until", "day", "null", "today()", "date('Y-m-d')"]).to_owned(),
            1 => {
                let (sign, count) = (self.of(&["+", "-"]), self.of(&["0", "1", "40", "user('id')"]));
                format!("(date('Y-m-d') {sign} {count}.{})", self.of(&["days", "weeks", "months", "years"]))
            }
            _ => format!("'{}'", self.of(&DAY_TEXTS)),
        }
    }

    fn literal(&mut self) -> String {
        let text = self.of(&PLAIN);
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
    }

    fn words(&mut self, depth: usize) -> String {
        if depth > 0 {
            let inner = depth - 1;
            match self.below(12) {
                0 => return format!("upper({})", self.words(inner)),
                1 => return format!("lower({})", self.words(inner)),
                2 => return format!("trim({})", self.words(inner)),
                3 => {
                    return format!(
                        "firstNChars({}, {})",
                        self.words(inner),
                        self.of(&["0", "1", "2", "9", "-1", "-9"])
                    );
                }
                4 => {
                    return format!(
                        "lastNChars({}, {})",
                        self.words(inner),
                        self.of(&["0", "1", "2", "9", "-1", "-9"])
                    );
                }
                5 => {
                    return format!(
                        "({} ~ {})",
                        self.words(inner),
                        self.of(&["count", "price", "flag", "day", "month", "'x'", "memo"])
                    );
                }
                6 => return format!("concat([{}, {}])", self.words(inner), self.of(&["limit", "net", "'-'"])),
                7 => return format!("join({}, [{}, {}])", self.literal(), self.words(inner), self.words(inner)),
                8 => return format!("toString({})", self.of(&["count", "price", "flag", "day", "text"])),
                9 => return format!("({} ?? {})", self.words(inner), self.literal()),
                _ => return format!("(flag ? {} : {})", self.words(inner), self.words(inner)),
            }
        }
        match self.below(5) {
            0 => self.literal(),
            _ => self
                .of(&["text", "memo", "owner.name", "owner.country.code", "owner.chief.name", "mail", "time"])
                .to_owned(),
        }
    }
}
