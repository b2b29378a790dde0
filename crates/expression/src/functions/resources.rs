//! Resources and what changed on them.

use super::arguments;
use super::context::resource_or_context;
use super::rows::{optional, required, row};
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::compare;
use crate::value::{Array, ArrayKey, Resource, ResourceChanges, Value};
use crate::{Fault, Result, Run};
use std::sync::Arc;

const CHANGES: FunctionParameter = required("changes", "mixed").null(NullArgument::Passed);
const ACTIVE: FunctionParameter = optional("activeResource", "ActiveResource", "null").null(NullArgument::Context);

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("getTitle", &[ACTIVE], "string or null", "Returns a resource's title.", title)
        .impure()
        .example("getTitle()", "\"order\""),
    row(
        "export",
        &[ACTIVE, optional("properties", "array", "null"), optional("useSystemNames", "boolean", "true")],
        "array or null",
        "Returns a resource's stored values: of the named properties, or of all.",
        export,
    )
    .impure()
    .example("export(properties: ['price', 'customer'])", "{\"$map\":[[\"price\",20],[\"customer\",7]]}"),
    row(
        "hasChanged",
        &[CHANGES, optional("property", "string", "null")],
        "boolean or null",
        "Returns true if a property changed; hasChanged('status') reads the trigger's changes.",
        has_changed,
    )
    .impure()
    .example("hasChanged('status')", "true"),
    row(
        "isOnlyChange",
        &[CHANGES, optional("property", "string", "null")],
        "boolean or null",
        "Returns true if only this property changed.",
        is_only_change,
    )
    .impure()
    .example("isOnlyChange('status')", "true"),
    row(
        "changedFrom",
        &[
            CHANGES,
            required("property", "mixed"),
            optional("previousValue", "mixed", "null"),
            optional("strict", "boolean", "false"),
        ],
        "boolean or null",
        "Returns true if a property changed from a value; changedFrom('status', 'draft') reads the trigger's changes.",
        changed_from,
    )
    .impure()
    .example("changedFrom('status', 'draft', true)", "true"),
];

fn title(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    match resource_or_context(run, arguments, 0)? {
        Value::Resource(resource) => Ok(resource.title(run.providers)?.unwrap_or_default()),
        _ => Ok(Value::Null),
    }
}

fn export(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let Value::Resource(resource) = resource_or_context(run, arguments, 0)? else { return Ok(Value::Null) };
    let names: Vec<Arc<str>> = match arguments.get(1) {
        None | Some(Value::Null) => resource.names(),
        Some(Value::Array(wanted)) => wanted_names(run, resource.as_ref(), wanted)?,
        Some(other) => {
            let message = format!("`properties` is an array of names, not {}.", other.kind());
            return Err(Fault::new("wrong_kind", message));
        }
    };
    run.entries(names.len())?;
    let mut array = Array::default();
    for name in names {
        array.insert(
            ArrayKey::from(crate::value::Text::from(&*name)),
            resource.raw(&name, run.providers)?.unwrap_or_default(),
        );
    }
    Ok(Value::Array(array))
}

/// The wanted names that the resource has.
fn wanted_names(run: &mut Run<'_>, resource: &dyn Resource, wanted: &Array) -> Result<Vec<Arc<str>>> {
    let mut names = Vec::new();
    for name in wanted.values() {
        let Value::Text(name) = name else {
            return Err(Fault::new("wrong_kind", format!("A property's name is a text, not {}.", name.kind())));
        };
        run.charge(1 + name.len() as u64 / 64)?;
        let name = name.lossy();
        if resource.raw(&name, run.providers)?.is_some() {
            names.push(Arc::from(&*name));
        }
    }
    Ok(names)
}

/// The changes, and how many arguments before the property's name they took: none in the short form.
fn changes(run: &Run<'_>, arguments: &[Value]) -> Result<(Option<Arc<dyn ResourceChanges>>, usize)> {
    let (value, taken) = match arguments::at(arguments, 0)? {
        Value::Text(_) => (run.providers.trigger("changes")?, 0),
        value => (value.clone(), 1),
    };
    match value {
        Value::Changes(changes) => Ok((Some(changes), taken)),
        Value::Null => Ok((None, taken)),
        other => Err(Fault::new("wrong_kind", format!("Changes are wanted, not {}.", other.kind()))),
    }
}

fn has_changed(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (Some(changes), place) = changes(run, arguments)? else { return Ok(Value::Null) };
    match arguments.get(place) {
        None | Some(Value::Null) => Ok(Value::Bool(!changes.names().is_empty())),
        Some(_) => Ok(Value::Bool(changes.of(&arguments::text(run, arguments, place)?.lossy())?.is_some())),
    }
}

fn is_only_change(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (Some(changes), place) = changes(run, arguments)? else { return Ok(Value::Null) };
    let names = changes.names();
    match arguments.get(place) {
        None | Some(Value::Null) => Ok(Value::Bool(names.len() == 1)),
        Some(_) => {
            let name = arguments::text(run, arguments, place)?;
            Ok(Value::Bool(names.len() == 1 && *names[0] == *name.lossy()))
        }
    }
}

fn changed_from(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let (Some(changes), place) = changes(run, arguments)? else { return Ok(Value::Null) };
    let Some((before, _)) = changes.of(&arguments::text(run, arguments, place)?.lossy())? else {
        return Ok(Value::Bool(false));
    };
    let previous = arguments.get(place + 1).unwrap_or(&Value::Null);
    let strict = arguments.get(place + 2).is_some_and(crate::convert::to_bool);
    let same = match (strict, &before) {
        (true, _) => compare::identical(run, &before, previous)?,
        (false, Value::Resource(resource)) => compare::is_resource(resource.as_ref(), previous, run.providers)?,
        (false, _) => compare::loose(run, &before, previous)?,
    };
    Ok(Value::Bool(same))
}
