//! One resource: by id, by uuid, or the first whose property has a value.

use super::fields::Selection;
use super::output::WrittenRows;
use super::type_dependencies::TypeDependencies;
use super::{expand, metadata, select};
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
    request: &RequestContext,
    collection: &str,
    item: &ItemRef,
    fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    one(tx, request, collection, item, fields, false).and_then(|made| made.body.into_whole())
}

/// The same, to be kept where that is wanted and worth it: a row by its key is read as fast as a kept answer is found
/// to hold, so that only what embeds other resources is kept.
pub fn one(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    item: &ItemRef,
    fields: &FieldsRequest,
    keep: bool,
) -> Result<ReadResult> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let access = TypeAccess::new(request, allowed);
    let selection = Selection::new(&access, fields)?;
    let metadata = metadata::of(&access, &selection, fields.describe.as_ref())?;
    let keep = keep && selection.expands() && !selection.timed() && !request.actor.timed;
    let types = if keep { TypeDependencies::by_one(&selection, None) } else { Vec::new() };
    let (body, versions) = single(tx, request, &selection, &types, |sql| match *item {
        ItemRef::Id(id) => select::by_id(sql, &selection, id),
        ItemRef::Uuid(uuid) => select::by_uuid(sql, &selection, uuid),
    })?;
    let body = metadata::beside(body, metadata);
    let logged = context::reads::logged(selection.resource_type);
    Ok(ReadResult { body: body.into(), empty: false, logged, versions: keep.then_some(versions), omitted: Vec::new() })
}

/// Gives resources as JSON, in the order of their ids and with commas between them: for a digest, which shows nothing of
/// them.
pub fn bodies(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, ids: &[i64]) -> Result<Vec<u8>> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let selection = Selection::new(&TypeAccess::new(request, allowed), &FieldsRequest::default())?;
    selection.begin_reads(&request.reads)?;
    let mut sql = tx.sql();
    select::by_ids(&mut sql, &selection, ids.to_vec());
    sql.push(" ORDER BY r0.id");
    let mut written = WrittenRows::for_rows(ids.len());
    let context = request.value_context();
    tx.query(&sql, &mut |row| written.row(row, &selection, &context).map(drop))?;
    Ok(expand::fill(tx, request, &selection, written)?.bytes)
}

/// Gives the acting user.
pub fn current_user(tx: &mut Tx<'_>, request: &RequestContext) -> Result<Vec<u8>> {
    account(tx, request, request.actor.itself(&request.model)?, request.actor.user)
}

/// Gives a user, by the right that a command has on users.
pub fn account(tx: &mut Tx<'_>, request: &RequestContext, allowed: Allowed<'_>, id: i64) -> Result<Vec<u8>> {
    let selection = Selection::new(&TypeAccess::new(request, allowed), &FieldsRequest::default())?;
    let by_id = |sql: &mut _| select::by_id(sql, &selection, id);
    single(tx, request, &selection, &[], by_id).map(|(body, _)| body)
}

/// Gives the first resource, by id, whose property has the value. The text is read by the property's kind.
pub fn get_by(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    property: &str,
    value: &str,
    fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    first(tx, request, collection, LookupKey { property, value }, fields, false).and_then(|made| made.body.into_whole())
}

/// The property by which a resource is sought, and the value that it has.
#[derive(Clone, Copy, Debug)]
pub struct LookupKey<'k> {
    /// The name of the property.
    pub property: &'k str,
    /// The value, as a text.
    pub value: &'k str,
}

/// The same, to be kept where that is wanted.
pub fn first(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    key: LookupKey<'_>,
    fields: &FieldsRequest,
    keep: bool,
) -> Result<ReadResult> {
    let LookupKey { property, value } = key;
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let access = TypeAccess::new(request, allowed);
    let property = access.allowed.field(property).map_err(|error| {
        let hint = sentence(access.allowed.nearest_readable(property));
        Error { message: error.message + &hint, ..error }
    })?;
    let selection = Selection::new(&access, fields)?;
    let metadata = metadata::of(&access, &selection, fields.describe.as_ref())?;
    let condition = filters::has_value(&access, property, value, &request.value_context())?;
    let keep = keep && !selection.timed() && !request.actor.timed;
    let types = if keep { TypeDependencies::by_one(&selection, Some(&condition)) } else { Vec::new() };
    let by_value = |sql: &mut _| select::first(sql, &selection, &condition);
    let (body, versions) = single(tx, request, &selection, &types, by_value)?;
    let body = metadata::beside(body, metadata);
    let logged = context::reads::logged(selection.resource_type);
    Ok(ReadResult { body: body.into(), empty: false, logged, versions: keep.then_some(versions), omitted: Vec::new() })
}

/// Runs a statement that gives at most one row, and writes it; where types are named, gives their versions too, which
/// are no newer than what is written.
fn single(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    selection: &Selection<'_>,
    types: &[i64],
    statement: impl FnOnce(&mut Sql),
) -> Result<(Vec<u8>, TypeVersions)> {
    selection.begin_reads(&request.reads)?;
    let mut sql = tx.sql();
    statement(&mut sql);
    if selection.expands() {
        tx.snapshot()?;
    }
    let mut written = WrittenRows::for_rows(1);
    let context = request.answer_context();
    let mut read = Vec::new();
    let notes = request.reads.notes(selection.resource_type);
    let versions = versions::ahead(tx, types, &[&sql], &mut |_, row| {
        if notes {
            read.push(row.integer(selection.id_column())?);
        }
        written.row(row, selection, &context).map(drop)
    })?;
    request.reads.note(selection.resource_type, &read);
    if written.ends.is_empty() {
        return Err(item_missing());
    }
    let filled = expand::fill(tx, request, selection, written)?;
    Ok((filled.bytes, versions))
}
