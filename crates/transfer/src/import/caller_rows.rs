//! Rows that are written one by one, the way of a request for each: with the caller's grants, presets, rules and checks.

use super::ready_rows::ReadyRow;
use context::reads::LoggedReads;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, InputProblem, Result};
use model::kinds;
use model::types::{Property, ResourceType};
use query::request::ItemRef;
use resources::{Body, Purpose};
use serde_json::{Map, Value as Json};

/// Writes a row; gives its id, and whether a resource differs from before.
pub(super) fn write(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &ResourceType,
    key: Option<&Property>,
    row: &ReadyRow,
) -> Result<(i64, bool)> {
    // Nobody is shown what was written.
    let context = &RequestContext { reads: LoggedReads::free(), ..context.clone() };
    // The key of a row that is there stays as it is.
    let key = key.filter(|_| row.id.is_some()).map(|key| key.position);
    let body = body(context, resource_type, key, row)?;
    let written = match row.id {
        None => resources::create(tx, context, &resource_type.name, &body).map(|written| (written.id, true)),
        Some(id) => {
            let differs = differs(tx, resource_type, id, row)?;
            resources::patch(tx, context, &resource_type.name, &ItemRef::Id(id), None, &body).map(|_| (id, differs))
        }
    };
    written.map_err(of_row)
}

/// The values of a row in wire form.
fn body(context: &RequestContext, resource_type: &ResourceType, key: Option<usize>, row: &ReadyRow) -> Result<Body> {
    let (mut members, mut wire) = (Map::new(), Vec::new());
    for property in resource_type.properties().iter().filter(|property| Some(property.position) != key) {
        let Some(value) = &row.values[property.position] else { continue };
        wire.clear();
        kinds::write_property(property.kind.as_ref(), value, &context.value_context(), &mut wire);
        let read = serde_json::from_slice::<Json>(&wire);
        let value = read.map_err(|error| Error::failed(format!("a value of an import is not JSON: {error}")))?;
        members.insert(property.name.clone(), value);
    }
    let text = serde_json::to_vec(&members).map_err(|error| Error::failed(error.to_string()))?;
    Ok(Body::plain(members).with_long_numbers(model::json::long_numbers(&text)))
}

fn differs(tx: &mut Tx<'_>, resource_type: &ResourceType, id: i64, row: &ReadyRow) -> Result<bool> {
    let found = resources::rows_of(tx, resource_type, &[id], Purpose::Change)?.pop();
    let Some((_, old)) = found else { return Ok(true) };
    let mut given = row.values.iter().zip(&old).filter_map(|(new, old)| Some((new.as_ref()?, old)));
    Ok(given.any(|(new, old)| new != old))
}

/// A refusal as a problem of the row.
fn of_row(error: Error) -> Error {
    let refuses =
        matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::Forbidden | ErrorKind::Missing);
    if !refuses || !error.problems.is_empty() {
        return error;
    }
    let Error { code, message, .. } = error;
    Error::problems(vec![InputProblem { property: String::new(), code, message: message.to_string() }])
}
