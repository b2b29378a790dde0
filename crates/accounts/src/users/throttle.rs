//! Counters that a try to sign in raises. They are committed before the hash.
//!
//! A login has 5 failures in 15 minutes and an address 20. A login that others have exhausted is not closed to
//! its owner: an address without failures of its own gets one try, and all such addresses together one in ten
//! seconds (A009). A refused try raises nothing, so waiting always helps; a right password gives its own try back.

use context::throttle::{AttemptCounter, AttemptLimit};
use database::Tx;
use jiff::Timestamp;
use model::error::{Error, ErrorKind, Result};
use std::net::IpAddr;
use std::sync::Arc;
use tenant::limits::sign_in_turns::{SignInTurn, SignInTurns};

const WINDOW: u32 = 15 * 60;
const LOGIN: AttemptLimit = AttemptLimit { kind: "login", tries: 5, seconds: WINDOW };
const ADDRESS: AttemptLimit = AttemptLimit { kind: "address", tries: 20, seconds: WINDOW };
/// Tries on an exhausted login from addresses without failures.
const SLOW: AttemptLimit = AttemptLimit { kind: "slow", tries: 1, seconds: 10 };

/// The counters that a try to sign in concerns.
#[derive(Clone)]
pub(super) struct ThrottleSubjects {
    login: AttemptCounter,
    address: AttemptCounter,
    slow: AttemptCounter,
}

impl ThrottleSubjects {
    /// The counters of a login, which is in lower case, and of a peer's address.
    pub(super) fn new(login: &str, address: IpAddr) -> Self {
        ThrottleSubjects { login: LOGIN.of(login), address: ADDRESS.of_network(address), slow: SLOW.of(login) }
    }

    /// Waits for the turn of the login and of the address.
    pub(super) async fn turn(&self, turns: &Arc<SignInTurns>) -> Result<SignInTurn> {
        turns.take(self.login.clone(), self.address.clone()).await
    }

    /// Counts a try, or refuses it. Refusals undo the transaction's own raises.
    pub(super) fn raise(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        let tries = self.login.raise(tx, now)?;
        let failures = self.address.raise(tx, now)?;
        if failures.tries > i64::from(ADDRESS.tries) {
            return Err(refused(failures.ends, now));
        }
        if tries.tries <= i64::from(LOGIN.tries) {
            return Ok(());
        }
        if failures.tries > 1 {
            return Err(refused(tries.ends.max(failures.ends), now));
        }
        let slow = self.slow.raise(tx, now)?;
        if slow.tries > i64::from(SLOW.tries) { Err(refused(slow.ends, now)) } else { Ok(()) }
    }

    /// Gives back the try of a right password.
    pub(crate) fn give_back(&self, tx: &mut Tx<'_>) -> Result<()> {
        self.login.give_back(tx)?;
        self.address.give_back(tx)
    }
}

/// Returns the refusal. It does not tell which of the limits was met, since that would tell whether others try the
/// login.
fn refused(until: i64, now: Timestamp) -> Error {
    let seconds = (until - now.as_millisecond() + 999) / 1_000;
    let retry_after = u32::try_from(seconds.max(1)).unwrap_or(u32::MAX);
    let message = "Too many failed sign-ins. Try again later.";
    Error::new(ErrorKind::TooMany { retry_after, policy: None }, "sign_in_throttled", message)
}
