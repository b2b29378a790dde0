//! Users whose rights are explained.

use super::ExplainRequest;
use context::actor::Actor;
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use database::Tx;
use model::error::{Error, Result};
use model::types::SystemPermission;
use resources::users::own_row::with_person;
use resources::users::person;
use resources::users::person::Person;
use serde::Serialize;

/// A user whose rights are explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// The id.
    pub id: i64,
    /// The login.
    pub login: String,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The scopes that the rights are narrowed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// Why no key of the user works at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<&'static str>,
}

/// The user, and as whom the user acts.
pub(super) fn find(tx: &mut Tx<'_>, context: &RequestContext, request: &ExplainRequest) -> Result<(Account, Actor)> {
    let id = match request.user.parse() {
        Ok(id) => id,
        Err(_) => person::id_of(tx, &request.user)?,
    };
    let missing = || Error::missing("user_missing", format!("There is no user {}.", request.user));
    let person = Person::find(tx, id, &context.model)?.ok_or_else(missing)?;
    let scopes = match request.scopes.as_slice() {
        [] => KeyScopes::all(),
        texts => KeyScopes::parse_as_administrator(texts.iter().map(String::as_str), &context.model)?,
    };
    let active = person.is_active(context.now);
    let (login, roles) = (person.login().to_owned(), person.roles().to_vec());
    // Grants that a key's scopes leave nothing of are judged as well.
    let actor = with_person(person.within(tx, &context.model, scopes)?, tx, &context.model)?;
    let obstacle = match actor.require(SystemPermission::RestApi) {
        _ if !active => Some("The user is blocked, or the account is not valid now."),
        Err(_) => Some("No role of the user grants restApi."),
        Ok(()) => None,
    };
    let scopes = (!request.scopes.is_empty()).then(|| request.scopes.clone());
    Ok((Account { id, login, roles, scopes, obstacle }, actor))
}
