//! user.resetpassword: a link for a new password, for the reader of an active account's mail.

use super::members::BodyMembers;
use super::secret::{self, SecretDigest};
use super::state;
use super::{method, request};
use base64ct::{Base64UrlUnpadded, Encoding};
use context::audit;
use context::audit::{AuditEvent, EventKind, RequestChannel, RequestSource};
use context::passwords::PasswordHash;
use context::request_context::RequestContext;
use context::throttle;
use context::vault::KeyPurpose;
use database::{ColumnType, ReadCost, Tx, Value, ValueRef};
use jiff::{SignedDuration, Timestamp};
use messages::outbox;
use messages::outbox::{Message, OutboxTask, Reference, Template, Values};
use model::email::EmailAddress;
use model::error::{Error, Result};
use model::redirect::RedirectUrl;
use model::table_names::RESET;
use model::types::SystemPermission;
use query::request::ItemRef;
use resources::Body;
use resources::users::active::active_name;
use serde_json::{Map, Value as Json, json};
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// The kind of the task that sends the link.
pub(super) const TASK: &str = "reset";
/// The time for which a link is good for.
const LIFE: SignedDuration = SignedDuration::from_hours(1);
/// The time for which the rows of links are kept that are good for nothing any more, to tell their followers why.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The body of user.resetpassword.
#[derive(Clone, Debug)]
pub struct Reset {
    email: EmailAddress,
    redirect: Option<RedirectUrl>,
}

/// A link as it is followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResetLink {
    /// True if a password may be set with it now.
    pub usable: bool,
    /// The address to go to once a password is set.
    pub redirect: Option<RedirectUrl>,
    /// The login of the user whose password it is, while one may be set.
    pub login: Option<String>,
}

impl Reset {
    /// Reads the body.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        let members = BodyMembers::of(members, &["user_id", "redirect_url"])?;
        let email = request::email(&members, "user_id", members.required_text("user_id")?)?;
        Ok(Reset { email, redirect: method::redirect(&members)? })
    }
}

/// Answers user.resetpassword. `reset` is what was read of the body: who lacks the permission is not told what is wrong
/// with it. Whether there is such a user is found out later, so that neither answer nor time tells of it (D-37).
pub fn reset(tx: &mut Tx<'_>, context: &RequestContext, reset: Result<Reset>) -> Result<Json> {
    context.actor.require(SystemPermission::ApiUserPasswordReset)?;
    context.actor.require_command("user.resetpassword")?;
    if !context.model.settings.api.allow_api_password_reset {
        let message = "The tenant does not allow passwords to be reset by the API.";
        return Err(Error::forbidden("reset_forbidden", message));
    }
    let Reset { email, redirect } = reset?;
    let mut input = json!({"email": email.as_str(), "redirect": redirect.as_ref().map(RedirectUrl::as_str)});
    input["asked"] = audit::asked(context);
    outbox::later(tx, context, &OutboxTask { kind: TASK.to_owned(), input })?;
    Ok(json!({"message": "Password reset initiated. E-mail sent to the user."}))
}

/// Sends the link, where there is an account that may sign in, and neither limit of its address is met.
pub(super) fn send(tx: &mut Tx<'_>, context: &RequestContext, input: &Json) -> Result<()> {
    let Some(email) = input["email"].as_str().and_then(EmailAddress::parse) else { return Ok(()) };
    let counters = throttle::RESET.map(|limit| limit.of(email.as_str()));
    if throttle::take(tx, &counters, context.now)?.is_some() {
        return Ok(());
    }
    let Some(user) = state::find(tx, &email)? else { return Ok(()) };
    let Some(name) = active_name(tx, context, user)? else { return Ok(()) };
    sweep(tx, context.now)?;
    // Of several links the newest works alone.
    end_links(tx, context, user)?;
    let token = secret::link_secret(context.random.as_ref());
    let expires = context.now + LIFE;
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&RESET).push(" (owner, digest, created, expires) VALUES (").bind(user);
    sql.push(", ").bind(Value::Bytes(SecretDigest::of_link(&token).0.to_vec()));
    sql.push(", ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(", ").bind(Value::Timestamp(expires.as_millisecond())).push(") RETURNING id");
    let mut id = 0;
    tx.query(&sql, &mut |row| {
        id = row.integer(0)?;
        Ok(())
    })?;
    let mut link = format!("/reset?token={token}");
    if let Some(redirect) = input["redirect"].as_str() {
        let bound = bound_to(user, &token);
        let sealed = context.vault()?.seal(KeyPurpose::Redirect, &bound, redirect.as_bytes(), context.random.as_ref());
        link.push_str("&redirect=");
        link.push_str(&Base64UrlUnpadded::encode_string(&sealed));
    }
    let values = Values { name, link: Some(link), expires: Some(expires), ..Values::default() };
    let (template, recipient, reference) = (Template::Reset, email.as_str().to_owned(), Some(Reference::Reset(id)));
    outbox::enqueue(tx, context, &Message { template, recipient, language: None, values, reference })?;
    audit::record(context, AuditEvent::of(EventKind::ResetAsked, user).asked(&input["asked"]));
    Ok(())
}

/// Asks for a link as user.resetpassword does, for anyone who fills in its page, without a key.
pub async fn ask_reset(tenant: &Arc<Tenant>, reset: Reset, address: IpAddr) -> Result<()> {
    let message = "Too many links were asked for. Try again in a minute.";
    tenant.count_try(vec![throttle::FORGOT.of_network(address)], "reset_throttled", message).await?;
    let source = RequestSource { via: RequestChannel::Page, key: None, address: Some(address) };
    tenant
        .write_elevated(move |tx, context| self::reset(tx, &context.come_from(source), Ok(reset.clone())).map(drop))
        .await
}

