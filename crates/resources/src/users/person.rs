//! A user who may sign in now, without a key: names, roles, rights.

use super::own_row::with_person_if_asked;
use context::actor::Actor;
use context::key_owner::AccountState;
use context::passwords::normal_login;
use context::scopes::KeyScopes;
use database::{Tx, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::error::{Error, Result};
use model::types::{Model, SystemPermission};
use model::user_columns::{ROLES, STATE, USERS};
use std::sync::Arc;

/// A user, with what decides about signing in.
#[derive(Clone, Debug)]
pub struct Person {
    id: i64,
    login: String,
    name: String,
    roles: Vec<String>,
    state: AccountState,
}

impl Person {
    /// The user with that id, if the user may sign in.
    pub fn active(tx: &mut Tx<'_>, user: i64, model: &Model, now: Timestamp) -> Result<Option<Self>> {
        Ok(Person::find(tx, user, model)?.filter(|person| person.is_active(now)))
    }

    /// The user with that id, whether or not the user may sign in.
    pub fn find(tx: &mut Tx<'_>, user: i64, model: &Model) -> Result<Option<Self>> {
        let mut row = tx.sql();
        row.push("SELECT ").push(STATE).push(", p1, p2 FROM ").table(&USERS).push(" WHERE id = ").bind(user);
        let mut links = tx.sql();
        links.push("SELECT value FROM ").table(&ROLES).push(" WHERE owner = ").bind(user).push(" ORDER BY value");
        let mut found = None;
        let mut roles = Vec::new();
        tx.query_all(&[&row, &links], &mut |statement, row| {
            match statement {
                0 => found = Some((AccountState::read(row, model)?, row.text(4)?.to_owned(), row.text(5)?.to_owned())),
                _ => roles.push(row.text(0)?.to_owned()),
            }
            Ok(())
        })?;
        Ok(found.map(|(state, login, name)| Person { id: user, login, name, roles, state }))
    }

    /// Returns true if the user is neither blocked nor outside of the time when the account is valid.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.state.active(now)
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The id.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// The login.
    pub fn login(&self) -> &str {
        &self.login
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The display zone.
    pub fn zone(&self) -> &TimeZone {
        &self.state.zone
    }

    /// Returns true if a role gives the system permission.
    pub fn has(&self, model: &Model, permission: SystemPermission) -> bool {
        self.roles.iter().filter_map(|name| model.roles.get(name)).any(|role| role.system.contains(&permission))
    }

    /// When the user may sign in, whatever becomes of the roles.
    pub fn state(&self) -> &AccountState {
        &self.state
    }

    /// Differs when the user's roles do.
    pub fn rights(&self) -> String {
        self.roles.join("\n")
    }

    /// The user with all rights of the roles.
    pub fn into_actor(self, tx: &mut Tx<'_>, model: &Arc<Model>) -> Result<Actor> {
        self.within(tx, model, KeyScopes::all())
    }

    /// The same with what a key's scopes leave of them.
    pub fn within(self, tx: &mut Tx<'_>, model: &Arc<Model>, scopes: KeyScopes) -> Result<Actor> {
        with_person_if_asked(Actor::of_key(self.id, self.state.zone, model, &self.roles, scopes), tx, model)
    }
}

/// A user with all rights of the roles, without a key: for what was signed for the user. None where the user could
/// not use a key either.
pub fn unkeyed(tx: &mut Tx<'_>, user: i64, model: &Arc<Model>, now: Timestamp) -> Result<Option<Actor>> {
    let person = Person::active(tx, user, model, now)?;
    let actor = person.map(|person| person.into_actor(tx, model)).transpose()?;
    Ok(actor.filter(|actor| actor.require(SystemPermission::RestApi).is_ok()))
}

/// The id of the user with that login.
pub fn id_of(tx: &mut Tx<'_>, login: &str) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE p1 = ").bind(Value::Text(normal_login(login)));
    let mut id = None;
    tx.query(&sql, &mut |row| {
        id = Some(row.integer(0)?);
        Ok(())
    })?;
    id.ok_or_else(|| Error::missing("user_missing", format!("There is no user {login}.")))
}
