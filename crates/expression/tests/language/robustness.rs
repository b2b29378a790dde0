//! Texts at random never panic, and end within their limits.

use crate::place::{run, scope};
use expression::{Program, RunLimits};
use proptest::prelude::*;
use proptest::sample::select;

/// Words and signs that expressions are made of.
const PIECES: &[&str] = &[
    "1",
    "0",
    "2.5",
    "1e400",
    "9223372036854775807",
    "'a'",
    "\"b\\u00e9\"",
    "''",
    "null",
    "true",
    "false",
    "price",
    "customer",
    "lines",
    "nothing",
    "$x",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "?",
    ".",
    "...",
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    "~",
    "==",
    "===",
    "!=",
    "<",
    ">=",
    "in",
    "not",
    "and",
    "or",
    "??",
    "!",
    "&&",
    "||",
    " xor ",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "{=",
    "\\{=",
    "map(",
    "upper(",
    "if(",
    "range(1, 9)",
    "explode(",
    "getSecret('s')",
    "query('places')",
    "'a.upper()'",
    " ",
    "/*",
    "*/",
    "\\",
    "'",
    "\"",
    "č",
    "\u{1f600}",
    "merge(",
    "date(",
    "random(",
    "export()",
    "name:",
    "array:",
    "strtotime(",
];

fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn try_all(text: &str) {
    let limits = RunLimits::default().with_fuel(20_000).with_memory(256 * 1024).with_items(1_000).with_queries(3);
    let programs = [Program::expression(text, &scope()), Program::template(text, &scope())];
    for program in programs {
        let mistakes = match program {
            Ok(program) => run(&program, limits).err().into_iter().collect(),
            Err(mistakes) => mistakes,
        };
        for mistake in mistakes {
            assert!(mistake.span.from <= mistake.span.to && mistake.span.to <= text.len(), "{text}: {mistake:?}");
            assert!(text.is_char_boundary(mistake.span.from) && text.is_char_boundary(mistake.span.to), "{text}");
            assert!(!mistake.message.is_empty());
        }
    }
}

#[test]
fn names_and_texts_beside_resources_are_paid_for() {
    let (many, long) = ("-".repeat(5_000), "0".repeat(9_000));
    for (text, fuel) in
        [(format!("export(properties: explode('-', '{many}'))"), 5_000), (format!("customer == '{long}'"), 100)]
    {
        let program = Program::expression(&text, &scope()).unwrap();
        let limits = RunLimits::default().with_fuel(fuel);
        assert_eq!(run(&program, limits).unwrap_err().code, "fuel_spent", "{fuel}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_never_panic(text in texts()) {
        try_all(&text);
    }

    #[test]
    fn calls_never_panic(place in 0usize..104, arguments in proptest::collection::vec(select(PIECES), 0..5)) {
        let functions: Vec<_> = expression::catalogue::all().collect();
        let function = functions[place % functions.len()];
        try_all(&format!("{}({})", function.name, arguments.join(", ")));
    }

    #[test]
    fn any_text_never_panics(text in ".{0,40}") {
        try_all(&text);
    }
}
