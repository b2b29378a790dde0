//! Signing in: a key for a login and a password, throttled, with one answer to every failure.

use super::throttle::ThrottleSubjects;
use crate::keys::{self, ApiKey, NewKey, Origin};
use context::audit::{RequestChannel, RequestSource};
use context::key_owner::AccountState;
use context::passwords;
use context::passwords::{MOST, PasswordVerdict};
use context::scopes::KeyScopes;
use context::validity;
use database::{ColumnType, ReadCost, Tx, ValueRef};
use jiff::Timestamp;
use model::error::{Error, ErrorKind, Result};
use model::types::{Model, SystemPermission};
use model::user_columns::{ROLES, STATE, USERS};
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;
use tenant::limits::sign_in_turns::SignInTurn;

/// The data that a caller gives to sign in.
#[derive(Clone)]
pub struct SignIn {
    /// The login name.
    pub login: String,
    /// The password.
    pub password: String,
    /// When the key expires; never, where none.
    pub valid: Option<String>,
    /// The description of the key.
    pub description: Option<String>,
    /// The scopes of the key (D-9); all, where none.
    pub permissions: Option<Vec<String>>,
    /// The peer's address.
    pub address: IpAddr,
}

/// The credentials with which somebody proves to be a user.
#[derive(Clone)]
pub struct Credentials {
    /// The login name.
    pub login: String,
    /// The password.
    pub password: String,
    /// The peer's address.
    pub address: IpAddr,
}

/// The user whose password was right.
#[derive(Clone)]
pub(crate) struct ProvenUser {
    login: String,
    found: FoundUser,
    /// The hash to store instead of the one that was found, where that is outdated.
    renewed: Option<String>,
    subjects: ThrottleSubjects,
    turn: Arc<SignInTurn>,
}

/// A user as found by login.
#[derive(Clone)]
pub(crate) struct FoundUser {
    user: i64,
    password: Option<String>,
    state: AccountState,
    /// True if a role lets the user use the REST API.
    allowed: bool,
}

/// Makes a key for the right password. Checks come in this order: the input, the throttles, the password
/// (one hash, for any name), the user's state. Whatever is wrong after the throttles is one error.
pub async fn sign_in(tenant: &Arc<Tenant>, input: SignIn) -> Result<ApiKey> {
    let credentials = Credentials { login: input.login, password: input.password, address: input.address };
    credentials.check()?;
    let now = tenant.environment().clock.now();
    let model = tenant.model().await?;
    if let Some(valid) = &input.valid {
        validity::parse_end(valid, &model.settings.timezone, now)?;
    }
    keys::check_description(input.description.as_deref())?;
    let scopes = match &input.permissions {
        Some(texts) => KeyScopes::parse(texts.iter().map(String::as_str), &model)?,
        None => KeyScopes::all(),
    };

    let proven = prove(tenant, credentials, &model, |found| found.allowed).await?;
    let (valid, description) = (input.valid, input.description);
    let source = RequestSource { via: RequestChannel::Api, key: None, address: Some(input.address) };
    let (subjects, _turn) = (proven.subjects.clone(), proven.turn());
    let made = tenant.write_beside_freeze(move |tx, context| {
        let zone = proven.confirm(tx, &model, now)?.zone;
        let valid_to = match &valid {
            Some(text) => validity::parse_end(text, &zone, now)?,
            None => validity::after_days(context.model.settings.api.sign_in_key_days, &zone, now),
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
        keys::create(tx, &context.come_from(source), key)
    });
    let made = made.await;
    if made.as_ref().is_err_and(|error| error.code == keys::FULL) {
        // The password was right: this is no failed try.
        tenant.store().write(move |tx| subjects.give_back(tx)).await?;
    }
    made
}

/// Finds who signs in. The checks come in one order for any name: throttles, one hash, the user's state and
/// what `admits` asks; whatever is wrong after the throttles is one error.
pub(crate) async fn prove(
    tenant: &Arc<Tenant>,
    credentials: Credentials,
    model: &Arc<Model>,
    admits: fn(&FoundUser) -> bool,
) -> Result<ProvenUser> {
    let login = credentials.check()?;
    let subjects = ThrottleSubjects::new(&login, credentials.address);
    // Whatever waits for its turn takes no place from the sign-ins of others.
    let turn = Arc::new(subjects.turn(tenant.sign_ins()).await?);
    let place = tenant.passwords().queue()?;
    let now = tenant.environment().clock.now();
    let counters = subjects.clone();
    tenant.store().write(move |tx| counters.raise(tx, now)).await?;

    let (searched, of) = (login.clone(), Arc::clone(model));
    let found = tenant.store().read(ReadCost::Point, move |tx| find(tx, &searched, &of)).await?;
    let stored = found.as_ref().and_then(|found| found.password.clone());
    let random = tenant.environment().random.as_ref();
    let verdict = tenant.passwords().verify(&place, credentials.password, stored, random).await?;
    drop(place);
    let right = verdict != PasswordVerdict::Wrong;
    let renewed = if let PasswordVerdict::Outdated(hash) = verdict { Some(hash) } else { None };
    let found = found.filter(|found| right && found.state.active(now) && admits(found));
    found.map(|found| ProvenUser { login, found, renewed, subjects, turn }).ok_or_else(unauthenticated)
}

impl ProvenUser {
    /// The turn of the try: the next one of this login begins when this is dropped.
    pub(crate) fn turn(&self) -> impl Sized + Send + use<> {
        Arc::clone(&self.turn)
    }

    /// Returns the user whose password it was.
    pub(crate) fn user(&self) -> i64 {
        self.found.user
    }

    /// Makes sure, in the transaction that rests on it, that it still holds: between look-up and here a hash was
    /// computed. The try is given back.
    pub(crate) fn confirm(&self, tx: &mut Tx<'_>, model: &Model, now: Timestamp) -> Result<AccountState> {
        let current = find(tx, &self.login, model)?.ok_or_else(unauthenticated)?;
        let same = current.user == self.found.user && current.password == self.found.password;
        if !same || !current.state.active(now) {
            return Err(unauthenticated());
        }
        self.subjects.give_back(tx)?;
        if let Some(hash) = &self.renewed {
            // The password is what it was: no change of the user that is to be told of.
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&USERS).push(" SET p3 = ").bind(hash.as_str());
            sql.push(" WHERE id = ").bind(current.user).push(" AND p3 = ").bind(current.password);
            tx.execute(&sql)?;
        }
        Ok(current.state)
    }
}

impl Credentials {
    /// The login as it is stored, if login and password have a form that may be right.
    fn check(&self) -> Result<String> {
        let login = passwords::normal_login(&self.login);
        if login.is_empty() || login.len() > MOST || login.contains('\0') {
            return Err(Error::invalid("user_invalid", "user must be a login name."));
        }
        if !passwords::may_be_one(&self.password) {
            return Err(Error::invalid("password_invalid", "password must have 1 to 1,024 bytes."));
        }
        Ok(login)
    }
}

fn unauthenticated() -> Error {
    Error::new(ErrorKind::Unauthenticated, "sign_in_failed", "The user name or password is wrong.")
}

fn find(tx: &mut Tx<'_>, login: &str, model: &Model) -> Result<Option<FoundUser>> {
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
        found =
            Some(FoundUser { user: row.integer(4)?, password, state: AccountState::read(row, model)?, allowed: false });
        Ok(())
    })?;
    Ok(found.map(|found| FoundUser { allowed, ..found }))
}
