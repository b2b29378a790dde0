//! Limits against what would use up time or memory without paying.
use expression::scope::AvailableProviders;
use expression::value::{Array, FileValue, Object, Text, Value};
use expression::{NoProviders, Program, Run, RunLimits, Scope};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use spec::spec;
use std::sync::Arc;
use std::time::Instant;
/// The result of an expression with `$value` set, or the mistake's code.
fn run(text: &str, value: Value, fuel: u64) -> Result<Value, &'static str> {
    within(text, value, RunLimits::default().with_fuel(fuel))
}

/// The same within other limits.
fn within(text: &str, value: Value, limits: RunLimits) -> Result<Value, &'static str> {
    let program =
        Program::expression(text, &Scope::of(AvailableProviders::ALL)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let mut random = |_: &mut [u8]| {};
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &NoProviders, &mut random, limits);
    run.variables.insert("value".to_string(), value);
    program.evaluate(&mut run).map_err(|mistake| mistake.code)
}

/// The steps that are allowed by default.
const ENOUGH: u64 = 1_000_000;

#[test]
fn looking_at_a_long_text_is_paid_for() {
    let digits = Value::text(&"0".repeat(640_000));
    for text in [
        "$value + 1",
        "1 - $value",
        "$value == 1",
        "'1' < $value",
        "$value > 1.5",
        "lastNChars($value, -1000000)",
        "firstNChars($value, -1000000)",
        "startsWith($value, 'a')",
        "toInt($value)",
        "date('Y', $value)",
        "trim($value)",
        "md5($value)",
        "$value & 1",
        "1 << $value",
    ] {
        assert_eq!(run(text, digits.clone(), 9_000).unwrap_err(), "fuel_spent", "{text}");
    }
}

/// What is done with a text costs steps in proportion to its bytes, neither more nor fewer; how long it takes is printed.
fn is_linear(function: &str, bytes_a_step: u64, unit: &str, counts: [usize; 3]) {
    let value = |count| Value::text(&unit.repeat(count));
    for count in counts {
        let (text, bytes) = (format!("{function}($value) == 1"), (unit.len() * count) as u64);
        let limits = |fuel| RunLimits::default().with_fuel(fuel).with_memory(usize::MAX);
        let start = Instant::now();
        assert!(within(&text, value(count), limits(bytes / bytes_a_step + 100)).is_ok(), "{function}, {bytes} bytes");
        println!("{function}, {bytes} bytes: {:?}", start.elapsed());
        let fewer = within(&text, value(count), limits(bytes / bytes_a_step / 2));
        assert_eq!(fewer.map(drop), Err("fuel_spent"), "{function}, {bytes} bytes");
    }
}

#[spec(plain, "A123")]
fn tags_and_slugs_take_steps_in_proportion() {
    const MIB: usize = 1024 * 1024;
    for unit in ["<", "<!--", "a<b ", "<\"'<"] {
        is_linear("removeHtmlTags", 30, unit, [MIB, 2 * MIB, 4 * MIB].map(|bytes| bytes / unit.len()));
    }
    // A text of which there is no room for three is refused before it is looked at.
    let emptied = |size: usize| run("length(removeHtmlTags($value))", Value::text(&"<".repeat(size)), ENOUGH);
    assert!(matches!(emptied(3 * MIB), Ok(Value::Int(0))));
    assert_eq!(emptied(4 * MIB).map(drop), Err("memory_spent"));
    // Of all scripts alike; every character is asked for alone where it is paid for.
    let some: String = ('\0'..=char::MAX).step_by(61).collect();
    is_linear("webalize", 7, &some, [1, 2, 4]);
}

#[test]
fn the_data_of_a_file_is_not_copied() {
    let data = Text::from("x".repeat(1_000_000));
    let file = Value::File(Arc::new(FileValue { title: "a".to_string(), data: data.clone() }));
    let text = format!("[{}]", vec!["$value.data"; 800].join(","));
    let Ok(Value::Array(array)) = run(&text, file, ENOUGH) else { panic!("an array") };
    for value in array.values() {
        let Value::Text(text) = value else { panic!("{value:?}") };
        assert_eq!(text.as_bytes().as_ptr(), data.as_bytes().as_ptr());
    }
}

