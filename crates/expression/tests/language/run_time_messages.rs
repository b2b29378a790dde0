//! Messages of failures at run time: they name the place, the reason and the remedy, and never a value.

#![expect(clippy::unwrap_used, reason = "a test fails where what it needs is not there")]

use expression::scope::{AvailableProviders, Scope};
use expression::value::{Array, Object, Text, Value};
use expression::{Diagnostic, NoProviders, Program, Run, RunLimits, wire};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

/// A value that no message may hold.
const MARK: &str = "12 topsecret";

fn values() -> Vec<(&'static str, Value)> {
    let read = |json| wire::decode(&json).unwrap();
    vec![
        ("text", MARK.into()),
        ("latin", Value::Text(Text::of_bytes(b"\xe9"))),
        ("zero", Value::Int(0)),
        ("some", Value::Int(7)),
        ("big", Value::Int(i64::MAX)),
        ("half", Value::Float(0.5)),
        ("far", Value::Float(1e300)),
        ("wide", read(json!({"$decimal": "12345678901234567890123456789012345678"}))),
        ("tiny", read(json!({"$decimal": "0.00000000000000000001"}))),
        ("flag", Value::Bool(true)),
        ("list", [Value::text(MARK)].into_iter().collect::<Array>().into()),
        ("object", Value::Object([(Text::from("a"), Value::text(MARK))].into_iter().collect::<Object>())),
        ("day", "2026-11-20".into()),
        ("month", "2026-11".into()),
        ("time", "14:30".into()),
        ("moment", read(json!({"$datetime": {"wall": "2026-11-20 08:00:00", "tz": "Europe/Prague"}}))),
    ]
}

/// The result of a text, with few steps, so that loops end soon.
fn failure(text: &str) -> Result<Value, Diagnostic> {
    let program = Program::template(text, &Scope::of(AvailableProviders::default()));
    let program = program.map_err(|mut mistakes| mistakes.remove(0))?;
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let now = Timestamp::from_second(1_796_385_600).unwrap();
    let limits = RunLimits::default().with_fuel(20_000).with_items(1_000);
    let mut run = Run::new(now, TimeZone::UTC, &NoProviders, &mut random, limits);
    run.variables.extend(values().into_iter().map(|(name, value)| (name.to_owned(), value)));
    program.evaluate(&mut run)
}

