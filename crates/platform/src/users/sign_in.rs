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

/// A user as found by login.
#[derive(Clone)]
struct Found {
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
        let login = check(&input)?;
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

        let place = self.passwords.queue()?;
        let subjects = Subjects::new(&login, input.address);
        let counters = subjects.clone();
        self.store.write(move |tx| counters.raise(tx, now)).await?;

        let (searched, of) = (login.clone(), Arc::clone(&model));
        let found = self.store.read(Cost::Point, move |tx| find(tx, &searched, &of)).await?;
        let stored = found.as_ref().and_then(|found| found.password.clone());
        let right = self.passwords.verify(&place, input.password, stored).await?;
        drop(place);
        let Some(found) = found.filter(|found| right && found.state.active(now) && found.allowed) else {
            return Err(unauthenticated());
        };

        let (valid, description) = (input.valid, input.description);
        let source = Source { via: Via::Api, key: None, address: Some(input.address) };
        self.write_elevated(move |tx, call| {
            // Between the look-up and here a hash was computed: what it rests on may have changed.
            let current = find(tx, &login, &model)?.ok_or_else(unauthenticated)?;
            if current.user != found.user || current.password != found.password || !current.state.active(now) {
                return Err(unauthenticated());
            }
            subjects.give_back(tx)?;
            let zone = current.state.zone;
            let valid_to = match &valid {
                Some(text) => validity::parse_end(text, &zone, now)?,
                None => validity::forever(&zone),
            };
            let description = description.clone();
            let key = NewKey {
                user: found.user,
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
}

/// A login as it is stored and counted: trimmed and in lower case (A006).
pub(crate) fn normal_login(login: &str) -> String {
    login.trim().to_lowercase()
}

fn check(input: &SignIn) -> Result<String> {
    let login = normal_login(&input.login);
    if login.is_empty() || login.len() > MOST || login.contains('\0') {
        return Err(Error::invalid("user_invalid", "user must be a login name."));
    }
    if input.password.is_empty() || input.password.len() > MOST {
        return Err(Error::invalid("password_invalid", "password must have 1 to 1,024 bytes."));
    }
    Ok(login)
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
