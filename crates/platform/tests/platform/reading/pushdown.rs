//! Random conditions over random rows: typed nodes, the general evaluator, SQLite and PostgreSQL agree about every row.
//!
//! `PLINTH_PUSHDOWN_CASES` says how many conditions are tried on each engine; 10,000 where it is not set. Those of
//! another `PLINTH_PUSHDOWN_SEED` are others.

use super::pushdown_words::Words;
use super::world::World;
use context::request_context::RequestContext;
use database::Tx;
use expression::value::{Array, Resource};
use expression::{HostProviders, Program, Providers, Run, RunLimits, Scope, Value, convert};
use jiff::tz::TimeZone;
use model::place::{ExpressionPlace, compile};
use model::shape::TypeShapes;
use model::types::RowCondition;
use query::pushdown;
use query::pushdown::{RuleBindings, verdicts};
use resources::expressions::{Parts, PlatformProviders, Reading};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use testing::{Engine, Subject, run_within};

const FILES: &[(&str, &str)] = &[
    ("tenant.yaml", "tenant: acme\ntimezone: Europe/Prague\n"),
    (
        "types/country.yaml",
        "id: 12\nname: country\nproperties:\n  name: {id: 140, kind: pString}\n  code: {id: 141, kind: pString}\n",
    ),
    (
        "types/person.yaml",
        "id: 11\nname: person\nproperties:\n  name: {id: 130, kind: pString}\n  \
         country: {id: 132, kind: pRelation, type: country}\n  chief: {id: 134, kind: pRelation, type: person}\n  \
         salary: {id: 133, kind: pInteger, min: -1000, max: 1000}\n  born: {id: 135, kind: pDate}\n  \
         friends: {id: 136, kind: pRelations, type: person}\n",
    ),
    (
        "types/user.yaml",
        "name: user\nproperties:\n  note: {id: 150, kind: pString}\n  mail: {id: 151, kind: pEmail}\n  \
         born: {id: 152, kind: pDate}\n  marks: {id: 153, kind: pEnums, options: [red, green]}\n",
    ),
    (
        "types/thing.yaml",
        "id: 10\nname: thing\nproperties:\n  \
         text:   {id: 100, kind: pString}\n  \
         memo:   {id: 118, kind: pText}\n  \
         mail:   {id: 119, kind: pEmail, required: true}\n  \
         count:  {id: 101, kind: pInteger, min: -100, max: 100}\n  \
         limit:  {id: 114, kind: pInteger, required: true, min: -100, max: 100}\n  \
         big:    {id: 116, kind: pInteger}\n  \
         price:  {id: 102, kind: pDecimal, scale: 2}\n  \
         net:    {id: 117, kind: pDecimal, required: true, scale: 2}\n  \
         ratio:  {id: 103, kind: pFloat}\n  \
         share:  {id: 120, kind: pFloat, required: true, min: -1000, max: 1000}\n  \
         cost:   {id: 121, kind: pDecimal, scale: 3, min: -1000, max: 1000}\n  \
         begun:  {id: 122, kind: pDateTime, required: true}\n  \
         flag:   {id: 104, kind: pBoolean}\n  \
         day:    {id: 105, kind: pDate}\n  \
         until:  {id: 115, kind: pDate, required: true}\n  \
         month:  {id: 106, kind: pMonth}\n  \
         time:   {id: 107, kind: pTime}\n  \
         at:     {id: 108, kind: pDateTime}\n  \
         state:  {id: 109, kind: pEnum, required: true, options: {new: {}, old: {}}}\n  \
         marks:  {id: 110, kind: pEnums, options: {red: {}, green: {}, blue: {}}}\n  \
         owner:  {id: 111, kind: pRelation, type: person}\n  \
         people: {id: 112, kind: pRelations, type: person}\n",
    ),
];

/// How many things there are, and how many conditions go into a statement.
const THINGS: usize = 24;
const BATCH: usize = 50;

/// How long so many of them may take, on a machine that does other work too.
const LIMIT: (u32, Duration) = (10_000, Duration::from_secs(900));
const SEED: u64 = 20_261_120;

/// The user with the id 3, who has no note.
#[derive(Debug)]
struct Me;

impl Resource for Me {
    fn id(&self) -> i64 {
        3
    }

    fn type_id(&self) -> i64 {
        1
    }