#[test]
fn objects_are_not_copied_before_they_are_paid_for() {
    let object: Object = (0..10_000).map(|name| (Text::from(format!("a{name}")), Value::Null)).collect();
    let objects = Value::Array(Array::from(vec![Value::Object(object); 10_000]));
    for function in ["object", "merge", "objectRaw"] {
        let result = run(&format!("{function}(...$value)"), objects.clone(), ENOUGH);
        assert_eq!(result.unwrap_err(), "memory_spent", "{function}");
    }
}

#[test]
fn many_small_objects_are_merged() {
    let object: Object = [(Text::from("a"), Value::Int(1))].into_iter().collect();
    let objects = Value::Array(Array::from(vec![Value::Object(object); 10_000]));
    for function in ["object", "merge", "objectRaw"] {
        let result = run(&format!("{function}(...$value).a"), objects.clone(), ENOUGH);
        assert!(matches!(result, Ok(Value::Int(1))), "{function}: {result:?}");
    }
}

#[spec(plain, "A123")]
fn no_letter_becomes_longer_than_is_paid_for() {
    let webalize = expression::catalogue::find("webalize").unwrap();
    let mut random = |_: &mut [u8]| {};
    let limits = RunLimits::default().with_fuel(u64::MAX).with_memory(usize::MAX);
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &NoProviders, &mut random, limits);
    // Behind these, no letter is assigned but tags and variants.
    for letter in '\0'..='\u{323af}' {
        let text = letter.to_string();
        let Ok(Value::Text(slug)) = (webalize.call)(&mut run, &[Value::text(&text)]) else { panic!("{letter:?}") };
        assert!(slug.len() <= 8 * text.len(), "{letter:?} became {slug}");
    }
}

#[test]
fn deep_values_are_written_or_refused() {
    for depth in [500, 1_000, 10_000] {
        let mut value = Value::Null;
        for place in 0..depth {
            value = match place % 2 {
                0 => Value::Array(Array::from(vec![value])),
                _ => Value::Object([(Text::from("a"), value)].into_iter().collect()),
            };
        }
        let written = expression::wire::encode(&value).is_ok();
        assert_eq!(written, depth == 500, "{depth}");
        for text in ["jsonEncode($value)", "$value == $value", "$value < $value", "jsonEncode(object($value))"] {
            let result = run(text, value.clone(), ENOUGH);
            assert!(result.is_ok() || depth > 500, "{text}: {result:?}");
        }
    }
}

#[test]
fn chains_in_chains_do_not_overflow_the_stack() {
    let (open, close) = ("[".repeat(58), "]".repeat(58));
    let mut text = format!("{open}1{close}");
    for _ in 0..4 {
        let quoted = text.replace('\\', "\\\\").replace('\'', "\\'");
        text = format!("{open}map([1], 'arrayPush({quoted})'){close}");
    }
    let program = Program::expression(&text, &Scope::of(AvailableProviders::ALL));
    let program = program.unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let mut random = |_: &mut [u8]| {};
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &NoProviders, &mut random, RunLimits::default());
    let _result = program.evaluate(&mut run);
}

#[test]
fn shared_values_are_not_written_without_end() {
    let mut object = Value::Int(1);
    for _ in 0..100 {
        let property = |name: &str| (Text::from(name.repeat(2_000)), object.clone());
        object = Value::Object(["a", "b"].map(property).into_iter().collect());
    }
    let texts = Value::Array(Array::from(vec![Value::text(&"x".repeat(1_000_000)); 10_000]));
    for value in [object, texts] {
        assert_eq!(expression::wire::encode(&value).unwrap_err().code, "too_large");
        let code = run("jsonEncode($value)", value, 10_000).unwrap_err();
        assert!(matches!(code, "fuel_spent" | "memory_spent"), "{code}");
    }
}

#[test]
fn reading_a_long_key_is_paid_for() {
    let long = Value::text(&"x".repeat(640_000));
    for text in ["{a: 1, b: 2}[$value]", "toArray({a: 1, b: 2})[$value]", "$value in ''", "map([{}], '[$value]')"] {
        assert_eq!(run(text, long.clone(), 9_000).unwrap_err(), "fuel_spent", "{text}");
    }
}

