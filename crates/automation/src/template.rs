//! Evaluation of configured values: fixed, an expression, or a list or mapping with expressions somewhere in it.

use context::value_json::{of_json, to_json};
use expression::convert::to_text;
use expression::value::{Array, Object, Text, Value};
use expression::{Diagnostic, Fault, Program};
use model::automation::ValueTemplate;
use model::error::{Error, ErrorKind, Result};
use resources::expressions;
use resources::expressions::PlatformProviders;
use serde_json::Value as Json;

/// The depth to which secrets may lie in a value.
const DEEPEST: usize = 64;

/// Returns the value; `about` is what bare names are properties of.
pub(crate) fn value(template: &ValueTemplate, providers: &PlatformProviders<'_, '_>, about: &Value) -> Result<Value> {
    Ok(match template {
        ValueTemplate::Fixed(json) => of_json(json),
        ValueTemplate::Expression(program) => evaluated(providers, program, about)?,
        ValueTemplate::List(members) => {
            let values = members.iter().map(|member| value(member, providers, about));
            Value::Array(values.collect::<Result<Vec<_>>>()?.into_iter().collect::<Array>())
        }
        ValueTemplate::Object(members) => {
            let member = |(name, member): &(String, ValueTemplate)| {
                Ok((Text::from(name.as_str()), value(member, providers, about)?))
            };
            Value::Object(members.iter().map(member).collect::<Result<Vec<_>>>()?.into_iter().collect::<Object>())
        }
    })
}

/// Returns the value as plain JSON; a secret is refused.
pub(crate) fn json(template: &ValueTemplate, providers: &PlatformProviders<'_, '_>, about: &Value) -> Result<Json> {
    let value = value(template, providers, about)?;
    to_json(&value, providers).map_err(|fault| of_fault(&fault))
}

/// Returns the value as a text; a secret is refused. Null is no text.
pub(crate) fn text(
    template: &ValueTemplate,
    providers: &PlatformProviders<'_, '_>,
    about: &Value,
) -> Result<Option<String>> {
    plain_text(providers, &value(template, providers, about)?)
}

/// Returns the value as a text that may hold secrets, for what leaves, and adds the texts that secrets became.
pub(crate) fn revealed(
    template: &ValueTemplate,
    providers: &PlatformProviders<'_, '_>,
    about: &Value,
    secrets: &mut Vec<String>,
) -> Result<String> {
    let value = opened(providers, value(template, providers, about)?, DEEPEST, secrets);
    Ok(plain_text(providers, &value)?.unwrap_or_default())
}

/// Returns the value as JSON that may hold secrets, for what leaves, and adds the texts that secrets became.
pub(crate) fn revealed_json(
    template: &ValueTemplate,
    providers: &PlatformProviders<'_, '_>,
    about: &Value,
    secrets: &mut Vec<String>,
) -> Result<Json> {
    let value = opened(providers, value(template, providers, about)?, DEEPEST, secrets);
    to_json(&value, providers).map_err(|fault| of_fault(&fault))
}

/// The value with what secrets' wrappings hold, wherever they are in it. What nests too deep is left: it is refused
/// later.
fn opened(providers: &PlatformProviders<'_, '_>, value: Value, depth: usize, secrets: &mut Vec<String>) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return value };
    match value {
        Value::Secret(secret) => {
            let inner = opened(providers, secret.0.clone(), depth, secrets);
            tell(providers, &inner, secrets);
            inner
        }
        Value::Array(array) if array.is_list() => {
            let members = array.values().map(|member| opened(providers, member.clone(), depth, secrets));
            Value::Array(members.collect::<Array>())
        }
        Value::Array(array) => {
            let entries = array.iter().map(|(key, member)| (key, opened(providers, member.clone(), depth, secrets)));
            Value::Array(entries.collect::<Array>())
        }
        Value::Object(object) => {
            let member =
                |(name, member): (&Text, &Value)| (name.clone(), opened(providers, member.clone(), depth, secrets));
            Value::Object(object.iter().map(member).collect::<Object>())
        }
        value => value,
    }
}

/// Adds the texts of a value to the secrets.
pub(super) fn tell(providers: &PlatformProviders<'_, '_>, value: &Value, secrets: &mut Vec<String>) {
    match value {
        Value::Array(array) => array.values().for_each(|member| tell(providers, member, secrets)),
        Value::Object(object) => object.iter().for_each(|(_, member)| tell(providers, member, secrets)),
        value => secrets.extend(to_text(value, providers).map(|text| text.lossy().into_owned())),
    }
}

fn plain_text(providers: &PlatformProviders<'_, '_>, value: &Value) -> Result<Option<String>> {
    match value {
        Value::Null => Ok(None),
        Value::Secret(_) => Err(Error::invalid("secret_refused", "A secret's value (***) may not go here.")),
        value => Ok(Some(to_text(value, providers).map_err(|fault| of_fault(&fault))?.lossy().into_owned())),
    }
}

/// The value of a program. What the expression does wrong is an error of the kind [`ErrorKind::Invalid`].
pub(crate) fn evaluated(providers: &PlatformProviders<'_, '_>, program: &Program, about: &Value) -> Result<Value> {
    expressions::evaluate(providers, program, about.clone())?.map_err(|mistake| of_mistake(&mistake))
}

/// Returns true if a program's value counts as true. A value that a secret went into decides nothing.
pub(crate) fn holds(providers: &PlatformProviders<'_, '_>, program: &Program, about: &Value) -> Result<bool> {
    expressions::holds(providers, program, about.clone())?.map_err(|mistake| of_mistake(&mistake))
}

fn of_mistake(mistake: &Diagnostic) -> Error {
    Error::new(ErrorKind::Invalid, mistake.code, mistake.sentence())
}

pub(crate) fn of_fault(fault: &Fault) -> Error {
    Error::new(ErrorKind::Invalid, fault.code, fault.message.clone())
}
