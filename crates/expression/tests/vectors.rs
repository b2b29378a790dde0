//! Every binding case of the golden vectors, through the catalogue and the operators, against what PHP gave.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read is a failed test")]

use expression::catalogue::Availability;
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use expression::value::{Text, Value};
use expression::{Diagnostic, Fault, HostProviders, LanguageRules, NoProviders, Program, Providers, Run, RunLimits};
use expression::{catalogue, compare, convert, operators, wire};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde_json::Value as Json;
use spec::spec;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// What became of the cases of a file.
#[derive(Default)]
struct Group {
    passed: usize,
    deviated: usize,
    failed: Vec<String>,
}

#[spec(
    plain, "R-313", "R-334", "R-335", "R-336", "R-337", "R-338", "R-339", "R-341", "R-342", "R-343", "R-344", "R-345",
    "R-346", "R-347", "R-348", "R-349", "R-350", "R-351", "R-352", "R-353", "R-354", "R-355", "R-356", "R-357",
    "R-358", "R-359", "R-360", "R-361", "R-362", "R-363", "R-364", "R-365", "R-366", "R-367", "R-368", "R-369",
    "R-370", "R-371", "R-372", "R-373", "R-374", "R-375", "R-376", "R-377", "R-379", "R-380", "R-381", "R-382",
    "R-383", "R-384", "R-392", "R-393", "R-394", "R-395", "R-397", "R-398"
)]
fn every_binding_case_gives_what_php_gives() {
    check(|case| Some(run(case, LanguageRules::V2)), true);
}

/// The rules of version 1 deviate in nothing.
#[test]
fn former_rules_give_what_php_gives() {
    check(|case| Some(run(case, LanguageRules::V1)), false);
    check(|case| evaluated(case, LanguageRules::V1), false);
}

/// The same as a user would ask it: as an expression over variables.
#[test]
fn the_language_gives_what_php_gives() {
    check(|case| evaluated(case, LanguageRules::V2), true);
}

/// The same with the arguments as properties of a row whose kinds the checker knows, so that typed nodes compute what
/// they can. Both back ends give the same.
#[test]
fn typed_nodes_give_what_php_gives() {
    check(
        |case| {
            let (general, typed) = (evaluated_in_row(case, false)?, evaluated_in_row(case, true)?);
            let are_same = match (&general, &typed) {
                (Ok(general), Ok(typed)) => same(general, typed),
                (Err(general), Err(typed)) => general == typed,
                _ => false,
            };
            assert!(are_same, "{} {}: {general:?} and {typed:?}", case["fn"], case["args"]);
            Some(typed)
        },
        true,
    );
}

/// Runs the cases that there is a result for, prints what became of them, and fails where any differs.
fn check(result: impl Fn(&Json) -> Option<Result<Value, Fault>>, deviates: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let deviations = std::fs::read_to_string(folder.join("deviations.tsv")).unwrap();
    let deviations: BTreeMap<&str, &str> =
        deviations.lines().skip(1).filter(|_| deviates).filter_map(|line| line.split_once('\t')).collect();
    let mut met = BTreeSet::new();
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let group = groups.entry(path.file_stem().unwrap().to_string_lossy().into_owned()).or_default();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            let Some(expected) = binding(&case) else { continue };
            let id = case["id"].as_str().unwrap();
            let Some(result) = result(&case) else { continue };
            if agrees(&result, expected) {
                group.passed += 1;
            } else if let Some((id, _)) = deviations.get_key_value(id) {
                met.insert(*id);
                group.deviated += 1;
            } else {
                group.failed.push(format!("{id} {} {}: {expected}, not {result:?}", case["fn"], case["args"]));
            }
        }
    }
    for (name, group) in &groups {
        println!("{name}: {} passed, {} deviated, {} failed", group.passed, group.deviated, group.failed.len());
    }
    let passed: usize = groups.values().map(|group| group.passed).sum();
    assert!(passed >= 7_000, "{passed} cases were run");
    let failed: Vec<&String> = groups.values().flat_map(|group| &group.failed).collect();
    assert!(failed.is_empty(), "{} cases differ: {failed:#?}", failed.len());
    let vain: Vec<_> = deviations.keys().filter(|id| !met.contains(*id)).collect();
    assert!(vain.is_empty(), "these are no deviations any more: {vain:?}");
}

/// The binding result of a case, of the newest PHP; none where it does not bind.
fn binding(case: &Json) -> Option<&Json> {
    let function = case["fn"].as_str().unwrap();
    let is_ours = match function {
        "modify" | "php:DateInterval::format" => true,
        // Null is no value to compare or count with: ours, not PHP's.
        operator if operator.starts_with("op:") => !case["args"].as_array().unwrap().contains(&Json::Null),
        name => catalogue::find(name).is_some(),
    };
    if !is_ours {
        return None;
    }
    if let Some(variants) = case["variant"].as_str() {
        let wanted = match function {
            "in_array" | "contains" => "loose",
            "length" => "mb_strlen",
            _ => "nette",
        };
        variants.split('|').find(|variant| *variant == wanted)?;
    }
    Some(case["versions"].as_object().and_then(|versions| versions.values().next_back()).unwrap_or(&case["expect"]))
}

