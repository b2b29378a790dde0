//! Signing in to the pages: the checks and throttles of POST /auth, and a session in the place of a key.

use super::session::Browser;
use super::{SessionToken, change};
use crate::users;
use crate::users::Credentials;
use model::error::{Error, Result};
use resources::users::Person;
use std::sync::Arc;
use tenant::Tenant;

/// The data with which a browser signs in.
#[derive(Clone)]
pub struct PageSignIn {
    /// The login name.
    pub login: String,
    /// The password.
    pub password: String,
    /// The browser.
    pub browser: Browser,
    /// The token that the browser had: what it led to ends.
    pub before: Option<SessionToken>,
}

/// Begins a session for the right password. Every user who is active may, with the permission `restApi` or
/// without it: the pages show a user no more than what is the user's own.
pub async fn sign_in_to_pages(tenant: &Arc<Tenant>, input: PageSignIn) -> Result<SessionToken> {
    let PageSignIn { login, password, browser, before } = input;
    let model = tenant.model().await?;
    let credentials = Credentials { login, password, address: browser.address };
    let proven = users::prove(tenant, credentials, &model, |_| true).await?;
    let _turn = proven.turn();
    tenant
        .write_beside_freeze(move |tx, context| {
            proven.confirm(tx, &context.model, context.now)?;
            let person = Person::active(tx, proven.user(), &context.model, context.now)?;
            let person = person.ok_or_else(|| Error::failed("a confirmed user is not active"))?;
            change::begin(tx, context, &person, &browser, before.as_ref())
        })
        .await
}
