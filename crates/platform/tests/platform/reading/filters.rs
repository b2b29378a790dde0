//! Filters: each type with literals.

use super::world::{World, people};
use serde_json::{Value as Json, json};
use spec::spec;

fn things(world: &World) {
    people(world);
    world.put(
        "thing",
        &[
            json!({"text": "Čapek", "count": 1, "limit": 1, "price": 1.5, "ratio": 0.5, "flag": true, "day": "2026-11-20",
                   "month": "2026-11", "time": "08:00:00", "at": "2026-11-20 00:00:00", "state": "new",
                   "marks": ["red", "blue"], "owner": 1, "people": [1, 3], "until": "2026-12-01",
                   "meta": {"size": 10, "name": "Box", "on": true, "in": {"deep": "x"}, "list": [1, 2]}}),
            json!({"text": "capek 100%", "count": 5, "limit": 3, "price": -2, "ratio": 2.25, "flag": false,
                   "day": "2026-11-16", "month": "2026-10", "time": "18:30:00", "at": "2026-11-19 23:59:59.999",
                   "state": "old", "marks": ["red"], "owner": 2, "people": [2], "until": "2026-11-16",
                   "meta": {"size": "10", "name": "box", "on": false}}),
            json!({"text": "", "count": -3, "at": "2026-11-21 00:00:00", "day": "2025-12-31", "month": "2025-11",
                   "owner": 3, "marks": ["green", "red", "blue"], "meta": []}),
            json!({}),
        ],
    );
}

/// Property, type, param (`"none"` for none), and the ids or a part of the error.
type Case<'c> = (&'c str, &'c str, Json, Result<&'c [i64], &'c str>);