fn run(case: &Json, rules: LanguageRules) -> Result<Value, Fault> {
    let arguments = arguments(case);
    within(case, rules, &NoProviders, |run| match case["fn"].as_str().unwrap() {
        "modify" => Ok(modified(&arguments)),
        "php:DateInterval::format" => Ok(interval_text(&arguments)),
        name => match name.strip_prefix("op:") {
            Some(operator) => operation(run, operator, &arguments),
            None => (catalogue::find(name).unwrap().call)(run, &arguments),
        },
    })
}

/// The case compiled and evaluated; none where the language does not have it in this form.
fn evaluated(case: &Json, rules: LanguageRules) -> Option<Result<Value, Fault>> {
    let arguments = arguments(case);
    let text = written(case, arguments.len())?;
    let scope = Scope::of(AvailableProviders::default());
    let program = Program::expression(&text, &scope).map_err(|mut mistakes| failed(mistakes.remove(0)));
    Some(program.and_then(|program| {
        within(case, rules, &NoProviders, |run| {
            run.variables.extend(arguments.into_iter().enumerate().map(|(place, value)| (format!("a{place}"), value)));
            program.evaluate(run).map_err(failed)
        })
    }))
}

/// The case on a row that has the arguments.
fn evaluated_in_row(case: &Json, with_typed_nodes: bool) -> Option<Result<Value, Fault>> {
    let arguments = arguments(case);
    let text = written(case, arguments.len())?.replace('$', "");
    let scope = Scope::of(AvailableProviders::default().with(Availability::Context));
    let scope = scope.with_context(Some(Arc::new(Row(arguments.clone()))));
    let scope = if with_typed_nodes { scope } else { scope.without_typed_nodes() };
    // The back ends never see a program that the checker refuses.
    let program = Program::expression(&text, &scope).ok()?;
    let names = (0..arguments.len()).map(|place| Text::from(format!("a{place}")));
    let row = Value::Object(names.zip(arguments).collect());
    Some(within(case, LanguageRules::V2, &RowPlace(row), |run| program.evaluate(run).map_err(failed)))
}

fn failed(diagnostic: Diagnostic) -> Fault {
    Fault::new(diagnostic.code, diagnostic.message)
}

/// A type of resource whose properties are of the kinds of values.
#[derive(Debug)]
struct Row(Vec<Value>);

impl ResourceShape for Row {
    fn name(&self) -> &str {
        "row"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        let kind = match ValueKind::of_value(self.0.get(name.strip_prefix('a')?.parse::<usize>().ok()?)?) {
            ValueKind::Null | ValueKind::Object | ValueKind::Interval => ValueKind::Any,
            kind => kind,
        };
        Some(kind.into())
    }

    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}

struct RowPlace(Value);

impl Providers for RowPlace {
    fn lent_resource(&self) -> Option<&Value> {
        Some(&self.0)
    }
}

impl HostProviders for RowPlace {}

/// The expression of a case over variables; none where the language does not have it in this form.
fn written(case: &Json, count: usize) -> Option<String> {
    let names: Vec<String> = (0..count).map(|place| format!("$a{place}")).collect();
    Some(match case["fn"].as_str().unwrap() {
        "modify" | "php:DateInterval::format" => return None,
        // There is no `<=>`: it is what the others make of it.
        "op:compare" => {
            let order = "$a0 == $a1 ? 0 : ($a0 < $a1 ? -1 : 1)";
            format!("[$a0 == $a1, $a0 === $a1, $a0 < $a1, $a0 > $a1, {order}]")
        }
        "op:array+" => "$a0 + $a1".to_owned(),
        "op:." => "$a0 ~ $a1".to_owned(),
        "op:neg" => "-$a0".to_owned(),
        "op:not" => "not $a0".to_owned(),
        name => match name.strip_prefix("op:") {
            Some(operator) => format!("$a0 {operator} $a1"),
            None => format!("{name}({})", names.join(", ")),
        },
    })
}

fn arguments(case: &Json) -> Vec<Value> {
    case["args"].as_array().unwrap().iter().map(|argument| wire::decode(argument).unwrap()).collect()
}

fn within<T>(
    case: &Json,
    rules: LanguageRules,
    providers: &dyn HostProviders,
    ask: impl FnOnce(&mut Run<'_>) -> T,
) -> T {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |bytes: &mut [u8]| {
        for byte in bytes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (state >> 56) as u8;
        }
    };
    let zone = zone(case["tz"].as_str().unwrap_or("UTC"));
    let now = Timestamp::from_second(case["now"].as_i64().unwrap_or(1_750_000_000)).unwrap();
    // The vectors write the texts whose bits they combine.
    let run = Run::new(now, zone, providers, &mut random, RunLimits::default());
    ask(&mut run.on_written().by_rules(rules))
}

