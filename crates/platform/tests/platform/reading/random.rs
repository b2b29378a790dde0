//! Random filters over random rows: both engines and a plain evaluator agree.

use super::reference::Tables;
use super::world::World;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value as Json, json};
use spec::spec;

const WORDS: [&str; 12] = ["", "a", "A", "ab", "Čapek", "čapek", "capek", "a%b", "a_b", "a\\b", "žluťoučký kůň", "😀a"];
const DAYS: [&str; 7] =
    ["2026-03-29", "2026-10-25", "2026-10-26", "2026-11-20", "2026-12-31", "2027-01-01", "2026-11-01"];
const INSTANTS: [&str; 8] = [
    "2026-03-28T23:00:00Z",
    "2026-03-28T22:59:59.999Z",
    "2026-03-29T22:00:00Z",
    "2026-10-24T22:00:00Z",
    "2026-10-25T22:59:59Z",
    "2026-10-25T23:00:00Z",
    "2026-12-31T23:00:00Z",
    "2026-11-20T12:00:00Z",
];
const MARKS: [&str; 3] = ["red", "green", "blue"];

fn one(words: &'static [&'static str]) -> impl Strategy<Value = Json> {
    proptest::sample::select(words).prop_map(Json::from)
}

fn or_null(value: impl Strategy<Value = Json> + 'static) -> BoxedStrategy<Json> {
    prop_oneof![1 => Just(Json::Null), 4 => value].boxed()
}

fn integer() -> impl Strategy<Value = Json> {
    (-3..4_i64).prop_map(Json::from)
}

fn decimal() -> impl Strategy<Value = Json> {
    (-4..4_i64).prop_map(|quarters| json!(quarters as f64 / 4.0))
}

fn person() -> impl Strategy<Value = Json> {
    (1..=5_i64).prop_map(Json::from)
}

fn several(value: impl Strategy<Value = Json> + 'static) -> BoxedStrategy<Json> {
    proptest::collection::vec(value, 0..4).prop_map(Json::from).boxed()
}

fn members(value: impl Strategy<Value = Json> + 'static) -> BoxedStrategy<Json> {
    let distinct = |members: Vec<Json>| {
        let mut kept: Vec<Json> = Vec::new();
        for member in members {
            if !kept.contains(&member) {
                kept.push(member);
            }
        }
        Json::from(kept)
    };
    proptest::collection::vec(value, 0..4).prop_map(distinct).boxed()
}

fn thing() -> impl Strategy<Value = Json> {
    let scalars = (or_null(one(&WORDS)), or_null(integer()), or_null(integer()), or_null(decimal()));
    let moments = (or_null(one(&DAYS)), or_null(one(&INSTANTS)), or_null(any::<bool>().prop_map(Json::from)));
    let related = (members(one(&MARKS)), or_null(person()), members(person()), or_null(one(&["new", "old"])));
    (scalars, moments, related).prop_map(
        |((text, count, limit, price), (day, at, flag), (marks, owner, people, state))| {
            json!({"text": text, "count": count, "limit": limit, "price": price, "ratio": price, "day": day, "at": at,
               "flag": flag, "marks": marks, "owner": owner, "people": people, "state": state})
        },
    )
}

/// `property` and `type`, with a parameter.
fn leaf(
    properties: &'static [&'static str],
    types: &'static [&'static str],
    param: BoxedStrategy<Json>,
) -> BoxedStrategy<Json> {
    (one(properties), one(types), param, any::<bool>())
        .prop_map(|(property, filter_type, param, fold)| {
            let mut filter = json!({"property": property, "type": filter_type});
            if !param.is_null() || filter_type == "eq" || filter_type == "neq" {
                filter["param"] = param;
            }
            let name = filter_type.as_str().unwrap_or_default();
            if fold && (name.ends_with("ntains") || name.ends_with("With")) && !name.starts_with('i') {
                filter["fold"] = true.into();
            }
            filter
        })
        .boxed()
}

