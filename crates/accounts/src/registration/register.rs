//! user.register.

use super::challenge::AccountChallenge;
use super::request::RegistrationRequest;
use super::send::send;
use super::state::{self, AccountUser};
use crate::keys::{self, NewKey, Origin};
use context::actor::Actor;
use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::caller_key::CallerKey;
use context::passwords::PasswordHash;
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use context::validity;
use database::{ReadCost, Tx};
use model::error::{Error, ErrorKind, InputProblem, Result};
use model::types::{Model, SystemPermission};
use resources::Body;
use resources::events;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use tenant::Tenant;

/// The result of a registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The user, as the caller may read it.
    pub object: Vec<u8>,
    /// The key of the user, which works once the account is verified (D-35).
    pub api_key: Option<String>,
    /// The identifier of the challenge, where there is one.
    pub challenge: Option<String>,
}

/// The lists that registrations are checked against.
pub fn envelope(context: &RequestContext) -> Result<Json> {
    permit(context)?;
    let settings = &context.model.settings.registration;
    Ok(json!({
        "allowedDomains": settings.allowed_domains,
        "allowedRoles": settings.allowed_roles,
        "allowedGroups": settings.allowed_groups,
    }))
}

/// Registers a user, out of the body of user.register. The permission is asked for first; then the body is read,
/// the tenant's lists are asked, and the password is hashed, all before the transaction.
pub async fn register(tenant: &Arc<Tenant>, key: &CallerKey, members: Map<String, Json>) -> Result<Registered> {
    let judge = move |_: &mut Tx<'_>, context: &RequestContext| {
        permit(context)?;
        let registration = RegistrationRequest::parse(&members, context.now)?;
        registration.check_allowed(&context.model.settings.registration)?;
        Ok(registration)
    };
    let registration = tenant.read(ReadCost::Point, key, judge).await?;
    let password = match &registration.password {
        Some(password) => {
            let login = Some(registration.email.as_str());
            Some(tenant.passwords().hash(password.clone(), login, tenant.environment().random.as_ref()).await?)
        }
        None => None,
    };
    tenant
        .write(key, move |tx, context| {
            // Rights and lists may be others than they were before the hash.
            permit(context)?;
            registration.check_allowed(&context.model.settings.registration)?;
            create(tx, context, &registration, password.as_ref())
        })
        .await
}

fn permit(context: &RequestContext) -> Result<()> {
    context.actor.require(SystemPermission::ApiUserRegistration)?;
    context.actor.require_command("user.register")
}

fn create(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    asked: &RegistrationRequest,
    password: Option<&PasswordHash>,
) -> Result<Registered> {
    let mut members = Map::new();
    members.insert("user_id".into(), asked.email.as_str().into());
    members.insert("user_name".into(), asked.name.as_str().into());
    members.insert("roles".into(), json!(asked.roles));
    if let Some(group) = &asked.group {
        members.insert("user_group".into(), group.as_str().into());
    }
    if let Some(phone) = &asked.phone {
        members.insert("phone".into(), phone.as_str().into());
    }
    state::waiting(&mut members);
    let body = match password {
        Some(hash) => Body::hashed(members, hash.clone()),
        None => Body::plain(members),
    };
    let elevated = context.elevated(context.actor.user);
    let id = resources::create(tx, &elevated, "user", &body).map_err(name_email)?.id;

    let user = AccountUser {
        id,
        login: asked.email.as_str().to_owned(),
        name: asked.name.clone(),
        phone: asked.phone.as_ref().map(|phone| phone.as_str().to_owned()),
    };
    let methods: Vec<&str> = asked.verification.methods.iter().map(|options| options.method().name()).collect();
    audit::record(context, AuditEvent::of(EventKind::UserRegistered, id).with("methods", methods));
    let challenge = AccountChallenge::create(tx, context, id, &asked.verification)?;
    send(tx, context, &user, &challenge, asked.verification.methods.iter())?;
    let api_key = match password.is_some() && may_use_api(&context.model, &asked.roles) {
        true => first_key(tx, context, id)?,
        false => None,
    };
    events::of_user(tx, context, model::automation::AutomationEvent::Registered, id)?;
    let object = resources::account(tx, context, context.actor.accounts(&context.model)?, id)?;
    Ok(Registered { object, api_key, challenge: challenge.identifier })
}

/// Returns true if one of the roles lets a user use the REST API.
fn may_use_api(model: &Model, roles: &[String]) -> bool {
    let scopes = KeyScopes::all();
    let actor = Actor::of_key(0, model.settings.timezone.clone(), model, roles, scopes);
    actor.require(SystemPermission::RestApi).is_ok()
}

fn first_key(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<Option<String>> {
    let zone = context.model.settings.timezone.clone();
    let (scopes, origin, valid_to) = (KeyScopes::all(), Origin::Registration, validity::forever(&zone));
    let key = NewKey { user, valid_to, description: None, scopes, origin, zone };
    Ok(keys::create(tx, context, key)?.text)
}

/// Tells of a login that is taken in the contract's words.
fn name_email(error: Error) -> Error {
    let login = |problem: &InputProblem| problem.property == "user_id";
    if error.kind != ErrorKind::Conflict || !error.problems.iter().any(login) {
        return error;
    }
    let message = "Another user has the same E-mail.".to_owned();
    let problem = InputProblem { property: "user_id".to_owned(), code: "unique", message: message.clone() };
    Error { problems: vec![problem], ..Error::conflict("unique", message) }
}
