//! Property kinds: wire form in, wire form out.

mod building;
mod changing;
mod moments;
mod round_trip;
mod values;

use jiff::{Timestamp, tz::TimeZone};
use model::kinds;
use model::kinds::{Kind, OptionTargets, PropertySource, ValueContext};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// A kind with options given as JSON.
fn kind(name: &str, options: &str) -> Box<dyn Kind> {
    build(name, options).unwrap_or_else(|faults| panic!("{name} {options}: {faults:?}"))
}

fn build(name: &str, options: &str) -> Result<Box<dyn Kind>, Vec<kinds::OptionFault>> {
    let types = BTreeMap::from([("user".to_owned(), 1), ("country".to_owned(), 10), ("city".to_owned(), 11)]);
    let groups = BTreeSet::from(["staff".to_owned(), "external".to_owned()]);
    let Json::Object(options) = serde_json::from_str(options).unwrap() else { panic!("options are an object") };
    let Ok(Json::Object(country)) = serde_json::from_str(r#"{"type": "country"}"#) else { panic!("it is an object") };
    let country = PropertySource { kind: "pRelation".to_owned(), options: country, is_virtual: false };
    let properties = BTreeMap::from([(("city".to_owned(), "country".to_owned()), country)]);
    kinds::build(
        name,
        options,
        &OptionTargets { types: &types, groups: &groups, properties: &properties, own: "country" },
    )
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

/// What comes out for what goes in: the wire form, or the code and message of the fault.
fn pass(kind: &dyn Kind, input: &str, zone: &TimeZone) -> String {
    let context = ValueContext { zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let input = serde_json::from_str(input).unwrap_or_else(|error| panic!("{input}: {error}"));
    match kinds::accept(kind, &input, &context) {
        Ok(stored) => {
            let mut out = Vec::new();
            kinds::write_property(kind, &stored, &context, &mut out);
            String::from_utf8(out).unwrap()
        }
        Err(fault) => format!("{}: {}", fault.code, fault.text()),
    }
}

/// Passes each input through the kind; an expectation that begins with `!` is the code of a fault.
fn check(name: &str, options: &str, cases: &[(&str, &str)]) {
    let kind = kind(name, options);
    for (input, expected) in cases {
        let given = pass(&*kind, input, &zone("Europe/Prague"));
        match expected.strip_prefix('!') {
            Some(code) => assert_eq!(given.split(':').next(), Some(code), "{name} {options} {input} gave {given}"),
            None => assert_eq!(given, *expected, "{name} {options} {input}"),
        }
    }
}
