//! Keys with which an administrator acts as a user: for an hour, as that user and no more, and seen in the audit log.

use super::revoke::{self, revoke};
use super::{ApiKey, NewKey, Origin, create};
use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use context::validity;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::table_names::KEY;
use model::types::SystemPermission;
use model::user_columns::USERS;
use resources::users::{Person, id_of};
use serde_json::{Map, Value as Json, json};

/// The time for which such a key works, in milliseconds.
const HOUR: i64 = 60 * 60 * 1_000;

/// The user who is to be acted as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// The user with that id.
    Id(i64),
    /// The user with that login name.
    Login(String),
}

impl Whom {
    /// Reads the body `{"user": id or login name}`.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        if let Some(name) = members.keys().find(|name| *name != "user") {
            return Err(Error::invalid("property_unknown", format!("There is no property {name:?}.")));
        }
        match members.get("user") {
            Some(Json::Number(id)) if id.is_i64() => Ok(Whom::Id(id.as_i64().unwrap_or_default())),
            Some(Json::String(login)) if !login.is_empty() => Ok(Whom::Login(login.clone())),
            _ => Err(Error::invalid("user_invalid", "user must be the id or the login name of a user.")),
        }
    }
}

/// Makes a key with which the caller acts as a user. One that the caller has for that user already is revoked.
pub fn login_as(tx: &mut Tx<'_>, context: &RequestContext, whom: &Whom) -> Result<ApiKey> {
    let by = administrator(context)?;
    let user = match whom {
        Whom::Id(id) => *id,
        Whom::Login(login) => id_of(tx, login).map_err(|_| missing())?,
    };
    // One who may not sign in is nobody to act as.
    let person = Person::active(tx, user, &context.model, context.now)?.ok_or_else(missing)?;
    let may = |permission| person.has(&context.model, permission);
    if user == by || may(SystemPermission::Admin) || !may(SystemPermission::RestApi) {
        let message = "You may act only as users who may use the API and are not administrators.";
        return Err(Error::forbidden("login_as_refused", message));
    }
    for key in held(tx, by, user)? {
        revoke(tx, context, key)?;
    }
    let key = NewKey {
        user,
        valid_to: context.now.as_millisecond() + HOUR,
        description: None,
        scopes: KeyScopes::all(),
        origin: Origin::LoginAs,
        zone: person.zone().clone(),
    };
    let key = create(tx, context, key)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&KEY).push(" SET acting = ").bind(by).push(" WHERE id = ").bind(key.id);
    tx.execute(&sql)?;
    audit::record(context, AuditEvent::of(EventKind::LoginAsBegun, user).with("key", key.id));
    Ok(key)
}

/// The keys of this kind that work still.
pub fn logins_as(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Vec<Json>> {
    administrator(context)?;
    let mut sql = tx.sql();
    sql.push("SELECT k.id, k.owner, u.p1, k.acting, a.p1, k.valid_to FROM ").table(&KEY).push(" k JOIN ");
    sql.table(&USERS).push(" u ON u.id = k.owner LEFT JOIN ").table(&USERS).push(" a ON a.id = k.acting");
    sql.push(" WHERE k.acting IS NOT NULL AND k.valid_to > ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" ORDER BY k.id");
    let mut keys = Vec::new();
    tx.query(&sql, &mut |row| {
        let ends = match row.get(5, ColumnType::Timestamp)? {
            ValueRef::Timestamp(ends) => validity::text(ends, &context.actor.zone),
            _ => String::new(),
        };
        let acting = match row.get(4, ColumnType::Text)? {
            ValueRef::Text(login) => Some(login.to_owned()),
            _ => None,
        };
        keys.push(json!({
            "id": row.integer(0)?, "userId": row.integer(1)?, "user": row.text(2)?,
            "actingId": row.integer(3)?, "acting": acting, "validTo": ends,
        }));
        Ok(())
    })?;
    Ok(keys)
}

/// A user, as sessions name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedUser {
    /// The id.
    pub id: i64,
    /// The login name.
    pub login: String,
    /// The name.
    pub name: String,
}

/// A key with which an administrator acts as a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActingKey {
    /// The user whose rights hold.
    pub user: NamedUser,
    /// The administrator.
    pub actor: NamedUser,
    /// The end of the key, in milliseconds since 1970.
    pub ends: i64,
}

/// Returns the key of the request, where it is one of this kind.
pub fn acting_key(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Option<ActingKey>> {
    let (Some(by), Some(user), Some(key)) = (context.actor.acting, context.user(), context.source.key) else {
        return Ok(None);
    };
    let mut named = |id: i64| -> Result<NamedUser> {
        let person = Person::find(tx, id, &context.model)?.ok_or_else(missing)?;
        Ok(NamedUser { id, login: person.login().to_owned(), name: person.name().to_owned() })
    };
    let (user, actor) = (named(user)?, named(by)?);
    let mut sql = tx.sql();
    sql.push("SELECT valid_to FROM ").table(&KEY).push(" WHERE acting IS NOT NULL AND id = ").bind(key);
    let mut ends = None;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Timestamp(found) = row.get(0, ColumnType::Timestamp)? {
            ends = Some(found);
        }
        Ok(())
    })?;
    Ok(ends.map(|ends| ActingKey { user, actor, ends }))
}

/// Revokes a key of this kind, of any owner.
pub fn end_login_as(tx: &mut Tx<'_>, context: &RequestContext, key: i64) -> Result<()> {
    administrator(context)?;
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&KEY).push(" WHERE acting IS NOT NULL AND id = ").bind(key);
    if ids(tx, &sql)?.is_empty() {
        return Err(revoke::missing());
    }
    revoke(tx, context, key)
}

/// The administrator who calls, with a key of their own.
fn administrator(context: &RequestContext) -> Result<i64> {
    context.actor.require(SystemPermission::Admin)?;
    match (context.user(), context.actor.acting) {
        (Some(user), None) => Ok(user),
        _ => Err(Error::forbidden("login_as_refused", "Use an administrator's own key.")),
    }
}

fn held(tx: &mut Tx<'_>, by: i64, user: i64) -> Result<Vec<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&KEY).push(" WHERE owner = ").bind(user).push(" AND acting = ").bind(by);
    ids(tx, &sql)
}

fn ids(tx: &mut Tx<'_>, sql: &database::Sql) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    tx.query(sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(ids)
}

fn missing() -> Error {
    Error::missing("user_missing", "There is no such user, or the user may not sign in.")
}
