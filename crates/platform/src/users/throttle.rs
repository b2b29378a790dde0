//! Counters of tries to sign in, exact across nodes: they are rows, raised and committed before the hash.
//!
//! A login has 5 failures in 15 minutes and an address 20. A login that others have exhausted is not closed to
//! its owner: an address without failures of its own gets one try, and all such addresses together one in ten
//! seconds (A009). A refused try raises nothing, so waiting always helps; a right password gives its own try back.

use crate::error::{Error, ErrorKind, Result};
use crate::tables::THROTTLE;
use database::{ColumnType, Tx, Value};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::net::IpAddr;

const WINDOW: i64 = 15 * 60 * 1_000;
const TRIES_OF_LOGIN: i64 = 5;
const TRIES_OF_ADDRESS: i64 = 20;
/// The pause between tries on an exhausted login from addresses without failures.
const SLOW: i64 = 10_000;

/// The counters that a try to sign in concerns.
#[derive(Clone)]
pub(super) struct Subjects {
    login: String,
    address: String,
    slow: String,
}

impl Subjects {
    /// The counters of a login, which is in lower case, and of a peer's address.
    pub(super) fn new(login: &str, address: IpAddr) -> Self {
        Subjects {
            login: subject("login", login),
            address: subject("address", &network(address)),
            slow: subject("slow", login),
        }
    }

    /// Counts a try, or refuses it. Refusals undo the transaction's own raises.
    pub(super) fn raise(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        let (tries, started) = raise(tx, &self.login, now, WINDOW)?;
        let (failures, since) = raise(tx, &self.address, now, WINDOW)?;
        if failures > TRIES_OF_ADDRESS {
            return Err(refused(since + WINDOW, now));
        }
        if tries <= TRIES_OF_LOGIN {
            return Ok(());
        }
        if failures > 1 {
            return Err(refused(started.max(since) + WINDOW, now));
        }
        let (slow, begun) = raise(tx, &self.slow, now, SLOW)?;
        if slow > 1 { Err(refused(begun + SLOW, now)) } else { Ok(()) }
    }

    /// Gives back the try of a right password.
    pub(super) fn give_back(&self, tx: &mut Tx<'_>) -> Result<()> {
        for subject in [&self.login, &self.address] {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&THROTTLE).push(" SET tries = tries - 1 WHERE tries > 0 AND subject = ");
            sql.bind(subject.as_str());
            tx.execute(&sql)?;
        }
        Ok(())
    }
}

/// Deletes counters whose window has passed.
pub(super) fn sweep(tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&THROTTLE).push(" WHERE started < ");
    sql.bind(Value::Timestamp(now.as_millisecond() - 2 * WINDOW));
    tx.execute(&sql)?;
    Ok(())
}

/// Raises a counter, or starts it anew where its window has passed: tries and start. The row stays locked to the
/// end of the transaction, so no two tries see the same number.
fn raise(tx: &mut Tx<'_>, subject: &str, now: Timestamp, window: i64) -> Result<(i64, i64)> {
    let now = now.as_millisecond();
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&THROTTLE).push(" (subject, tries, started) VALUES (").bind(subject);
    sql.push(", 1, ").bind(Value::Timestamp(now));
    sql.push(") ON CONFLICT (subject) DO UPDATE SET tries = CASE WHEN plinth_throttle.started <= ");
    sql.bind(Value::Timestamp(now - window)).push(" THEN 1 ELSE plinth_throttle.tries + 1 END, started = CASE WHEN ");
    sql.push("plinth_throttle.started <= ").bind(Value::Timestamp(now - window));
    sql.push(" THEN excluded.started ELSE plinth_throttle.started END RETURNING tries, started");
    let mut raised = (0, now);
    tx.query(&sql, &mut |row| {
        let started = match row.get(1, ColumnType::Timestamp)? {
            database::ValueRef::Timestamp(started) => started,
            _ => now,
        };
        raised = (row.integer(0)?, started);
        Ok(())
    })?;
    Ok(raised)
}

fn refused(until: i64, now: Timestamp) -> Error {
    let seconds = (until - now.as_millisecond() + 999) / 1_000;
    let retry_after = u32::try_from(seconds.max(1)).unwrap_or(u32::MAX);
    let message = "Too many failed sign-ins. Try again later.";
    Error::new(ErrorKind::TooMany { retry_after, policy: None }, "sign_in_throttled", message)
}

/// Logins are hashed: what somebody typed as one may be a password.
fn subject(kind: &str, text: &str) -> String {
    let mut subject = format!("{kind}:");
    for byte in Sha256::digest(text) {
        let _ = write!(subject, "{byte:02x}");
    }
    subject
}

/// An address as attackers come by them: one of IPv4, a /64 of IPv6.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x?}/64", &address.segments()[..4]),
    }
}
