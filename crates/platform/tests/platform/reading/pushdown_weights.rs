//! What is known only in a request makes many a condition larger: what is taken when it is checked must run then.

use super::world::World;
use database::Tx;
use expression::{Providers, Value};
use jiff::tz::TimeZone;
use platform::resources::pushdown::{Bindings, Rule, verdicts};
use platform::tenants::Call;
use testing::{Engine, run};

struct Nobody;

impl Providers for Nobody {
    fn user(&self) -> expression::Result<Value> {
        Ok(Value::Null)
    }
}

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
];

#[test]
fn what_is_taken_is_not_too_large_in_a_request() {
    run(Engine::Sqlite, "weighed", |world: World| async move {
        let compile = |tx: &mut Tx<'_>, call: &Call| {
            let thing = call.model.type_named("thing").unwrap();
            let mut found = String::new();
            for (first, inner) in GROWING {
                let mut condition = (*first).to_owned();
                let mut taken = 0;
                while taken < 200 {
                    condition = inner.replace('#', &condition);
                    let Ok(rule) = Rule::compile(&format!("{{={condition}}}"), thing, &call.model) else { break };
                    taken += 1;
                    // Apia has left out a day; in Havana days begin twice.
                    for zone in ["Europe/Prague", "Pacific/Apia", "America/Havana"] {
                        let zone = TimeZone::get(zone).unwrap();
                        let bindings = Bindings { providers: &Nobody, now: call.now, zone: &zone };
                        if let Err(error) = verdicts(tx, &call.model, thing, &[&rule], &bindings) {
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
