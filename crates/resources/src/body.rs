//! Bodies that a client sends to be written. Passwords in them are hashed before a database job begins.

use context::caller_key::CallerKey;
use context::passwords::PasswordHash;
use database::{ReadCost, Value};
use model::error::{Error, Result};
use model::json::LongNumber;
use model::kinds::StoredValue;
use model::types::{Property, ResourceType, SystemPermission};
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use tenant::Tenant;

/// The members of a body, by the names that the client wrote.
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) members: Map<String, Json>,
    /// The hash that stands for the member `password` of a user.
    pub password: Option<PasswordHash>,
    /// The numbers of many digits, as they are written.
    pub(super) long_numbers: Vec<LongNumber>,
}

const PASSWORD: &str = "password";

impl Body {
    /// A body without a password.
    pub fn plain(members: Map<String, Json>) -> Self {
        Body { members, password: None, long_numbers: Vec::new() }
    }

    /// The members, by the names that the client wrote.
    pub fn members(&self) -> &Map<String, Json> {
        &self.members
    }

    /// The numbers of many digits, as they are written.
    pub fn long_numbers(&self) -> &[LongNumber] {
        &self.long_numbers
    }

    /// The same body with other members.
    #[must_use]
    pub fn with_members(&self, members: Map<String, Json>) -> Self {
        Body { members, ..self.clone() }
    }

    /// The body with the members of another one in addition.
    #[must_use]
    pub fn with(&self, other: &Body) -> Self {
        let mut body = self.clone();
        body.members.extend(other.members.clone());
        body.password = body.password.or_else(|| other.password.clone());
        body.long_numbers.extend(other.long_numbers.iter().cloned());
        body
    }

    /// The body with its numbers of many digits, which may have lost some when they were read
    /// ([`model::json::long_numbers`]).
    #[must_use]
    pub fn with_long_numbers(self, long_numbers: Vec<LongNumber>) -> Self {
        Body { long_numbers, ..self }
    }

    /// A number of a member as it is written, where it has many digits.
    pub fn literal(&self, member: &str, number: f64) -> Option<&str> {
        let same = |long: &&LongNumber| long.member == member && long.literal.parse() == Ok(number);
        self.long_numbers.iter().find(same).map(|long| long.literal.as_str())
    }

    /// A body with the hash of a password.
    pub fn hashed(mut members: Map<String, Json>, hash: PasswordHash) -> Self {
        members.insert(PASSWORD.to_owned(), Json::String(String::new()));
        Body { members, password: Some(hash), long_numbers: Vec::new() }
    }

    /// Fails where the password is the login that the account has with these values.
    pub(super) fn check_login(&self, of: &ResourceType, values: impl Fn(&Property) -> StoredValue) -> Result<()> {
        let Some(password) = self.password.as_ref().filter(|_| of.id == USER_TYPE) else { return Ok(()) };
        let login = of.fields.iter().find(|field| field.id == model::user_columns::property::LOGIN).map(values);
        match login {
            Some(StoredValue::One(Value::Text(login))) => password.check_login(&login),
            _ => Ok(()),
        }
    }
}

/// Makes a client's object ready to be written. A user's password is checked and hashed here, outside of any
/// transaction; only a caller with the permission `admin` gets that far.
pub async fn prepare(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    collection: &str,
    members: Map<String, Json>,
) -> Result<Body> {
    let of_user = collection == "user" || collection.parse() == Ok(USER_TYPE);
    let password = match members.get(PASSWORD) {
        Some(Json::String(password)) if of_user => password.clone(),
        _ => return Ok(Body::plain(members)),
    };
    tenant.read(ReadCost::Point, key, |_, request| request.actor.require(SystemPermission::Admin)).await?;
    let hash = tenant.passwords().hash(password, None, tenant.environment().random.as_ref()).await?;
    Ok(Body::hashed(members, hash))
}

/// The object in a parsed body.
pub fn object(json: Json) -> Result<Map<String, Json>> {
    match json {
        Json::Object(members) => Ok(members),
        _ => Err(Error::invalid("body_not_object", "The body must be a JSON object.")),
    }
}
