//! One resource: by id, by uuid, or the first whose property has a value.

use super::fields::Selection;
use super::output::WrittenRows;
use super::touched::TouchedTypes;
use super::{calculate, expand, metadata, select};
use context::actor::Allowed;
use context::request_context::RequestContext;
use context::versions::{self, TypeVersions};
use database::{Sql, Tx};
use model::error::{Error, Result};
use model::suggestion::sentence;
use model::types::ResourceAction;
use query::filters;
use query::path::TypeAccess;
use query::read_query::ReadResult;
use query::request::{FieldsRequest, ItemRef, item_missing};

/// Gives one resource as JSON.
pub fn get(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    item: &ItemRef,
    fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    one(tx, call, collection, item, fields, false).and_then(|made| made.body.into_whole())
}

/// The same, to be kept where that is wanted and worth it: a row by its key is read as fast as a kept answer is found
/// to hold, so that only what embeds other resources is kept.
pub fn one(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    item: &ItemRef,
    fields: &FieldsRequest,
    keep: bool,
) -> Result<ReadResult> {
    let allowed = call.actor.allowed(&call.model, collection, ResourceAction::Show)?;
    let access = TypeAccess::new(call, allowed);
    let selection = Selection::new(&access, fields)?;
    let metadata = metadata::of(&access, &selection, fields.describe.as_ref())?;
    let keep = keep && selection.expands() && !calculate::timed(&selection) && !call.actor.timed;
    let types = if keep { TouchedTypes::by_one(&selection, None) } else { Vec::new() };
    let (body, versions) = single(tx, call, &selection, &types, |sql| match *item {
        ItemRef::Id(id) => select::by_id(sql, &selection, id),
        ItemRef::Uuid(uuid) => select::by_uuid(sql, &selection, uuid),
    })?;
    let body = metadata::beside(body, metadata);
    let logged = context::reads::logged(selection.resource_type);
    Ok(ReadResult { body: body.into(), empty: false, logged, versions: keep.then_some(versions), omitted: Vec::new() })
}

/// Gives the acting user.
pub fn current_user(tx: &mut Tx<'_>, call: &RequestContext) -> Result<Vec<u8>> {
    account(tx, call, call.actor.itself(&call.model)?, call.actor.user)
}

/// Gives a user, by the right that a command has on users.
pub fn account(tx: &mut Tx<'_>, call: &RequestContext, allowed: Allowed<'_>, id: i64) -> Result<Vec<u8>> {
    let selection = Selection::new(&TypeAccess::new(call, allowed), &FieldsRequest::default())?;
    let by_id = |sql: &mut _| select::by_id(sql, &selection, id);
    single(tx, call, &selection, &[], by_id).map(|(body, _)| body)
}

/// Gives the first resource, by id, whose property has the value. The text is read by the property's kind.
pub fn get_by(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    property: &str,
    value: &str,
    fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    first(tx, call, collection, (property, value), fields, false).and_then(|made| made.body.into_whole())
}

/// The same, to be kept where that is wanted.
pub fn first(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    (property, value): (&str, &str),
    fields: &FieldsRequest,
    keep: bool,
) -> Result<ReadResult> {
    let allowed = call.actor.allowed(&call.model, collection, ResourceAction::Show)?;
    let access = TypeAccess::new(call, allowed);
    let property = access.allowed.field(property).map_err(|error| {
        let hint = sentence(access.allowed.nearest_readable(property));
        Error { message: error.message + &hint, ..error }
    })?;
    let selection = Selection::new(&access, fields)?;
    let metadata = metadata::of(&access, &selection, fields.describe.as_ref())?;
    let condition = filters::has_value(&access, property, value, &call.context())?;
    let keep = keep && !calculate::timed(&selection) && !call.actor.timed;
    let types = if keep { TouchedTypes::by_one(&selection, Some(&condition)) } else { Vec::new() };
    let by_value = |sql: &mut _| select::first(sql, &selection, &condition);
    let (body, versions) = single(tx, call, &selection, &types, by_value)?;
    let body = metadata::beside(body, metadata);
    let logged = context::reads::logged(selection.resource_type);
    Ok(ReadResult { body: body.into(), empty: false, logged, versions: keep.then_some(versions), omitted: Vec::new() })
}

/// Runs a statement that gives at most one row, and writes it; where types are named, gives their versions too, which
/// are no newer than what is written.
fn single(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    selection: &Selection<'_>,
    types: &[i64],
    statement: impl FnOnce(&mut Sql),
) -> Result<(Vec<u8>, TypeVersions)> {
    selection.begin_reads(&call.reads)?;
    let mut sql = tx.sql();
    statement(&mut sql);
    if selection.expands() {
        tx.snapshot()?;
    }
    let mut written = WrittenRows::for_rows(1);
    let context = call.context();
    let mut read = Vec::new();
    let notes = call.reads.notes(selection.resource_type);
    let versions = versions::ahead(tx, types, &[&sql], &mut |_, row| {
        if notes {
            read.push(row.integer(selection.id_column())?);
        }
        written.row(row, selection, &context).map(drop)
    })?;
    call.reads.note(selection.resource_type, &read);
    if written.ends.is_empty() {
        return Err(item_missing());
    }
    let filled = expand::fill(tx, call, selection, written)?;
    Ok((filled.bytes, versions))
}
