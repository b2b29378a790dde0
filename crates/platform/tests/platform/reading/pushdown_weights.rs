//! What is known only in a request makes many a condition larger: what is taken when it is checked must run then. And it
//! may take only so long to be known.

use super::world::World;
use context::request_context::RequestContext;
use database::Tx;
use expression::value::{Array, Resource};
use expression::{HostProviders, Providers, Value};
use jiff::tz::TimeZone;
use query::pushdown::{RuleBindings, compile, parts, verdicts};
use std::sync::Arc;
use testing::{Engine, run};

/// A user with very many marks, with an e-mail address, and without a note.
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
        Ok(match name {
            "marks" => {
                let marks = (0..400).map(|number| Value::Text(format!("mark {number}").into()));
                Some(Value::Array(Array::List(Arc::new(marks.collect()))))
            }
            "mail" => Some(Value::Text("me@example.com".into())),
            _ => None,
        })
    }

    fn raw(&self, name: &str, providers: &dyn HostProviders) -> expression::Result<Option<Value>> {
        self.property(name, providers)
    }

    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
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

struct User;

impl Providers for User {}

impl HostProviders for User {
    fn user(&self) -> expression::Result<Value> {
        Ok(Value::Resource(Arc::new(Me)))
    }
}

const USER: (&str, &str) = (
    "types/user.yaml",
    "name: user\nproperties:\n  note: {id: 160, kind: pString}\n  mail: {id: 161, kind: pEmail}\n  \
     marks: {id: 162, kind: pEnums, options: [red, green]}\n",
);

/// Conditions that grow with each time that their part `#` is they themselves, from another one on.
const GROWING: &[(&str, &str)] = &[
    ("flag", "((at < '2026-11-20') ? # : count > 1)"),
    ("flag", "((at >= 'now') xor #)"),
    ("flag", "(# xor (formatDate(day, 'Y') === text))"),
    ("flag", "(# ? formatDate(day, 'y') !== formatDate(day, 'Y') : formatDate(day, 'm') === text)"),
    ("flag", "((# ? formatDate(day, 'Y') : text) === formatDate(day, 'Y'))"),
    ("flag", "((# ? text : 'b') == (time() < 0))"),
    ("flag", "((# ? text : 'b') in [today(), today(), today(), today()])"),
    ("flag", "in_array((# ? text : 'b'), [today(), today(), today(), today()])"),
    ("flag", "compareDates((# ? day : day), 'within', today())"),
    ("flag", "compareDates((# ? at : created), '<', created)"),
    ("flag", "compareDates((# ? at : created), 'withinMonth', today())"),
    ("flag", "(compareDates(owner.chief.updated, 'withinMonth', today()) xor #)"),
    // Values of which the user has many.
    ("flag", "((# ? text : 'b') in user('marks'))"),
    ("flag", "((# ? text : 'b') not in user('marks'))"),
    ("flag", "(# in user('marks'))"),
    ("flag", "(in_array((# ? text : 'b'), user('marks')) and owner.name in user('marks'))"),
    ("flag", "in_array(#, user('marks'))"),
    ("flag", "in_array((# ? upper(text) : owner.name), user('marks'))"),
    ("flag", "(# xor (owner.chief.name in user('marks')))"),
    // These end with an error for this user: webalize() takes no null, and an address is not a date.
    ("text", "(# ?? webalize(user('note')))"),
    ("flag", "(# or webalize(user('note')))"),
    ("flag", "(# or webalize(user('note')) === text)"),
    ("flag", "((# or webalize(user('note'))) and (webalize(user('note')) or count > 1))"),
    ("flag", "((# ? webalize(user('note')) : text) === 'b')"),
    ("flag", "(# ? webalize(user('note')) === text : flag)"),
    ("flag", "(# or toBool(webalize(user('note'))) == flag)"),
    ("flag", "(# or compareDates(day, '<', user('mail')))"),
    ("flag", "(# or compareDates(at, 'withinMonth', user('mail')))"),
    ("flag", "(compareDates(day, '<', user('mail')) ? count > 1 : #)"),
    ("flag", "(# or state in [webalize(user('note')), 'b'])"),
    ("flag", "(# or in_array(state, [webalize(user('note')), 'b']))"),
];