fn filter() -> impl Strategy<Value = Json> {
    const NUMBERS: &[&str] =
        &["count", "limit", "owner.salary", "people.salary", "owner.chief.salary", "people.chief.salary"];
    const TEXTS: &[&str] = &["text", "owner.name", "people.name", "owner.country.code", "people.chief.country.name"];
    const ORDER: &[&str] = &["lt", "lte", "gt", "gte"];
    const PARTS: &[&str] = &[
        "contains",
        "notContains",
        "startsWith",
        "notStartsWith",
        "endsWith",
        "notEndsWith",
        "iEq",
        "iContains",
        "iStartsWith",
        "iEndsWith",
        "like",
        "iLike",
    ];
    let between = |value: fn() -> BoxedStrategy<Json>| {
        (value(), or_null(value())).prop_map(|(from, to)| json!([from, to])).boxed()
    };
    let leaf = prop_oneof![
        leaf(NUMBERS, &["eq", "neq"], or_null(integer())),
        leaf(NUMBERS, ORDER, integer().boxed()),
        leaf(NUMBERS, &["in", "notIn"], several(or_null(integer()))),
        leaf(NUMBERS, &["between", "notBetween"], between(|| integer().boxed())),
        leaf(&["price", "ratio"], ORDER, decimal().boxed()),
        leaf(&["price", "ratio"], &["eq", "neq"], decimal().boxed()),
        leaf(&["count"], &["eq", "neq", "lt", "gte"], Just(json!({"$property": "limit"})).boxed()),
        leaf(&["owner.salary", "people.salary"], &["eq", "neq", "gt"], Just(json!({"$property": "count"})).boxed()),
        leaf(TEXTS, PARTS, one(&WORDS).boxed()),
        leaf(TEXTS, &["eq", "neq"], or_null(one(&WORDS))),
        leaf(TEXTS, ORDER, one(&WORDS).boxed()),
        leaf(TEXTS, &["in", "notIn"], several(or_null(one(&WORDS)))),
        leaf(
            &["text", "count", "marks", "people", "owner", "owner.chief", "people.chief", "at"],
            &["isNull", "isEmpty", "isNotNull", "isNotEmpty"],
            Just(Json::Null).boxed()
        ),
        leaf(&["text", "owner.name", "people.name", "people.chief.name"], &["search"], one(&WORDS[1..]).boxed()),
        leaf(&["day", "at"], &["onDay", "withinMonth", "withinYear"], one(&DAYS).boxed()),
        leaf(&["day"], &["lt", "gte", "eq", "neq"], one(&DAYS).boxed()),
        leaf(&["at"], &["lt", "gte", "eq", "neq"], one(&INSTANTS).boxed()),
        leaf(&["flag"], &["eq", "neq"], or_null(any::<bool>().prop_map(Json::from))),
        leaf(&["state"], &["in", "notIn"], several(or_null(one(&["new", "old"])))),
        leaf(&["marks"], &["anyOf", "allOf", "noneOf"], several(one(&MARKS))),
        leaf(&["people"], &["anyOf", "allOf", "noneOf"], several(person())),
        leaf(&["marks", "people"], &["size"], (0..4_i64).prop_map(|least| json!({"gte": least})).boxed()),
        leaf(&["owner", "owner.chief", "people.chief"], &["eq", "neq"], or_null(person())),
    ];
    let of_person = prop_oneof![
        self::leaf(&["salary", "chief.salary"], &["eq", "neq"], or_null(integer())),
        self::leaf(&["name", "chief.name"], &["search"], one(&WORDS[1..]).boxed()),
        self::leaf(&["name", "country.name", "chief.country.code"], PARTS, one(&WORDS).boxed()),
        self::leaf(&["salary"], &["eq", "neq", "lt"], Just(json!({"$property": "salary"})).boxed()),
    ];
    let related = (one(&["some", "none", "every"]), several(of_person))
        .prop_map(|(filter_type, filters)| json!({"property": "people", "type": filter_type, "param": filters}));
    let leaf = prop_oneof![6 => leaf, 1 => related];
    leaf.prop_recursive(3, 12, 3, |inner| {
        (one(&["and", "or", "not"]), proptest::collection::vec(inner, 1..4))
            .prop_map(|(group, filters)| json!({"property": "*", "type": group, "param": filters}))
    })
}

fn tables(runner: &mut TestRunner) -> Tables {
    let mut draw = |strategy: BoxedStrategy<Json>| strategy.new_tree(runner).unwrap().current();
    let countries = vec![json!({"name": "Čapek", "code": "a"}), json!({"name": "ab", "code": "A"})];
    let mut people: Vec<Json> = Vec::new();
    for id in 1..=5_i64 {
        let name = draw(one(&WORDS[1..]).boxed());
        let country = draw(or_null((1..=2_i64).prop_map(Json::from)));
        let salary = draw(or_null(integer()));
        let chief = if id == 1 { Json::Null } else { draw(or_null((1..id).prop_map(Json::from))) };
        people.push(json!({"name": name, "country": country, "salary": salary, "chief": chief}));
    }
    let things = (0..40).map(|_| draw(thing().boxed())).collect();
    Tables { countries, people, things }
}

#[spec("R-121", "R-123", "R-124")]
async fn random_filters_hold_where_they_should(world: World) {
    // The seed is fixed, so that both engines are asked the same.
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let tables = tables(&mut runner);
    world.put("country", &tables.countries);
    world.put("person", &tables.people);
    world.put("thing", &tables.things);
    let filters = proptest::collection::vec(filter(), 1..3);
    let outcome = runner.run(&filters, |filters| {
        let expected = tables.ids(&filters);
        let found = world.ids("thing", &json!(filters)).map_err(TestCaseError::fail)?;
        prop_assert_eq!(found, expected);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
