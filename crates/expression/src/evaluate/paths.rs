//! Paths: steps from value to value. A step on null, or to what is missing, gives null.

use super::calls::{CallNode, SpreadNode};
use super::map::{MapTransform, map};
use super::{EvaluationState, NodeResult, OperandNode, ProgramNode, bare, placed, spend_on, tainted};
use crate::error::capital;
use crate::error::{Diagnostic, Span};
use crate::typed::{self, FormBudget, TypedForm};
use crate::value::{Array, ArrayKey, Object, Resource, Value};
use crate::{Fault, HostProviders, Result, Run};
use compact_str::CompactString;
use datetime::{DateInterval, IntervalUnit};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use values::types::ValueKind;

/// A property of the context's resource.
#[derive(Debug)]
pub(crate) struct NameNode {
    pub(crate) name: CompactString,
    /// The kind of value that the checker knows of it, but for null.
    pub(crate) kind: ValueKind,
    /// The place where objects had it the last time.
    pub(crate) place: AtomicU64,
    pub(crate) span: Span,
}

impl NameNode {
    pub(crate) fn value<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        if let Some(Value::Object(object)) = frame.known() {
            return self.of_object(object, run).map(Cow::Borrowed);
        }
        spend_on(run, self.name.as_bytes(), self.span)?;
        let resource = frame.resource(run).map_err(|fault| placed(fault, self.span))?;
        property_near(resource, &self.name, &self.place, run.providers).map_err(|fault| placed(fault, self.span))
    }

    /// The property of a resource that is an object.
    #[inline]
    pub(crate) fn of_object<'o>(&self, object: &'o Object, run: &mut Run<'_>) -> Result<&'o Value, Box<Diagnostic>> {
        spend_on(run, self.name.as_bytes(), self.span)?;
        Ok(self.near(object))
    }

    /// The same, paid for already.
    #[inline]
    pub(crate) fn near<'o>(&self, object: &'o Object) -> &'o Value {
        object.get_near(&self.name, &self.place).unwrap_or(&NULL)
    }

    /// The same node, for another place in the program.
    pub(crate) fn again(&self) -> Self {
        NameNode { name: self.name.clone(), kind: self.kind, place: AtomicU64::default(), span: self.span }
    }
}

impl ProgramNode for NameNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        self.value(frame, run)
    }

    fn as_name(&self) -> Option<&NameNode> {
        Some(self)
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        budget.take()?;
        Some(TypedForm::slot(&self.name, self.kind))
    }
}

/// `getRaw(status)`: a property's stored value, of the context's resource or of what a path leads to.
#[derive(Debug)]
pub(crate) struct RawNode {
    pub(crate) of: Option<Box<dyn ProgramNode>>,
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl ProgramNode for RawNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        spend_on(run, self.name.as_bytes(), self.span)?;
        let value = match &self.of {
            Some(node) => node.evaluate(frame, run)?,
            None => Cow::Borrowed(frame.resource(run).map_err(|fault| placed(fault, self.span))?),
        };
        raw(&value, &self.name, run.providers).map(Cow::Owned).map_err(|fault| placed(fault, self.span))
    }
}

/// `a.b[c].d()`.
#[derive(Debug)]
pub(crate) struct PathNode {
    pub(crate) first: OperandNode,
    pub(crate) steps: Vec<WalkStep>,
    /// The kind of value that the checker knows of its end, but for null.
    pub(crate) kind: ValueKind,
}

impl ProgramNode for PathNode {
    fn evaluate<'a>(&'a self, frame: &'a EvaluationState, run: &mut Run<'_>) -> NodeResult<'a> {
        let first = self.first.evaluate(frame, run)?;
        walk(first, &self.steps, frame, run)
    }

    fn typed(&self, budget: &mut FormBudget) -> Option<TypedForm> {
        budget.take()?;
        let OperandNode::Name(first) = &self.first else { return None };
        let names = self.steps.iter().map(|step| match step {
            WalkStep::Property(name, ..) => Some(name.as_str()),
            _ => None,
        });
        Some(TypedForm::path(&first.name, &names.collect::<Option<Vec<_>>>()?, self.kind))
    }

    fn specialise_parts(&mut self, budget: &mut FormBudget) {
        self.first.specialise(budget);
        for step in &mut self.steps {
            match step {
                WalkStep::Index(key, _) => typed::specialise(key, budget),
                WalkStep::Call(call) => call.specialise_parts(budget),
                _ => {}
            }
        }
    }
}

