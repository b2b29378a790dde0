//! One evaluation that was asked for: an expression and the place that it runs in.

use super::inputs::{InputResource, link};
use datetime::DateZone;
use expression::catalogue::Availability;
use expression::scope::AvailableProviders;
use expression::{
    Diagnostic, Fault, HostProviders, Program, Providers, Run, RunLimits, Scope, Span, Value, example_place, wire,
};
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use model::correction::complete;
use model::environment::Environment;
use serde::Deserialize;
use serde_json::Value as Json;

/// An expression with what it may use. Other members of a line are left alone, so that it may carry a name.
#[derive(Debug, Default, Deserialize)]
pub(super) struct EvalRequest {
    /// A template where it has a part `{=`, else a lone expression.
    pub(super) expr: String,
    pub(super) resource: Option<Json>,
    pub(super) vars: Option<Json>,
    pub(super) trigger: Option<Json>,
    pub(super) env: Option<Json>,
    pub(super) tz: Option<String>,
    /// Unix seconds or ISO 8601.
    pub(super) now: Option<Json>,
}

/// Why there is no value: one mistake or several.
#[derive(Debug)]
pub(super) struct EvalMistakes(Box<Diagnostic>, Vec<Diagnostic>);

impl EvalMistakes {
    pub(super) fn first(&self) -> &Diagnostic {
        &self.0
    }

    /// The whole expression with each mistake replaced by what was probably meant, where that is accepted.
    pub(super) fn corrected(&self) -> Option<&str> {
        self.iter().last()?.corrected.as_deref()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        std::iter::once(&*self.0).chain(&self.1)
    }
}

impl From<Diagnostic> for EvalMistakes {
    fn from(mistake: Diagnostic) -> Self {
        EvalMistakes(Box::new(mistake), Vec::new())
    }
}

impl From<Fault> for EvalMistakes {
    fn from(fault: Fault) -> Self {
        fault.at(Span::default()).into()
    }
}

/// A mistake that is not in the expression.
pub(super) fn refused(code: &'static str, message: impl Into<String>) -> EvalMistakes {
    Fault::new(code, message).into()
}

impl EvalRequest {
    /// The value, as JSON that keeps its kind.
    pub(super) fn evaluate(&self, environment: &Environment) -> Result<Json, EvalMistakes> {
        let zone = self.zone()?;
        let now = self.now(environment, &zone)?;
        let place = TextPlace {
            resource: self.resource.as_ref().map(wire::decode).transpose()?.map(InputResource::of),
            vars: named("vars", self.vars.as_ref())?,
            trigger: named("trigger", self.trigger.as_ref())?,
            env: named("env", self.env.as_ref())?,
        };
        let program = compiled(&self.expr, &Scope::of(place.available()))?;
        let mut random = |bytes: &mut [u8]| environment.random.fill(bytes);
        let value = program.evaluate(&mut Run::new(now, zone, &place, &mut random, RunLimits::default()))?;
        let whole = Span { from: 0, to: self.expr.len() };
        wire::encode(&value).map_err(|fault| fault.at(whole).into())
    }

    /// The value in the place of the reference's examples.
    pub(super) fn evaluate_example(&self) -> Result<Json, EvalMistakes> {
        let program = compiled(&self.expr, &example_place::scope())?;
        let value = example_place::run(&program, RunLimits::default())?;
        let whole = Span { from: 0, to: self.expr.len() };
        wire::encode(&value).map_err(|fault| fault.at(whole).into())
    }

    /// Returns true if the expression gives this value, as JSON, in no place at all and at any time.
    pub(super) fn always_gives(&self, value: &str, environment: &Environment) -> bool {
        let gives = |now: i64| {
            let request = EvalRequest { expr: self.expr.clone(), now: Some(now.into()), ..EvalRequest::default() };
            request
                .evaluate(environment)
                .is_ok_and(|found| serde_json::from_str::<Json>(value).is_ok_and(|value| value == found))
        };
        gives(0) && gives(2_000_000_000)
    }

