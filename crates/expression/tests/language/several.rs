//! What a relation to several leads to, in comparisons: they are about one of the members.

use crate::place::Record;
use expression::catalogue::Availability;
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use expression::value::Array;
use expression::{HostProviders, Program, Providers, Result, Run, RunLimits, Value, convert};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::Arc;

/// A person: friends are several, the chief is one.
#[derive(Debug)]
struct Person;

impl ResourceShape for Person {
    fn name(&self) -> &str {
        "person"
    }
    fn property(&self, name: &str) -> Option<ValueType> {
        Some(match name {
            "age" => ValueKind::Int.into(),
            "name" => ValueKind::Text.into(),
            "chief" => ValueType::resource(Arc::new(Person)),
            "friends" => ValueType::resources(Arc::new(Person)),
            _ => return None,
        })
    }
    fn names(&self) -> Vec<Arc<str>> {
        ["age", "name", "chief", "friends"].map(Arc::from).to_vec()
    }
}

struct About(Value);

impl Providers for About {
    fn resource(&self) -> Result<Value> {
        Ok(self.0.clone())
    }
}

impl HostProviders for About {}

fn person(id: i64, age: Value, chief: Value, friends: &[&Value]) -> Value {
    let friends = friends.iter().map(|friend| (*friend).clone()).collect::<Array>();
    let properties =
        vec![("age", age), ("name", format!("p{id}").as_str().into()), ("chief", chief), ("friends", friends.into())];
    Value::Resource(Arc::new(Record { id, properties }))
}

/// Ann (1) has the friends Bob (2), who is 20, and Cyril (3), whose age nobody knows and who works for Bob; they have none.
fn holds(text: &str) -> bool {
    let bob = person(2, 20.into(), Value::Null, &[]);
    let cyril = person(3, Value::Null, bob.clone(), &[]);
    let ann = person(1, 30.into(), Value::Null, &[&bob, &cyril]);
    let context: Arc<dyn ResourceShape> = Arc::new(Person);
    let available = AvailableProviders::default().with(Availability::Context);
    let scope = Scope::of(available).with_context(Some(context));
    let program = Program::expression(text, &scope).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let about = About(ann);
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &about, &mut random, RunLimits::default());
    convert::to_bool(&program.evaluate(&mut run).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}")))
}

#[test]
fn a_comparison_holds_where_it_does_for_one_of_them() {
    for text in [
        "friends.id == 3",
        "3 == friends.id",
        "friends == 2",
        "friends.age < 21",
        "friends.age == null",
        "friends.chief.id == 2",
        "friends.chief == null",
        "friends.name in ['p3', 'x']",
        "3 in friends",
        "friends.name === 'p2'",
        "friends.age != 30",
    ] {
        assert!(holds(text), "{text}");
    }
}

#[test]
fn contraries_hold_where_it_does_for_none() {
    for text in [
        "friends.id != 3",
        "friends != 2",
        "friends.age > 20",
        "friends.name not in ['p3']",
        "friends.name !== 'p2'",
        "4 in friends",
        "friends.friends.id == 2",
        "chief.friends.id == 2",
        "chief.friends.id == null",
        "friends.friends.id == null",
    ] {
        assert!(!holds(text), "{text}");
    }
    assert!(holds("chief.friends.id != 2") && holds("friends.friends.id != null"));
}

#[test]
fn elsewhere_they_are_an_array() {
    for text in ["join('-', friends.name) == 'p2-p3'", "length(friends.id) == 2", "friends.age[0] == 20"] {
        assert!(holds(text), "{text}");
    }
}

#[test]
fn what_the_members_lack_is_found_when_it_is_compiled() {
    let scope =
        Scope::of(AvailableProviders::default().with(Availability::Context)).with_context(Some(Arc::new(Person)));
    for text in ["friends.ages == 1", "friends.friends.nam == 'a'", "friends.chief.aeg == 1"] {
        let mistakes = Program::expression(text, &scope).expect_err(text);
        assert_eq!(mistakes[0].code, "unknown_property", "{text}");
    }
}
