//! user.cancelregistration: a pending account goes, and its keys with it.

use super::members::BodyMembers;
use super::state::{self, LockPurpose, LockedAccount};
use crate::keys;
use context::key_text::KeyText;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::types::SystemPermission;
use serde_json::{Map, Value as Json, json};

/// The body of user.cancelregistration.
#[derive(Clone)]
pub struct Cancellation {
    user: i64,
    /// A key's text, or what was given for one.
    key: Option<String>,
}

impl Cancellation {
    /// Reads the body.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        let members = BodyMembers::of(members, &["userId", "apiKey"])?;
        let user = members.integer("userId")?.ok_or_else(|| members.missing("userId"))?;
        let key = members.text("apiKey")?.filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Cancellation { user, key })
    }
}

/// Answers user.cancelregistration, with checks in the order of D-34. `cancellation` is what was read of the body: who
/// lacks the permission is not told what is wrong with it.
pub fn cancel(tx: &mut Tx<'_>, context: &RequestContext, cancellation: Result<Cancellation>) -> Result<Json> {
    context.actor.require(SystemPermission::ApiUserRegistration)?;
    context.actor.require_command("user.cancelregistration")?;
    let Cancellation { user, key } = cancellation?;
    let pending = match state::lock(tx, user, LockPurpose::Deletion)? {
        None => return Err(Error::missing("user_missing", "There is no such user.")),
        Some(LockedAccount::Active(_)) => {
            return Err(Error::conflict("registration_completed", "The registration is completed."));
        }
        Some(LockedAccount::Pending(pending)) => pending,
    };
    check_key(tx, user, key.as_deref())?;
    pending.cancel(tx, context)?;
    Ok(json!({"message": "Registration cancelled and user deleted.", "userId": user}))
}

/// Checks that the caller who cancels has the key that the user was given, where there is one. Of several it is the one
/// that came of the registration.
fn check_key(tx: &mut Tx<'_>, user: i64, given: Option<&str>) -> Result<()> {
    let key = given.and_then(|text| KeyText::parse(text).ok());
    match (keys::of_registration(tx, user, key.as_ref())?, given) {
        (Some(true), _) | (None, None) => Ok(()),
        (Some(_), None) => Err(Error::invalid("api_key_missing", "apiKey is missing: the user has a key.")),
        (_, Some(_)) => Err(foreign()),
    }
}

fn foreign() -> Error {
    Error::forbidden("api_key_foreign", "apiKey does not belong to the user.")
}
