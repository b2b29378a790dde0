//! What is said of a failed evaluation tells nothing of the values that it was about.

use crate::place::{object, run};
use expression::catalogue::{self, FunctionEntry};
use expression::scope::{AvailableProviders, ResourceShape, Scope, ValueKind, ValueType};
use expression::value::{Array, ArrayKey, Decimal, FileValue, Resource, Text, Value};
use expression::{HostProviders, Program, Providers, Result, Run, RunLimits};
use std::sync::Arc;

/// Stands in every value; no text of ours has it.
const MARKS: [&str; 2] = ["topsecret", "4711471147"];

#[derive(Debug)]
struct Row(Vec<(&'static str, Value)>);

#[derive(Debug)]
struct Named;

const NAMES: [&str; 8] = ["text", "number", "decimal", "list", "map", "object", "bytes", "row"];

impl ResourceShape for Named {
    fn name(&self) -> &str {
        "row"
    }
    fn property(&self, name: &str) -> Option<ValueType> {
        NAMES.contains(&name).then(|| ValueKind::Any.into())
    }
    fn names(&self) -> Vec<Arc<str>> {
        NAMES.map(Arc::from).to_vec()
    }
}

impl Resource for Row {
    fn id(&self) -> i64 {
        4_711_471_147
    }
    fn type_id(&self) -> i64 {
        1
    }
    fn property(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone()))
    }
    fn raw(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.property(name, providers)
    }
    fn names(&self) -> Vec<Arc<str>> {
        NAMES.map(Arc::from).to_vec()
    }
    fn title(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(Some("topsecret".into()))
    }
    fn code(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(Some("topsecret".into()))
    }
    fn uuid(&self, _: &dyn HostProviders) -> Result<Option<String>> {
        Ok(Some("topsecret".into()))
    }
}

/// A row whose values are all marked.
struct Secretive(Value);

impl Providers for Secretive {
    fn resource(&self) -> Result<Value> {
        Ok(self.0.clone())
    }
}

impl HostProviders for Secretive {}

fn marked() -> Vec<(&'static str, Value)> {
    let text = || Value::from("topsecret-4711471147");
    let map: Array = [(ArrayKey::from("topsecret"), text())].into_iter().collect();
    let file = FileValue { title: "topsecret".to_owned(), data: Text::from("topsecret") };
    vec![
        ("text", text()),
        ("number", Value::Int(47_114_711_474_711_471)),
        ("decimal", Value::Decimal(Decimal::parse("-4711471147.4711471147").expect("it is a decimal"))),
        ("list", Value::Array([text(), Value::File(Arc::new(file))].into_iter().collect())),
        ("map", Value::Array(map)),
        ("object", object(&[("topsecret", text())])),
        ("bytes", Value::Text(Text::of_bytes(b"topsecret\xff{\"topsecret\":"))),
        ("row", Value::Resource(Arc::new(Row(Vec::new())))),
    ]
}

/// Arguments of a function: one of them marked, the others such that they are taken, or all of them marked.
fn calls(function: &FunctionEntry) -> Vec<String> {
    let count = function.parameters.len().max(1);
    let fillers = ["1", "'a'", "[1]", "null"];
    let mut calls = Vec::new();
    for name in NAMES {
        for arguments in 1..=count {
            calls.push(format!("{}({})", function.name, vec![name; arguments].join(", ")));
            for place in 0..arguments {
                for filler in fillers {
                    let given = (0..arguments).map(|at| if at == place { name } else { filler });
                    calls.push(format!("{}({})", function.name, given.collect::<Vec<_>>().join(", ")));
                }
            }
        }
        calls.push(format!("{}(...{name})", function.name));
        calls.push(format!("{}(1, ...{name})", function.name));
    }
    calls
}

/// What is said of a text that fails; none where it does not, or is refused before any value is there.
fn said(text: &str, providers: &Secretive) -> Option<String> {
    let scope = Scope::of(AvailableProviders::ALL).with_context(Some(Arc::new(Named)));
    let program = Program::expression(text, &scope).ok()?;
    let mut random = |bytes: &mut [u8]| bytes.fill(7);
    let now = jiff::Timestamp::from_second(1_700_000_000).expect("the second is in range");
    let zone = jiff::tz::TimeZone::UTC;
    let failed = program.evaluate(&mut Run::new(now, zone, providers, &mut random, RunLimits::default())).err()?;
    Some(format!("{} {} {:?}", failed.code, failed.message, failed.suggestion))
}

#[test]
fn no_function_tells_of_its_arguments() {
    let providers = Secretive(Value::Resource(Arc::new(Row(marked()))));
    let mut failed = std::collections::BTreeSet::new();
    for function in catalogue::all() {
        for call in calls(function) {
            let Some(said) = said(&call, &providers) else { continue };
            assert!(MARKS.iter().all(|mark| !said.contains(mark)), "{call}: {said}");
            failed.insert(function.name);
        }
    }
    assert!(failed.len() > 70, "only {} functions failed: {failed:?}", failed.len());
    // The place is one that works.
    assert!(run(&Program::expression("1 + 1", &Scope::default()).unwrap(), RunLimits::default()).is_ok());
}

#[test]
fn no_operator_tells_of_its_operands() {
    let providers = Secretive(Value::Resource(Arc::new(Row(marked()))));
    let binary =
        ["+", "-", "*", "/", "%", "**", "~", "..", "<", "==", "===", "in", "&", "|", "^", "<<", ">>", "??", "and"];
    let mut failed = 0;
    for left in NAMES {
        let single = [
            format!("-{left}"),
            format!("not {left}"),
            format!("{left}.topsecret"),
            format!("{left}[0]"),
            format!("{left}.a.b"),
            format!("{left}.map('upper()')"),
            format!("[...{left}]"),
            format!("{{...{left}}}"),
        ];
        let pairs = NAMES.iter().flat_map(|right| {
            let indexed = [format!("{left}[{right}]"), format!("{{({left}): {right}}}"), format!("[{left}: {right}]")];
            binary.iter().map(move |operator| format!("{left} {operator} {right}")).chain(indexed)
        });
        for text in single.into_iter().chain(pairs) {
            let Some(said) = said(&text, &providers) else { continue };
            assert!(MARKS.iter().all(|mark| !said.replace(".topsecret", "").contains(mark)), "{text}: {said}");
            failed += 1;
        }
    }
    assert!(failed > 100, "only {failed} failed");
}