/// Returns the findings of a link that is followed, by its parameters `token` and `redirect`. A
/// redirect that was not sealed for this very link is none.
pub async fn reset_link(tenant: &Arc<Tenant>, token: &str, redirect: Option<&str>) -> Result<ResetLink> {
    let (token, redirect) = (token.to_owned(), redirect.map(str::to_owned));
    tenant
        .read_elevated(ReadCost::Point, move |tx, context| {
            let Some(row) = LinkRow::find(tx, &token)? else { return Ok(ResetLink::default()) };
            let redirect = match &redirect {
                Some(sealed) => open(context, row.owner, &token, sealed)?,
                None => None,
            };
            let person = resources::users::Person::active(tx, row.owner, &context.model, context.now)?;
            let login = person.filter(|_| row.usable(context.now)).map(|person| person.login().to_owned());
            Ok(ResetLink { usable: login.is_some(), redirect, login })
        })
        .await
}

/// Sets a new password by a link's token, once. It ends all sessions of the user, all other links, and the keys
/// that the old password made (`api.resetRevokesKeys`). Gives the user.
pub async fn reset_with(tenant: &Arc<Tenant>, token: &str, password: String, address: IpAddr) -> Result<i64> {
    let wanted = token.to_owned();
    let login = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let row = LinkRow::find(tx, &wanted)?.filter(|row| row.usable(context.now));
        let person =
            row.map(|row| resources::users::Person::active(tx, row.owner, &context.model, context.now)).transpose()?;
        Ok(person.flatten().map(|person| person.login().to_owned()))
    };
    // A hash is made for links alone that can be used.
    let login = tenant.read_elevated(ReadCost::Point, login).await?.ok_or_else(unusable)?;
    let hash = tenant.passwords().hash(password, Some(&login), tenant.environment().random.as_ref()).await?;
    let token = token.to_owned();
    let source = RequestSource { via: RequestChannel::Page, key: None, address: Some(address) };
    tenant.write_elevated(move |tx, context| set(tx, &context.come_from(source), &token, &hash)).await
}

/// The row of a link.
struct LinkRow {
    id: i64,
    owner: i64,
    expires: i64,
    used: bool,
}

impl LinkRow {
    fn find(tx: &mut Tx<'_>, token: &str) -> Result<Option<Self>> {
        let mut sql = tx.sql();
        sql.push("SELECT id, owner, expires, used FROM ").table(&RESET).push(" WHERE digest = ");
        sql.bind(Value::Bytes(SecretDigest::of_link(token).0.to_vec()));
        let mut found = None;
        tx.query(&sql, &mut |row| {
            let expires = match row.get(2, ColumnType::Timestamp)? {
                ValueRef::Timestamp(expires) => expires,
                _ => i64::MIN,
            };
            found = Some(LinkRow { id: row.integer(0)?, owner: row.integer(1)?, expires, used: !row.is_null(3)? });
            Ok(())
        })?;
        Ok(found)
    }

    fn usable(&self, now: Timestamp) -> bool {
        !self.used && now.as_millisecond() < self.expires
    }
}

fn set(tx: &mut Tx<'_>, context: &RequestContext, token: &str, password: &PasswordHash) -> Result<i64> {
    let row = LinkRow::find(tx, token)?.filter(|row| row.usable(context.now)).ok_or_else(unusable)?;
    // The user's row is locked first, as everywhere; of two who use one link, the second finds it used.
    active_name(tx, context, row.owner)?.ok_or_else(unusable)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RESET).push(" SET used = ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" WHERE used IS NULL AND id = ").bind(row.id);
    if tx.execute(&sql)? != 1 {
        return Err(unusable());
    }
    let body = Body::hashed(Map::new(), password.clone());
    let context = context.elevated(row.owner);
    audit::record(&context, AuditEvent::of(EventKind::ResetDone, row.owner));
    resources::patch(tx, &context, "user", &ItemRef::Id(row.owner), None, &body)?;
    Ok(row.owner)
}

/// Ends the links that a user was mailed, and takes back what was not sent.
pub(super) fn end_links(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&RESET).push(" SET used = ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" WHERE used IS NULL AND owner = ").bind(user).push(" RETURNING id");
    let mut ended = Vec::new();
    tx.query(&sql, &mut |row| {
        ended.push(Value::Integer(row.integer(0)?));
        Ok(())
    })?;
    outbox::cancel_resets(tx, context, ended)
}

/// Forgets the links of users that are deleted.
pub(super) fn forget(tx: &mut Tx<'_>, users: &[Value]) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RESET).push(" WHERE owner").any_of(ColumnType::Integer, users.to_vec());
    tx.execute(&sql)?;
    Ok(())
}

fn sweep(tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RESET).push(" WHERE expires < ");
    sql.bind(Value::Timestamp((now - KEPT).as_millisecond()));
    tx.execute(&sql)?;
    Ok(())
}

fn open(context: &RequestContext, user: i64, token: &str, sealed: &str) -> Result<Option<RedirectUrl>> {
    let Ok(sealed) = Base64UrlUnpadded::decode_vec(sealed) else { return Ok(None) };
    let opened = context.vault()?.open(KeyPurpose::Redirect, &bound_to(user, token), &sealed);
    Ok(opened.and_then(|bytes| RedirectUrl::parse(std::str::from_utf8(&bytes).ok()?)))
}

/// Returns the bytes that a redirect is bound to, beside its purpose and tenant.
fn bound_to(user: i64, token: &str) -> Vec<u8> {
    format!("reset {user} {token}").into_bytes()
}

fn unusable() -> Error {
    Error::invalid("reset_unusable", "The link was used before, or is too old. Ask for another one.")
}
