//! What a client sends to be written. Passwords in it are hashed before a database job begins.

use crate::error::{Error, Result};
use crate::keys::KeyText;
use crate::tenants::Tenant;
use crate::types::SystemPermission;
use crate::users::{self, USER_TYPE};
use database::Cost;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// The members of a body, by the names that the client wrote.
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) members: Map<String, Json>,
    /// The hash that stands for the member `password` of a user.
    pub(super) password: Option<String>,
    /// The members with numbers that have lost digits.
    pub(super) imprecise: Vec<String>,
}

const PASSWORD: &str = "password";

impl Body {
    /// A body without a password.
    pub fn plain(members: Map<String, Json>) -> Self {
        Body { members, password: None, imprecise: Vec::new() }
    }

    /// The body, of which these members have numbers that lost digits when they were read
    /// ([`crate::json::imprecise_members`]).
    #[must_use]
    pub fn imprecise(self, imprecise: Vec<String>) -> Self {
        Body { imprecise, ..self }
    }

    /// A body with the hash of a password.
    pub(crate) fn hashed(mut members: Map<String, Json>, hash: String) -> Self {
        members.insert(PASSWORD.to_owned(), Json::String(String::new()));
        Body { members, password: Some(hash), imprecise: Vec::new() }
    }
}

impl Tenant {
    /// Makes a client's object ready to be written. A user's password is checked and hashed here, outside of any
    /// transaction; only a caller with the permission `admin` gets that far.
    pub async fn prepare(
        self: &Arc<Self>,
        key: &KeyText,
        collection: &str,
        members: Map<String, Json>,
    ) -> Result<Body> {
        let of_user = collection == "user" || collection.parse() == Ok(USER_TYPE);
        let password = match members.get(PASSWORD) {
            Some(Json::String(password)) if of_user => password.clone(),
            _ => return Ok(Body::plain(members)),
        };
        self.read(Cost::Point, key, |_, call| call.actor.require(SystemPermission::Admin)).await?;
        users::check_password(&password)?;
        let hash = self.passwords.hash(password, self.world.random.as_ref()).await?;
        Ok(Body::hashed(members, hash))
    }
}

/// The object in a parsed body.
pub fn object(json: Json) -> Result<Map<String, Json>> {
    match json {
        Json::Object(members) => Ok(members),
        _ => Err(Error::invalid("body_not_object", "The body must be a JSON object.")),
    }
}
