//! The forty most frequent mistakes: what is written, its code and its mark, the message, and the text that is right.
//!
//! The number is that of the design. A text that is right is what the remedy makes of what is written; it is accepted,
//! and has a value on a row that is full and on one whose properties are null where they may be.
//! Names that files give (37 to 39) are in `plinth check`: the test `commands::checking` of the server has them.

use crate::place::{scope, shown};
use crate::row::run;
use expression::{Program, Severity};

/// Number, written, code, mark, a part of the message, the text that is right.
type Row = (u8, &'static str, &'static str, &'static str, &'static str, &'static str);

const SYNTAX: &[Row] = &[
    (1, "count <> pieces", "unexpected", "<>", "`<>` is written `!=`.", "count != pieces"),
    (
        2,
        "status = 'sent'",
        "unexpected_character",
        "=",
        "`=` sets nothing here: compare with `==`.",
        "status == 'sent'",
    ),
    (3, "no_name is null", "unexpected", "is null", "Write `name == null`, or `name != null`.", "no_name == null"),
    (3, "no_name is not null", "unexpected", "is not null", "Write `name == null`", "no_name != null"),
    (4, "settled AND no_settled", "unexpected", "AND", "Operators are written small: `and`.", "settled and no_settled"),
    (4, "settled OR no_settled", "unexpected", "OR", "Operators are written small: `or`.", "settled or no_settled"),
    (4, "NOT settled", "unexpected", "NOT", "Operators are written small: `not`.", "not settled"),
    (5, "settled == TRUE", "unknown_property", "TRUE", "`TRUE` is written `true`.", "settled == true"),
    (5, "no_name == NULL", "unknown_property", "NULL", "\"No value\" is written `null`.", "no_name == null"),
    (5, "no_name == None", "unknown_property", "None", "\"No value\" is written `null`.", "no_name == null"),
    (5, "no_name == undefined", "unknown_property", "undefined", "is written `null`.", "no_name == null"),
    (
        6,
        "status in ('draft', 'sent')",
        "unexpected",
        "('draft', 'sent')",
        "A list stands in brackets: `in ['draft', 'sent']`.",
        "status in ['draft', 'sent']",
    ),
    (7, "name like 'A%'", "unexpected", "name like 'A%'", "There is no `like`", "startsWith(name, 'A')"),
    (
        8,
        "count between 1 and 5",
        "unexpected",
        "count between 1 and 5",
        "Write `x >= 1 and x <= 5`.",
        "(count >= 1 and count <= 5)",
    ),
    (9, "case when settled then 1 end", "unexpected", "case when", "Write `if(a, b, c)`, or `a ? b : c`.", ""),
    (9, "if settled then 1 else 2", "unexpected", "if settled", "Write `if(a, b, c)`, or `a ? b : c`.", ""),
    (
        10,
        "name contains 'a'",
        "unexpected",
        "name contains 'a'",
        "`contains` is a function: `contains(name, 'a')`.",
        "contains(name, 'a')",
    ),
    (11, "if(settled; 1, 2)", "unexpected_character", ";", "Arguments are divided by commas", "if(settled, 1, 2)"),
    (
        12,
        "1,5 * count",
        "unexpected",
        "1,5",
        "A number has a point, and nothing between thousands: `1.5`.",
        "1.5 * count",
    ),
    (13, "name == “paid”", "unexpected_character", "“paid”", "Write `\"paid\"`.", "name == \"paid\""),
    (13, "name == ‘paid’", "unexpected_character", "‘paid’", "Write `\"paid\"`.", "name == \"paid\""),
    (14, "'it's'", "unterminated_string", "'it's'", "The text ends before `s'`. Write `\"it's\"`", "\"it's\""),
];

const TEXTS: &[Row] = &[
    (15, "name & number", "bits_of_text", "name & number", "`&` combines bits.", "name ~ number"),
    (15, "name && number", "text_as_condition", "name && number", "Texts are joined with `~`", "name ~ number"),
    (
        16,
        "'a' + name",
        "wrong_operand",
        "'a' + name",
        "`+` counts. Texts are joined with `~`: `'a' ~ name`.",
        "'a' ~ name",
    ),
    (16, "name + ' ' + number", "wrong_operand", "name + ' ' + number", "`+` counts.", "name ~ ' ' ~ number"),
    (17, "'a' . name", "no_properties", ". name", "Texts are joined with `~`", "'a' ~ name"),
    (17, "name . number", "no_properties", ". number", "Texts are joined with `~`", "name ~ number"),
    (17, "name . 'a'", "unexpected", ".", "In this language texts are joined with `~`", "name ~ 'a'"),
    (18, "len(name)", "unknown_function", "len(name)", "There is no `len()`: write `length(x)`.", "length(name)"),
    (18, "strlen(name)", "unknown_function", "strlen(name)", "write `length(x)`.", "length(name)"),
    (18, "count(labels)", "unknown_function", "count(labels)", "write `length(x)`.", "length(labels)"),
    (18, "name.length", "no_properties", "length", "Write `length(x)`.", "name.length()"),
    (18, "labels.length", "no_members", "length", "Write `length(x)`.", "labels.length()"),
    (18, "lines.length", "unknown_property", "length", "How many there are is `length(x)`.", "lines.length()"),
    (19, "IF(settled, 1, 2)", "unknown_function", "IF", "There is no function IF().", "if(settled, 1, 2)"),
    (19, "UPPER(name)", "unknown_function", "UPPER", "There is no function UPPER().", "upper(name)"),
    (19, "toUpperCase(name)", "unknown_function", "toUpperCase(name)", "write `upper(x)`.", "upper(name)"),
    (19, "name.toUpperCase()", "unknown_function", "toUpperCase", "write `upper(x)`.", "name.upper()"),
    (
        20,
        "round(total, 2)",
        "unknown_function",
        "round(total, 2)",
        "a pDecimal rounds to its scale when it is stored",
        "(toInt(total * 100 + (total < 0 ? -0.5 : 0.5)) / 100)",
    ),
    (20, "abs(total)", "unknown_function", "abs(total)", "write `x < 0 ? -x : x`.", "(total < 0 ? -(total) : total)"),
    (
        20,
        "max(total, count)",
        "unknown_function",
        "max(total, count)",
        "write `a > b ? a : b`.",
        "(total > count ? total : count)",
    ),
    (21, "sum(lines.total)", "unknown_function", "sum(lines.total)", "a property of kind pRollup", ""),
    (22, "isset(no_name)", "unknown_function", "isset(no_name)", "write `x != null`", "(no_name != null)"),
    (22, "isnull(no_name)", "unknown_function", "isnull(no_name)", "write `x == null`", "(no_name == null)"),
    (22, "empty(no_name)", "unknown_function", "empty(no_name)", "for texts also `x == ''`", "(no_name == null)"),
    (
        23,
        "coalesce(no_name, name)",
        "unknown_function",
        "coalesce(no_name, name)",
        "write `a ?? b`",
        "(no_name ?? name)",
    ),
    (23, "nvl(no_name, name)", "unknown_function", "nvl(no_name, name)", "write `a ?? b`.", "(no_name ?? name)"),
    (23, "iferror(total, 0)", "unknown_function", "iferror(total, 0)", "`a ?? b`", ""),
    (
        24,
        "concatenate(name, number)",
        "unknown_function",
        "concatenate(name, number)",
        "write `a ~ b`",
        "(name ~ number)",
    ),
    (24, "concat(name, number)", "too_many_arguments", "concat", "concat() takes one array", ""),
    (25, "substr(name, 0, 3)", "unknown_function", "substr(name, 0, 3)", "write `firstNChars(x, 3)`", ""),
    (25, "left(name, 3)", "unknown_function", "left(name, 3)", "write `firstNChars(x, 3)`.", "firstNChars(name, 3)"),
    (25, "right(name, 3)", "unknown_function", "right(name, 3)", "write `lastNChars(x, 3)`.", "lastNChars(name, 3)"),
    (
        26,
        "replace(name, 'a', 'b')",
        "unknown_function",
        "replace(name, 'a', 'b')",
        "write `join('b', explode('a', x))`.",
        "join('b', explode('a', name))",
    ),
    (27, "now()", "unknown_function", "now()", "the present is `time()` in seconds, `date('Y-m-d')` as a day", ""),
    (27, "sysdate", "unknown_property", "sysdate", "the present is `time()` in seconds", ""),
    (27, "new Date()", "unexpected", "new Date", "The present is `time()` in seconds", ""),
];

const KINDS: &[Row] = &[
    (28, "due + 5", "date_counted", "due + 5", "A date takes an interval: `due + 5.days`.", "due + 5.days"),
    (
        29,
        "opened + 14400",
        "date_counted",
        "opened + 14400",
        "A datetime takes an interval: `opened + 4.hours`.",
        "opened + 4.hours",
    ),
    (
        30,
        "due < time()",
        "date_beside",
        "time()",
        "`due` is a day and `time()` are seconds: `due < date('Y-m-d')`.",
        "due < date('Y-m-d')",
    ),
    (
        31,
        "due == '31.12.2026'",
        "date_beside",
        "'31.12.2026'",
        "`due` is a date, and is written year first: `due == '2026-12-31'`.",
        "due == '2026-12-31'",
    ),
    (
        32,
        "dateDiff(issued, due) > 5",
        "interval_counted",
        "dateDiff(issued, due)",
        "An interval is not a number: `dateDiff(issued, due).days > 5`.",
        "dateDiff(issued, due).days > 5",
    ),
    (
        33,
        "formatDate(due, 'DD.MM.YYYY')",
        "wrong_format",
        "'DD.MM.YYYY'",
        "PHP's letters are `d.m.Y`; this would show `FriFri.DecDec.…`.",
        "formatDate(due, 'd.m.Y')",
    ),
    (34, "number + 1", "text_counted", "number", "`toInt(lastNChars(number, 4))` reads a number from its end", ""),
    (34, "no_name * 2", "text_counted", "no_name", "better is a property of kind pInteger or pDecimal", ""),
    (
        35,
        "webalize(company.no_name)",
        "null_argument",
        "company.no_name",
        "`company.no_name` may be empty, and webalize() takes no empty `string`: `company.no_name ?? 'none'`.",
        "webalize((company.no_name ?? 'none'))",
    ),
    (
        36,
        "total / count",
        "may_divide_by_zero",
        "count",
        "`count` may be 0: `count != 0 ? total / count : null`, or `min: 1` for `count`.",
        "(count != 0 ? total / count : null)",
    ),
    (40, "{{ name }}", "unexpected", "{{", "An expression is `{=name}`: a property stands by its name alone.", ""),
    (40, "${name}", "unexpected", "$", "A property stands by its name alone, `name`.", ""),
    (40, "#name", "unexpected_character", "#", "a property stands by its name alone, `name`.", ""),
    (40, "[Name]", "unknown_property", "Name", "The type invoice has no property `Name`.", "[name]"),
    (40, "map(lines, x => x.count)", "unexpected_character", "=>", "write `map(items, 'name')`.", ""),
    (40, "name++", "unexpected", "++", "a write adds with `name+=`.", ""),
];

/// The findings of a text: code, mark, message, and each text that a remedy makes of it.
fn told(text: &str) -> Option<(&'static str, String, String, Vec<String>)> {
    let replaced = |from: usize, to: usize, by: &str| format!("{}{by}{}", &text[..from], &text[to..]);
    match Program::expression(text, &scope()) {
        Err(mistakes) => {
            let mistake = mistakes.into_iter().next()?;
            let span = mistake.span;
            let right = mistake.suggestion.iter().map(|by| replaced(span.from, span.to, by)).collect();
            Some((mistake.code, text[span.from..span.to].to_owned(), mistake.message, right))
        }
        Ok(program) => {
            let finding = program.findings().first()?;
            let span = finding.diagnostic.span;
            let right = finding.fixes.iter().map(|fix| replaced(fix.span.from, fix.span.to, &fix.text)).collect();
            let message = finding.diagnostic.message.clone();
            Some((finding.diagnostic.code, text[span.from..span.to].to_owned(), message, right))
        }
    }
}

/// Says what is wrong with a text that is said to be right: errors, or no value.
fn refused(text: &str) -> Option<String> {
    let program = match Program::expression(text, &scope()) {
        Err(mistakes) => return Some(format!("{mistakes:?}")),
        Ok(program) => program,
    };
    if program.findings().iter().any(|finding| finding.severity == Severity::Error) {
        return Some(format!("{:?}", shown(text, &program)));
    }
    // Relations to many are tried where there are resources: the rows here have none.
    let rows = if text.contains("lines") { 0 } else { 2 };
    (0..rows).find_map(|row| run(&program, row == 1).err().map(|mistake| format!("{mistake:?}")))
}

#[test]
fn each_mistake_has_its_message_and_its_remedy() {
    let mut wrong = Vec::new();
    for (number, text, code, mark, part, right) in SYNTAX.iter().chain(TEXTS).chain(KINDS) {
        let Some((told_code, told_mark, message, remedies)) = told(text) else {
            wrong.push(format!("{number} {text}: nothing is said"));
            continue;
        };
        if (told_code, told_mark.as_str()) != (*code, *mark) || !message.contains(part) {
            wrong.push(format!("{number} {text}: {told_code} `{told_mark}` {message}"));
        }
        if remedies.iter().map(String::as_str).ne((!right.is_empty()).then_some(*right)) {
            wrong.push(format!("{number} {text}: {remedies:?}, not {right}"));
        }
        if let Some(why) = Some(right).filter(|right| !right.is_empty()).and_then(|right| refused(right)) {
            wrong.push(format!("{number} {right}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_of_the_forty_is_there() {
    let rows = SYNTAX.iter().chain(TEXTS).chain(KINDS);
    let numbers: std::collections::BTreeSet<u8> = rows.map(|(number, ..)| *number).collect();
    let lacking: Vec<u8> = (1..=40).filter(|number| !numbers.contains(number)).collect();
    assert_eq!(lacking, [37, 38, 39], "these are of files");
}