fn zone(name: &str) -> TimeZone {
    if name == "UTC" { TimeZone::UTC } else { TimeZoneDatabase::bundled().get(name).unwrap() }
}

fn modified(arguments: &[Value]) -> Value {
    let [Value::DateTime(date), Value::Text(modifier)] = arguments else { panic!("a date and a modifier") };
    let modified = modifier.as_str().and_then(|modifier| datetime::modify(date, modifier));
    modified.map_or(Value::Null, |date| text(datetime::format(&date, b"Y-m-d\\TH:i:s.uP e")))
}

fn interval_text(arguments: &[Value]) -> Value {
    let (interval, format) = match arguments {
        [Value::DateTime(first), Value::DateTime(second), Value::Text(format)] => {
            (datetime::difference(first, second), format)
        }
        [Value::Interval(interval), Value::Text(format)] => (interval.as_ref().clone(), format),
        other => panic!("{other:?} are no interval and format"),
    };
    text(datetime::format_interval(&interval, format.as_bytes()))
}

fn text(bytes: Vec<u8>) -> Value {
    Value::Text(Text::of_bytes(&bytes))
}

fn operation(run: &mut Run<'_>, operator: &str, arguments: &[Value]) -> Result<Value, Fault> {
    let left = &arguments[0];
    let right = arguments.get(1).unwrap_or(&Value::Null);
    let truth = (convert::to_bool(left), convert::to_bool(right));
    match operator {
        "+" | "array+" => operators::add(run, left, right),
        "-" => operators::subtract(run, left, right),
        "*" => operators::multiply(run, left, right),
        "/" => operators::divide(run, left, right),
        "%" => operators::modulo(run, left, right),
        "**" => operators::power(run, left, right),
        "." => operators::concatenate(run, left, right),
        "neg" => operators::negate(run, left),
        "not" => Ok(operators::not(left)),
        "&&" => Ok(Value::Bool(truth.0 && truth.1)),
        "||" => Ok(Value::Bool(truth.0 || truth.1)),
        "?:" => Ok(if truth.0 { left } else { right }.clone()),
        "xor" => Ok(Value::Bool(truth.0 != truth.1)),
        "&" => operators::bit_and(run, left, right),
        "|" => operators::bit_or(run, left, right),
        "^" => operators::bit_xor(run, left, right),
        "<<" => operators::shift_left(run, left, right),
        ">>" => operators::shift_right(run, left, right),
        "??" => Ok(if left.is_null() { right } else { left }.clone()),
        "compare" => {
            // PHP's <=> says 1 where there is no order.
            let order = compare::compare(run, left, right)?.map_or(1, |order| order as i64);
            let answers = [
                Value::Bool(operators::equal(run, left, right)?),
                Value::Bool(operators::identical(run, left, right)?),
                Value::Bool(operators::less(run, left, right)?),
                Value::Bool(operators::greater(run, left, right)?),
                Value::Int(order),
            ];
            Ok(Value::Array(answers.into_iter().collect()))
        }
        other => Err(Fault::new("no_operator", format!("The language has no {other}."))),
    }
}

fn agrees(result: &Result<Value, Fault>, expected: &Json) -> bool {
    match (result, &expected["error"], &expected["$random"]) {
        // A modifier that is wrong gives nothing.
        (Ok(Value::Null), Json::String(class), _) if class == "invalid-modifier" => true,
        (result, Json::String(_), _) => result.is_err(),
        (Ok(Value::Text(text)), _, Json::Object(random)) => {
            let Ok(Value::Text(alphabet)) = wire::decode(&random["alphabet"]) else { return false };
            text.len() as u64 == random["length"].as_u64().unwrap()
                && text.as_bytes().iter().all(|byte| alphabet.as_bytes().contains(byte))
        }
        // Both directions of the encoding are tested on the way.
        (Ok(result), ..) => {
            let expected = wire::decode(expected).unwrap();
            same(result, &expected) && same(&wire::decode(&wire::encode(result).unwrap()).unwrap(), &expected)
        }
        (Err(_), ..) => false,
    }
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Float(left), Value::Float(right)) => {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        }
        (Value::Text(left), Value::Text(right)) => left == right,
        (Value::Interval(left), Value::Interval(right)) => left == right,
        (Value::DateTime(left), Value::DateTime(right)) => {
            (left.seconds, left.micros, datetime::format(left, b"e"))
                == (right.seconds, right.micros, datetime::format(right, b"e"))
        }
        (Value::Array(left), Value::Array(right)) => {
            let pairs = left.iter().zip(right.iter());
            left.len() == right.len()
                && pairs.into_iter().all(|(left, right)| left.0 == right.0 && same(left.1, right.1))
        }
        (Value::Object(left), Value::Object(right)) => {
            let mut pairs = left.iter().zip(right.iter());
            left.len() == right.len() && pairs.all(|(left, right)| left.0 == right.0 && same(left.1, right.1))
        }
        _ => false,
    }
}
