//! The guard of stores: the kind of locks that keep writes and changes of the configuration apart.
//!
//! Advisory locks do nothing on some servers that speak PostgreSQL's protocol. So two connections try at the start if
//! such a lock keeps another one out.

use super::pooler::{ask, unreachable};
use super::session::ServerSession;
use crate::deadline::{JobDeadline, TimeLimit};
use crate::{Error, GuardMode, Result, StoreGuard};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The longest time that the trial takes. A pooler may have one connection alone.
const TRIAL: TimeLimit = TimeLimit::After(Duration::from_secs(2));

/// The ends of refusals by servers without advisory locks: no such function, and one that is not supported.
const ABSENT: [&str; 2] = ["(42883)", "(0A000)"];

/// Returns the guard of a server: the one that is set, or the one that it is capable of.
pub(super) fn find(mode: GuardMode, sessions: &mut [ServerSession; 2]) -> Result<StoreGuard> {
    match mode {
        GuardMode::Advisory => Ok(StoreGuard::Advisory),
        GuardMode::Row => Ok(StoreGuard::Row),
        GuardMode::Auto => match try_advisory_locks(sessions)? {
            Some(false) => {
                tracing::info!("advisory locks do nothing on this server: rows are locked instead");
                Ok(StoreGuard::Row)
            }
            Some(true) | None => Ok(StoreGuard::Advisory),
        },
    }
}

/// Returns true if an advisory lock of one connection keeps another one out; none if there was no second connection.
pub(super) fn try_advisory_locks(sessions: &mut [ServerSession; 2]) -> Result<Option<bool>> {
    let [holder, other] = sessions;
    holder.reach().and_then(|()| other.reach()).map_err(|reason| unreachable(&reason))?;
    holder.deadline = JobDeadline::begin(TRIAL);
    other.deadline = holder.deadline.clone();
    let told = ask_both(holder, other);
    for session in [holder, other] {
        if session.in_transaction() && session.command("ROLLBACK").is_err() {
            session.disconnect();
        }
        session.deadline = JobDeadline::default();
    }
    match told {
        Ok(told) => Ok(Some(told == ["tf"])),
        // There is no such function, or it does nothing.
        Err(Error::Failed(reason)) if ABSENT.iter().any(|code| reason.ends_with(code)) => {
            tracing::info!(reason, "advisory locks cannot be tried");
            Ok(Some(false))
        }
        // Nodes that choose differently keep nothing apart.
        Err(Error::Failed(reason)) => Err(Error::Failed(format!("advisory locks cannot be tried: {reason}"))),
        Err(error) => {
            tracing::warn!(%error, "there was no second connection to try advisory locks: they are taken as they are");
            Ok(None)
        }
    }
}

/// Takes a lock on one connection beside others, and tries it on another one: beside others, then alone.
fn ask_both(holder: &mut ServerSession, other: &mut ServerSession) -> Result<Vec<String>> {
    let key = trial_key();
    holder.command("BEGIN READ ONLY").map_err(|problem| problem.into_error())?;
    ask(holder, &format!("SELECT CAST(pg_advisory_xact_lock_shared({key}) AS text)"))?;
    other.command("BEGIN READ ONLY").map_err(|problem| problem.into_error())?;
    let tries = format!("SELECT concat(pg_try_advisory_xact_lock_shared({key}), pg_try_advisory_xact_lock({key}))");
    ask(other, &tries)
}

/// Returns the number of a lock that no other trial has: one by chance.
fn trial_key() -> i64 {
    RandomState::new().build_hasher().finish().cast_signed()
}
