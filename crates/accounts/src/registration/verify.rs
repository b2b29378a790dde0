//! user.challenge: a secret is compared with what is stored of it, and the account goes on.
//!
//! The try is counted in a transaction of its own, committed before anything is compared, so that no parallelism gives
//! more tries than a secret has (A028). What is done then rests on one update that must change one row: of all who come
//! with the right secret, one verifies the method, and one completes the challenge (A031).

use super::challenge::{self, ChallengePage};
use super::code::CodeShape;
use super::members::BodyMembers;
use super::method::MethodOptions;
use super::secret::SecretDigest;
use super::state::{self, LockPurpose, LockedAccount};
use context::audit;
use context::audit::{AuditEvent, EventKind, RequestChannel, RequestSource};
use context::request_context::RequestContext;
use context::throttle;
use database::{ColumnType, ReadCost, Sql, Tx, Value, ValueRef};
use messages::outbox::Method;
use model::error::Result;
use model::redirect::RedirectUrl;
use model::table_names::{CHALLENGE, CHALLENGE_METHOD};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// The longest secret that is looked at, in bytes; longer ones are no secrets.
const LONGEST: usize = 200;

/// The data with which somebody verifies a method.
#[derive(Clone)]
pub struct Proof {
    user: i64,
    /// An identifier in the form of ours; whatever else was given is none.
    challenge: Option<String>,
    method: Method,
    secret: String,
    via: RequestChannel,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The secret is wrong, expired or used up, or there is no such challenge: nobody is told which (D-32).
    Failed,
    /// The method was verified before.
    AlreadyDone,
    /// The method is verified by this.
    Verified(VerifiedAccount),
}

/// A method that was verified just now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedAccount {
    /// The user whose account it is.
    pub user: i64,
    /// True if it was the last one: the account is active.
    pub completed: bool,
    /// The address that this leads to, `status=success` in it.
    pub redirect: Option<String>,
    /// True if the web flow signs the user in: the account is active, and no redirect is configured anywhere, so that
    /// no integration owns the session.
    pub sign_in: bool,
}

impl Proof {
    /// Reads the body of user.challenge.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        let members = BodyMembers::of(members, &["userId", "challengeId", "method", "secret"])?;
        let user = members.integer("userId")?.ok_or_else(|| members.missing("userId"))?;
        let challenge = members.required_text("challengeId")?;
        let name = members.required_text("method")?;
        let method = Method::named(name)
            .ok_or_else(|| members.refuse("method", "method_unknown", "must be mail_link, mail_code or sms_code"))?;
        let secret = members.required_text("secret")?;
        for (name, text) in [("challengeId", challenge), ("secret", secret)] {
            if text.len() > LONGEST {
                return Err(members.refuse(name, "too_long", &format!("must have at most {LONGEST} characters")));
            }
        }
        let challenge = Some(challenge).filter(|text| challenge::is_identifier(text)).map(str::to_owned);
        Ok(Proof { user, challenge, method, secret: secret.to_owned(), via: RequestChannel::Api })
    }

    /// The same out of a link's query. A number is what its digits say.
    pub fn of_query(query: &[(String, String)]) -> Result<Self> {
        let member = |(name, text): &(String, String)| {
            let number = (name == "userId").then(|| text.parse::<i64>().ok()).flatten();
            (name.clone(), number.map_or_else(|| Json::from(text.as_str()), Json::from))
        };
        Ok(Proof { via: RequestChannel::Page, ..Proof::parse(&query.iter().map(member).collect())? })
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }
}

impl Outcome {
    /// The body of the answer.
    pub fn json(&self) -> Json {
        match self {
            Outcome::Failed => json!({"methodDone": false, "challengeCompleted": false}),
            Outcome::AlreadyDone => json!({"message": "Method already done."}),
            Outcome::Verified(VerifiedAccount { completed, redirect, .. }) => {
                let mut body = json!({"methodDone": true, "challengeCompleted": completed});
                if let Some(redirect) = redirect {
                    body["redirect"] = redirect.as_str().into();
                }
                body
            }
        }
    }
}

/// The content that a counted try may be compared with.
enum CountedTry {
    /// The challenge's row, what is stored of the secret, and what the secret looks like where it is a code.
    Granted(i64, Vec<u8>, Option<CodeShape>),
    AlreadyDone,
    Refused,
}

/// Verifies a method, for anyone who has its secret.
pub async fn verify(tenant: &Arc<Tenant>, proof: Proof, address: IpAddr) -> Result<Outcome> {
    let message = "Too many tries to verify. Try again in a minute.";
    tenant.count_try(vec![throttle::CHALLENGE.of_network(address)], "challenge_throttled", message).await?;
    let counted = proof.clone();
    let (granted, found) = tenant
        .write_elevated(move |tx, context| {
            let granted = count(tx, context, &counted)?;
            // Of what is not there a digest is made as well, so that both take as long.
            let identifier = counted.challenge.as_deref().unwrap_or("");
            let typed = match &granted {
                CountedTry::Granted(_, _, Some(shape)) => shape.as_generated(&counted.secret),
                _ => Cow::Borrowed(counted.secret.as_str()),
            };
            let digests = SecretDigest::all(context.vault()?, identifier, counted.method, &typed);
            Ok((granted, digests))
        })
        .await?;
    let (challenge, stored) = match granted {
        CountedTry::Granted(challenge, stored, _) => (challenge, stored),
        CountedTry::AlreadyDone => return Ok(Outcome::AlreadyDone),
        CountedTry::Refused => return Ok(Outcome::Failed),
    };
    if !found.iter().fold(false, |same, digest| same | digest.is(&stored)) {
        return Ok(Outcome::Failed);
    }
    let source = RequestSource { via: proof.via, key: None, address: Some(address) };
    tenant.write_elevated(move |tx, context| settle(tx, &context.come_from(source), &proof, challenge, &stored)).await
}

