//! A configured value: fixed, an expression, or a list or mapping with expressions somewhere in it.

use crate::error::{Error, ErrorKind, Result};
use crate::expressions::{self, PlatformProviders, of_json, to_json};
use expression::convert::to_text;
use expression::value::{Array, Object, Text, Value};
use expression::{Diagnostic, Fault, Program};
use serde_json::Value as Json;
use std::sync::Arc;

/// How deep secrets may lie in a value.
const DEEPEST: usize = 64;

/// A configured value.
#[derive(Debug, Clone)]
pub enum Template {
    /// It is as it stands.
    Fixed(Json),
    /// It is worked out.
    Expression(Arc<Program>),
    /// Members, each of which may be worked out.
    List(Vec<Template>),
    /// Named members, each of which may be worked out.
    Object(Vec<(String, Template)>),
}

impl Template {
    /// Whether nothing of it is worked out.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self, Template::Fixed(_))
    }

    /// The value; `about` is what bare names are properties of.
    pub(crate) fn value(&self, providers: &PlatformProviders<'_, '_>, about: &Value) -> Result<Value> {
        Ok(match self {
            Template::Fixed(json) => of_json(json),
            Template::Expression(program) => evaluated(providers, program, about)?,
            Template::List(members) => {
                let values = members.iter().map(|member| member.value(providers, about));
                Value::Array(values.collect::<Result<Vec<_>>>()?.into_iter().collect::<Array>())
            }
            Template::Object(members) => {
                let value = |(name, member): &(String, Template)| {
                    Ok((Text::from(name.as_str()), member.value(providers, about)?))
                };
                Value::Object(members.iter().map(value).collect::<Result<Vec<_>>>()?.into_iter().collect::<Object>())
            }
        })
    }

    /// The value as plain JSON; a secret is refused.
    pub(crate) fn json(&self, providers: &PlatformProviders<'_, '_>, about: &Value) -> Result<Json> {
        let value = self.value(providers, about)?;
        to_json(&value, providers).map_err(|fault| of_fault(&fault))
    }

    /// The value as a text; a secret is refused. Null is no text.
    pub(crate) fn text(&self, providers: &PlatformProviders<'_, '_>, about: &Value) -> Result<Option<String>> {
        plain_text(providers, &self.value(providers, about)?)
    }

    /// The value as a text that may hold secrets, for what leaves; what was made of secrets is added to those.
    pub(crate) fn revealed(
        &self,
        providers: &PlatformProviders<'_, '_>,
        about: &Value,
        secrets: &mut Vec<String>,
    ) -> Result<String> {
        let value = self.value(providers, about)?;
        let value = opened(providers, value, DEEPEST, secrets);
        Ok(plain_text(providers, &value)?.unwrap_or_default())
    }

    /// The value as JSON that may hold secrets, for what leaves; what was made of secrets is added to those.
    pub(crate) fn revealed_json(
        &self,
        providers: &PlatformProviders<'_, '_>,
        about: &Value,
        secrets: &mut Vec<String>,
    ) -> Result<Json> {
        let value = opened(providers, self.value(providers, about)?, DEEPEST, secrets);
        to_json(&value, providers).map_err(|fault| of_fault(&fault))
    }
}

/// The value with what secrets' wrappings hold, wherever they are in it. What nests too deep is left: it is refused later.
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
fn tell(providers: &PlatformProviders<'_, '_>, value: &Value, secrets: &mut Vec<String>) {
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

/// Whether a program's value counts as true. A value that a secret went into decides nothing.
pub(crate) fn holds(providers: &PlatformProviders<'_, '_>, program: &Program, about: &Value) -> Result<bool> {
    expressions::holds(providers, program, about.clone())?.map_err(|mistake| of_mistake(&mistake))
}

fn of_mistake(mistake: &Diagnostic) -> Error {
    Error::new(ErrorKind::Invalid, mistake.code, mistake.message.clone())
}

pub(crate) fn of_fault(fault: &Fault) -> Error {
    Error::new(ErrorKind::Invalid, fault.code, fault.message.clone())
}
