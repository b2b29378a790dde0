//! A view as it is stored, and as it is answered.

use super::input::ViewSharing;
use context::request_context::RequestContext;
use database::{ColumnType, Row, Sql, Tx, ValueRef};
use model::table_names::VIEW;
use model::types::{ResourceAction, ResourceType, SystemPermission};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row of the table.
#[derive(Clone, Debug)]
pub(super) struct ViewRow {
    pub(super) id: i64,
    pub(super) owner: i64,
    pub(super) type_id: i64,
    pub(super) title: String,
    /// An object, as JSON.
    pub(super) state: String,
    pub(super) shared: Option<ViewSharing>,
}

/// Begins a statement that reads views.
pub(super) fn select(tx: &Tx<'_>) -> Sql {
    let mut sql = tx.sql();
    sql.push("SELECT id, owner, type, title, state, shared FROM ").table(&VIEW).push(" WHERE ");
    sql
}

impl ViewRow {
    /// Reads the columns of [`select`].
    pub(super) fn read(row: &Row<'_>) -> database::Result<Self> {
        let shared: Json = match row.get(5, ColumnType::Text)? {
            ValueRef::Text(text) => serde_json::from_str(text).unwrap_or_default(),
            _ => Json::Null,
        };
        Ok(ViewRow {
            id: row.integer(0)?,
            owner: row.integer(1)?,
            type_id: row.integer(2)?,
            title: row.text(3)?.to_owned(),
            state: row.text(4)?.to_owned(),
            shared: ViewSharing::read(&shared).flatten(),
        })
    }

    /// Returns true if the view is the caller's own.
    pub(super) fn is_own(&self, context: &RequestContext) -> bool {
        context.user() == Some(self.owner)
    }

    /// Returns the view's type where the caller sees the view: it is the caller's own or shared with the caller, and the
    /// caller may read the type. Administrators see all that are shared.
    pub(super) fn visible_type<'m>(&self, context: &'m RequestContext) -> Option<&'m Arc<ResourceType>> {
        let of = context.model.type_by_id(self.type_id)?;
        context.actor.allowed_type(of, ResourceAction::Show).ok()?;
        let is_admin = context.actor.require(SystemPermission::Admin).is_ok();
        let reached = self.shared.as_ref().is_some_and(|shared| is_admin || shared.reaches(context));
        (self.is_own(context) || reached).then_some(of)
    }

    /// The view as it is answered; `names` are those of owners, as far as the caller may know them.
    pub(super) fn told(&self, context: &RequestContext, of: &ResourceType, names: &BTreeMap<i64, String>) -> Json {
        let state: Json = serde_json::from_str(&self.state).unwrap_or_default();
        json!({
            "id": self.id,
            "type": of.name,
            "title": self.title,
            "state": state,
            "shared": self.shared.as_ref().map(ViewSharing::json),
            "owner": {"id": self.owner, "name": names.get(&self.owner)},
            "own": self.is_own(context),
        })
    }
}