    fn zone(&self) -> Result<TimeZone, EvalMistakes> {
        let Some(name) = &self.tz else { return Ok(TimeZone::UTC) };
        let zone = match DateZone::parse(name) {
            Some(DateZone::Named(_, zone)) => Some(zone),
            Some(DateZone::Abbreviation(_, seconds, _) | DateZone::Offset(seconds)) => {
                Offset::from_seconds(seconds).ok().map(TimeZone::fixed)
            }
            None => None,
        };
        let message = || format!("There is no time zone {name:?}: one is written as Europe/Prague, UTC or +02:00.");
        zone.ok_or_else(|| refused("unknown_zone", message()))
    }

    fn now(&self, environment: &Environment, zone: &TimeZone) -> Result<Timestamp, EvalMistakes> {
        let instant = match &self.now {
            None | Some(Json::Null) => Some(environment.clock.now()),
            Some(Json::Number(seconds)) => seconds_of(&seconds.to_string()),
            Some(Json::String(text)) => seconds_of(text).or_else(|| text.parse().ok()).or_else(|| {
                text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(zone.clone()).ok().map(|at| at.timestamp())
            }),
            Some(_) => None,
        };
        let message = "`now` is Unix seconds or ISO 8601, such as 2026-01-31T10:00:00Z.";
        instant.ok_or_else(|| refused("wrong_now", message))
    }
}

fn seconds_of(text: &str) -> Option<Timestamp> {
    if let Ok(seconds) = text.parse() {
        return Timestamp::from_second(seconds).ok();
    }
    let seconds: f64 = text.parse().ok()?;
    Timestamp::from_microsecond((seconds * 1e6).round() as i64).ok()
}

fn compiled(text: &str, scope: &Scope) -> Result<Program, EvalMistakes> {
    let program = if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) };
    program.map_err(|mistakes| {
        let mut mistakes = complete(text, scope, mistakes);
        match mistakes.is_empty() {
            true => refused("not_compiled", "The expression cannot be compiled."),
            false => EvalMistakes(Box::new(mistakes.remove(0)), mistakes),
        }
    })
}

/// The values that were given beside the expression.
struct TextPlace {
    resource: Option<Value>,
    vars: Option<Value>,
    trigger: Option<Value>,
    env: Option<Value>,
}

impl TextPlace {
    fn available(&self) -> AvailableProviders {
        let mut available = AvailableProviders::default().with(Availability::Local);
        let given = [
            (self.resource.is_some(), Availability::Context),
            (self.trigger.is_some(), Availability::Trigger),
            (self.env.is_some(), Availability::Environment),
        ];
        for (_, availability) in given.into_iter().filter(|(is_given, _)| *is_given) {
            available = available.with(availability);
        }
        available
    }
}

impl Providers for TextPlace {
    fn resource(&self) -> expression::Result<Value> {
        Ok(self.resource.clone().unwrap_or_default())
    }

    fn lent_resource(&self) -> Option<&Value> {
        self.resource.as_ref()
    }

    fn local(&self, name: &str) -> expression::Result<Value> {
        Ok(member(self.vars.as_ref(), name))
    }

    fn environment(&self, name: &str) -> expression::Result<Value> {
        Ok(member(self.env.as_ref(), name))
    }
}

impl HostProviders for TextPlace {
    fn object_link(&self, resource: &Value, action: &str, _: &Value) -> expression::Result<Value> {
        match resource {
            Value::Resource(resource) => link(resource.as_ref(), action, self),
            _ => Ok(Value::text("")),
        }
    }

    fn is_login_as(&self) -> expression::Result<bool> {
        Ok(false)
    }

    fn is_api_request(&self) -> expression::Result<bool> {
        Ok(false)
    }

    fn trigger(&self, name: &str) -> expression::Result<Value> {
        Ok(member(self.trigger.as_ref(), name))
    }
}

/// Values by name: an object, or an array with keys.
fn named(option: &str, json: Option<&Json>) -> Result<Option<Value>, EvalMistakes> {
    match json.map(wire::decode).transpose()? {
        given @ (None | Some(Value::Object(_) | Value::Array(_))) => Ok(given),
        Some(_) => Err(refused("wrong_value", format!("`{option}` is an object of values by name."))),
    }
}

/// Returns the value of a name; what has no such name is null.
fn member(values: Option<&Value>, name: &str) -> Value {
    let value = match values {
        Some(Value::Object(object)) => object.get(name),
        Some(Value::Array(array)) => array.get_text(name),
        _ => None,
    };
    value.cloned().unwrap_or_default()
}
