//! The contract's API key object.

use context::scopes::KeyScopes;
use context::validity;
use context::validity::ValidityWindow;
use jiff::tz::TimeZone;
use serde_json::Value as Json;

/// A key as its maker sees it, once with its text.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// The key record's id.
    pub id: i64,
    /// The owner.
    pub user: i64,
    /// The text, where the key was just made; it is not to be had again.
    pub text: Option<String>,
    /// From when until when it works.
    pub(crate) validity: ValidityWindow,
    /// The description.
    pub description: String,
    /// The most that it may do.
    pub scopes: KeyScopes,
    /// The owner's display zone.
    pub zone: TimeZone,
}

impl ApiKey {
    /// Since when it works, in milliseconds since 1970.
    pub fn valid_from(&self) -> i64 {
        self.validity.from
    }

    /// When it expires, in milliseconds since 1970; none where that is the contract's "for ever" in some zone.
    pub fn expires(&self) -> Option<i64> {
        Some(self.validity.to).filter(|end| !is_endless(*end))
    }

    /// The object as `authToken` carries it; without `keyString` where the text is not known.
    pub fn json(&self) -> Json {
        let mut object = serde_json::Map::new();
        object.insert("id".into(), self.id.into());
        object.insert("userId".into(), self.user.into());
        if let Some(text) = &self.text {
            object.insert("keyString".into(), text.as_str().into());
        }
        object.insert("validFrom".into(), validity::text(self.validity.from, &self.zone).into());
        object.insert("validTo".into(), validity::text(self.validity.to, &self.zone).into());
        object.insert("description".into(), self.description.as_str().into());
        object.insert("permissions".into(), self.scopes.json());
        Json::Object(object)
    }
}

/// Returns true if an end of validity is the contract's "for ever" in some zone.
pub(super) fn is_endless(end: i64) -> bool {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    end >= validity::forever(&TimeZone::UTC) - DAY
}