/// A step that is ready to be taken.
#[derive(Debug)]
pub(crate) enum WalkStep {
    /// A name, and where objects had it the last time.
    Property(String, AtomicU64, Span),
    /// A property of each of the resources that a to-many relation refers to.
    Each(String, Span),
    Raw(String, Span),
    Index(Box<dyn ProgramNode>, Span),
    Call(CallNode),
    Spread(SpreadNode),
    Map(MapTransform, Span),
}

/// Takes the steps from a value on.
pub(crate) fn walk<'a>(
    first: Cow<'a, Value>,
    steps: &'a [WalkStep],
    frame: &'a EvaluationState,
    run: &mut Run<'_>,
) -> NodeResult<'a> {
    let mut value = first;
    for step in steps {
        value = match step {
            WalkStep::Property(name, place, span) => {
                spend_on(run, name.as_bytes(), *span)?;
                if let Cow::Borrowed(Value::Object(object)) = &value {
                    value = borrowed(object.get_near(name, place));
                    continue;
                }
                if value.is_null() {
                    continue;
                }
                on(value, |value| property_near(value, name, place, run.providers))
                    .map_err(|fault| placed(fault, *span))?
            }
            WalkStep::Each(name, span) => Cow::Owned(each(&value, name, *span, run)?),
            WalkStep::Raw(name, span) => {
                spend_on(run, name.as_bytes(), *span)?;
                Cow::Owned(raw(&value, name, run.providers).map_err(|fault| placed(fault, *span))?)
            }
            WalkStep::Index(key, span) => {
                let key = key.evaluate(frame, run)?;
                spend_on(run, if let Value::Text(key) = bare(&key).0 { key.as_bytes() } else { &[] }, *span)?;
                on(value, |value| item(value, &key, run.providers)).map_err(|fault| placed(fault, *span))?
            }
            WalkStep::Call(call) => Cow::Owned(call.call(Some(value.into_owned()), frame, run)?),
            WalkStep::Spread(call) => Cow::Owned(call.call(Some(value.into_owned()), frame, run)?),
            WalkStep::Map(transform, span) => Cow::Owned(map(&value, transform, *span, frame, run)?),
        };
    }
    Ok(value)
}

/// Returns what all members have under a name, one behind the other; a way that ended early has no members.
fn each(value: &Value, name: &str, span: Span, run: &mut Run<'_>) -> Result<Value, Box<Diagnostic>> {
    let (value, secret) = bare(value);
    let mut values: Vec<Value> = Vec::new();
    if let Value::Array(members) = value {
        for member in members.values() {
            spend_on(run, name.as_bytes(), span)?;
            let found = property(member, name, run.providers).map_err(|fault| placed(fault, span))?.into_owned();
            match found {
                Value::Array(inner) => values.extend(inner.values().cloned()),
                found => values.push(found),
            }
            if values.len() > run.limits.items {
                break;
            }
        }
    }
    run.items(values.len()).map_err(|fault| placed(fault, span))?;
    let array = Value::Array(Array::List(Arc::new(values)));
    Ok(if secret { tainted(array) } else { array })
}

fn on<'a>(value: Cow<'a, Value>, take: impl FnOnce(&Value) -> Result<Cow<'_, Value>>) -> Result<Cow<'a, Value>> {
    match value {
        Cow::Borrowed(value) => take(value),
        Cow::Owned(value) => Ok(Cow::Owned(take(&value)?.into_owned())),
    }
}

/// A value's property; objects and resources have it mostly where they had it the last time.
fn property_near<'v>(
    value: &'v Value,
    name: &str,
    place: &AtomicU64,
    providers: &dyn HostProviders,
) -> Result<Cow<'v, Value>> {
    match value {
        Value::Object(object) => Ok(borrowed(object.get_near(name, place))),
        Value::Null => Ok(Cow::Borrowed(&NULL)),
        Value::Resource(resource) => {
            of_resource(&**resource, resource.property_near(name, place, providers)?, name, providers)
        }
        value => property(value, name, providers),
    }
}

/// Returns what a resource has under a name: what it says itself, or what all resources have.
fn of_resource(
    resource: &dyn Resource,
    found: Option<Value>,
    name: &str,
    providers: &dyn HostProviders,
) -> Result<Cow<'static, Value>> {
    Ok(Cow::Owned(match (found, name) {
        (Some(value), _) => value,
        (None, "id") => Value::Int(resource.id()),
        (None, "uuid") => resource.uuid(providers)?.map_or(Value::Null, |uuid| Value::Text(uuid.into())),
        (None, _) => Value::Null,
    }))
}