/// Each text, the part that is told, and the message.
const FAILURES: &[(&str, &str, &str)] = &[
    ("{=1 + $some / $zero}", "$some / $zero", "Division by zero: test the divisor, b != 0 ? a / b : null."),
    ("{='a' ~ $object ~ ' '}", "$object", "An object has no text: take one of its properties, or jsonEncode() it."),
    ("{=$some + $list}", "$some + $list", "+ wants numbers, not an array. length(x) counts its items."),
    ("{=$some + $object}", "$some + $object", "+ wants numbers, not an object. Take one of its members."),
    (
        "{=$some - $text}",
        "$some - $text",
        "- wants numbers, and the string only begins with one. toInt() and toFloat() read the number that a string begins with; they read a point, not a comma.",
    ),
    (
        "{=$text * 2}",
        "$text * 2",
        "* wants numbers, and the string only begins with one. toInt() and toFloat() read the number that a string begins with; they read a point, not a comma.",
    ),
    (
        "{=$day + 5}",
        "$day + 5",
        "+ wants numbers, and the string only begins with one. It is a date, which takes an interval: date + 5.days.",
    ),
    ("{=$moment + 5}", "$moment + 5", "+ wants numbers, not a datetime. A datetime takes an interval: date + 4.hours."),
    (
        "{=5.days + 3}",
        "5.days + 3",
        "+ wants numbers, not a date interval. An interval stands beside a date: date + 5.days. Its days are interval.days.",
    ),
    (
        "{=5.days * 2}",
        "5.days * 2",
        "* wants numbers, not a date interval. An interval stands beside a date: date + 5.days. Its days are interval.days.",
    ),
    (
        "{=$day * 2}",
        "$day * 2",
        "* wants numbers, and the string only begins with one. It is a date, which takes an interval: date + 5.days.",
    ),
    ("{=$big ** -1 + $list}", "$big ** -1 + $list", "+ wants numbers, not an array. length(x) counts its items."),
    ("{=$some % $zero}", "$some % $zero", "Modulo by zero: test the divisor, b != 0 ? a % b : null."),
    (
        "{=$wide * $wide}",
        "$wide * $wide",
        "The decimal has more digits than 38: count with toFloat(), or round before.",
    ),
    (
        "{=$wide / ($tiny - $tiny)}",
        "$wide / ($tiny - $tiny)",
        "Division by zero: test the divisor, b != 0 ? a / b : null.",
    ),
    ("{=$some << -1}", "$some << -1", "Bits cannot be moved by a negative number of places: use the other operator."),
    (
        "{=$text & $text}",
        "$text & $text",
        "& combines the bits of integers, not of strings. To join strings, write a ~ b.",
    ),
    ("{=$day + 5.hours}", "$day + 5.hours", "A date takes days, weeks, months and years, and no hours."),
    ("{=$month + 5.days}", "$month + 5.days", "A month takes months and years, and nothing shorter."),
    ("{=$time + 5.days}", "$time + 5.days", "A time takes hours and minutes, and nothing longer."),
    (
        "{=$text + 5.days}",
        "$text + 5.days",
        "An interval stands beside a date, and the string is none, such as 2026-11-20: date('Y-m-d', strtotime(text)) reads others.",
    ),
    ("{=$list + 5.days}", "$list + 5.days", "+ wants numbers, not an array. length(x) counts its items."),
    (
        "{=$day + 9999.years}",
        "$day + 9999.years",
        "The date would lie beyond the years 1 to 9999: take a shorter interval.",
    ),
    ("{=$big.weeks}", "weeks", "The interval is too long: take fewer units."),
    ("{=$some.nothing}", "nothing", "An integer has no properties. A whole number has units: 14.days, 4.hours."),
    (
        "{=$text.name}",
        "name",
        "A string has no properties. jsonDecode() reads a document; a relation has properties, and a text has none.",
    ),
    ("{=$flag.days}", "days", "A boolean has no properties. Take it as it is."),
    (
        "{=1.months.totalDays}",
        "totalDays",
        "Months differ in length, so that an interval of months has no totalDays: subtract two dates.",
    ),
    (
        "{=$day - $moment}",
        "$day - $moment",
        "- wants two dates or two datetimes, not a date and a datetime: formatDate(x, 'Y-m-d') is the day of a datetime.",
    ),
    (
        "{=$moment < $list}",
        "$moment < $list",
        "A datetime and an array have no order: compare it with a date, such as '2026-11-20', or with time().",
    ),
    (
        "{=$moment < $text}",
        "$moment < $text",
        "The string beside the datetime is none, such as 2026-11-20 or 2026-11-20 14:30.",
    ),
    ("{=$object < $text}", "$object < $text", "An object and a string have no order: compare one of its members."),
    (
        "{=5.days < 3}",
        "5.days < 3",
        "An interval is not a number: its days are interval.days, its hours interval.totalHours.",
    ),
    (
        "{=1.months < 30.days}",
        "1.months < 30.days",
        "Months differ in length, so that an interval of months has no order: compare the dates, a + 1.months < b.",
    ),
    ("{='a' in $some}", "'a' in $some", "in wants an array or a string, not an integer: x in [a, b]."),
    ("{='a' in $object}", "'a' in $object", "in wants an array or a string, not an object: x in [a, b]."),
    ("{=$object ~ 'x'}", "$object", "An object has no text: take one of its properties, or jsonEncode() it."),
    (
        "{=upper($list)}",
        "upper($list)",
        "Argument 1 must be a text, not an array: take one of its items, or join() them.",
    ),
    ("{=webalize($nothing)}", "webalize($nothing)", "Argument 1 must be a text, not null: x ?? 'none' gives one."),
    ("{=webalize($latin)}", "webalize($latin)", "webalize() takes UTF-8 only."),
    ("{=jsonDecode($text)}", "jsonDecode($text)", "The text is not JSON: something is wrong near byte 4."),
    ("{=jsonDecode($nothing)}", "jsonDecode($nothing)", "Argument 1 must be a text, not null: x ?? 'none' gives one."),
    ("{=length($object)}", "length($object)", "length() wants a scalar or an array, not an object: toArray(x) is one."),
    (
        "{=firstNChars($text, $text)}",
        "firstNChars($text, $text)",
        "Argument 2 must be a whole number, not a string that is not a number.",
    ),
    ("{=arrayKeys($nothing)}", "arrayKeys($nothing)", "Argument 1 must be an array, not null: x ?? [] is one."),
    ("{=arrayKeys($text)}", "arrayKeys($text)", "Argument 1 must be an array, not a string: toArray(x) is one."),
    ("{=join(',', $text)}", "join(',', $text)", "Argument 2 must be an array, not a string: toArray(x) is one."),
    ("{=concat($some)}", "concat($some)", "Argument 1 must be an array, not an integer: toArray(x) is one."),
    ("{=explode('', $text)}", "explode('', $text)", "explode() needs a separator that is not empty."),
    ("{=range(1, 3, 0)}", "range(1, 3, 0)", "The step of a range cannot be 0."),
    ("{=range(1, 5000)}", "range(1, 5000)", "An array may have at most 1000 items: filter in a query."),
    ("{=random(0)}", "random(0)", "random() needs a length of 1 or more."),
    ("{=formatDate($text, 'Y')}", "formatDate($text, 'Y')", "The text is not a date, such as 2026-11-20."),
    (
        "{=formatDate($list, 'Y')}",
        "formatDate($list, 'Y')",
        "A date is a text, a timestamp or a datetime, not an array.",
    ),
    (
        "{=date('Y', $far)}",
        "date('Y', $far)",
        "The timestamp is too far away: it is in seconds, and milliseconds are divided by 1000.",
    ),
    (
        "{=compareDates($day, $text, $day)}",
        "compareDates($day, $text, $day)",
        "The operator of compareDates is one of >, >=, <, <=, ==, within, withinMonth, withinYear.",
    ),
    ("{=compareDates($text, '<')}", "compareDates($text, '<')", "The text is not a date, such as 2026-11-20."),
    (
        "{=formatDate($moment, $list)}",
        "formatDate($moment, $list)",
        "Argument 2 must be a text, not an array: take one of its items, or join() them.",
    ),
    (
        "{=map($some, 'a')}",
        "map($some, 'a')",
        "map() goes through arrays and the like, not an integer: toArray(x) is one.",
    ),
    (
        "{=jsonEncode($far * $far)}",
        "jsonEncode($far * $far)",
        "JSON has no NaN and no infinity: give null in their place.",
    ),
    ("{=$list[$list]}", "$list", "A key is a text or an integer, not an array: take one of its properties."),
    (
        "{=randomFromList($some)}",
        "randomFromList($some)",
        "randomFromList() wants an array or an object, not an integer: [a, b].",
    ),
    (
        "{=in_array('a', $text)}",
        "in_array('a', $text)",
        "Argument 2 must be an array, not a string: toArray(x) is one.",
    ),
    ("{=upper(...$some)}", "upper(...$some)", "`...` spreads an array or an object, not an integer: toArray(x)."),
    ("{=upper(...$object)}", "upper(...$object)", "upper() is given an argument by a name that no parameter has."),
    ("{=arrayPush($text, 1)}", "arrayPush($text, 1)", "Argument 1 must be an array, not a string: toArray(x) is one."),
    (
        "{=range(1, 900).map('id').map('id').length() + $list}",
        "id",
        "An integer has no properties. A whole number has units: 14.days, 4.hours.",
    ),
    ("{=dateDiff($text, $day)}", "dateDiff($text, $day)", "The text is not a date, such as 2026-11-20."),
    (
        "{=base64_decode($list)}",
        "base64_decode($list)",
        "Argument 1 must be a text, not an array: take one of its items, or join() them.",
    ),
    ("{=fromUtc($text)}", "fromUtc($text)", "The text is not a date, such as 2026-11-20."),
    (
        "{=strtotime($list)}",
        "strtotime($list)",
        "Argument 1 must be a text, not an array: take one of its items, or join() them.",
    ),
    (
        "{=explode(',', $list)}",
        "explode(',', $list)",
        "Argument 2 must be a text, not an array: take one of its items, or join() them.",
    ),
    (
        "{=toInt($list) + $text}",
        "toInt($list) + $text",
        "+ wants numbers, and the string only begins with one. toInt() and toFloat() read the number that a string begins with; they read a point, not a comma.",
    ),
];