    fn property(&self, name: &str, _: &dyn HostProviders) -> expression::Result<Option<Value>> {
        let text = |text: &str| Value::Text(text.into());
        let marks = || vec![text("red"), text("ab"), text(""), text("Čapek")];
        Ok(match name {
            "id" => Some(Value::Int(3)),
            "mail" => Some(text("me@example.com")),
            "born" => Some(text("2026-10-25")),
            "marks" => Some(Value::Array(Array::List(Arc::new(marks())))),
            _ => None,
        })
    }

    fn raw(&self, name: &str, providers: &dyn HostProviders) -> expression::Result<Option<Value>> {
        self.property(name, providers)
    }

    fn names(&self) -> Vec<Arc<str>> {
        vec!["id".into()]
    }

    fn title(&self, _: &dyn HostProviders) -> expression::Result<Option<Value>> {
        Ok(None)
    }

    fn code(&self, _: &dyn HostProviders) -> expression::Result<Option<Value>> {
        Ok(None)
    }

    fn uuid(&self, _: &dyn HostProviders) -> expression::Result<Option<String>> {
        Ok(None)
    }
}

/// The platform's providers, with a user.
struct AsMe<'p, 'q, 't> {
    inner: &'p PlatformProviders<'q, 't>,
    resource: Value,
}

impl Providers for AsMe<'_, '_, '_> {
    fn resource(&self) -> expression::Result<Value> {
        Ok(self.resource.clone())
    }
}

