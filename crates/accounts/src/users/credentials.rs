//! The end of links, sessions and keys when the password, the login or the phone number of an account changes, by any
//! user.

use crate::keys;
use crate::registration;
use crate::sessions;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::user_columns::{decides_about_sign_in, property};

/// Ends what the account had by its former values: links and codes, sessions, and keys that the old password made.
pub fn changed(tx: &mut Tx<'_>, context: &RequestContext, user: i64, properties: &[i64]) -> Result<()> {
    let [login, password, phone] =
        [property::LOGIN, property::PASSWORD, property::PHONE].map(|property| properties.contains(&property));
    if login || password {
        registration::end_secrets(tx, context, user)?;
    } else if phone {
        registration::end_texts(tx, context, user)?;
    }
    if login || properties.iter().copied().any(decides_about_sign_in) {
        sessions::end_of_users(tx, context, vec![user.into()])?;
    }
    if password && context.model.settings.api.reset_revokes_keys && !context.keeps_keys {
        keys::revoke_of_password(tx, context, user)?;
    }
    Ok(())
}
