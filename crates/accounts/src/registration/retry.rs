//! user.retrychallenge: new secrets in the place of those that did not arrive.

use super::challenge;
use super::members::BodyMembers;
use super::method::MethodOptions;
use super::request;
use super::send::send;
use super::state::{self, LockPurpose, LockedAccount, PendingAccount};
use context::request_context::RequestContext;
use database::Tx;
use messages::outbox;
use messages::outbox::{Method, OutboxTask};
use model::email::EmailAddress;
use model::error::{Error, ErrorKind, Result};
use model::types::SystemPermission;
use serde_json::{Map, Value as Json, json};

/// The kind of the task that recovers.
pub(super) const TASK: &str = "recover";
/// The one answer of recovery.
const RECOVERED: &str = "If a pending verification exists, a new code has been sent.";

/// The body of user.retrychallenge.
#[derive(Clone, Debug)]
pub struct Retry {
    who: RetryUser,
    challenge: Option<String>,
    method: Option<Method>,
}

/// The user whose challenge it is; where both are given, both name the same user.
#[derive(Clone, Debug)]
struct RetryUser {
    id: Option<i64>,
    email: Option<EmailAddress>,
}

impl Retry {
    /// Reads the body.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        let members = BodyMembers::of(members, &["userId", "userEmail", "challengeId", "method"])?;
        let id = members.integer("userId")?;
        let email = members.text("userEmail")?.map(|text| request::email(&members, "userEmail", text)).transpose()?;
        if id.is_none() && email.is_none() {
            return Err(members.refuse("userId", "required", "or userEmail must be given"));
        }
        let challenge = match members.text("challengeId")? {
            Some("") => return Err(members.missing("challengeId")),
            text => text.map(str::to_owned),
        };
        let method = members.text("method")?.map(|name| {
            let unknown = || members.refuse("method", "method_unknown", "must be mail_link, mail_code or sms_code");
            Method::named(name).ok_or_else(unknown)
        });
        Ok(Retry { who: RetryUser { id, email }, challenge, method: method.transpose()? })
    }
}

/// Answers user.retrychallenge. `retry` is what was read of the body: who lacks the permission is not told what is wrong
/// with it.
pub fn retry(tx: &mut Tx<'_>, context: &RequestContext, retry: Result<Retry>) -> Result<Json> {
    context.actor.require(SystemPermission::ApiUserRegistration)?;
    context.actor.require_command("user.retrychallenge")?;
    let retry = retry?;
    if let Some(identifier) = &retry.challenge {
        return targeted(tx, context, &retry, identifier);
    }
    // Whatever there is to be found is found later, so that neither answer nor time tells of it (D-37).
    let RetryUser { id, email } = &retry.who;
    let input = json!({
        "id": id, "email": email.as_ref().map(EmailAddress::as_str), "method": retry.method.map(Method::name),
    });
    outbox::later(tx, context, &OutboxTask { kind: TASK.to_owned(), input })?;
    Ok(json!({"message": RECOVERED}))
}

/// Does what recovery promised. What stands against it is silent.
pub(super) fn recover(tx: &mut Tx<'_>, context: &RequestContext, input: &Json) -> Result<()> {
    let who = RetryUser { id: input["id"].as_i64(), email: input["email"].as_str().and_then(EmailAddress::parse) };
    let method = input["method"].as_str().and_then(Method::named);
    let Some(pending) = pending(tx, &who)? else { return Ok(()) };
    let methods = pending.challenge.methods(tx)?;
    let wanted = |options: &&MethodOptions| method.is_none_or(|method| options.method() == method);
    let outstanding: Vec<&MethodOptions> =
        methods.iter().filter(|row| !row.done).map(|row| &row.options).filter(wanted).collect();
    match renew(tx, context, &pending, &outstanding) {
        Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::TooMany { .. }) => Ok(()),
        outcome => outcome,
    }
}

fn targeted(tx: &mut Tx<'_>, context: &RequestContext, retry: &Retry, identifier: &str) -> Result<Json> {
    let missing = || Error::missing("challenge_missing", "There is no such challenge of that user.");
    let pending = match found(tx, &retry.who)? {
        None => return Err(Error::missing("user_missing", "There is no such user.")),
        Some(LockedAccount::Pending(pending)) => pending,
        Some(LockedAccount::Active(user)) => return completed(tx, user.id, retry, identifier)?.ok_or_else(missing),
    };
    if pending.challenge.identifier.as_deref() != Some(identifier) {
        return Err(missing());
    }
    let methods = pending.challenge.methods(tx)?;
    let wanted: Vec<_> =
        methods.iter().filter(|row| retry.method.is_none_or(|method| row.options.method() == method)).collect();
    if wanted.is_empty() {
        return Err(Error::missing("method_missing", "The challenge has no such method."));
    }
    let outstanding: Vec<&MethodOptions> = wanted.iter().filter(|row| !row.done).map(|row| &row.options).collect();
    renew(tx, context, &pending, &outstanding)?;
    let names = |done: bool| -> Vec<&str> {
        wanted.iter().filter(|row| row.done == done).map(|row| row.options.method().name()).collect()
    };
    Ok(json!({"challengeId": identifier, "retried": names(false), "skipped": names(true)}))
}

/// The answer of a challenge that is completed: all of it is skipped. None where it is not that user's.
fn completed(tx: &mut Tx<'_>, user: i64, retry: &Retry, identifier: &str) -> Result<Option<Json>> {
    let methods = challenge::completed_methods(tx, user, identifier)?;
    if methods.is_empty() {
        return Ok(None);
    }
    let skipped: Vec<&str> = methods
        .into_iter()
        .filter(|method| retry.method.is_none_or(|wanted| *method == wanted))
        .map(Method::name)
        .collect();
    if skipped.is_empty() {
        return Err(Error::missing("method_missing", "The challenge has no such method."));
    }
    Ok(Some(json!({"challengeId": identifier, "retried": [], "skipped": skipped})))
}

/// Renews secrets, within cooldown and cap. Where there is none to renew, nothing is counted (D-31).
fn renew(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    pending: &PendingAccount,
    outstanding: &[&MethodOptions],
) -> Result<()> {
    if outstanding.is_empty() {
        return Ok(());
    }
    let limits = context.model.settings.registration.challenge;
    let challenge = &pending.challenge;
    if challenge.retries >= limits.cap {
        return Err(Error::invalid("retry_limit", "Retry limit reached for this challenge."));
    }
    let now = context.now.as_millisecond();
    if challenge.retried.is_some_and(|retried| now < retried.saturating_add(limits.cooldown * 1_000)) {
        return Err(Error::invalid("retry_cooldown", "Retry cooldown active."));
    }
    send(tx, context, &pending.user, challenge, outstanding.iter().copied())?;
    challenge.count_retry(tx, context)
}

fn found(tx: &mut Tx<'_>, who: &RetryUser) -> Result<Option<LockedAccount>> {
    let id = match &who.email {
        None => who.id,
        Some(email) => state::find(tx, email)?.filter(|found| who.id.is_none_or(|id| id == *found)),
    };
    match id {
        Some(id) => state::lock(tx, id, LockPurpose::Change),
        None => Ok(None),
    }
}

fn pending(tx: &mut Tx<'_>, who: &RetryUser) -> Result<Option<PendingAccount>> {
    Ok(match found(tx, who)? {
        Some(LockedAccount::Pending(pending)) => Some(pending),
        _ => None,
    })
}
