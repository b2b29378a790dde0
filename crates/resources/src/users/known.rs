//! Loading the owner of an API key from the store.

use super::own_row::with_person_if_asked;
use super::person::Person;
use context::actor::Actor;
use context::audit::RequestChannel;
use context::key_owner::{AccountState, KeyOwner, SESSION_ORIGIN, timestamp};
use context::key_text::{KeyText, refused};
use context::key_uses::KeyUses;
use context::scopes::KeyScopes;
use context::validity::ValidityWindow;
use database::{ColumnType, Tx, ValueRef};
use model::error::Result;
use model::table_names::KEY;
use model::types::{Model, SystemPermission};
use model::user_columns::{ROLES, USERS};
use std::sync::Arc;

/// Reads the key's row, its owner and the owner's roles, in one round trip.
pub fn key_owner(tx: &mut Tx<'_>, key: &KeyText, model: &Arc<Model>, access: i64, uses: &KeyUses) -> Result<KeyOwner> {
    let mut row = tx.sql();
    row.push(
        "SELECT u.p5, u.p8, u.p9, u.p10, k.owner, k.digest, k.valid_from, k.valid_to, k.permissions, k.acting, k.origin FROM ",
    );
    row.table(&KEY).push(" k JOIN ").table(&USERS).push(" u ON u.id = k.owner WHERE k.id = ").bind(key.id);
    let mut links = tx.sql();
    links.push("SELECT m.value FROM ").table(&KEY).push(" k JOIN ").table(&ROLES);
    links.push(" m ON m.owner = k.owner WHERE k.id = ").bind(key.id);
    let (mut found, mut channel) = (None, RequestChannel::Api);
    let mut roles = Vec::new();
    tx.query_all(&[&row, &links], &mut |statement, row| {
        if statement == 1 {
            roles.push(row.text(0)?.to_owned());
            return Ok(());
        }
        let state = AccountState::read(row, model)?;
        let mut digest = [0; 32];
        if let ValueRef::Bytes(bytes) = row.get(5, ColumnType::Bytes)?
            && bytes.len() == digest.len()
        {
            digest.copy_from_slice(bytes);
        }
        let validity = ValidityWindow { from: timestamp(row, 6, 0)?, to: timestamp(row, 7, 0)? };
        let acting = if row.is_null(9)? { None } else { Some(row.integer(9)?) };
        found = Some((row.integer(4)?, digest, validity, KeyScopes::stored(row.text(8)?), state, acting));
        channel = if row.text(10)? == SESSION_ORIGIN { RequestChannel::Page } else { RequestChannel::Api };
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
    Ok(KeyOwner { access, key: key.id, digest, validity, state, acting, actor, channel, last_use })
}
