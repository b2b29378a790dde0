//! The pulse of a server: a host that is silent is asked on another connection whether it answers at all.

use super::address::ServerAddress;
use super::socket::ServerSocket;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for which an answer holds for all connections.
const RECENT: Duration = Duration::from_secs(1);

/// The last look at each host: its time, and true if the host answered.
#[derive(Default)]
pub(super) struct ServerPulse(Mutex<BTreeMap<usize, (Instant, bool)>>);

impl ServerPulse {
    /// Signs in at a host once more, unless that was just done; returns true if the host answers, even with a refusal.
    ///
    /// A machine that is frozen or cut off takes connections and says nothing. One that works on a long statement, or
    /// waits for a standby, answers.
    pub(super) fn answers(address: &Arc<ServerAddress>, number: usize) -> bool {
        let mut seen = address.pulse.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, answered)) = seen.get(&number)
            && at.elapsed() < RECENT
        {
            return *answered;
        }
        let began = Instant::now();
        let answered = ServerSocket::sign_in_to(address, number).is_ok() || began.elapsed() < address.patience();
        seen.insert(number, (Instant::now(), answered));
        answered
    }

    /// Returns true if a host was just found silent.
    pub(super) fn is_silent(&self, number: usize) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&number).is_some_and(|(at, answered)| !answered && at.elapsed() < RECENT)
    }
}