impl HostProviders for AsMe<'_, '_, '_> {
    fn user(&self) -> expression::Result<Value> {
        Ok(Value::Resource(Arc::new(Me)))
    }

    fn row(&self, type_id: i64, id: i64) -> expression::Result<Value> {
        self.inner.row(type_id, id)
    }

    fn rows(&self, type_id: i64, ids: &[i64]) -> expression::Result<Value> {
        self.inner.rows(type_id, ids)
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a test runs is no matter of settings")]
fn given<T: std::str::FromStr>(variable: &str) -> Option<T> {
    let given = std::env::var(variable).ok()?;
    given.parse().ok()
}

fn cases() -> usize {
    given("PLINTH_PUSHDOWN_CASES").unwrap_or(10_000)
}

fn limit() -> Duration {
    let times = u32::try_from(cases()).unwrap_or(u32::MAX).div_ceil(LIMIT.0);
    LIMIT.1.saturating_mul(times.max(1))
}

fn fill(world: &World, words: &mut Words) {
    let countries: Vec<_> = (0..3).map(|_| json!({"name": words.text(), "code": words.text()})).collect();
    world.put("country", &countries);
    for id in 1..=6_i64 {
        let chief = words.of(&[json!(null), json!((id - 1).max(1))]);
        let chief = if id == 1 { json!(null) } else { chief };
        let friends = words.some((1..id).map(|friend| json!(friend)).collect());
        world.put(
            "person",
            &[json!({"name": words.text(), "country": words.of(&[json!(null), json!(1), json!(2), json!(3)]),
                     "chief": chief, "salary": words.integer(), "born": words.day(), "friends": friends})],
        );
    }
    let things: Vec<_> = (0..THINGS).map(|_| words.thing()).collect();
    world.put("thing", &things);
}

/// The answers of both back ends of the interpreter about each row; an error counts as false.
fn interpreted(
    inner: &PlatformProviders<'_, '_>,
    context: &RequestContext,
    zone: &TimeZone,
    programs: &[Arc<Program>; 2],
) -> Vec<bool> {
    let held = |id: i64| {
        let resource = inner.row(10, id).unwrap();
        let providers = AsMe { inner, resource };
        let decided = programs.each_ref().map(|program| {
            let mut random = |bytes: &mut [u8]| bytes.fill(0);
            let mut run = Run::new(context.now, zone.clone(), &providers, &mut random, RunLimits::default());
            program.evaluate(&mut run).map(|value| convert::to_bool(&value)).map_err(|mistake| mistake.code)
        });
        assert_eq!(decided[0], decided[1], "typed nodes, general evaluator on {id}: {:?}", programs[0]);
        decided[0].is_ok_and(|holds| holds)
    };
    (1..=THINGS as i64).map(held).collect()
}

/// A tenant with things, in every one of whose values there may be none.
struct Rows(World);

impl Subject for Rows {
    async fn on(engine: Engine) -> Self {
        Rows(tokio::task::block_in_place(|| World::with(engine, FILES)))
    }
}

#[test]
fn conditions_agree_on_sqlite() {
    run_within(limit(), Engine::Sqlite, "conditions_agree", agree);
}

#[test]
fn conditions_agree_on_postgres() {
    run_within(limit(), Engine::Postgres, "conditions_agree", agree);
}

async fn agree(Rows(world): Rows) {
    let mut words = Words::new(given("PLINTH_PUSHDOWN_SEED").unwrap_or(SEED));
    fill(&world, &mut words);
    let cases = cases();
    let (mut tried, mut refused) = (0, 0);
    let mut reasons: HashMap<String, usize> = HashMap::new();
    let mut differing: Vec<String> = Vec::new();
    let mut held = [0_usize; 2];
    while tried < cases && differing.len() < 20 {
        let read = |tx: &mut Tx<'_>, context: &RequestContext| {
            let thing = context.model.type_named("thing").unwrap();
            let shape = TypeShapes::of(&context.model.types).get(thing.id);
            let zone = TimeZone::get("Europe/Prague").unwrap();
            let mut rules: Vec<(RowCondition, [Arc<Program>; 2])> = Vec::new();
            let general = Scope::of(ExpressionPlace::Grant.available()).without_typed_nodes();
            let general = general.with_context(shape.clone());
            while rules.len() < BATCH {
                let text = format!("{{={}}}", words.condition(4));
                let kind = expression::scope::ValueKind::Any;
                let typed = match compile(&text, ExpressionPlace::Grant, shape.clone(), HashMap::new(), kind) {
                    Ok(program) => program,
                    // The sign before a number makes some mixes of operators ambiguous.
                    Err(mistakes) if mistakes.iter().all(|mistake| mistake.code == "ambiguous") => continue,
                    Err(mistakes) => panic!("{text}: {mistakes:?}"),
                };
                let general = Program::template(&text, &general).unwrap();
                match pushdown::compile(&text, thing, &context.model) {
                    Ok(rule) => rules.push((rule, [typed, Arc::new(general)])),
                    Err(mistakes) => {
                        refused += 1;
                        *reasons.entry(mistakes[0].message.clone()).or_default() += 1;
                    }
                }
            }
            let inner = PlatformProviders::in_zone(tx, context, &zone, Reading::Look, Parts::default());
            let expected: Vec<_> =
                rules.iter().map(|(_, programs)| interpreted(&inner, context, &zone, programs)).collect();
            drop(inner);
            struct User;
            impl Providers for User {}

            impl HostProviders for User {
                fn user(&self) -> expression::Result<Value> {
                    Ok(Value::Resource(Arc::new(Me)))
                }
            }
            let bindings = RuleBindings { providers: &User, now: context.now, zone: &zone, place: ["", ""] };
            let found = verdicts(
                tx,
                &context.model,
                thing,
                &rules.iter().map(|(rule, _)| rule).collect::<Vec<_>>(),
                &bindings,
            )?;
            for (rule, _) in &rules {
                let (checked, known) = (
                    pushdown::parts(rule, &context.model, None)?,
                    pushdown::parts(rule, &context.model, Some(&bindings))?,
                );
                assert!(known <= checked, "{} has {known} parts, and had {checked} when it was checked", rule.text);
            }
            for (index, ((rule, _), expected)) in rules.iter().zip(&expected).enumerate() {
                tried += 1;
                for ((id, found), expected) in found.iter().zip(expected) {
                    held[usize::from(*expected)] += 1;
                    if found[index] != *expected {
                        differing.push(format!("{} on {id}: expected {expected}", rule.text));
                        break;
                    }
                }
            }
            Ok(())
        };
        tokio::task::block_in_place(|| world.tenant.read_as_administrator(read)).unwrap();
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    assert!(differing.is_empty(), "{} of {tried} differ:\n{}", differing.len(), differing.join("\n"));
    println!("{tried} conditions, {refused} refused, {held:?} rows; {reasons:#?}");
    // Conditions that are always the same would prove little; so would it if most were refused.
    assert!(held[0].min(held[1]) * 5 > held[0].max(held[1]), "{held:?}");
    assert!(refused < 2 * tried, "{refused} of {tried} were refused: {reasons:#?}");
}
