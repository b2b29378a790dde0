//! The values that a query runs with: what was given, read by the parameters' kinds, or the defaults.

use crate::expressions::{Handed, PlatformProviders, cell};
use context::value_json::of_json;
use database::Value as Cell;
use expression::{Program, Value};
use model::error::{Error, Result};
use model::kinds::{Kind, ValueContext, ValueFault, read_plain};
use model::query::{ParameterDefault, QueryParameter};
use query::query_request::{ParameterValue, twice};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The most values of a parameter.
const MOST: usize = 1_000;

/// Values in wire form by the parameters' names.
pub(crate) type QueryArguments = BTreeMap<String, Json>;

/// Reads what was given, and adds defaults; tells whether what was added is the same for everybody, and as time goes by.
/// A name that is no parameter, a value of the wrong shape and a required parameter without a value are refused (D-2).
pub fn arguments(
    providers: &PlatformProviders<'_, '_>,
    parameters: &[QueryParameter],
    given: &[(String, ParameterValue)],
) -> Result<(QueryArguments, bool)> {
    let context = providers.request.value_context();
    let mut arguments = QueryArguments::new();
    let mut settled = true;
    for (name, given) in given {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == *name) else {
            let known = parameters.iter().map(|parameter| parameter.name.as_str());
            return Err(model::parameters::unknown(name, known).about(name));
        };
        arguments.insert(name.clone(), read(parameter, given, &context)?);
    }
    for parameter in parameters.iter().filter(|parameter| !given.iter().any(|(name, _)| *name == parameter.name)) {
        let value = match &parameter.default {
            Some(ParameterDefault::Fixed(value)) => value.clone(),
            Some(ParameterDefault::Expression(program)) => calculated(providers, parameter, program, &arguments)?,
            None if parameter.required => {
                let message = format!("The parameter {} is missing.", parameter.name);
                return Err(Error::invalid("parameter_missing", message).about(&parameter.name));
            }
            None => continue,
        };
        settled &= parameter.default.as_ref().is_none_or(ParameterDefault::is_settled);
        arguments.insert(parameter.name.clone(), value);
    }
    Ok((arguments, settled))
}

/// The value of a default, which may ask for the parameters that have a value already.
fn calculated(
    providers: &PlatformProviders<'_, '_>,
    parameter: &QueryParameter,
    program: &Program,
    arguments: &QueryArguments,
) -> Result<Json> {
    let app = arguments.iter().map(|(name, value)| (name.clone(), of_json(value))).collect();
    let before = providers.hand(Handed { app: Some(app), ..Handed::default() });
    let value = providers.within(program);
    providers.hand(before);
    let failed = |message: &str| {
        let message = format!("The default of the parameter {} cannot be calculated: {message}", parameter.name);
        Error::invalid("parameter_default", message).about(&parameter.name)
    };
    let value = value?.map_err(|fault| failed(&fault.located()))?;
    let (kind, context) = (parameter.kind.as_ref(), providers.request.value_context());
    let member = |value: &Value| {
        let member = cell(kind, value, &context, providers).and_then(|member| {
            kind.check(&member)?;
            Ok(member)
        });
        let member = member.map_err(|fault| failed(&format!("It {}.", fault.general().text())))?;
        wire(kind, &member, &context)
    };
    match &value {
        Value::Null => Ok(Json::Null),
        Value::Array(members) if parameter.multiple() => members.values().map(member).collect(),
        value if parameter.multiple() => Ok(Json::Array(vec![member(value)?])),
        value => member(value),
    }
}

fn read(parameter: &QueryParameter, given: &ParameterValue, context: &ValueContext<'_>) -> Result<Json> {
    let kind = parameter.kind.as_ref();
    // An expression may give what the caller may not read.
    let refused = |fault: ValueFault| refused(parameter, &fault.general());
    let members: Vec<Cell> = match (given, parameter.multiple()) {
        (ParameterValue::Texts(texts), false) => match texts.as_slice() {
            [text] => vec![read_plain(kind, text, context).map_err(refused)?],
            _ => return Err(twice(&parameter.name)),
        },
        (ParameterValue::Texts(texts), true) => {
            let parts = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|part| !part.is_empty());
            parts.map(|part| read_plain(kind, part, context).map_err(refused)).collect::<Result<_>>()?
        }
        (ParameterValue::Json(Json::Null), _) => {
            return Err(refused(ValueFault::new("null", "cannot be null; leave it out instead")));
        }
        (ParameterValue::Json(value), false) => vec![kind.read(value, context).map_err(refused)?],
        (ParameterValue::Json(Json::Array(values)), true) => {
            values.iter().map(|value| kind.read(value, context).map_err(refused)).collect::<Result<_>>()?
        }
        (ParameterValue::Json(_), true) => return Err(refused(ValueFault::new("not_array", "must be an array"))),
    };
    if members.len() > MOST {
        return Err(refused(ValueFault::new("too_many", format!("may have at most {MOST} values"))));
    }
    let members = members.iter().map(|value| {
        kind.check(value).map_err(refused)?;
        wire(kind, value, context)
    });
    let mut members = members.collect::<Result<Vec<Json>>>()?;
    Ok(if parameter.multiple() { Json::Array(members) } else { members.pop().unwrap_or_default() })
}

/// A value as answers show it: what filters read again. A uuid of a resource stays one.
fn wire(kind: &dyn Kind, value: &Cell, context: &ValueContext<'_>) -> Result<Json> {
    if let Cell::Uuid(uuid) = value {
        return Ok(Json::String(uuid::Uuid::from_bytes(*uuid).to_string()));
    }
    let mut bytes = Vec::new();
    kind.write(value.as_ref(), context, &mut bytes);
    serde_json::from_slice(&bytes).map_err(|error| Error::failed(format!("a value that is no JSON: {error}")))
}

/// The error of a value. Its problem has the fault's own code, as those of properties have.
fn refused(parameter: &QueryParameter, fault: &ValueFault) -> Error {
    let message = format!("The parameter {} {}.", parameter.name, fault.text());
    let mut error = Error::invalid("parameter_invalid", message).about(&parameter.name);
    error.problems.iter_mut().for_each(|problem| problem.code = fault.code);
    error
}
