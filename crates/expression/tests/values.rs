//! Arrays, comparison and arithmetic where they are ours rather than PHP's, the values' JSON, and limits.

#![expect(clippy::unwrap_used, reason = "a value that cannot be read is a failed test")]

use expression::value::Value;
use expression::{Fault, NoProviders, Run, RunLimits, catalogue, operators, wire};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
type Operator = fn(&mut Run<'_>, &Value, &Value) -> Result<Value, Fault>;
type Question = fn(&mut Run<'_>, &Value, &Value) -> Result<bool, Fault>;

fn within<T>(limits: RunLimits, ask: impl FnOnce(&mut Run<'_>) -> T) -> T {
    let mut random = |bytes: &mut [u8]| bytes.fill(7);
    let zone = TimeZone::fixed(jiff::tz::offset(2));
    let now = Timestamp::from_second(1_750_000_000).unwrap();
    ask(&mut Run::new(now, zone, &NoProviders, &mut random, limits))
}

fn value(json: Json) -> Value {
    wire::decode(&json).unwrap()
}

fn calculate(operator: Operator, left: Json, right: Json) -> Json {
    let result = within(RunLimits::default(), |run| operator(run, &value(left), &value(right)));
    wire::encode(&result.unwrap()).unwrap()
}

fn ask(question: Question, left: Json, right: Json) -> bool {
    within(RunLimits::default(), |run| question(run, &value(left), &value(right))).unwrap()
}

fn call(name: &str, arguments: &[Json], limits: RunLimits) -> Result<Json, Fault> {
    let arguments: Vec<Value> = arguments.iter().cloned().map(value).collect();
    let result = within(limits, |run| (catalogue::find(name).unwrap().call)(run, &arguments))?;
    wire::encode(&result)
}

#[test]
fn null_is_no_value_to_compare_or_count_with() {
    for other in [json!(0), json!(""), json!(false), json!([]), json!("a")] {
        assert!(!ask(operators::equal, json!(null), other.clone()), "{other}");
        for question in [operators::less, operators::less_or_equal, operators::greater, operators::greater_or_equal] {
            assert!(
                !ask(question, json!(null), other.clone()) && !ask(question, other.clone(), json!(null)),
                "{other}"
            );
        }
        assert_eq!(calculate(operators::concatenate, json!("x"), json!(null)), json!("x"));
    }
    assert!(ask(operators::equal, json!(null), json!(null)));
    for operator in [
        operators::add,
        operators::divide,
        operators::modulo,
        operators::power,
        operators::bit_and,
        operators::bit_or,
        operators::bit_xor,
        operators::shift_left,
        operators::shift_right,
    ] {
        assert_eq!(calculate(operator, json!(null), json!(0)), json!(null));
    }
    assert!(!ask(operators::contained, json!(null), json!([0, ""])));
}

#[test]
fn decimals_stay_exact() {
    let decimal = |text: &str| json!({ "$decimal": text });
    assert_eq!(calculate(operators::add, decimal("0.10"), json!(0.2)), decimal("0.30"));
    assert_eq!(calculate(operators::subtract, json!(1), decimal("0.9")), decimal("0.1"));
    assert_eq!(calculate(operators::multiply, decimal("19.99"), json!("3")), decimal("59.97"));
    assert_eq!(calculate(operators::divide, decimal("10"), json!(4)), decimal("2.5"));
    assert_eq!(calculate(operators::power, decimal("1.1"), json!(3)), decimal("1.331"));
    assert_eq!(calculate(operators::modulo, decimal("7.9"), json!(4)), json!(3));
    // Bits are those of the whole part, or of the nearest integer that there is.
    assert_eq!(calculate(operators::bit_and, decimal("12.99"), json!(8)), json!(8));
    assert_eq!(calculate(operators::bit_or, decimal("-1.5"), json!(0)), json!(-1));
    assert_eq!(calculate(operators::bit_or, decimal("1e30"), json!(0)), json!(i64::MAX));
    assert_eq!(calculate(operators::shift_left, json!(1), decimal("2.5")), json!(4));
    assert!(ask(operators::equal, decimal("0.30"), json!(0.3)));
    assert!(ask(operators::equal, decimal("1.50"), json!("1.5")));
    assert!(ask(operators::less, decimal("9007199254740992.5"), json!(9_007_199_254_740_993_i64)));
}

#[test]
fn datetimes_compare_by_instant_and_with_texts_in_the_display_zone() {
    let date = |wall: &str, zone: &str| json!({ "$datetime": { "wall": wall, "tz": zone } });
    assert!(ask(operators::equal, date("2026-01-31 10:00:00", "UTC"), date("2026-01-31 11:00:00", "Europe/Prague")));
    assert!(ask(operators::equal, date("2026-01-31 10:00:00", "UTC"), json!("2026-01-31 12:00")));
    assert!(ask(operators::less, json!("2026-01-31 11:59:59"), date("2026-01-31 10:00:00", "UTC")));
    let nonsense = [value(json!("nonsense")), value(date("2026-01-31 10:00:00", "UTC"))];
    for [left, right] in [nonsense.each_ref(), [&nonsense[1], &nonsense[0]]] {
        let less = within(RunLimits::default(), |run| operators::less(run, left, right));
        assert!(less.is_err_and(|fault| fault.message.contains("is none, such as 2026-11-20")));
        assert!(!within(RunLimits::default(), |run| operators::equal(run, left, right)).unwrap());
    }
}

#[test]
fn texts_that_are_no_numbers_name_the_operator_that_joins() {
    let fault =
        within(RunLimits::default(), |run| operators::add(run, &value(json!("a")), &value(json!("b")))).unwrap_err();
    assert!(fault.code == "wrong_operand" && fault.message.contains('~'), "{fault:?}");
}

#[test]
fn what_is_made_of_a_secret_is_a_secret() {
    let secret = operators::secret(value(json!("5")));
    let made_of = [operators::add as Operator, operators::concatenate, operators::power, operators::bit_xor];
    for operator in made_of {
        let made = within(RunLimits::default(), |run| operator(run, &secret, &Value::Int(1))).unwrap();
        assert_eq!((wire::encode(&made).unwrap(), format!("{made:?}")), (json!("***"), "Secret(***)".to_owned()));
    }
}

#[test]
fn keys_go_on_behind_the_last_integer() {
    let map = |entries: Json| json!({ "$map": entries });
    let limits = RunLimits::default();
    let pushed = |array: Json| call("arrayPush", &[array, json!("x")], limits);
    assert_eq!(pushed(map(json!([[-5, "a"]]))).unwrap(), map(json!([[-5, "a"], [-4, "x"]])));
    assert_eq!(pushed(map(json!([["a", 1]]))).unwrap(), map(json!([["a", 1], [0, "x"]])));
    assert_eq!(pushed(map(json!([[i64::MAX, 1]]))).unwrap_err().code, "array_full");
    assert_eq!(pushed(map(json!([[i64::MAX - 1, 1]]))).unwrap(), map(json!([[i64::MAX - 1, 1], [i64::MAX, "x"]])),);
}

#[test]
fn sizes_are_refused_before_memory_is_taken() {
    let limits = RunLimits::default();
    for arguments in [[json!(1), json!(i64::MAX)], [json!(i64::MIN), json!(i64::MAX)], [json!(0.5), json!(1e300)]] {
        assert_eq!(call("range", &arguments, limits).unwrap_err().code, "array_too_long");
    }
    let few = limits.with_items(3);
    for (name, arguments) in [
        ("arrayPush", vec![json!([1, 2]), json!(3), json!(4)]),
        ("arrayUnshift", vec![json!([1, 2]), json!(3), json!(4)]),
        ("merge", vec![json!([1, 2]), json!([3, 4])]),
        ("objectRaw", vec![json!([1, 2, 3, 4])]),
    ] {
        assert_eq!(call(name, &arguments, few).unwrap_err().code, "array_too_long", "{name}");
    }
    let little = limits.with_memory(100);
    assert_eq!(call("concat", &[json!(["a".repeat(200)])], little).unwrap_err().code, "memory_spent");
    let tired = limits.with_fuel(100);
    let long: Vec<i64> = (0..1000).collect();
    assert_eq!(call("in_array", &[json!(-1), json!(long)], tired).unwrap_err().code, "fuel_spent");
}

#[test]
fn values_nested_too_deep_are_not_compared() {
    let mut deep = Value::Int(1);
    for _ in 0..100_000 {
        deep = Value::Array(vec![deep].into());
    }
    let limits = RunLimits::default().with_fuel(u64::MAX);
    let other = Value::Array(vec![deep.clone()].into());
    assert_eq!(within(limits, |run| operators::equal(run, &other, &other)).unwrap_err().code, "too_deep");
    assert_eq!(within(limits, |run| operators::identical(run, &deep, &other)).unwrap_err().code, "too_deep");
    assert_eq!(wire::encode(&deep).unwrap_err().code, "too_deep");
}

/// JSON of values of every kind that has an encoding.
fn values() -> impl Strategy<Value = Json> {
    let float = |number: f64| wire::encode(&Value::Float(number)).unwrap();
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|flag| json!(flag)),
        any::<i64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(float),
        (-100_i64..100).prop_map(move |number| float(number as f64)),
        "[ +\\-0-9.e]{0,6}".prop_map(|text| json!(text)),
        ".{0,6}".prop_map(|text| json!(text)),
        (any::<i64>(), 0_usize..20).prop_map(|(number, scale)| json!({ "$decimal": format!("{number}e-{scale}") })),
        (-10_000_000_000_i64..10_000_000_000)
            .prop_map(|seconds| json!({ "$datetime": { "ts": seconds, "tz": "Europe/Prague" } })),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| json!(items)),
            prop::collection::btree_map("[0-9a-c-]{0,2}", inner.clone(), 0..5)
                .prop_map(|entries| json!({ "$map": entries.into_iter().collect::<Vec<_>>() })),
            prop::collection::btree_map("[0-9a-c-]{0,2}", inner, 0..5)
                .prop_map(|entries| json!({ "$object": entries.into_iter().collect::<Vec<_>>() })),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_brings_values_back(json in values()) {
        let written = wire::encode(&value(json)).unwrap();
        prop_assert_eq!(wire::encode(&value(written.clone())).unwrap(), written);
    }

    #[test]
    fn operators_never_panic(left in values(), right in values()) {
        let (left, right) = (value(left), value(right));
        let operators: [Operator; 12] = [
            operators::add, operators::subtract, operators::multiply, operators::divide, operators::modulo,
            operators::power, operators::concatenate, operators::bit_and, operators::bit_or, operators::bit_xor,
            operators::shift_left, operators::shift_right,
        ];
        for operator in operators {
            let _ = within(RunLimits::default(), |run| operator(run, &left, &right));
        }
        let _ = within(RunLimits::default(), |run| operators::contained(run, &left, &right));
    }

    #[test]
    fn functions_never_panic(arguments in prop::collection::vec(values(), 0..4)) {
        let arguments: Vec<Value> = arguments.into_iter().map(value).collect();
        for function in catalogue::all() {
            let _ = within(RunLimits::default(), |run| (function.call)(run, &arguments));
        }
    }

    #[test]
    fn comparison_is_consistent(left in values(), right in values()) {
        let (left, right) = (value(left), value(right));
        let asked = |question: Question| within(RunLimits::default(), |run| question(run, &left, &right));
        let orders = [operators::less, operators::less_or_equal, operators::greater, operators::greater_or_equal];
        let refused = orders.map(|order: Question| asked(order).is_err());
        if refused != [false; 4] {
            // Values without an order have none in any direction, and are not equal.
            prop_assert!(refused == [true; 4] && !asked(operators::equal).unwrap());
            return Ok(());
        }
        let ask = |question: Question| asked(question).unwrap();
        let (less, equal, greater) = (ask(operators::less), ask(operators::equal), ask(operators::greater));
        prop_assert!(!equal || !(less || greater));
        prop_assert_eq!(ask(operators::less_or_equal), less || equal && !left.is_null());
    }
}
