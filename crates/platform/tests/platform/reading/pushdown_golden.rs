//! What conditions become, reviewed as files: `golden/conditions-sqlite.sql`, `golden/conditions-postgres.sql`; and what
//! is refused, with the part that stands in the way.
//!
//! Where the statements have changed for good, delete the files and run the tests: they write them anew, and fail once.

use super::world::World;
use context::request_context::RequestContext;
use database::Tx;
use expression::{HostProviders, Providers, Value};
use jiff::tz::TimeZone;
use query::pushdown::{RuleBindings, compile, statement};
use std::path::PathBuf;
use testing::{Engine, run};

const CASES: &[&str] = &[
    "count > 3 and state == 'new'",
    "not (count > 3)",
    "owner.country.code == 'CZ'",
    "owner.country.code != 'CZ'",
    "people.id == 3",
    "3 not in people",
    "people.chief.name in ['a', 'b']",
    "'red' in marks",
    "price >= 0.125",
    "price == 12.5",
    "text == null",
    "count == limit",
    "ratio < count",
    "day >= '2026-11-20' and month == '2026-11'",
    "at < '2026-11-20'",
    "compareDates(day, '>')",
    "day < date('Y-m-d') - 5.days",
    "day + 5.days > '2026-11-20'",
    "day - 1.months == '2026-11-20'",
    "day + limit.days <= day",
    "month + count.months > '2026-11'",
    "day - '2026-11-20' > 5",
    "formatDate(day + 1.weeks, 'Y-m') === '2026-11'",
    "at + 4.hours < '2026-11-20T12:00:00Z'",
    "at - (limit % 100).hours < created",
    "at - created > 4.hours",
    "(at - created).totalHours > 1.5",
    "upper(text) === 'A'",
    "lower(owner.name) === 'a'",
    "trim(text) ~ count ~ price === ' 1'",
    "length(text) > 2",
    "(owner.name ?? text) === 'a'",
    "(flag ? count : limit) > 1",
    "startsWith(text, 'a') and 'b' in text",
    "in_array(count, [1, 2])",
    "state in ['new', 'old']",
    "length(text) / 2 > 1.5",
    "length(text) / (length(text) - 1) * 3 >= 4",
    "toFloat(flag) - 0.5 > 0",
    "toInt(price) == 3",
    "toInt(flag) + length(marks) > 1",
    "length(people) > 1",
    "owner.id == 3",
    "formatDate(day, 'd.m.Y') === '20.11.2026'",
    "compareDates(at, 'within', '2026-10-25')",
    "compareDates(at, '<', created)",
    "flag",
    "count",
    "text",
    "owner",
];

/// The same of people, each of whom has a name.
const OF_PEOPLE: &[&str] = &[
    "name != 'a'",
    "not (name > 'a')",
    "name",
    "name == null",
    "name === chief.name",
    "name not in ['a', 'b']",
    "length(name) - 1 > 2",
    "length(name) * length(name) > 2",
    "startsWith(name, 'a')",
    "name ~ salary === 'a1'",
    "created <= updated",
    "id % 2",
    "country != chief.country",
];

/// What is refused, and the part at which.
const REFUSED: &[(&str, &str)] = &[
    ("day + 5 > '2026-11-20'", "day"),
    ("day * 2 > 5", "day"),
    ("at + 5 > 1", "at"),
    ("at + 3.days > '2026-11-20'", "at + 3.days"),
    ("at - count.months > '2026-11-20'", "at - count.months"),
    ("at + limit.hours > '2026-11-20'", "at + limit.hours"),
    ("day + 3.hours > '2026-11-20'", "day + 3.hours"),
    ("day + count.minutes > '2026-11-20'", "day + count.minutes"),
    ("month + 3.days > '2026-11'", "month + 3.days"),
    ("day - at > 5", "day"),
    ("day - 'x' > 5", "day"),
    ("count.days > 5.days", "count.days > 5.days"),
    ("at - at > 5.months", "at - at > 5.months"),
    ("price.days == 5.days", "days"),
    ("(flag ? 5.days : count.days) == null", "(flag ? 5.days : count.days)"),
    ("(at - at).days == 5", "days"),
    ("(at + 3.hours) ~ 'x' === 'y'", "(at + 3.hours)"),
    ("compareDates(at + 3.hours, '<')", "at + 3.hours"),
    ("count / 2 > 1", "count / 2"),
    ("count > 1 and limit * 2 > 3", "limit * 2"),
    ("text == owner.name", "text == owner.name"),
    ("text == '10'", "text == '10'"),
    ("count == '3'", "count == '3'"),
    ("ratio ~ 'x' == 'y'", "ratio"),
    ("owner ~ 'x' === 'y'", "owner"),
    ("meta.a == 1", "a"),
    ("md5(text) === 'x'", "md5(text)"),
    ("getTitle() === 'x'", "getTitle()"),
    ("people.name", "people.name"),
    ("owner.chief.chief.chief.name === 'a'", "name"),
    ("json == jsonDecode('1')", "json"),
    ("count == env('X')", "env"),
    ("formatDate(at, 'Y') === '2026'", "at"),
    ("formatDate(day, 'l') === 'Friday'", "'l'"),
    ("price / 2 > 1", "price / 2"),
    ("ratio + 1 > 1", "ratio"),
    ("toFloat(flag) * toFloat(flag) > 1", "toFloat(flag) * toFloat(flag)"),
    ("length(text) / 2 === 1", "length(text) / 2 === 1"),
    ("toInt(ratio) > 1", "ratio"),
    ("toFloat(price) > 1", "price"),
    ("length(people.name) > 1", "people.name"),
    ("length(owner) > 1", "owner"),
    ("date('Y', day) === '2026'", "date('Y', day)"),
    ("setVar('a', 1) == 1", "setVar('a', 1)"),
    ("random() === 'a'", "random()"),
    ("text < count", "text < count"),
    ("{a: text} == 1", "{a: text}"),
];

