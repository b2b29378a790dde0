//! A key with its owner, as loaded from the store: whether it may be used, and what for.

use super::acting::with_person_if_asked;
use super::person::Person;
use context::actor::Actor;
use context::key_text::{KeyText, refused};
use context::key_uses::{KeyUses, LastUse};
use context::scopes::Scopes;
use context::validity::Validity;
use database::{ColumnType, Row, Tx, ValueRef};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::error::Result;
use model::table_names::KEY;
use model::types::{Model, SystemPermission};
use model::user_columns::{ROLES, USERS};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// A key and its owner at one access epoch. Only the present is not in it.
pub(crate) struct Known {
    /// The epoch at which this was read.
    pub(crate) access: i64,
    /// The key record's id.
    pub(crate) key: i64,
    digest: [u8; 32],
    pub(super) validity: Validity,
    pub(super) state: State,
    /// When the administrator who acts as the owner may sign in, where one does.
    acting: Option<State>,
    actor: Arc<Actor>,
    last_use: LastUse,
}

/// True if a user may sign in and use keys (D-14).
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(super) zone: TimeZone,
    blocked: bool,
    validity: Validity,
}

impl Known {
    /// Reads the key's row, its owner and the owner's roles, in one round trip.
    pub(crate) fn load(
        tx: &mut Tx<'_>,
        key: &KeyText,
        model: &Arc<Model>,
        access: i64,
        uses: &KeyUses,
    ) -> Result<Self> {
        let mut row = tx.sql();
        row.push("SELECT u.p5, u.p8, u.p9, u.p10, k.owner, k.digest, k.valid_from, k.valid_to, k.permissions, k.acting FROM ");
        row.table(&KEY).push(" k JOIN ").table(&USERS).push(" u ON u.id = k.owner WHERE k.id = ").bind(key.id);
        let mut links = tx.sql();
        links.push("SELECT m.value FROM ").table(&KEY).push(" k JOIN ").table(&ROLES);
        links.push(" m ON m.owner = k.owner WHERE k.id = ").bind(key.id);
        let mut found = None;
        let mut roles = Vec::new();
        tx.query_all(&[&row, &links], &mut |statement, row| {
            if statement == 1 {
                roles.push(row.text(0)?.to_owned());
                return Ok(());
            }
            let state = State::read(row, model)?;
            let mut digest = [0; 32];
            if let ValueRef::Bytes(bytes) = row.get(5, ColumnType::Bytes)?
                && bytes.len() == digest.len()
            {
                digest.copy_from_slice(bytes);
            }
            let validity = Validity { from: timestamp(row, 6, 0)?, to: timestamp(row, 7, 0)? };
            let acting = if row.is_null(9)? { None } else { Some(row.integer(9)?) };
            found = Some((row.integer(4)?, digest, validity, Scopes::stored(row.text(8)?), state, acting));
            Ok(())
        })?;
        let (owner, digest, validity, scopes, state, by) = found.ok_or_else(refused)?;
        let mut actor = Actor::of_key(owner, state.zone.clone(), model, &roles, scopes);
        let mut acting = None;
        if let Some(by) = by {
            // Both may have changed since the key was made.
            let person = Person::find(tx, by, model)?.filter(|person| person.has(model, SystemPermission::Admin));
            let person = person.filter(|_| actor.require(SystemPermission::Admin).is_err()).ok_or_else(refused)?;
            actor.acting = Some(by);
            acting = Some(person.state().clone());
        }
        let actor = Arc::new(with_person_if_asked(actor, tx, model)?);
        let last_use = uses.of(key.id);
        Ok(Known { access, key: key.id, digest, validity, state, acting, actor, last_use })
    }

    /// Returns the owner of the key, whether or not the key may be used.
    pub(crate) fn owner(&self) -> &Arc<Actor> {
        &self.actor
    }

    /// The key's owner, if the text is right and key and owner may be used now (D-7). It is noted that the key is used.
    pub(crate) fn actor(&self, key: &KeyText, now: Timestamp) -> Result<Arc<Actor>> {
        let right = bool::from(self.digest.ct_eq(&key.digest));
        let acts = self.acting.as_ref().is_none_or(|acting| acting.active(now));
        let usable = self.validity.holds(now) && self.state.active(now) && acts;
        if !right || !usable || self.actor.require(SystemPermission::RestApi).is_err() {
            return Err(refused());
        }
        self.last_use.note(now.as_millisecond());
        Ok(Arc::clone(&self.actor))
    }
}

impl State {
    /// Reads what [`model::user_columns::STATE`] selects, at the front of a row.
    pub(super) fn read(row: &Row<'_>, model: &Model) -> database::Result<Self> {
        let zone = match row.get(0, ColumnType::Text)? {
            ValueRef::Text(name) => TimeZone::get(name).ok(),
            _ => None,
        };
        Ok(State {
            zone: zone.unwrap_or_else(|| model.settings.timezone.clone()),
            blocked: matches!(row.get(1, ColumnType::Boolean)?, ValueRef::Boolean(true)),
            validity: Validity { from: timestamp(row, 2, i64::MIN)?, to: timestamp(row, 3, i64::MAX)? },
        })
    }

    /// Returns true if the user is neither blocked nor outside of the time when the account is valid.
    pub(super) fn active(&self, now: Timestamp) -> bool {
        !self.blocked && self.validity.holds(now)
    }
}

fn timestamp(row: &Row<'_>, index: usize, absent: i64) -> database::Result<i64> {
    Ok(match row.get(index, ColumnType::Timestamp)? {
        ValueRef::Timestamp(milliseconds) => milliseconds,
        _ => absent,
    })
}