fn check(world: &World, cases: &[Case<'_>]) {
    for (property, filter, param, expected) in cases {
        let mut object = json!({"property": property, "type": filter});
        if *param != json!("none") {
            object["param"] = param.clone();
        }
        let found = world.ids("thing", &json!([object]));
        match expected {
            Ok(ids) => assert_eq!(found.as_deref(), Ok(*ids), "{object}"),
            Err(part) => {
                let message = found.expect_err(&object.to_string());
                assert!(message.contains(part), "{object}: {message}");
            }
        }
    }
}

#[test]
fn every_filter_type_is_tested_and_documented() {
    let tests = [include_str!("filters.rs"), include_str!("golden.rs")];
    let page = include_str!("../../../../../docs/filters.md");
    for name in query::filters::names() {
        let written = format!("\"{name}\"");
        assert!(tests.iter().any(|text| text.contains(&written)), "no test has the filter {name}");
        assert!(page.contains(&format!("`{name}`")), "docs/filters.md lacks {name}");
    }
}

#[spec("R-121", "R-122", "R-123", "R-124")]
async fn comparisons(world: World) {
    things(&world);
    let second = world.uuid("person", 2);
    check(
        &world,
        &[
            ("count", "eq", json!(5), Ok(&[2])),
            ("count", "eq", json!(null), Ok(&[4])),
            ("count", "neq", json!(5), Ok(&[1, 3, 4])),
            ("count", "neq", json!(null), Ok(&[1, 2, 3])),
            ("count", "lt", json!(1), Ok(&[3])),
            ("count", "lte", json!(1), Ok(&[1, 3])),
            ("price", "gt", json!("-2.00"), Ok(&[1])),
            ("price", "gte", json!(-2), Ok(&[1, 2])),
            ("ratio", "gt", json!(1), Ok(&[2])),
            ("text", "gt", json!("c"), Ok(&[1, 2])),
            ("time", "lt", json!("12:00"), Ok(&[1])),
            ("at", "lt", json!("2026-11-20 00:00:00"), Ok(&[2])),
            ("at", "eq", json!("2026-11-19T23:00:00Z"), Ok(&[1])),
            ("month", "eq", json!("2026-10"), Ok(&[2])),
            ("count", "between", json!([1, 5]), Ok(&[1, 2])),
            ("count", "between", json!([null, 1]), Ok(&[1, 3])),
            ("count", "notBetween", json!([1, null]), Ok(&[3, 4])),
            ("count", "in", json!([1, 5, 7]), Ok(&[1, 2])),
            ("count", "in", json!([1, null]), Ok(&[1, 4])),
            ("count", "in", json!([]), Ok(&[])),
            ("count", "notIn", json!([1, null]), Ok(&[2, 3])),
            ("count", "notIn", json!([1]), Ok(&[2, 3, 4])),
            ("count", "notIn", json!([]), Ok(&[1, 2, 3, 4])),
            ("state", "in", json!(["old"]), Ok(&[2])),
            ("flag", "eq", json!(false), Ok(&[2])),
            ("owner", "eq", json!(2), Ok(&[2])),
            ("owner", "eq", json!(second), Ok(&[2])),
            ("owner", "in", json!([second, 1]), Ok(&[1, 2])),
            ("owner", "neq", json!(second), Ok(&[1, 3, 4])),
            ("uuid", "eq", json!(world.uuid("thing", 3)), Ok(&[3])),
            ("id", "lte", json!(2), Ok(&[1, 2])),
            ("version", "eq", json!(1), Ok(&[1, 2, 3, 4])),
            ("text", "isNull", json!("none"), Ok(&[4])),
            ("text", "isEmpty", json!("none"), Ok(&[3, 4])),
            ("text", "isNotEmpty", json!("none"), Ok(&[1, 2])),
            ("marks", "isEmpty", json!("none"), Ok(&[4])),
            ("people", "isNotNull", json!("none"), Ok(&[1, 2])),
            ("meta", "isNull", json!("none"), Ok(&[4])),
            ("meta", "isEmpty", json!("none"), Ok(&[3, 4])),
            ("count", "eq", json!({"$property": "limit"}), Ok(&[1, 4])),
            ("count", "neq", json!({"$property": "limit"}), Ok(&[2, 3])),
            ("count", "gt", json!({"$property": "limit"}), Ok(&[2])),
            ("until", "lt", json!({"$now": "-3 days"}), Ok(&[2])),
            ("at", "gte", json!({"$now": "-1 day"}), Ok(&[1, 2, 3])),
            ("at", "gte", json!({"$now": ""}), Ok(&[3])),
            ("createdBy", "eq", json!({"$user": "id"}), Ok(&[])),
        ],
    );
}

#[spec("D-2", "A071", "A072")]
async fn what_does_not_fit_is_refused(world: World) {
    things(&world);
    check(
        &world,
        &[
            ("count", "eq", json!("5"), Err("Count must be a whole number.")),
            ("count", "eq", json!({"$gt": 0}), Err("Count must be a whole number.")),
            ("count", "eq", json!([[1]]), Err("Count must be a whole number.")),
            ("count", "lt", json!(null), Err("cannot compare with null")),
            ("count", "eq", json!("none"), Err("needs a param")),
            ("count", "isNull", json!(1), Err("takes no param")),
            ("count", "between", json!([1]), Err("needs [from, to]")),
            ("count", "between", json!([null, null]), Err("needs [from, to]")),
            ("count", "in", json!(null), Err("needs an array")),
            ("count", "in", Json::Array(vec![json!(1); 1_001]), Err("at most 1000 values")),
            ("count", "contains", json!("1"), Err("The filter contains does not serve the property \"count\"")),
            ("count", "nearly", json!(1), Err("There is no filter type \"nearly\".")),
            ("wage", "eq", json!(1), Err("There is no property \"wage\".")),
            ("owner.wage", "eq", json!(1), Err("There is no property \"owner.wage\".")),
            ("count", "or", json!([]), Err("needs the property \"*\"")),
            ("*", "eq", json!(1), Err("The property \"*\" takes")),
            ("*", "or", json!([]), Err("not empty")),
            ("marks", "eq", json!("red"), Err("does not serve")),
            ("text", "eq", json!("a\u{0}b"), Err("NUL")),
            ("text", "contains", json!("a\u{0}b"), Err("needs a text")),
            ("text", "contains", json!(1), Err("needs a text")),
            ("text", "eq", json!({"$property": "count"}), Err("of another sort")),
            ("text", "eq", json!({"$property": "wage"}), Err("There is no property \"wage\".")),
            ("text", "eq", json!({"$user": "name"}), Err("supports only")),
            ("at", "gt", json!({"$now": "soon"}), Err("$now")),
            ("text", "eq", json!("'; --"), Ok(&[])),
            ("text", "contains", json!("%"), Ok(&[2])),
            ("text", "contains", json!("_"), Ok(&[])),
            ("text", "contains", json!("\\"), Ok(&[])),
            ("text", "contains", json!("x".repeat(1_000_000)), Ok(&[])),
        ],
    );
    let many = vec![json!({"property": "count", "type": "isNull"}); 101];
    assert_eq!(world.ids("thing", &json!(many)).unwrap_err(), "There may be at most 100 filters.");
    let mut deep = json!({"property": "count", "type": "isNull"});
    for _ in 0..4 {
        deep = json!({"property": "*", "type": "not", "param": [deep]});
    }
    assert_eq!(world.ids("thing", &json!([deep])).unwrap(), [4]);
    deep = json!({"property": "*", "type": "not", "param": [deep]});
    assert_eq!(world.ids("thing", &json!([deep])).unwrap_err(), "Filters may be nested 5 levels deep.");
    let unknown = json!([{"property": "count", "type": "eq", "param": 1, "params": 1}]);
    assert_eq!(world.ids("thing", &unknown).unwrap_err(), "A filter has no member \"params\".");
    assert_eq!(world.ids("thing", &json!([1])).unwrap_err(), "A filter must be an object.");
}

#[spec("R-121")]
async fn texts(world: World) {
    things(&world);
    check(
        &world,
        &[
            ("text", "contains", json!("apek"), Ok(&[1, 2])),
            ("text", "contains", json!("c"), Ok(&[2])),
            ("text", "contains", json!(""), Ok(&[1, 2, 3])),
            ("text", "notContains", json!("c"), Ok(&[1, 3, 4])),
            ("text", "startsWith", json!("Čap"), Ok(&[1])),
            ("text", "startsWith", json!(""), Ok(&[1, 2, 3])),
            ("text", "notStartsWith", json!("Čap"), Ok(&[2, 3, 4])),
            ("text", "endsWith", json!("ek"), Ok(&[1])),
            ("text", "notEndsWith", json!("ek"), Ok(&[2, 3, 4])),
            ("text", "iEq", json!("ČAPEK"), Ok(&[1])),
            ("text", "iContains", json!("ČA"), Ok(&[1])),
            ("text", "iStartsWith", json!("ča"), Ok(&[1])),
            ("text", "iEndsWith", json!("EK"), Ok(&[1])),
            ("text", "like", json!("_apek%"), Ok(&[1, 2])),
            ("text", "like", json!("%0\\%"), Ok(&[2])),
            ("text", "like", json!("CAP%"), Ok(&[])),
            ("text", "iLike", json!("CAP%"), Ok(&[2])),
        ],
    );
    let folded = |filter: &str, param: &str| {
        world.ids("thing", &json!([{"property": "text", "type": filter, "param": param, "fold": true}]))
    };
    assert_eq!(folded("contains", "CAPEK").unwrap(), [1, 2]);
    assert_eq!(folded("startsWith", "ča").unwrap(), [1, 2]);
    assert_eq!(folded("notEndsWith", "Pek").unwrap(), [2, 3, 4]);
    assert_eq!(folded("like", "a").unwrap_err(), "The filter like takes no fold.");
}

#[spec("R-121", "R-050")]
async fn calendar(world: World) {
    things(&world);
    check(
        &world,
        &[
            ("at", "onDay", json!("2026-11-20"), Ok(&[1])),
            ("at", "within", json!("none"), Ok(&[1])),
            ("at", "onDay", json!("2026-11-18T23:30:00Z"), Ok(&[2])),
            ("at", "onDay", json!({"$now": "-1 day"}), Ok(&[2])),
            ("day", "onDay", json!("2026-11-20T23:30:00-05:00"), Ok(&[1])),
            ("day", "withinMonth", json!("2026-11-01"), Ok(&[1, 2])),
            ("day", "withinYear", json!("none"), Ok(&[1, 2])),
            ("month", "withinMonth", json!("2026-10"), Ok(&[2])),
            ("month", "withinYear", json!("2025-01-01"), Ok(&[3])),
            ("day", "inPeriod", json!("thisWeek"), Ok(&[1, 2])),
            ("at", "inPeriod", json!("today"), Ok(&[1])),
            ("at", "inPeriod", json!("yesterday"), Ok(&[2])),
            ("at", "inPeriod", json!("tomorrow"), Ok(&[3])),
            ("day", "inPeriod", json!("lastYear"), Ok(&[3])),
            ("month", "inPeriod", json!("thisQuarter"), Ok(&[1, 2])),
            ("until", "inPeriod", json!("nextMonth"), Ok(&[1])),
            ("day", "inLast", json!("4 days"), Ok(&[1, 2])),
            ("day", "inLast", json!("3 days"), Ok(&[1])),
            ("at", "inNext", json!("30 minutes"), Ok(&[3])),
            ("at", "inNext", json!("29 minutes"), Ok(&[])),
            ("at", "inPeriod", json!("someday"), Err("needs a period")),
            ("at", "inPeriod", json!("thisDay"), Err("needs a period")),
            ("at", "inLast", json!("-3 days"), Err("needs a length of time")),
            ("at", "inLast", json!("999999 years"), Err("inLast")),
            ("at", "onDay", json!("2026-02-30"), Err("needs a date")),
            ("at", "onDay", json!("9999-12-31"), Ok(&[])),
            ("day", "withinYear", json!("9999-12-31"), Ok(&[])),
            ("month", "inLast", json!("3 months"), Err("does not serve")),
            ("count", "onDay", json!("none"), Err("does not serve")),
        ],
    );
}

#[spec("R-121")]
async fn members_and_relations(world: World) {
    things(&world);
    let uuid = |id: i64| world.uuid("person", id);
    check(
        &world,
        &[
            ("marks", "anyOf", json!(["green", "blue"]), Ok(&[1, 3])),
            ("marks", "anyOf", json!([]), Ok(&[])),
            ("marks", "allOf", json!(["red", "blue", "red"]), Ok(&[1, 3])),
            ("marks", "allOf", json!([]), Ok(&[1, 2, 3, 4])),
            ("marks", "noneOf", json!(["blue"]), Ok(&[2, 4])),
            ("marks", "anyOf", json!([null]), Err("cannot be null")),
            ("marks", "size", json!(1), Ok(&[2])),
            ("marks", "size", json!({"gte": 2}), Ok(&[1, 3])),
            ("marks", "size", json!({"gte": 1, "neq": 2}), Ok(&[2, 3])),
            ("marks", "size", json!(-1), Err("needs a number")),
            ("marks", "size", json!({"near": 1}), Err("needs a number")),
            ("people", "anyOf", json!([3, 2]), Ok(&[1, 2])),
            ("people", "anyOf", json!([uuid(3)]), Ok(&[1])),
            ("people", "allOf", json!([1, uuid(3)]), Ok(&[1])),
            ("people", "allOf", json!([1, uuid(2)]), Ok(&[])),
            ("people", "noneOf", json!([uuid(3)]), Ok(&[2, 3, 4])),
            ("people", "some", json!([{"property": "name", "type": "eq", "param": "Cyril"}]), Ok(&[1])),
            ("people", "some", json!([]), Ok(&[1, 2])),
            ("people", "none", json!([{"property": "name", "type": "eq", "param": "Cyril"}]), Ok(&[2, 3, 4])),
            ("people", "every", json!([{"property": "salary", "type": "gt", "param": 10}]), Ok(&[2, 3, 4])),
            ("people", "some", json!([{"property": "id", "type": "eq", "param": {"$property": "chief"}}]), Ok(&[])),
            ("people.name", "eq", json!("Cyril"), Ok(&[1])),
            ("people.name", "neq", json!("Cyril"), Ok(&[1, 2])),
            ("people.chief.name", "isNull", json!("none"), Ok(&[1])),
            ("people.country.code", "in", json!(["AT"]), Ok(&[2])),
            ("owner.country.code", "eq", json!("AT"), Ok(&[2])),
            ("owner.country.code", "neq", json!("AT"), Ok(&[1, 3, 4])),
            ("owner.country.code", "isNull", json!("none"), Ok(&[3, 4])),
            ("owner.chief.country.name", "startsWith", json!("Č"), Ok(&[2])),
            ("owner.chief", "eq", json!(null), Ok(&[1, 4])),
            ("owner.salary", "between", json!([20, 25]), Ok(&[2])),
            ("owner.salary", "gt", json!({"$property": "count"}), Ok(&[1, 2])),
            ("owner.salary", "eq", json!({"$property": "limit"}), Ok(&[3, 4])),
            ("owner", "some", json!([]), Err("does not serve")),
            ("owner", "descendantOf", json!(1), Ok(&[2, 3])),
            ("owner", "ancestorOf", json!(3), Ok(&[1, 2])),
            ("people", "descendantOf", json!(2), Ok(&[1])),
            ("owner.id", "descendantOf", json!(2), Ok(&[3])),
            ("id", "descendantOf", json!(1), Err("does not serve")),
            ("owner", "descendantOf", json!("1"), Err("needs an id")),
        ],
    );
    let below = json!([{"property": "id", "type": "descendantOf", "param": 1}]);
    assert_eq!(world.ids("person", &below).unwrap(), [2, 3]);
    let no_longer_below = json!([{"property": "*", "type": "not", "param": below}]);
    assert_eq!(world.ids("person", &no_longer_below).unwrap(), [1]);
}

#[spec("R-121")]
async fn values_inside_documents(world: World) {
    things(&world);
    check(
        &world,
        &[
            ("meta.size", "eq", json!(10), Ok(&[1])),
            ("meta.size", "eq", json!("10"), Ok(&[2])),
            ("meta.size", "neq", json!(10), Ok(&[2, 3, 4])),
            ("meta.size", "gte", json!(9.5), Ok(&[1])),
            ("meta.size", "in", json!([10, "10"]), Ok(&[1, 2])),
            ("meta.name", "contains", json!("o"), Ok(&[1, 2])),
            ("meta.name", "iEq", json!("BOX"), Ok(&[1, 2])),
            ("meta.name", "notStartsWith", json!("B"), Ok(&[2, 3, 4])),
            ("meta.on", "eq", json!(true), Ok(&[1])),
            ("meta.in.deep", "eq", json!("x"), Ok(&[1])),
            ("meta.in.deep", "isNull", json!("none"), Ok(&[2, 3, 4])),
            ("meta.list", "isNotNull", json!("none"), Ok(&[1])),
            ("meta.size", "between", json!([1, 20]), Ok(&[1])),
            ("meta.a'\"]", "eq", json!(1), Ok(&[])),
            ("meta.size", "gt", json!(true), Err("true or false")),
            ("meta.size", "eq", json!([1]), Err("needs a text, a number")),
            ("meta.size", "onDay", json!("none"), Err("does not serve")),
            ("meta", "eq", json!(1), Err("does not serve")),
            ("meta..a", "isNull", json!("none"), Err("There is no property")),
        ],
    );
}

#[spec("R-121")]
async fn groups(world: World) {
    things(&world);
    let red = json!({"property": "marks", "type": "anyOf", "param": ["red"]});
    let flag = json!({"property": "flag", "type": "eq", "param": true});
    let group = |name: &str, filters: &[&Json]| json!({"property": "*", "type": name, "param": filters});
    let ids = |filters: &[&Json]| world.ids("thing", &json!(filters)).unwrap();
    assert_eq!(ids(&[&red, &flag]), [1]);
    assert_eq!(ids(&[&group("or", &[&flag, &red])]), [1, 2, 3]);
    assert_eq!(ids(&[&group("not", &[&flag])]), [2, 3, 4]);
    assert_eq!(ids(&[&group("not", &[&flag, &red])]), [2, 3, 4]);
    assert_eq!(ids(&[&group("and", &[&red, &group("not", &[&flag])])]), [2, 3]);
}
