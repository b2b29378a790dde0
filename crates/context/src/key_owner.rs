//! The owner of an API key, as it was read at one access epoch: whether the key may be used, and what for.

use crate::actor::Actor;
use crate::audit::RequestChannel;
use crate::key_text::{KeyText, refused};
use crate::key_uses::LastUse;
use crate::validity::ValidityWindow;
use database::{ColumnType, Row, ValueRef};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::error::Result;
use model::types::{Model, SystemPermission};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// The origin of keys that belong to a session in a browser.
pub const SESSION_ORIGIN: &str = "session";

/// A key and its owner at one access epoch. Only the present is not in it.
pub struct KeyOwner {
    /// The epoch at which this was read.
    pub access: i64,
    /// The key record's id.
    pub key: i64,
    /// The digest of the key's secret.
    pub digest: [u8; 32],
    /// The time for which the key is valid.
    pub validity: ValidityWindow,
    /// The times at which the owner may use keys.
    pub state: AccountState,
    /// The times at which the administrator who acts as the owner may sign in; none where nobody does.
    pub acting: Option<AccountState>,
    /// The owner, with the rights that the key's scopes leave.
    pub actor: Arc<Actor>,
    /// The way by which its requests come, as the audit log has it.
    pub channel: RequestChannel,
    /// The note of the key's last use.
    pub last_use: LastUse,
}

/// The times at which a user may sign in and use keys (D-14).
#[derive(Clone, Debug)]
pub struct AccountState {
    /// The display zone.
    pub zone: TimeZone,
    blocked: bool,
    validity: ValidityWindow,
}

impl KeyOwner {
    /// Returns the owner of the key, whether or not the key may be used.
    pub fn owner(&self) -> &Arc<Actor> {
        &self.actor
    }

    /// Returns true if that is the key's text, whether or not the key may be used.
    pub fn has_text(&self, key: &KeyText) -> bool {
        bool::from(self.digest.ct_eq(&key.digest))
    }

    /// The key's owner, if the text is right and key and owner may be used now (D-7). It is noted that the key is used.
    pub fn actor(&self, key: &KeyText, now: Timestamp) -> Result<Arc<Actor>> {
        let acts = self.acting.as_ref().is_none_or(|acting| acting.active(now));
        let usable = self.validity.holds(now) && self.state.active(now) && acts;
        if !self.has_text(key) || !usable || self.actor.require(SystemPermission::RestApi).is_err() {
            return Err(refused());
        }
        self.last_use.note(now.as_millisecond());
        Ok(Arc::clone(&self.actor))
    }
}

impl AccountState {
    /// Reads what [`model::user_columns::STATE`] selects, at the front of a row.
    pub fn read(row: &Row<'_>, model: &Model) -> database::Result<Self> {
        let zone = match row.get(0, ColumnType::Text)? {
            ValueRef::Text(name) => TimeZone::get(name).ok(),
            _ => None,
        };
        Ok(AccountState {
            zone: zone.unwrap_or_else(|| model.settings.timezone.clone()),
            blocked: matches!(row.get(1, ColumnType::Boolean)?, ValueRef::Boolean(true)),
            validity: ValidityWindow { from: timestamp(row, 2, i64::MIN)?, to: timestamp(row, 3, i64::MAX)? },
        })
    }

    /// Returns true if the user is neither blocked nor outside of the time when the account is valid.
    pub fn active(&self, now: Timestamp) -> bool {
        !self.blocked && self.validity.holds(now)
    }
}

/// Milliseconds of a column, or `absent` where it is null.
pub fn timestamp(row: &Row<'_>, index: usize, absent: i64) -> database::Result<i64> {
    Ok(match row.get(index, ColumnType::Timestamp)? {
        ValueRef::Timestamp(milliseconds) => milliseconds,
        _ => absent,
    })
}
