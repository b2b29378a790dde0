//! The place in which the catalogue's examples run: an order of a customer, and every provider in memory.
//!
//! `plinth eval --example` runs expressions here. The present is always the same, and so is randomness.

use crate::scope::{AvailableProviders, Scope};
use crate::value::{Array, FileValue, Object, QueryRows, Resource, ResourceChanges, Value};
use crate::{Diagnostic, Fault, HostProviders, Program, Providers, Result, Run, RunLimits};
use jiff::tz::TimeZone;
use std::sync::Arc;
use values::types::{ResourceShape, ValueKind, ValueType};

/// The present of the place, in Unix seconds: 2023-11-14T22:13:20Z.
const MOMENT: i64 = 1_700_000_000;

/// An order or a customer.
#[derive(Debug)]
pub struct Record {
    /// The id.
    pub id: i64,
    /// The properties, in order.
    pub properties: Vec<(&'static str, Value)>,
}

impl Resource for Record {
    fn id(&self) -> i64 {
        self.id
    }
    fn type_id(&self) -> i64 {
        10
    }
    fn property(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.properties.iter().find(|(property, _)| *property == name).map(|(_, value)| value.clone()))
    }
    fn raw(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(match self.property(name, providers)? {
            Some(Value::Resource(resource)) => Some(Value::Int(resource.id())),
            other => other,
        })
    }
    fn names(&self) -> Vec<Arc<str>> {
        self.properties.iter().map(|(name, _)| Arc::from(*name)).collect()
    }
    fn title(&self, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.property("name", providers)
    }
    fn code(&self, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.property("code", providers)
    }
    fn uuid(&self, _: &dyn HostProviders) -> Result<Option<String>> {
        Ok(Some(format!("uuid-{}", self.id)))
    }
}

/// The type of an order.
#[derive(Debug)]
struct OrderShape;

/// The type of a customer.
#[derive(Debug)]
struct CustomerShape;

impl ResourceShape for OrderShape {
    fn name(&self) -> &str {
        "order"
    }
    fn property(&self, name: &str) -> Option<ValueType> {
        Some(match name {
            "name" | "status" => ValueKind::Text.into(),
            "price" | "count" => ValueKind::Int.into(),
            "nothing" => ValueKind::Any.into(),
            "lines" => ValueKind::Array.into(),
            "customer" => ValueType::resource(Arc::new(CustomerShape)),
            _ => return None,
        })
    }
    fn names(&self) -> Vec<Arc<str>> {
        ["name", "status", "price", "count", "nothing", "lines", "customer"].map(Arc::from).to_vec()
    }
}

impl ResourceShape for CustomerShape {
    fn name(&self) -> &str {
        "customer"
    }
    fn property(&self, name: &str) -> Option<ValueType> {
        ["name", "code", "country"].contains(&name).then(|| ValueKind::Any.into())
    }
    fn names(&self) -> Vec<Arc<str>> {
        ["name", "code", "country"].map(Arc::from).to_vec()
    }
}

#[derive(Debug)]
struct Changed;

impl ResourceChanges for Changed {
    fn of(&self, property: &str) -> Result<Option<(Value, Value)>> {
        Ok((property == "status").then(|| ("draft".into(), "done".into())))
    }
    fn names(&self) -> Vec<Arc<str>> {
        vec![Arc::from("status")]
    }
}

#[derive(Debug)]
struct Found;

impl QueryRows for Found {
    fn count(&self) -> Result<i64> {
        Ok(2)
    }
    fn row(&self, index: usize, _: &dyn HostProviders) -> Result<Option<Value>> {
        let row = |id: i64| object(&[("id", Value::Int(id)), ("place", object(&[("city", Value::from("Brno"))]))]);
        Ok((index < 2).then(|| row(index as i64 + 1)))
    }
    fn resource(&self, index: usize, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok((index < 2).then(customer))
    }
}

/// Returns an object of these members.
pub fn object(entries: &[(&str, Value)]) -> Value {
    let shape = entries.iter().map(|(name, _)| (*name).into()).collect();
    Value::Object(Object::new(Arc::new(shape), entries.iter().map(|(_, value)| value.clone()).collect()))
}

fn customer() -> Value {
    let country = object(&[("code", "CZ".into())]);
    let properties = vec![("name", "Ann".into()), ("code", "A1".into()), ("country", country)];
    Value::Resource(Arc::new(Record { id: 7, properties }))
}

