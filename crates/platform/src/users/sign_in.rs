//! Signing in: a key for a login and a password, throttled, with one answer to every failure.

use super::columns::{ROLES, STATE, USERS};
use super::known::State;
use super::passwords::MOST;
use super::throttle::Subjects;
use crate::audit::{Source, Via};
use crate::error::{Error, ErrorKind, Result};
use crate::keys::{self, ApiKey, NewKey, Origin, Scopes, validity};
use crate::tenants::Tenant;
use crate::types::{Model, SystemPermission};
use database::{ColumnType, Cost, Tx, ValueRef};
use jiff::Timestamp;
use std::net::IpAddr;
use std::sync::Arc;

/// What a caller gives to sign in.
#[derive(Clone)]
pub struct SignIn {
    /// The login name.
    pub login: String,
    /// The password.
    pub password: String,
    /// When the key expires; never, where none.
    pub valid: Option<String>,
    /// What the key is for.
    pub description: Option<String>,
    /// The scopes of the key (D-9); all, where none.
    pub permissions: Option<Vec<String>>,
    /// The peer's address.
    pub address: IpAddr,
}

/// What somebody proves to be a user with.
#[derive(Clone)]
pub struct Credentials {
    /// The login name.
    pub login: String,
    /// The password.
    pub password: String,
    /// The peer's address.
    pub address: IpAddr,
}

/// Whose password was right.
#[derive(Clone)]
pub(crate) struct Proven {
    login: String,
    found: Found,
    subjects: Subjects,
}

/// A user as found by login.
#[derive(Clone)]
pub(crate) struct Found {
    user: i64,
    password: Option<String>,
    state: State,
    /// Whether a role lets the user use the REST API.
    allowed: bool,
}

impl Tenant {
    /// Makes a key for the right password. Checks come in this order: the input, the throttles, the password
    /// (one hash, whoever is named), the user's state. Whatever is wrong after the throttles is one error.
    pub async fn sign_in(self: &Arc<Self>, input: SignIn) -> Result<ApiKey> {
        let credentials = Credentials { login: input.login, password: input.password, address: input.address };
        credentials.check()?;
        let now = self.world.clock.now();
        let model = self.model().await?;
        if let Some(valid) = &input.valid {
            validity::parse_end(valid, &model.settings.timezone, now)?;
        }
        keys::check_description(input.description.as_deref())?;
        let scopes = match &input.permissions {
            Some(texts) => Scopes::parse(texts.iter().map(String::as_str), &model)?,
            None => Scopes::all(),
        };

        let proven = self.prove(credentials, &model, |found| found.allowed).await?;
        let (valid, description) = (input.valid, input.description);
        let source = Source { via: Via::Api, key: None, address: Some(input.address) };
        self.write_elevated(move |tx, call| {
            let zone = proven.confirm(tx, &model, now)?.zone;
            let valid_to = match &valid {
                Some(text) => validity::parse_end(text, &zone, now)?,
                None => validity::forever(&zone),
            };
            let description = description.clone();
            let key = NewKey {
                user: proven.found.user,
                valid_to,
                description,
                scopes: scopes.clone(),
                origin: Origin::SignIn,
                zone,
            };
            keys::create(tx, &call.come_from(source), key)
        })
        .await
    }

    /// Finds who signs in. The checks come in one order, whoever is named: throttles, one hash, the user's state and
    /// what `admits` asks; whatever is wrong after the throttles is one error.
    pub(crate) async fn prove(
        self: &Arc<Self>,
        credentials: Credentials,
        model: &Arc<Model>,
        admits: fn(&Found) -> bool,
    ) -> Result<Proven> {
        let login = credentials.check()?;
        let now = self.world.clock.now();
        let place = self.passwords.queue()?;
        let subjects = Subjects::new(&login, credentials.address);
        let counters = subjects.clone();
        self.store.write(move |tx| counters.raise(tx, now)).await?;

        let (searched, of) = (login.clone(), Arc::clone(model));
        let found = self.store.read(Cost::Point, move |tx| find(tx, &searched, &of)).await?;
        let stored = found.as_ref().and_then(|found| found.password.clone());
        let right = self.passwords.verify(&place, credentials.password, stored).await?;
        drop(place);
        let found = found.filter(|found| right && found.state.active(now) && admits(found));
        found.map(|found| Proven { login, found, subjects }).ok_or_else(unauthenticated)
    }
}

impl Proven {
    /// Whose password it was.
    pub(crate) fn user(&self) -> i64 {
        self.found.user
    }

    /// Makes sure, in the transaction that rests on it, that it still holds: between look-up and here a hash was
    /// computed. The try is given back.
    pub(crate) fn confirm(&self, tx: &mut Tx<'_>, model: &Model, now: Timestamp) -> Result<State> {
        let current = find(tx, &self.login, model)?.ok_or_else(unauthenticated)?;
        let same = current.user == self.found.user && current.password == self.found.password;
        if !same || !current.state.active(now) {
            return Err(unauthenticated());
        }
        self.subjects.give_back(tx)?;
        Ok(current.state)
    }
}

/// A login as it is stored and counted: trimmed and in lower case (A006).
pub(crate) fn normal_login(login: &str) -> String {
    login.trim().to_lowercase()
}

impl Credentials {
    /// The login as it is stored, if login and password have a form that may be right.
    fn check(&self) -> Result<String> {
        let login = normal_login(&self.login);
        if login.is_empty() || login.len() > MOST || login.contains('\0') {
            return Err(Error::invalid("user_invalid", "user must be a login name."));
        }
        if self.password.is_empty() || self.password.len() > MOST {
            return Err(Error::invalid("password_invalid", "password must have 1 to 1,024 bytes."));
        }
        Ok(login)
    }
}

fn unauthenticated() -> Error {
    Error::new(ErrorKind::Unauthenticated, "sign_in_failed", "The user name or password is wrong.")
}

fn find(tx: &mut Tx<'_>, login: &str, model: &Model) -> Result<Option<Found>> {
    let mut user = tx.sql();
    user.push("SELECT ").push(STATE).push(", id, p3 FROM ").table(&USERS).push(" WHERE p1 = ").bind(login);
    let mut roles = tx.sql();
    roles.push("SELECT m.value FROM ").table(&USERS).push(" u JOIN ").table(&ROLES);
    roles.push(" m ON m.owner = u.id WHERE u.p1 = ").bind(login);
    let mut found = None;
    let mut allowed = false;
    tx.query_all(&[&user, &roles], &mut |statement, row| {
        if statement == 1 {
            let role = model.roles.get(row.text(0)?);
            allowed |= role.is_some_and(|role| role.system.contains(&SystemPermission::RestApi));
            return Ok(());
        }
        let password = match row.get(5, ColumnType::Text)? {
            ValueRef::Text(hash) => Some(hash.to_owned()),
            _ => None,
        };
        found = Some(Found { user: row.integer(4)?, password, state: State::read(row, model)?, allowed: false });
        Ok(())
    })?;
    Ok(found.map(|found| Found { allowed, ..found }))
}