struct Nobody;

impl Providers for Nobody {}

impl HostProviders for Nobody {
    fn user(&self) -> expression::Result<Value> {
        Ok(Value::Null)
    }
}

async fn check(world: World, file: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/platform/reading/golden").join(file);
    let write = |tx: &mut Tx<'_>, context: &RequestContext| {
        let [thing, person] = ["thing", "person"].map(|name| context.model.type_named(name).unwrap());
        let zone = TimeZone::get("Europe/Prague").unwrap();
        let bindings = RuleBindings { providers: &Nobody, now: context.now, zone: &zone, place: ["", ""] };
        let mut text = String::new();
        let of_people = OF_PEOPLE.iter().map(|case| (case, person));
        for (case, of) in CASES.iter().map(|case| (case, thing)).chain(of_people) {
            let rule = compile(&format!("{{={case}}}"), of, &context.model)
                .unwrap_or_else(|mistakes| panic!("{case}: {mistakes:?}"));
            let sql = statement(tx, &context.model, of, &[&rule], &bindings)?;
            text += &format!("-- {case}\n{};\n\n", sql.text());
        }
        Ok(text)
    };
    let written = tokio::task::block_in_place(|| world.tenant.read_as_administrator(write)).unwrap();
    match std::fs::read_to_string(&path) {
        Ok(golden) => assert_eq!(written, golden, "{}", path.display()),
        Err(_) => {
            std::fs::write(&path, written).unwrap();
            panic!("{} was not there and is written now: review it", path.display());
        }
    }
}

#[test]
fn conditions_on_sqlite() {
    run(Engine::Sqlite, "conditions", |world| check(world, "conditions-sqlite.sql"));
}

#[test]
fn conditions_on_postgres() {
    run(Engine::Postgres, "conditions", |world| check(world, "conditions-postgres.sql"));
}

#[test]
fn what_does_not_translate_is_named() {
    run(Engine::Sqlite, "refused", |world: World| async move {
        // The whole of it: its folder stays until the end.
        let world = &world;
        let compile = |_: &mut Tx<'_>, context: &RequestContext| {
            let thing = context.model.type_named("thing").unwrap();
            let mut found = String::new();
            for (case, part) in REFUSED {
                let text = format!("{{={case}}}");
                match compile(&text, thing, &context.model) {
                    Ok(_) => found += &format!("{case}: taken\n"),
                    Err(mistakes) => {
                        let span = mistakes[0].span;
                        if &text[span.from..span.to] != *part {
                            found += &format!("{case}: {:?} {}\n", &text[span.from..span.to], mistakes[0]);
                        }
                    }
                }
            }
            Ok(found)
        };
        let found = tokio::task::block_in_place(|| world.tenant.read_as_administrator(compile)).unwrap();
        assert!(found.is_empty(), "{found}");
    });
}

#[test]
fn nested_choices_do_not_multiply() {
    run(Engine::Sqlite, "nested", |world: World| async move {
        // The whole of it: its folder stays until the end.
        let world = &world;
        let chain = |operator: &str| vec!["flag"; 60].join(operator);
        let nested = |inner: &str| (0..30).fold("text".to_owned(), |whole, _| inner.replace('_', &whole));
        let cases = [
            (chain(" xor "), false),
            (nested("(_ ?: memo)").replace("memo", "text") + " === 'a'", false),
            (nested("upper(_)") + " === 'a'", true),
            (nested("(_ ? 1 : 2)"), false),
            (chain(" and "), true),
            (chain(" or "), true),
        ];
        let compile = |_: &mut Tx<'_>, context: &RequestContext| {
            let thing = context.model.type_named("thing").unwrap();
            Ok(cases
                .map(|(case, taken)| (compile(&format!("{{={case}}}"), thing, &context.model).is_ok() == taken, case)))
        };
        let found = tokio::task::block_in_place(|| world.tenant.read_as_administrator(compile)).unwrap();
        for (expected, case) in found {
            assert!(expected, "{case}");
        }
    });
}
