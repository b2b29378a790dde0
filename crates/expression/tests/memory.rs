//! The limit of memory holds in reality: what is allocated during an evaluation never exceeds it by more than the
//! evaluation itself takes, and what was dropped is there again.
#![expect(clippy::unwrap_used, reason = "a test fails where what it needs is not there")]

use expression::scope::AvailableProviders;
use expression::{HostProviders, NoProviders, Program, Providers, Run, RunLimits, Scope, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use spec::spec;
use std::time::{Duration, Instant};
/// What an evaluation takes beside its values.
const BESIDE: usize = 64 * 1024;

/// The result, and the most bytes that were live during the evaluation.
fn peak(text: &str, limits: RunLimits) -> (Result<Value, &'static str>, usize, Duration) {
    let program =
        Program::expression(text, &Scope::of(AvailableProviders::ALL)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let mut random = |bytes: &mut [u8]| bytes.fill(1);
    let mut result = Ok(Value::Null);
    let start = Instant::now();
    let allocated = allocation_counter::measure(|| {
        let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &NoProviders, &mut random, limits);
        result = program.evaluate(&mut run).map_err(|mistake| mistake.code);
    });
    (result, usize::try_from(allocated.bytes_max).unwrap(), start.elapsed())
}

/// Texts that use up as much as they can, each in its own way.
fn hostile() -> Vec<String> {
    let mut texts: Vec<String> = [
        "map(range(1, 3_000), 'get().arrayPush(1).toArray()')",
        "map(range(1, 100_000), {a: '', b: '', c: ''})",
        "map(range(1, 100_000), ['', ''])",
        "map(range(1, 300), 'range(300).map(\"arrayPush([], range(1, 300))\")')",
        "map(range(1, 300), {a: \"transformLiteral('x')\", b: 'random(1_000)'})",
        "map(range(1, 100_000), 'random(60)')",
        "map(range(1, 100_000), 'sha256()')",
        "map(range(1, 100_000), 'arrayPush([])')",
        "map(range(1, 100_000), 'toString().toArray()')",
        "map(range(1, 100_000), 'toString().toObject()')",
        "toObject(range(1, 100_000))",
        "object(range(1, 100_000))",
        "toArray(toObject(range(1, 20_000)))",
        "map(toObject(range(1, 20_000)), 'random(50)')",
        "arrayPush(range(1, 100_000 - 1), 1)",
        "arrayUnshift(toArray(toObject(range(1, 20_000))), 1)",
        "arrayKeys(range(1, 100_000))",
        "range(0.5, 50_000.5)",
        "setVar('a', range(1, 50_000)) ~ setVar('b', range(1, 50_000)) ~ setVar('c', range(1, 50_000))",
        "map(range(1, 1_000), \"toString().setVar(range(1, 10_000))\")",
        "map(range(1, 1_000), 'toString().setVar(random(1_000_00))')",
        "jsonEncode(map(range(1, 100_000), 'toString().sha1()'))",
        "jsonDecode(jsonEncode(range(1, 50_000)))",
        "jsonDecode(jsonEncode(map(range(1, 20_000), {a: '', b: ''})))",
        "jsonDecode(jsonEncode(map(range(1, 20_000), 'random(40)')))",
        "jsonDecode(jsonEncode(toObject(range(1, 20_000))))",
        "jsonDecode(join('', ['[', join(',', map(range(1, 50_000), \"transformLiteral('[]')\")), ']']))",
        "jsonDecode(join('', ['[', join(',', map(range(1, 50_000), \"transformLiteral('{\\\"a\\\":1}')\")), ']']))",
        "explode('a', join('a', range(1, 100_000)))",
        "explode('a', join('a', map(range(1, 60_000), 'random(30)')))",
        "join(random(1_000), range(1, 100_000))",
        "concat(map(range(1, 100_000), 'random(70)'))",
        "map(explode(',', join(',', range(1, 100_000))), 'base64_encode()')",
        "merge(...map(range(1, 20_000), {a: ''}))",
        "arrayPush(...map(range(1, 1), 'range(1, 90_000)'), ...range(1, 9_000))",
        "merge(toObject(range(1, 10_000)), toObject(range(10_001, 20_000)), {a: 1})",
        "toObject(range(1, 10_000)).toArray() + [1, 2]",
        "random(1_000_000) ^ random(900_000) ^ random(800_000)",
        "random(2_000_000) | random(1) | 'a'",
        "map(range(1, 100_000), \"transformLiteral('\\\\u00ff')\") ~ (random(500_000) & random(500_000))",
    ]
    .map(str::to_owned)
    .to_vec();
    // Functions on long texts, of one byte and of several a letter.
    for (unit, count) in
        [("a", 900_000), ("ž", 400_000), ("ΐ", 400_000), ("İ", 400_000), ("ﷺ", 100_000), ("<b>", 300_000)]
    {
        for function in [
            "upper",
            "lower",
            "firstUpper",
            "firstLower",
            "webalize",
            "base64_encode",
            "base64_decode",
            "jsonEncode",
            "removeHtmlTags",
            "trim",
            "toArray",
            "toObject",
        ] {
            let text = format!("join('{}', map(range(1, 10_000), \"transformLiteral('')\"))", unit.repeat(10));
            let times = (count / 100_000).max(1);
            texts.push(format!("{function}({})", vec![text; times].join(" ~ ")));
        }
    }
    texts
}

#[test]
fn no_expression_takes_more_than_the_limit() {
    let mut over = Vec::new();
    for text in hostile() {
        for memory in [256 * 1024, 2 * 1024 * 1024, 10 * 1024 * 1024] {
            let (result, peak, _) = peak(&text, RunLimits::default().with_memory(memory).with_fuel(u64::MAX));
            if peak > memory + BESIDE {
                over.push(format!("{text}: {peak} of {memory}, {:?}", result.map(|value| value.kind())));
            }
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}

/// A place that lends its resource.
struct Lender(Value);

impl Providers for Lender {
    fn resource(&self) -> expression::Result<Value> {
        Ok(self.0.clone())
    }

    fn lent_resource(&self) -> Option<&Value> {
        Some(&self.0)
    }
}

impl HostProviders for Lender {}

#[test]
fn scalars_take_no_memory_from_the_allocator() {
    let names = ["a", "b", "flag", "word", "none"].map(expression::value::Text::from);
    let values = [Value::Int(12), Value::Int(5), Value::Bool(true), Value::text("word"), Value::Null];
    let lender = Lender(Value::Object(names.into_iter().zip(values).collect()));
    let scope = Scope::of(AvailableProviders::default().with(expression::catalogue::Availability::Context));
    for text in [
        "a * b + 2 - a % b",
        "a & b | 3 ^ a << 2 >> 1",
        "(a & 4) == 4 && b > 1",
        "flag xor a > b xor none",
        "a | 1.9",
        "none & a",
        "flag | b",
        "word ~ a ~ '!'",
        "a > b ? word : none",
    ] {
        let program = Program::expression(text, &scope).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        let mut random = |bytes: &mut [u8]| bytes.fill(1);
        let allocated = allocation_counter::measure(|| {
            let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &lender, &mut random, RunLimits::default());
            assert!(program.evaluate(&mut run).is_ok(), "{text}");
        });
        assert_eq!(allocated.count_total, 0, "{text}");
    }
}

#[test]
fn what_was_dropped_is_there_again() {
    for text in [
        "map(range(1, 2_000), 'random(20_000).length()')",
        "map(range(1, 1_000), \"get().range(2_000).length()\")",
        "length(random(2_000_000)) + length(random(2_000_000)) + length(random(2_000_000)) + length(random(2_000_000))",
        "[random(1_000_000) == '', random(1_000_000) == '', random(1_000_000) == '', random(1_000_000) == '']",
    ] {
        let (result, ..) = peak(text, RunLimits::default().with_fuel(u64::MAX));
        assert!(result.is_ok(), "{text}: {result:?}");
    }
}

/// The steps that doubling may take until memory ends: what each text has costs one for each 64 bytes.
const STEPS_OF_DOUBLING: u64 = 400_000;

/// That it takes few steps is asserted; how long they take is printed.
#[spec(plain, "A117")]
fn doubling_sixty_times_is_an_error_of_memory() {
    let mut texts = Vec::new();
    for (start, step) in [
        ("'x'", "setVar('a', join('', [$a, $a]))"),
        ("'x'", "setVar('a', concat([$a, $a]))"),
        ("'x'", "setVar('a', $a ~ $a)"),
        ("{b: 'x'}", "setVar('a', merge($a, {b: $a.b ~ $a.b}))"),
        ("'x'", "setVar('a', join('', map([$a, $a], 'get()')))"),
        ("[1]", "setVar('a', merge($a, $a))"),
    ] {
        texts.push(format!("[setVar('a', {start}), {}]", vec![step; 60].join(", ")));
    }
    for text in texts {
        let limits = RunLimits::default().with_fuel(STEPS_OF_DOUBLING);
        let (result, peak, took) = peak(&text, limits);
        assert_eq!(result.unwrap_err(), "memory_spent", "{text}");
        assert!(peak <= 16 * 1024 * 1024, "{text}: {peak}");
        println!("{took:?}, {peak} bytes: {}", &text[..60]);
    }
}