/// Returns what the pages of a challenge show.
pub async fn challenge_page(tenant: &Arc<Tenant>, user: i64, identifier: &str) -> Result<ChallengePage> {
    let identifier = identifier.to_owned();
    tenant.read_elevated(ReadCost::Point, move |tx, _| ChallengePage::find(tx, user, &identifier)).await
}

/// Counts a try, where the secret has one left.
fn count(tx: &mut Tx<'_>, context: &RequestContext, proof: &Proof) -> Result<CountedTry> {
    let Some(identifier) = &proof.challenge else { return Ok(CountedTry::Refused) };
    let row = |sql: &mut Sql| {
        sql.push(" WHERE challenge = (SELECT id FROM ").table(&CHALLENGE).push(" WHERE identifier = ");
        sql.bind(identifier.as_str()).push(" AND owner = ").bind(proof.user);
        sql.push(") AND method = ").bind(proof.method.name());
    };
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&CHALLENGE_METHOD).push(" SET tries = tries + 1");
    row(&mut sql);
    sql.push(" AND done IS NULL AND tries < ").bind(context.model.settings.registration.challenge.attempts);
    sql.push(" AND expires > ")
        .bind(Value::Timestamp(context.now.as_millisecond()))
        .push(" RETURNING challenge, digest, options");
    let mut granted = CountedTry::Refused;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(digest) = row.get(1, ColumnType::Bytes)? {
            let options = MethodOptions::of_stored(proof.method, row.text(2)?);
            let shape = options.and_then(|options| options.secret.code().cloned());
            granted = CountedTry::Granted(row.integer(0)?, digest.to_vec(), shape);
        }
        Ok(())
    })?;
    if matches!(granted, CountedTry::Refused) {
        let mut sql = tx.sql();
        sql.push("SELECT done FROM ").table(&CHALLENGE_METHOD);
        row(&mut sql);
        tx.query(&sql, &mut |row| {
            if !row.is_null(0)? {
                granted = CountedTry::AlreadyDone;
            }
            Ok(())
        })?;
    }
    Ok(granted)
}

/// Marks the method as done, and activates the account where it was the last one. The account may be gone, or active,
/// and the secret another one, since the try was counted.
fn settle(tx: &mut Tx<'_>, context: &RequestContext, proof: &Proof, challenge: i64, digest: &[u8]) -> Result<Outcome> {
    let Some(LockedAccount::Pending(pending)) = state::lock(tx, proof.user, LockPurpose::Change)? else {
        return Ok(lost(is_done(tx, challenge, proof.method)?));
    };
    let now = Value::Timestamp(context.now.as_millisecond());
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&CHALLENGE_METHOD).push(" SET done = ").bind(now.clone());
    sql.push(" WHERE challenge = ").bind(challenge).push(" AND method = ").bind(proof.method.name());
    sql.push(" AND done IS NULL AND expires > ").bind(now).push(" AND digest = ").bind(Value::Bytes(digest.to_vec()));
    if tx.execute(&sql)? != 1 || pending.challenge.id != challenge {
        return Ok(lost(is_done(tx, challenge, proof.method)?));
    }
    let methods = pending.challenge.methods(tx)?;
    let completed = methods.iter().all(|method| method.done);
    let redirect = pending.challenge.redirects(&methods, proof.method).resolve(completed).map(RedirectUrl::success);
    let configured =
        pending.challenge.redirect.is_some() || methods.iter().any(|method| method.options.redirect.is_some());
    let done = AuditEvent::of(EventKind::UserVerified, proof.user).by(proof.user).with("method", proof.method.name());
    audit::record(context, done.with("completed", completed));
    if completed {
        pending.activate(tx, context)?;
    }
    Ok(Outcome::Verified(VerifiedAccount { user: proof.user, completed, redirect, sign_in: completed && !configured }))
}

/// Returns the outcome for a caller who was overtaken, who finds the method as it is.
fn lost(done: bool) -> Outcome {
    if done { Outcome::AlreadyDone } else { Outcome::Failed }
}

fn is_done(tx: &mut Tx<'_>, challenge: i64, method: Method) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT done FROM ").table(&CHALLENGE_METHOD).push(" WHERE challenge = ").bind(challenge);
    sql.push(" AND method = ").bind(method.name());
    let mut done = false;
    tx.query(&sql, &mut |row| {
        done = !row.is_null(0)?;
        Ok(())
    })?;
    Ok(done)
}
