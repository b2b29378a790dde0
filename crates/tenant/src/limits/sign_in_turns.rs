//! Turns of tries to sign in on this node. Each try is counted before its password is checked, and a right password
//! gives its try back. So tries of one login go one by one: else right passwords at once would be failures of each
//! other.

use context::passwords;
use context::throttle::AttemptCounter;
use model::error::Result;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Tries of one login at a time.
const OF_LOGIN: usize = 1;
/// Tries from one address at a time: as many as there are hashes at once.
const OF_ADDRESS: usize = 2;
/// The longest wait for a turn; then the answer is 429, and nothing was counted.
const WAIT: Duration = Duration::from_secs(10);

/// The turns of a tenant's logins and of the addresses that try them.
pub struct SignInTurns {
    wait: Duration,
    semaphores: Mutex<HashMap<AttemptCounter, Arc<Semaphore>>>,
}

/// The turn of a try. It ends when this is dropped: behind the transaction that gives the try back.
pub struct SignInTurn {
    turns: Arc<SignInTurns>,
    counters: [AttemptCounter; 2],
    permits: Vec<OwnedSemaphorePermit>,
}

impl Default for SignInTurns {
    fn default() -> Self {
        SignInTurns { wait: WAIT, semaphores: Mutex::default() }
    }
}

impl SignInTurns {
    /// Waits for the turn of a login and an address, in the order of arrival. What waits holds nothing that others need.
    pub async fn take(self: &Arc<Self>, login: AttemptCounter, address: AttemptCounter) -> Result<SignInTurn> {
        let semaphores = [self.semaphore(&login, OF_LOGIN), self.semaphore(&address, OF_ADDRESS)];
        // Made before the wait: its end clears the table in any case.
        let mut turn = SignInTurn { turns: Arc::clone(self), counters: [login, address], permits: Vec::new() };
        let wait = async {
            for semaphore in semaphores {
                turn.permits.push(semaphore.acquire_owned().await.expect("these semaphores are never closed"));
            }
        };
        tokio::time::timeout(self.wait, wait).await.map_err(|_| passwords::busy())?;
        Ok(turn)
    }

    fn semaphore(&self, counter: &AttemptCounter, permits: usize) -> Arc<Semaphore> {
        let mut semaphores = self.lock();
        Arc::clone(semaphores.entry(counter.clone()).or_insert_with(|| Arc::new(Semaphore::new(permits))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AttemptCounter, Arc<Semaphore>>> {
        self.semaphores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SignInTurn {
    fn drop(&mut self) {
        self.permits.clear();
        let mut semaphores = self.turns.lock();
        for counter in &self.counters {
            // Only the table has it: nobody has a turn or waits for one.
            if semaphores.get(counter).is_some_and(|semaphore| Arc::strong_count(semaphore) == 1) {
                semaphores.remove(counter);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use context::throttle::AttemptLimit;

    fn of(kind: &'static str, name: &str) -> AttemptCounter {
        AttemptLimit { kind, tries: 1, seconds: 1 }.of(name)
    }

    #[tokio::test]
    async fn tries_of_a_login_go_one_by_one() {
        let turns = Arc::new(SignInTurns::default());
        let first = turns.take(of("login", "ann"), of("address", "here")).await.unwrap();
        let other = turns.take(of("login", "bob"), of("address", "here")).await.unwrap();
        let next = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.take(of("login", "ann"), of("address", "there")).await.map(drop) }
        });
        tokio::task::yield_now().await;
        assert!(!next.is_finished(), "the first has its turn");
        drop(first);
        next.await.unwrap().unwrap();
        drop(other);
        assert!(turns.lock().is_empty());
    }

    #[tokio::test]
    async fn a_wait_has_an_end_and_leaves_nothing() {
        let turns = Arc::new(SignInTurns { wait: Duration::from_millis(20), semaphores: Mutex::default() });
        let take = |login: &str| turns.take(of("login", login), of("address", "here"));
        let held = [take("ann").await.unwrap(), take("bob").await.unwrap()];
        for login in ["ann", "cid"] {
            assert_eq!(take(login).await.err().map(|error| error.code), Some("sign_in_busy"), "{login}");
        }
        drop(held);
        assert!(turns.lock().is_empty());
    }
}
