//! The rows of a challenge: one for each registration, and one for each of its methods.

use super::method::MethodOptions;
use super::request::VerificationRequest;
use super::secret::SecretDigest;
use context::request_context::RequestContext;
use database::{ColumnType, Row, Tx, Value, ValueRef};
use messages::outbox;
use messages::outbox::Method;
use model::error::{Error, Result};
use model::redirect::{RedirectUrl, RedirectUrls};
use model::table_names::{CHALLENGE, CHALLENGE_METHOD};
use std::collections::BTreeSet;

/// The beginning of identifiers; 128 random bits in base32 follow.
const PREFIX: &str = "ch_";

/// The challenge of an account that waits.
#[derive(Clone, Debug)]
pub(super) struct AccountChallenge {
    /// The id of the row.
    pub(super) id: i64,
    /// The identifier; none where the account waits for somebody else to activate it (D-30).
    pub(super) identifier: Option<String>,
    pub(super) title: Option<String>,
    pub(super) redirect: Option<RedirectUrl>,
    pub(super) retries: i64,
    /// When it was retried last, in milliseconds since 1970.
    pub(super) retried: Option<i64>,
}

/// A method of a challenge.
#[derive(Clone, Debug)]
pub(super) struct MethodRow {
    pub(super) options: MethodOptions,
    pub(super) done: bool,
}

/// Returns true if a text has the form of an identifier. Nothing else is looked up.
pub(super) fn is_identifier(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(tenant::storage::is_token)
}

impl AccountChallenge {
    /// Makes the challenge of a new account.
    pub(super) fn create(
        tx: &mut Tx<'_>,
        context: &RequestContext,
        owner: i64,
        asked: &VerificationRequest,
    ) -> Result<Self> {
        let random = context.random.as_ref();
        let identifier = (!asked.methods.is_empty()).then(|| format!("{PREFIX}{}", tenant::storage::token(random)));
        let (title, redirect) = (asked.title.clone(), asked.redirect.clone());
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&CHALLENGE).push(" (identifier, owner, title, redirect, created, retries)");
        sql.push(" VALUES (").bind(identifier.clone()).push(", ").bind(owner).push(", ").bind(title.clone());
        sql.push(", ").bind(redirect.as_ref().map(|url| url.as_str().to_owned())).push(", ");
        sql.bind(Value::Timestamp(context.now.as_millisecond())).push(", 0) RETURNING id");
        let mut id = 0;
        tx.query(&sql, &mut |row| {
            id = row.integer(0)?;
            Ok(())
        })?;
        Ok(AccountChallenge { id, identifier, title, redirect, retries: 0, retried: None })
    }

    /// The challenge that a user has not completed, locked to the end of the transaction.
    pub(super) fn lock_open(tx: &mut Tx<'_>, owner: i64) -> Result<Option<Self>> {
        let mut sql = tx.sql();
        sql.push("SELECT id, identifier, title, redirect, retries, retried FROM ").table(&CHALLENGE);
        sql.push(" WHERE completed IS NULL AND owner = ").bind(owner).push(" ORDER BY id").for_change();
        let mut found = None;
        tx.query(&sql, &mut |row| {
            let retried = match row.get(5, ColumnType::Timestamp)? {
                ValueRef::Timestamp(retried) => Some(retried),
                _ => None,
            };
            found = Some(AccountChallenge {
                id: row.integer(0)?,
                identifier: text(row, 1)?,
                title: text(row, 2)?,
                redirect: text(row, 3)?.as_deref().and_then(RedirectUrl::parse),
                retries: row.integer(4)?,
                retried,
            });
            Ok(())
        })?;
        Ok(found)
    }

    /// Its methods, in the contract's order.
    pub(super) fn methods(&self, tx: &mut Tx<'_>) -> Result<Vec<MethodRow>> {
        let mut sql = tx.sql();
        sql.push("SELECT method, options, done FROM ").table(&CHALLENGE_METHOD);
        sql.push(" WHERE challenge = ").bind(self.id);
        let mut stored = Vec::new();
        tx.query(&sql, &mut |row| {
            stored.push((row.text(0)?.to_owned(), row.text(1)?.to_owned(), !row.is_null(2)?));
            Ok(())
        })?;
        let mut methods = Vec::with_capacity(stored.len());
        for (name, options, done) in stored {
            let method = Method::named(&name);
            let options = method.and_then(|method| MethodOptions::of_stored(method, &options));
            let options = options.ok_or_else(|| Error::failed("the options of a challenge's method cannot be read"))?;
            methods.push(MethodRow { options, done });
        }
        methods.sort_by_key(|row| row.options.method());
        Ok(methods)
    }

    /// Gives a method its secret: its first one, or one that takes the place of the one before, with all its tries.
    pub(super) fn put_secret(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        options: &MethodOptions,
        digest: &SecretDigest,
    ) -> Result<()> {
        let expires = Value::Timestamp(options.validity.end(context.now).as_millisecond());
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&CHALLENGE_METHOD).push(" (challenge, method, digest, tries, expires, options)");
        sql.push(" VALUES (").bind(self.id).push(", ").bind(options.method().name()).push(", ");
        sql.bind(Value::Bytes(digest.0.to_vec())).push(", 0, ").bind(expires).push(", ").bind(options.stored());
        sql.push(") ON CONFLICT (challenge, method) DO UPDATE SET digest = excluded.digest, tries = 0, ");
        sql.push("expires = excluded.expires");
        tx.execute(&sql)?;
        Ok(())
    }

    /// Notes a retry.
    pub(super) fn count_retry(&self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&CHALLENGE).push(" SET retries = retries + 1, retried = ");
        sql.bind(Value::Timestamp(context.now.as_millisecond())).push(" WHERE id = ").bind(self.id);
        tx.execute(&sql)?;
        Ok(())
    }

    /// Returns the redirects after the verification of a method, which is one of these.
    pub(super) fn redirects(&self, methods: &[MethodRow], method: Method) -> RedirectUrls {
        let row = methods.iter().find(|row| row.options.method() == method);
        RedirectUrls { challenge: self.redirect.clone(), method: row.and_then(|row| row.options.redirect.clone()) }
    }
}

