//! The resource that has the values of a unique set, as its caller may find it.

use super::accept::{self, OperatorReading, PropertyInput};
use super::row_rights::readable;
use super::{Body, Purpose, relations};
use crate::expressions::Reading;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, InputProblem, Result};
use model::kinds::StoredValue;
use model::types::ResourceAction;
use serde_json::{Map, Value as Json};

/// Returns the id of the resource whose properties have the values that the body gives them, and locks it. None where
/// there is none, or where its row does not show these properties to the caller: to it, the values are merely taken.
pub fn find(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    key: &[String],
    body: &Body,
) -> Result<Option<i64>> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let of = allowed.resource_type;
    let fields = key.iter().map(|name| allowed.field(name)).collect::<Result<Vec<_>>>()?;
    let mut positions: Vec<usize> = fields.iter().map(|property| property.position).collect();
    positions.sort_unstable();
    let same = |set: &Vec<usize>| set.len() == positions.len() && positions.iter().all(|at| set.contains(at));
    if !of.unique.iter().any(same) {
        let message = format!("{} is no unique property or set of {}.", key.join(", "), of.title);
        return Err(refused(key, "key_not_unique", message));
    }
    let members = key.iter().filter_map(|name| Some((name.clone(), body.members.get(name)?.clone())));
    let body = body.with_members(members.collect::<Map<_, _>>());
    let mut given = accept::accept(request, &allowed, &body, OperatorReading::Unknown)?;
    if let Some(name) = key.iter().find(|name| !has_value(&given, name)) {
        let message = format!("{name} is part of the key and needs a value.");
        return Err(refused(std::slice::from_ref(name), "key_null", message));
    }
    relations::resolve(tx, request, &allowed, &mut given, None, Reading::Look)?;
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&of.table).push(" WHERE ");
    for (index, PropertyInput { property, value, .. }) in given.iter().enumerate() {
        let StoredValue::One(value) = value else { continue };
        sql.push(if index > 0 { " AND " } else { "" }).name(&property.column).push(" = ").bind(value.clone());
    }
    Purpose::Change.push(&mut sql);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(row.integer(0)?);
        Ok(())
    })?;
    let Some(id) = found else { return Ok(None) };
    let shown = readable(tx, request, &allowed, id)?;
    Ok(shown.filter(|shown| fields.iter().all(|property| shown.contains(property))).map(|_| id))
}

/// Returns the value of a property that is written as text, in a path: a text where the kind takes one, else the number
/// or word that it spells.
pub fn value_of_text(request: &RequestContext, collection: &str, name: &str, text: &str) -> Result<Json> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let property = allowed.field(name)?;
    let value = Json::String(text.to_owned());
    let spelt = serde_json::from_str(text).ok().filter(|spelt: &Json| spelt.is_number() || spelt.is_boolean());
    match (property.kind.read(&value, &request.value_context()), spelt) {
        (Err(_), Some(spelt)) => Ok(spelt),
        _ => Ok(value),
    }
}

fn has_value(given: &[PropertyInput<'_>], name: &str) -> bool {
    let of_name = |input: &&PropertyInput<'_>| input.property.name == name;
    let value = given.iter().find(of_name).map(|input| &input.value);
    matches!(value, Some(StoredValue::One(value)) if *value != Value::Null)
}

fn refused(names: &[String], code: &'static str, message: String) -> Error {
    let problem = |name: &String| InputProblem { property: name.clone(), code, message: message.clone() };
    Error::problems(names.iter().map(problem).collect())
}
