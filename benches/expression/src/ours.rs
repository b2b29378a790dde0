//! Plinth's expressions, on the values that they have in the platform.

use crate::case::Case;
use datetime::DateTime;
use expression::catalogue::Availability;
use expression::scope::{AvailableProviders, ResourceShape, ValueKind, ValueType};
use expression::value::{Array, Object, Text};
use expression::{Diagnostic, HostProviders, Program, Providers, Result, Run, RunLimits, Scope, Value, wire};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value as Json;
use std::sync::Arc;

/// The place: a context whose resource is the record.
pub struct Context(pub Value);

impl Providers for Context {
    fn resource(&self) -> Result<Value> {
        Ok(self.0.clone())
    }

    fn lent_resource(&self) -> Option<&Value> {
        Some(&self.0)
    }
}

impl HostProviders for Context {}

/// The type of the record, as a model's files would tell it: kinds of properties, any of which may be null.
#[derive(Debug)]
struct RecordShape(Json);

impl ResourceShape for RecordShape {
    fn name(&self) -> &str {
        "record"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        Some(match self.0.get(name)? {
            Json::Bool(_) => ValueKind::Bool.into(),
            Json::Number(_) => ValueKind::Int.into(),
            Json::String(_) if name.ends_with("At") => ValueKind::DateTime.into(),
            Json::String(_) => ValueKind::Text.into(),
            Json::Array(_) => ValueType::of(ValueKind::Array),
            Json::Null | Json::Object(_) => ValueType::default(),
        })
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.0.as_object().into_iter().flatten().map(|(name, _)| Arc::from(name.as_str())).collect()
    }
}

/// The place of expressions about a record.
pub fn scope(record: &Json) -> Scope {
    let scope = Scope::of(AvailableProviders::default().with(Availability::Context));
    scope.with_context(Some(Arc::new(RecordShape(record.clone()))))
}

/// A record as a value.
pub fn value(name: &str, json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => number.as_i64().map_or(Value::Null, Value::Int),
        Json::String(text) if name.ends_with("At") => {
            let instant: Timestamp = text.parse().expect("the record's times are written rightly");
            Value::DateTime(Arc::new(DateTime::of(instant, &TimeZone::UTC)))
        }
        Json::String(text) => Value::text(text),
        Json::Array(items) => Value::Array(Array::List(Arc::new(values(items)))),
        Json::Object(entries) => {
            let properties = entries.iter().map(|(name, item)| (Text::from(name.as_str()), value(name, item)));
            Value::Object(properties.collect::<Object>())
        }
    }
}

/// Records as rows are: all of the same list of names.
fn values(items: &[Json]) -> Vec<Value> {
    let values: Vec<Value> = items.iter().map(|item| value("", item)).collect();
    let Some(Value::Object(first)) = values.first() else { return values };
    let shape = first.shape().clone();
    let shared = values.iter().map(|item| match item {
        Value::Object(object) => Value::Object(Object::new(shape.clone(), object.values().to_vec())),
        other => other.clone(),
    });
    shared.collect()
}

/// Shows a value.
pub fn show(value: Value) -> Json {
    match value {
        Value::Array(array) => array.values().map(|item| show(item.clone())).collect(),
        Value::Object(object) => {
            object.iter().map(|(name, item)| (name.lossy().into_owned(), show(item.clone()))).collect()
        }
        value => wire::encode(&value).expect("a scalar is shown"),
    }
}

/// An evaluation of a task: everything that a request does for it, but compiling and binding.
pub fn evaluation(text: &str, record: &Json) -> impl FnMut() -> Result<Value, Diagnostic> + 'static + use<> {
    let program = compiled(text, &scope(record));
    let context = Context(value("", record));
    move || evaluated(&program, &context)
}

/// A task, compiled; one with `{=` is a template.
pub fn case(text: &str, record: &Json) -> Case {
    Case::of(evaluation(text, record), shown)
}

/// A task that is checked and compiled each time.
pub fn compiling(text: &'static str, record: &Json) -> Case {
    let scope = scope(record);
    Case::of(move || compiled(text, &scope), |_| Json::Null)
}

/// A task whose record is bound each time.
pub fn binding(text: &str, record: &Json) -> Case {
    let (program, record) = (compiled(text, &scope(record)), record.clone());
    Case::of(move || evaluated(&program, &Context(value("", &record))), shown)
}

fn compiled(text: &str, scope: &Scope) -> Program {
    let compiled = if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) };
    compiled.unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

fn evaluated(program: &Program, context: &Context) -> Result<Value, Diagnostic> {
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, context, &mut random, RunLimits::default());
    program.evaluate(&mut run)
}

fn shown(result: Result<Value, Diagnostic>) -> Json {
    show(result.unwrap_or_else(|mistake| panic!("{mistake:?}")))
}
