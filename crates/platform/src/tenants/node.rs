//! Data of a node's own, and what it tells the others: places, its clock, that it is there.

use super::Platform;
use jiff::SignedDuration;
use messages::outbox::Routes;
use model::error::Result;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

impl Platform {
    /// Returns the time between two looks for work that another process left.
    pub(crate) fn poll_interval(&self) -> Duration {
        self.settings.poll_interval
    }

    /// Returns the routes by which mails and SMS leave.
    pub fn routes(&self) -> &Routes {
        &self.settings.routes
    }

    /// Says to the other nodes of the database that this one is there. Where one is missed, the workers look at once for what
    /// it left.
    pub async fn beat(&self) -> Result<()> {
        let node = self.node.get_or_init(|| {
            let mut name = [0; 16];
            self.environment.random.fill(&mut name);
            format!("{:032x}", u128::from_be_bytes(name))
        });
        let missed = self.database.beat(node).await?;
        let mut known = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        if missed.iter().any(|node| !known.contains(node)) {
            tracing::info!(nodes = missed.join(" "), "a node is missed: this one looks for what it left");
            self.workers.signals.lost.fetch_add(1, Ordering::Relaxed);
        }
        *known = missed;
        Ok(())
    }

    /// Returns the lead of the node's own clock over the database's, as measured last; none where they are one clock.
    pub fn clock_offset(&self) -> Option<SignedDuration> {
        Some(self.settings.clock.as_ref()?.offset())
    }

    /// Measures the clock that follows the database's, where it is time to; gives how far the node's own clock is ahead where
    /// an operator should know.
    pub async fn measure_clock(self: &Arc<Self>) -> Result<Option<SignedDuration>> {
        let Some(clock) = self.settings.clock.clone() else { return Ok(None) };
        if clock.is_stale() {
            let measured = Arc::clone(&clock);
            self.blocking(move |_| measured.measure()).await?;
        }
        Ok(clock.notable_skew())
    }
}
