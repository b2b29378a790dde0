//! The operator's work with users at the command line.

use crate::keys::{self, ApiKey, NewKey, Origin};
use context::passwords::PasswordHash;
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use database::{ColumnType, Tx, ValueRef};
use model::error::Result;
use model::types::SystemPermission;
use model::user_columns::{ROLES, USERS};
use resources::Body;
use resources::users::person::{Person, id_of};
use serde_json::{Map, Value as Json, json};

/// A user to make.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// The login name.
    pub login: String,
    /// The name for people.
    pub name: String,
    /// The password.
    pub password: PasswordHash,
    /// Names of roles.
    pub roles: Vec<String>,
}

/// A user as lists show it.
#[derive(Clone, Debug)]
pub struct UserSummary {
    /// The id.
    pub id: i64,
    /// The login name.
    pub login: String,
    /// The name for people.
    pub name: String,
    /// Names of roles.
    pub roles: Vec<String>,
    /// True if sign-in is blocked.
    pub disabled: bool,
}

/// Makes a user; gives the id.
pub fn create(tx: &mut Tx<'_>, context: &RequestContext, user: &NewUser) -> Result<i64> {
    let mut map = Map::new();
    map.insert("user_id".into(), user.login.as_str().into());
    map.insert("user_name".into(), user.name.as_str().into());
    map.insert("roles".into(), json!(user.roles));
    Ok(resources::create(tx, context, "user", &Body::hashed(map, user.password.clone()))?.id)
}

/// Sets the password of a user. The keys that the old one made end, unless `context` keeps them.
pub fn set_password(tx: &mut Tx<'_>, context: &RequestContext, login: &str, password: &PasswordHash) -> Result<()> {
    change(tx, context, login, &Body::hashed(Map::new(), password.clone()))
}

/// Blocks or frees the sign-in of a user. Keys of a blocked user stop working at once.
pub fn disable(tx: &mut Tx<'_>, context: &RequestContext, login: &str, disabled: bool) -> Result<()> {
    let mut map = Map::new();
    map.insert("login_expired".into(), Json::Bool(disabled));
    change(tx, context, login, &Body::plain(map))
}

/// All users, by id.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<UserSummary>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, p1, p2, p8 FROM ").table(&USERS).push(" ORDER BY id");
    let mut users = Vec::new();
    tx.query(&sql, &mut |row| {
        users.push(UserSummary {
            id: row.integer(0)?,
            login: row.text(1)?.to_owned(),
            name: row.text(2)?.to_owned(),
            roles: Vec::new(),
            disabled: matches!(row.get(3, ColumnType::Boolean)?, ValueRef::Boolean(true)),
        });
        Ok(())
    })?;
    let mut sql = tx.sql();
    sql.push("SELECT owner, value FROM ").table(&ROLES).push(" ORDER BY owner, position");
    tx.query(&sql, &mut |row| {
        let owner = row.integer(0)?;
        if let Ok(place) = users.binary_search_by_key(&owner, |user: &UserSummary| user.id) {
            users[place].roles.push(row.text(1)?.to_owned());
        }
        Ok(())
    })?;
    Ok(users)
}

/// Returns whether a role of the user grants `restApi`, without which no key of the user works.
pub fn may_use_keys(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<bool> {
    let Some(person) = Person::find(tx, user, &context.model)? else { return Ok(false) };
    Ok(person.into_actor(tx, &context.model)?.require(SystemPermission::RestApi).is_ok())
}

/// A key to make for a user.
#[derive(Clone, Debug)]
pub struct NewUserKey {
    /// The owner's login name.
    pub login: String,
    /// The most that the key may do.
    pub scopes: KeyScopes,
    /// The description; a default text where none.
    pub description: Option<String>,
    /// When it expires, as a date or datetime; never, where none.
    pub valid: Option<String>,
}

/// Makes a key for ever, with all that its owner may, for the user with that login.
pub fn create_key(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    login: &str,
    description: Option<String>,
) -> Result<ApiKey> {
    let (login, scopes) = (login.to_owned(), KeyScopes::all());
    create_scoped_key(tx, context, NewUserKey { login, scopes, description, valid: None })
}

/// Makes a key for a user.
pub fn create_scoped_key(tx: &mut Tx<'_>, context: &RequestContext, key: NewUserKey) -> Result<ApiKey> {
    let user = id_of(tx, &key.login)?;
    let zone = context.actor.zone.clone();
    let (scopes, origin) = (key.scopes, Origin::Command);
    let valid_to = match &key.valid {
        Some(text) => context::validity::parse_end(text, &zone, context.now)?,
        None => context::validity::forever(&zone),
    };
    let key = NewKey { user, valid_to, description: key.description, scopes, origin, zone };
    keys::create(tx, context, key)
}

fn change(tx: &mut Tx<'_>, context: &RequestContext, login: &str, body: &Body) -> Result<()> {
    let id = id_of(tx, login)?;
    resources::patch(tx, context, "user", &query::request::ItemRef::Id(id), None, body)?;
    Ok(())
}
