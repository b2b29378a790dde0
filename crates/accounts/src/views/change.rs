//! Making, changing and deleting views. Whatever is shared is changed with the permission `admin` alone.

use super::input::{ViewInput, ViewSharing};
use super::row::ViewRow;
use super::select::{find, told};
use super::{COMMAND, MOST};
use crate::owner;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::{Error, Result};
use model::table_names::VIEW;
use model::types::SystemPermission;
use resources::IfMatch;
use serde_json::Value as Json;

/// Makes a view of the acting user's.
pub fn create(tx: &mut Tx<'_>, context: &RequestContext, input: &ViewInput) -> Result<Json> {
    let user = owner::of(context, COMMAND)?;
    check_sharing(context, input.shared.is_some())?;
    input.check_roles(context)?;
    let type_id = input.type_id(context)?;
    owner::lock(tx, user)?;
    let mut sql = tx.sql();
    sql.push("SELECT count(*) FROM ").table(&VIEW).push(" WHERE owner = ").bind(user);
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    if count >= MOST {
        return Err(Error::conflict("views_too_many", format!("A user has at most {MOST} views.")));
    }
    let mut view = row_of(input, 0, user, type_id);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&VIEW).push(" (owner, type, title, state, shared, updated) VALUES (").bind(user);
    for value in values(context, &view) {
        sql.push(", ").bind(value);
    }
    sql.push(") RETURNING id");
    tx.query(&sql, &mut |row| {
        view.id = row.integer(0)?;
        Ok(())
    })?;
    told(tx, context, &view)
}

/// Replaces a view; its owner stays.
pub fn replace(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    id: i64,
    if_match: Option<&IfMatch>,
    input: &ViewInput,
) -> Result<Json> {
    owner::of(context, COMMAND)?;
    let old = find(tx, context, id, true)?;
    check_sharing(context, old.shared.is_some() || input.shared.is_some())?;
    check_unchanged(tx, context, &old, if_match)?;
    input.check_roles(context)?;
    let view = row_of(input, old.id, old.owner, input.type_id(context)?);
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&VIEW).push(" SET ");
    let columns = ["type = ", ", title = ", ", state = ", ", shared = ", ", updated = "];
    for (column, value) in columns.into_iter().zip(values(context, &view)) {
        sql.push(column).bind(value);
    }
    sql.push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    told(tx, context, &view)
}

/// Deletes a view: an own one, or with the permission `admin` any that is shared.
pub fn delete(tx: &mut Tx<'_>, context: &RequestContext, id: i64, if_match: Option<&IfMatch>) -> Result<()> {
    owner::of(context, COMMAND)?;
    let old = find(tx, context, id, true)?;
    check_sharing(context, !old.is_own(context))?;
    check_unchanged(tx, context, &old, if_match)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&VIEW).push(" WHERE id = ").bind(id);
    tx.execute(&sql)?;
    Ok(())
}

/// Removes the views of users who are deleted, the shared ones among them.
pub fn forget_users(tx: &mut Tx<'_>, users: Vec<Value>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&VIEW).push(" WHERE owner").any_of(ColumnType::Integer, users);
    tx.execute(&sql)?;
    Ok(())
}

fn check_sharing(context: &RequestContext, is_shared: bool) -> Result<()> {
    if is_shared { context.actor.require(SystemPermission::Admin) } else { Ok(()) }
}

/// Fails where the view is not the one that the caller saw.
fn check_unchanged(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    view: &ViewRow,
    if_match: Option<&IfMatch>,
) -> Result<()> {
    let Some(if_match) = if_match else { return Ok(()) };
    let told = told(tx, context, view)?;
    if_match.check(context, || Ok(told.to_string().into_bytes()))
}

fn row_of(input: &ViewInput, id: i64, owner: i64, type_id: i64) -> ViewRow {
    let state = Json::Object(input.state.clone()).to_string();
    ViewRow { id, owner, type_id, title: input.title.clone(), state, shared: input.shared.clone() }
}

/// The columns that a client decides about, and the instant.
fn values(context: &RequestContext, view: &ViewRow) -> [Value; 5] {
    let shared = view.shared.as_ref().map(ViewSharing::json).map(|shared| shared.to_string());
    [
        Value::Integer(view.type_id),
        Value::Text(view.title.clone()),
        Value::Text(view.state.clone()),
        shared.map_or(Value::Null, Value::Text),
        Value::Timestamp(context.now.as_millisecond()),
    ]
}