/// Ends the secrets of what a user has not met yet, of one method or of all, and takes back what was not sent.
pub(super) fn end_secrets(tx: &mut Tx<'_>, context: &RequestContext, owner: i64, method: Option<Method>) -> Result<()> {
    let Some(open) = AccountChallenge::lock_open(tx, owner)? else { return Ok(()) };
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&CHALLENGE_METHOD).push(" SET expires = ").bind(Value::Timestamp(0));
    sql.push(" WHERE done IS NULL AND challenge = ").bind(open.id);
    if let Some(method) = method {
        sql.push(" AND method = ").bind(method.name());
    }
    tx.execute(&sql)?;
    outbox::cancel(tx, context, open.id, method)?;
    Ok(())
}

/// The content of a challenge's pages for anyone who knows its identifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChallengePage {
    /// The subject of the verification; none where the registration does not say.
    pub title: Option<String>,
    /// The origins that the challenge may lead to, each once: what the policy of a page with its form has to allow.
    pub targets: BTreeSet<String>,
    /// The methods that are still to be met, in the contract's order.
    pub outstanding: BTreeSet<Method>,
}

impl ChallengePage {
    /// Returns what the pages of a user's challenge show; nothing of one that there is not.
    pub fn find(tx: &mut Tx<'_>, owner: i64, identifier: &str) -> Result<Self> {
        let mut page = ChallengePage::default();
        if !is_identifier(identifier) {
            return Ok(page);
        }
        let mut sql = tx.sql();
        sql.push("SELECT c.title, c.redirect, m.method, m.options, m.done FROM ").table(&CHALLENGE);
        sql.push(" c JOIN ").table(&CHALLENGE_METHOD).push(" m ON m.challenge = c.id WHERE c.owner = ").bind(owner);
        sql.push(" AND c.identifier = ").bind(identifier);
        tx.query(&sql, &mut |row| {
            page.title = text(row, 0)?;
            let Some(method) = Method::named(row.text(2)?) else { return Ok(()) };
            let options = MethodOptions::of_stored(method, row.text(3)?);
            let whole = text(row, 1)?.as_deref().and_then(RedirectUrl::parse);
            let redirects = whole.into_iter().chain(options.and_then(|options| options.redirect));
            page.targets.extend(redirects.map(|redirect| redirect.origin()));
            if row.is_null(4)? {
                page.outstanding.insert(method);
            }
            Ok(())
        })?;
        Ok(page)
    }
}

/// The methods of the challenge that a user has completed, if that is its identifier.
pub(super) fn completed_methods(tx: &mut Tx<'_>, owner: i64, identifier: &str) -> Result<Vec<Method>> {
    if !is_identifier(identifier) {
        return Ok(Vec::new());
    }
    let mut sql = tx.sql();
    sql.push("SELECT m.method FROM ").table(&CHALLENGE).push(" c JOIN ").table(&CHALLENGE_METHOD);
    sql.push(" m ON m.challenge = c.id WHERE c.completed IS NOT NULL AND c.owner = ").bind(owner);
    sql.push(" AND c.identifier = ").bind(identifier);
    let mut methods = Vec::new();
    tx.query(&sql, &mut |row| {
        methods.extend(Method::named(row.text(0)?));
        Ok(())
    })?;
    methods.sort();
    Ok(methods)
}

/// Forgets the challenges of users that are deleted.
pub(super) fn forget(tx: &mut Tx<'_>, context: &RequestContext, users: &[Value]) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&CHALLENGE).push(" WHERE owner").any_of(ColumnType::Integer, users.to_vec());
    let mut challenges = Vec::new();
    tx.query(&sql, &mut |row| {
        challenges.push(row.integer(0)?);
        Ok(())
    })?;
    for challenge in challenges {
        outbox::cancel(tx, context, challenge, None)?;
    }
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&CHALLENGE_METHOD).push(" WHERE challenge IN (SELECT id FROM ").table(&CHALLENGE);
    sql.push(" WHERE owner").any_of(ColumnType::Integer, users.to_vec()).push(")");
    tx.execute(&sql)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&CHALLENGE).push(" WHERE owner").any_of(ColumnType::Integer, users.to_vec());
    tx.execute(&sql)?;
    Ok(())
}

fn text(row: &Row<'_>, index: usize) -> database::Result<Option<String>> {
    Ok(match row.get(index, ColumnType::Text)? {
        ValueRef::Text(text) => Some(text.to_owned()),
        _ => None,
    })
}