#[test]
fn what_is_taken_is_not_too_large_in_a_request() {
    run(Engine::Sqlite, "weighed", |engine: Engine| async move {
        let world = tokio::task::block_in_place(|| World::also(engine, &[USER]));
        let compile = |tx: &mut Tx<'_>, context: &RequestContext| {
            let thing = context.model.type_named("thing").unwrap();
            let mut found = String::new();
            for (first, inner) in GROWING {
                let mut condition = (*first).to_owned();
                let mut taken = 0;
                while taken < 200 {
                    condition = inner.replace('#', &condition);
                    let Ok(rule) = compile(&format!("{{={condition}}}"), thing, &context.model) else { break };
                    taken += 1;
                    // Apia has left out a day; in Havana days begin twice.
                    for zone in ["Europe/Prague", "Pacific/Apia", "America/Havana"] {
                        let zone = TimeZone::get(zone).unwrap();
                        let bindings =
                            RuleBindings { providers: &User, now: context.now, zone: &zone, place: ["", ""] };
                        let checked = parts(&rule, &context.model, None)?;
                        match parts(&rule, &context.model, Some(&bindings)) {
                            Ok(known) if known > checked => {
                                found += &format!("{inner}, {taken} times: {known} parts, {checked} when checked\n");
                            }
                            _ => {}
                        }
                        if let Err(error) = verdicts(tx, &context.model, thing, &[&rule], &bindings) {
                            let error: String = error.to_string().chars().rev().take(200).collect();
                            let error: String = error.chars().rev().collect();
                            found += &format!("{inner}, {taken} times: {error}\n");
                        }
                    }
                }
                if !(1..200).contains(&taken) {
                    found += &format!("{inner}: {taken} were taken\n");
                }
            }
            Ok(found)
        };
        let found = tokio::task::block_in_place(|| world.tenant.read_as_administrator(compile)).unwrap();
        assert!(found.is_empty(), "{found}");
    });
}

#[test]
fn the_parts_of_a_rule_share_their_steps() {
    run(Engine::Sqlite, "shared", |engine: Engine| async move {
        let world = tokio::task::block_in_place(|| World::also(engine, &[USER]));
        let part = "length(join('', range(user('id'), 90000)))";
        let either = |count: usize| format!("id > 0{}", format!(" and {part} > 5").repeat(count));
        let among = |count: usize| format!("count in [{}]", vec![part; count].join(", "));
        let texts = [either(1), either(2), either(8), among(2), among(40)];
        let taken = move |tx: &mut Tx<'_>, context: &RequestContext| {
            let thing = context.model.type_named("thing").unwrap();
            let bindings = RuleBindings { providers: &User, now: context.now, zone: &TimeZone::UTC, place: ["", ""] };
            let mut taken = Vec::new();
            for text in &texts {
                let rule = compile(&format!("{{={text}}}"), thing, &context.model).unwrap();
                taken.push(
                    verdicts(tx, &context.model, thing, &[&rule], &bindings).map_err(|error| format!("{error:?}")),
                );
                assert_eq!(parts(&rule, &context.model, Some(&bindings)).is_ok(), taken.last().unwrap().is_ok());
            }
            Ok(taken)
        };
        let taken = tokio::task::block_in_place(|| world.tenant.read_as_administrator(taken)).unwrap();
        let [Ok(_), Ok(_), Err(one), Ok(_), Err(other)] = &taken[..] else { panic!("{taken:?}") };
        assert!(one.contains("take too many steps") && other.contains("take too many steps"), "{one} {other}");
    });
}
