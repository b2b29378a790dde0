//! Reading views.

use super::row::{self, ViewRow};
use super::{COMMAND, MOST};
use crate::owner;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::{Error, Result};
use model::types::ResourceAction;
use model::user_columns::{USER_TYPE, USERS};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// The built-in property with the name of a user.
const USER_NAME: &str = "user_name";

/// Lists the views that the caller sees, the caller's own first: of one type, or of all that the caller may read. At
/// most 1,000 are listed.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, of: Option<&str>) -> Result<Json> {
    let user = owner::of(context, COMMAND)?;
    let mut sql = row::select(tx);
    sql.push("(owner = ").bind(user).push(" OR shared IS NOT NULL)");
    if let Some(name) = of {
        let missing = || Error::missing("collection_missing", format!("There is no type {name:?}."));
        let known = context.model.collection(name);
        let shown = known.filter(|of| context.actor.allowed_type(of, ResourceAction::Show).is_ok());
        sql.push(" AND type = ").bind(shown.ok_or_else(missing)?.id);
    }
    sql.push(" ORDER BY CASE WHEN owner = ").bind(user).push(" THEN 0 ELSE 1 END, id");
    let most = usize::try_from(MOST).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        let view = ViewRow::read(row)?;
        if let Some(of) = view.visible_type(context).filter(|_| found.len() < most) {
            found.push((view, of));
        }
        Ok(())
    })?;
    let names = owners(tx, context, found.iter().map(|(view, _)| view.owner).collect())?;
    let views: Vec<Json> = found.iter().map(|(view, of)| view.told(context, of, &names)).collect();
    Ok(json!({"data": views}))
}

/// Returns one view.
pub fn get(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<Json> {
    owner::of(context, COMMAND)?;
    let view = find(tx, context, id, false)?;
    told(tx, context, &view)
}

/// Returns a view as it is answered to a caller who saw it, be it that it is not shared with the caller any more.
pub(super) fn told(tx: &mut Tx<'_>, context: &RequestContext, view: &ViewRow) -> Result<Json> {
    let of = context.model.type_by_id(view.type_id).ok_or_else(missing)?;
    let names = owners(tx, context, BTreeSet::from([view.owner]))?;
    Ok(view.told(context, of, &names))
}

/// Finds a view that the caller sees, and locks it where it is to be changed.
pub(super) fn find(tx: &mut Tx<'_>, context: &RequestContext, id: i64, changes: bool) -> Result<ViewRow> {
    let mut sql = row::select(tx);
    sql.push("id = ").bind(id);
    if changes {
        sql.for_change();
    }
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(ViewRow::read(row)?);
        Ok(())
    })?;
    found.filter(|view| view.visible_type(context).is_some()).ok_or_else(missing)
}

/// The names of owners: that of the caller, and those of others where the caller may read the names of all users.
fn owners(tx: &mut Tx<'_>, context: &RequestContext, mut ids: BTreeSet<i64>) -> Result<BTreeMap<i64, String>> {
    let users = context.model.type_by_id(USER_TYPE).ok_or_else(|| Error::failed("a tenant without users"))?;
    let named = users.field(USER_NAME).ok_or_else(|| Error::failed("users without names"))?;
    let shown = context.actor.allowed_type(users, ResourceAction::Show);
    if !shown.is_ok_and(|shown| shown.readable.contains(named) && shown.sees_every_row()) {
        ids.retain(|id| Some(*id) == context.user());
    }
    let mut names = BTreeMap::new();
    if ids.is_empty() {
        return Ok(names);
    }
    let mut sql = tx.sql();
    sql.push("SELECT id, ").name(&named.column).push(" FROM ").table(&USERS).push(" WHERE id");
    sql.any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    tx.query(&sql, &mut |row| {
        names.insert(row.integer(0)?, row.text(1)?.to_owned());
        Ok(())
    })?;
    Ok(names)
}

fn missing() -> Error {
    Error::missing("view_missing", "There is no such view.")
}
