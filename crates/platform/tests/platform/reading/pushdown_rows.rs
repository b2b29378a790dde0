//! Random rows of things, and of those that they relate to.

use super::pushdown_words::Words;
use serde_json::{Value as Json, json};

const TEXTS: [&str; 26] = [
    "",
    "0",
    "1",
    "10",
    "1e1",
    " 10",
    "10.0",
    "a",
    "A",
    "ab",
    "Čapek",
    "čapek",
    "ΣΑΣ",
    "σας",
    "σασ",
    "ΑΣ́Σ",
    "İi",
    "straße",
    "ﬁx",
    "ǅ",
    "a%b",
    "a_b\\",
    "it's",
    "\u{a0}x \u{2003}",
    "  trim\t",
    "😀a",
];
const DAYS: [&str; 9] = [
    "2026-03-29",
    "2026-10-25",
    "2026-11-20",
    "2027-01-01",
    "0001-01-01",
    "9999-12-31",
    "2024-02-29",
    "2025-01-31",
    "1900-02-28",
];
const NUMBERS: [i64; 10] = [-100, -3, -1, 0, 0, 1, 2, 3, 10, 100];
/// The properties that each thing has, beside `limit` and `until`.
const REQUIRED: [&str; 5] = ["net", "share", "begun", "mail", "state"];
const MONTHS: [&str; 4] = ["2026-03", "2026-10", "2026-11", "2027-01"];
const MOMENTS: [&str; 8] = [
    "0001-01-01T12:00:00Z",
    "9999-12-31T22:59:59.999Z",
    "2026-03-29T01:30:00Z",
    "2026-10-25T00:30:00Z",
    "2026-10-25T01:30:00.123Z",
    "2026-11-20T22:30:00Z",
    "2026-11-19T23:00:00Z",
    "1969-12-31T23:59:59.999Z",
];

impl Words {
    pub(super) fn text(&mut self) -> Json {
        let text = self.of(&TEXTS);
        self.or_null(json!(text))
    }

    pub(super) fn integer(&mut self) -> Json {
        let number = self.of(&NUMBERS);
        self.or_null(json!(number))
    }

    pub(super) fn day(&mut self) -> Json {
        let day = self.of(&DAYS);
        self.or_null(json!(day))
    }

    pub(super) fn thing(&mut self) -> Json {
        let mut thing = json!({
            "text": self.text(), "memo": self.text(), "count": self.integer(), "limit": self.of(&NUMBERS),
            "day": self.day(), "until": self.of(&DAYS), "marks": self.some(vec![json!("red"), json!("green"), json!("blue")]),
            "people": self.some((1..=6).map(|id| json!(id)).collect()),
        });
        let others = [
            ("mail", json!(self.of(&["a@b.cz", "Z@b.cz"]))),
            ("big", json!(self.of(&[i64::MIN, i64::MAX, 0, 9_007_199_254_740_993, 10]))),
            ("price", json!(self.of(&["0", "0.05", "-0.05", "12.50", "-3", "9999999999999999.99", "10"]))),
            ("net", json!(self.of(&["0", "0.05", "12.50", "-3", "100.01"]))),
            ("ratio", json!(self.of(&[0.0, 0.5, -1.25, 0.1, 1e300, 10.0, 9_007_199_254_740_992.0]))),
            ("share", json!(self.of(&[0.0, 0.5, -1.25, 0.1, 999.999, 1e-320, -0.3]))),
            ("cost", json!(self.of(&["0", "0.001", "-0.5", "12.345", "-999.999", "1000"]))),
            ("begun", json!(self.of(&MOMENTS))),
            ("flag", json!(self.of(&[true, false]))),
            ("month", json!(self.of(&MONTHS))),
            ("time", json!(self.of(&["00:00", "14:30", "14:30:15"]))),
            ("at", json!(self.of(&MOMENTS))),
            ("state", json!(self.of(&["new", "old"]))),
            ("owner", json!(self.below(6) + 1)),
        ];
        for (name, value) in others {
            thing[name] = if REQUIRED.contains(&name) { value } else { self.or_null(value) };
        }
        thing
    }
}