#[test]
fn reading_the_keys_of_an_array_or_object_is_paid_for() {
    let properties = || ["a", "b"].map(|name| (Text::from(name.repeat(320_000)), Value::Int(1))).into_iter();
    let array = Value::Array(properties().collect());
    for text in [
        "toObject($value)",
        "$value + []",
        "[] + $value",
        "$value == $value",
        "$value === $value",
        "arrayShiftGetArray(arrayUnshift($value, 1))",
        "merge($value)",
        "objectRaw($value)",
        "map($value)",
    ] {
        assert_eq!(run(text, array.clone(), 9_000).unwrap_err(), "fuel_spent", "{text}");
    }
    let object = Value::Object(properties().collect());
    for text in ["toArray($value)", "$value == $value", "merge($value)", "objectRaw($value)", "map($value)"] {
        assert_eq!(run(text, object.clone(), 9_000).unwrap_err(), "fuel_spent", "{text}");
    }
}

#[test]
fn looking_for_a_long_name_is_paid_for() {
    let name = "a".repeat(9_800);
    let object: Object = (0..10).map(|name| (Text::from(format!("a{name}")), Value::Null)).collect();
    let objects = Value::Array(Array::from(vec![Value::Object(object); 1_000]));
    let text = format!("map($value, '{name}')");
    assert_eq!(run(&text, objects, 10_000).unwrap_err(), "fuel_spent");
}

#[test]
fn counting_what_a_variable_keeps_is_paid_for() {
    let text = format!("[setVar('a', range(1, 90000)), {}]", vec!["setVar('b', $a)"; 200].join(", "));
    assert_eq!(run(&text, Value::Null, 200_000).map(drop), Err("fuel_spent"));
}

#[test]
fn each_item_that_is_looked_at_is_paid_for() {
    let list = Value::Array((1..=50_000).map(Value::Int).collect());
    for text in ["[0 in $value, 0 in $value]", "[null in $value, null in $value]", "[0 not in $value, 1]"] {
        assert_eq!(run(text, list.clone(), 40_000).map(drop), Err("fuel_spent"), "{text}");
    }
    assert_eq!(run("1 in $value", list, 100).map(drop), Ok(()));
}

#[test]
fn powers_of_decimals_are_paid_for() {
    let decimal = Value::Decimal(expression::value::Decimal::parse("1.1").unwrap());
    let text = format!("[{}]", vec!["$value ** 100"; 100].join(", "));
    assert_eq!(run(&text, decimal, 5_000).map(drop), Err("fuel_spent"));
}

#[test]
fn numbers_that_json_keeps_as_texts_are_paid_for() {
    let digits = Value::text(&"1".repeat(640_000));
    let text = format!("[{}]", vec!["jsonDecode($value)"; 20].join(", "));
    assert_eq!(run(&text, digits, ENOUGH).unwrap_err(), "memory_spent");
}

/// What is wrong with an expression.
fn mistake(text: &str) -> &'static str {
    let program = Program::expression(text, &Scope::of(AvailableProviders::ALL));
    program.err().and_then(|mistakes| mistakes.first().map(|mistake| mistake.code)).unwrap_or("nothing")
}

#[test]
fn chains_that_are_computed_do_not_multiply_without_end() {
    let quoted = |text: &str| text.replace('\\', r"\\").replace('\'', r"\'");
    let many = |step: &str| format!("'a' ~ join('{}', explode('-', '{}'))", quoted(step), "-".repeat(20));
    let text = |leaf: &str| {
        let step = (0..2).fold(leaf.to_string(), |step, _| format!(".map({})", many(&step)));
        format!("map([], {})", many(&step))
    };
    assert_eq!(mistake(&text(".map('b')")), "too_long");
    // The same mistakes of all copies would take long to tell.
    let unknown = Program::expression(&text(".eap('b')"), &Scope::of(AvailableProviders::ALL)).unwrap_err();
    assert!(unknown.len() <= 20, "{} mistakes", unknown.len());
}

#[test]
fn transforms_that_are_computed_do_not_nest_without_end() {
    for (depth, expected) in [(60, "nothing"), (100, "too_deep")] {
        let text = format!("map([], jsonDecode('{}{}'))", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(mistake(&text), expected, "{depth}");
    }
}

#[test]
fn constants_take_little_room_altogether() {
    let scope = Scope::of(AvailableProviders::ALL);
    let constant = |count: usize| {
        let text = format!("[{}]", vec!["range(1, 999)"; count].join(","));
        Program::expression(&text, &scope).unwrap().constant().is_some()
    };
    assert!(constant(10) && !constant(600));
}
