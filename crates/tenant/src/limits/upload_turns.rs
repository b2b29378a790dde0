//! Turns of uploads: while other tenants have requests, a tenant's uploads work one at a time, and pause for three times
//! as long as the work took. A tenant that is alone takes no turn.

use super::Gates;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, MutexGuard};

/// The time for which another tenant counts as there after its last request with a key.
const OTHERS: Duration = Duration::from_millis(200);
/// The longest wait for a turn. Then the work is done without one, so that no client gives up.
const WAIT: Duration = Duration::from_secs(5);
/// The pause of each unit of work: uploads have a quarter of the time of a processor, and of the disk.
const PAUSE: u32 = 3;
/// The shortest pause: what is less is paused with the next work.
const SHORTEST: Duration = Duration::from_millis(2);
/// The longest pause.
const LONGEST: Duration = Duration::from_millis(250);

/// The turns of one tenant's uploads.
#[derive(Debug, Default)]
pub struct UploadTurns {
    /// The pause that is owed.
    turn: Mutex<Duration>,
}

/// The turn of an upload's work.
#[derive(Debug)]
pub struct UploadTurn<'t> {
    /// The beginning of work whose pause is not owed yet.
    began: Option<Instant>,
    owed: MutexGuard<'t, Duration>,
}

impl UploadTurns {
    /// The longest that a turn takes beside its work.
    pub const LONGEST: Duration = WAIT.saturating_add(LONGEST);

    /// Waits for the turn of some work, where there are other tenants.
    pub(crate) async fn take(&self, gates: &Arc<Gates>, user: u64) -> Option<UploadTurn<'_>> {
        if !gates.tenants.has_other(user, Instant::now(), OTHERS) {
            return None;
        }
        let owed = tokio::time::timeout(WAIT, self.turn.lock()).await.ok()?;
        Some(UploadTurn { began: Some(Instant::now()), owed })
    }
}

impl UploadTurn<'_> {
    /// Ends the work, and pauses while the tenant's other uploads wait.
    pub async fn end(mut self) {
        self.owe();
        if *self.owed >= SHORTEST {
            tokio::time::sleep(*self.owed).await;
            *self.owed = Duration::ZERO;
        }
    }

    fn owe(&mut self) {
        if let Some(began) = self.began.take() {
            *self.owed = (*self.owed + began.elapsed() * PAUSE).min(LONGEST);
        }
    }
}

impl Drop for UploadTurn<'_> {
    /// A client that goes away leaves its pause to the next one.
    fn drop(&mut self) {
        self.owe();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_turn_ends_with_its_pause_or_with_its_client_and_a_tenant_alone_takes_none() {
        let (gates, turns) = (Arc::new(Gates::new(None, 100)), UploadTurns::default());
        gates.tenants.note(1, Instant::now());
        assert!(turns.take(&gates, 1).await.is_none(), "it is alone");
        gates.tenants.note(2, Instant::now());
        let left = turns.take(&gates, 1).await.unwrap();
        drop(left);
        let mut first = turns.take(&gates, 1).await.unwrap();
        *first.owed = SHORTEST;
        let mut next = std::pin::pin!(turns.take(&gates, 1));
        assert!(tokio::time::timeout(SHORTEST, next.as_mut()).await.is_err(), "the first has its turn");
        first.end().await;
        assert_eq!(*next.await.unwrap().owed, Duration::ZERO, "the pause was made");
    }
}