#[test]
fn each_failure_says_its_part_the_reason_and_the_remedy() {
    let mut found = String::new();
    for (text, part, message) in FAILURES {
        let mistake = match failure(text) {
            Err(mistake) => mistake,
            Ok(value) => {
                found += &format!("{text}: gives {value:?}\n");
                continue;
            }
        };
        let told = mistake.part.as_deref().unwrap_or_default();
        if (told, mistake.message.as_str()) != (*part, *message) {
            found += &format!("    (\"{text}\", \"{told}\", \"{}\"),\n", mistake.message);
        }
        if mistake.part.is_none() {
            continue;
        }
        assert!(!mistake.located().contains("topsecret"), "{text}: {}", mistake.located());
        assert!(mistake.located().starts_with("at `"), "{text}: {}", mistake.located());
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn a_long_part_is_cut() {
    let text = format!("{{=1 / ({}$zero)}}", "$zero + ".repeat(40));
    let mistake = failure(&text).unwrap_err();
    let part = mistake.part.as_deref().unwrap();
    assert!(part.chars().count() == 81 && part.starts_with("1 / ($zero + ") && part.ends_with('…'), "{part}");
}

/// Comparisons and sums of values that are not of one kind never make up a number or an order.
#[test]
fn unlike_values_are_equal_to_nothing_and_have_no_order() {
    let unlike = [
        ("$moment", "$list"),
        ("$moment", "$object"),
        ("$moment", "$flag"),
        ("$moment", "$text"),
        ("$object", "$text"),
        ("$object", "$list"),
        ("5.days", "$some"),
        ("5.days", "$text"),
        ("5.days", "$list"),
        ("5.days", "$flag"),
        ("5.days", "$moment"),
        ("1.months", "30.days"),
    ];
    for (left, right) in unlike {
        for (one, other) in [(left, right), (right, left)] {
            for operator in ["<", "<=", ">", ">="] {
                let mistake = failure(&format!("{{={one} {operator} {other}}}")).expect_err(one);
                assert_eq!(mistake.code, "wrong_operand", "{one} {operator} {other}");
            }
        }
    }
    for (text, wanted) in [
        // Null has no order, which is not an error.
        ("{=$moment < $nothing}", false),
        ("{=$nothing >= $list}", false),
        ("{=$moment == $list}", false),
        ("{=$moment == $text}", false),
        ("{=$object == $text}", false),
        ("{=$list == $text}", false),
        ("{=5.days == $text}", false),
        ("{=$moment in [$list, $text, $object]}", false),
        ("{=$text in [$moment]}", false),
        // Numbers, strings, booleans and arrays are as PHP has them.
        ("{=$some < '8'}", true),
        ("{=$list > $text}", true),
        ("{=$moment > '2026-01-01'}", true),
        ("{=$moment > 5}", true),
        ("{=5.days > 4.hours}", true),
    ] {
        assert!(matches!(failure(text), Ok(Value::Bool(held)) if held == wanted), "{text}: {:?}", failure(text));
    }
}