/// A value's property.
pub(crate) fn property<'v>(value: &'v Value, name: &str, providers: &dyn HostProviders) -> Result<Cow<'v, Value>> {
    let found = match value {
        Value::Object(object) => return Ok(borrowed(object.get(name))),
        Value::Array(array) => return Ok(borrowed(array.get_text(name))),
        Value::Null | Value::Changes(_) | Value::Rows(_) => None,
        Value::Resource(resource) => {
            return of_resource(&**resource, resource.property(name, providers)?, name, providers);
        }
        Value::Interval(interval) => Some(Value::Int(match name {
            "y" => interval.y,
            "m" => interval.m,
            "d" => interval.d,
            "h" => interval.h,
            "i" => interval.i,
            "s" => interval.s,
            "f" => interval.f,
            "invert" => i64::from(interval.invert),
            "days" => return Ok(Cow::Owned(interval.days.map_or(Value::Bool(false), Value::Int))),
            name => return total(interval, name).map(Cow::Owned),
        })),
        Value::Int(count) if IntervalUnit::of(name).is_some() => {
            let unit = IntervalUnit::of(name).and_then(|unit| unit.times(*count));
            Some(Value::Interval(Arc::new(unit.ok_or_else(too_long)?)))
        }
        Value::File(file) => match name {
            "title" => Some(Value::Text(file.title.as_str().into())),
            "data" => Some(Value::Text(file.data.clone())),
            "size" => Some(Value::Int(file.data.len() as i64)),
            _ => None,
        },
        Value::Secret(secret) => return Ok(Cow::Owned(tainted(property(&secret.0, name, providers)?.into_owned()))),
        _ => return Err(without_properties(value)),
    };
    Ok(Cow::Owned(found.unwrap_or(Value::Null)))
}

/// The length of an interval in one unit, with its sign; null for an unknown member.
fn total(interval: &DateInterval, name: &str) -> Result<Value> {
    let size = match name {
        "totalDays" => 86_400,
        "totalHours" => 3600,
        "totalMinutes" => 60,
        "totalSeconds" => 1,
        _ => return Ok(Value::Null),
    };
    let micros = interval.micros().ok_or_else(|| {
        let message =
            format!("Months differ in length, so that an interval of months has no {name}: subtract two dates.");
        Fault::new("no_total", message)
    })?;
    Ok(match size {
        1 => Value::Int(i64::try_from(micros / 1_000_000).map_err(|_| too_long())?),
        size => Value::Float(micros as f64 / (f64::from(size) * 1e6)),
    })
}

fn too_long() -> Fault {
    Fault::new("interval_too_long", "The interval is too long: take fewer units.")
}

pub(super) static NULL: Value = Value::Null;

fn borrowed(found: Option<&Value>) -> Cow<'_, Value> {
    Cow::Borrowed(found.unwrap_or(&NULL))
}

fn without_properties(value: &Value) -> Fault {
    let advice = match value {
        Value::Int(_) | Value::Float(_) => " A whole number has units: 14.days, 4.hours.",
        Value::Text(_) => " jsonDecode() reads a document; a relation has properties, and a text has none.",
        Value::Bool(_) => " Take it as it is.",
        _ => "",
    };
    Fault::new("no_properties", format!("{} has no properties.{advice}", capital(value.kind())))
}

/// A property's stored value; elsewhere than on a resource, the value itself.
pub(crate) fn raw(value: &Value, name: &str, providers: &dyn HostProviders) -> Result<Value> {
    match value {
        Value::Resource(resource) => match resource.raw(name, providers)? {
            Some(value) => Ok(value),
            None => Ok(stored(property(value, name, providers)?.into_owned())),
        },
        Value::Secret(secret) => raw(&secret.0, name, providers).map(tainted),
        _ => Ok(stored(property(value, name, providers)?.into_owned())),
    }
}

/// A resource is stored as its id.
fn stored(value: Value) -> Value {
    match value {
        Value::Resource(resource) => Value::Int(resource.id()),
        value => value,
    }
}

fn item<'v>(value: &'v Value, key: &Value, providers: &dyn HostProviders) -> Result<Cow<'v, Value>> {
    let (key, secret) = bare(key);
    if secret {
        return Ok(Cow::Owned(tainted(item(value, key, providers)?.into_owned())));
    }
    match value {
        Value::Array(array) => Ok(borrowed(array.get(ArrayKey::of(key)?.borrowed()))),
        Value::Secret(inner) => Ok(Cow::Owned(tainted(item(&inner.0, key, providers)?.into_owned()))),
        Value::Rows(rows) => {
            let Value::Int(index) = key else { return Ok(Cow::Owned(Value::Null)) };
            let row = usize::try_from(*index).map_or(Ok(None), |index| rows.row(index, providers))?;
            Ok(Cow::Owned(row.unwrap_or(Value::Null)))
        }
        Value::Null => Ok(Cow::Owned(Value::Null)),
        value => property(value, &ArrayKey::of(key)?.text().lossy(), providers),
    }
}