fn order() -> Value {
    let line =
        |name: &str, count: i64| object(&[("product", object(&[("name", name.into())])), ("count", Value::Int(count))]);
    let lines = Value::Array(Array::List(Arc::new(vec![line("pen", 2), line("ink", 3)])));
    let properties = vec![
        ("name", "order".into()),
        ("status", "done".into()),
        ("price", Value::Int(20)),
        ("count", Value::Int(3)),
        ("nothing", Value::Null),
        ("lines", lines),
        ("customer", customer()),
    ];
    Value::Resource(Arc::new(Record { id: 42, properties }))
}

/// Every provider.
#[derive(Debug)]
pub struct ExamplePlace;

impl Providers for ExamplePlace {
    fn local(&self, name: &str) -> Result<Value> {
        Ok(text(format!("local {name}")))
    }
    fn environment(&self, name: &str) -> Result<Value> {
        Ok(if name == "MODE" { "test".into() } else { Value::Null })
    }
    fn resource(&self) -> Result<Value> {
        Ok(order())
    }
}

impl HostProviders for ExamplePlace {
    fn trigger(&self, name: &str) -> Result<Value> {
        Ok(if name == "changes" { Value::Changes(Arc::new(Changed)) } else { text(format!("trigger {name}")) })
    }
    fn endpoint(&self, name: &str) -> Result<Value> {
        Ok(text(format!("endpoint {name}")))
    }
    fn template(&self, name: &str) -> Result<Value> {
        Ok(text(format!("template {name}")))
    }
    fn app_parameter(&self, name: &str) -> Result<Value> {
        Ok(text(format!("app {name}")))
    }
    fn user(&self) -> Result<Value> {
        Ok(customer())
    }
    fn find_resource(&self, resource_type: &Value, data: &Value) -> Result<Value> {
        Ok(match (resource_type, data) {
            (Value::Text(name), Value::Int(7)) if name.as_str() == Some("customer") => customer(),
            _ => Value::Null,
        })
    }
    fn query(&self, name: &str, _: &Array) -> Result<Value> {
        match name {
            "places" => Ok(Value::Rows(Arc::new(Found))),
            _ => Err(Fault::new("unknown_query", "There is no such query.")),
        }
    }
    fn data_query(&self) -> Result<Value> {
        Ok(Value::Rows(Arc::new(Found)))
    }
    fn secret(&self, name: &str) -> Result<Value> {
        Ok(text(format!("hidden {name}")))
    }
    fn save_secret(&self, name: &str, _: &Value, title: &str, kind: &str) -> Result<Value> {
        Ok(Value::Bool(name == "a" && title.is_empty() && kind == "string"))
    }
    fn remove_secret(&self, name: &str) -> Result<Value> {
        Ok(Value::Bool(name == "a"))
    }
    fn current_link(&self) -> Result<Value> {
        Ok("/orders/42".into())
    }
    fn object_link(&self, resource: &Value, action: &str, _: &Value) -> Result<Value> {
        let Value::Resource(resource) = resource else { return Ok("".into()) };
        Ok(text(format!("https://app/{}/{action}", resource.id())))
    }
    fn is_login_as(&self) -> Result<bool> {
        Ok(false)
    }
    fn is_api_request(&self) -> Result<bool> {
        Ok(true)
    }
    fn api_array(&self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::File(file) => object(&[("file", text(file_title(file)))]),
            _ => object(&[("api", Value::Bool(true))]),
        })
    }
    fn read_file(&self, name: &str, _: usize) -> Result<Vec<u8>> {
        Ok(format!("content of {name}").into_bytes())
    }
}

fn file_title(file: &FileValue) -> String {
    file.title.clone()
}

/// A text as a value.
fn text(text: String) -> Value {
    text.as_str().into()
}

/// The scope of the place.
pub fn scope() -> Scope {
    Scope::of(AvailableProviders::ALL).with_context(Some(Arc::new(OrderShape)))
}

/// Runs a program in the place: at its moment, in UTC, with randomness that is always the same.
pub fn run(program: &Program, limits: RunLimits) -> Result<Value, Diagnostic> {
    let mut random = |bytes: &mut [u8]| bytes.fill(7);
    let now = jiff::Timestamp::from_second(MOMENT).unwrap_or_default();
    program.evaluate(&mut Run::new(now, TimeZone::UTC, &ExamplePlace, &mut random, limits))
}
