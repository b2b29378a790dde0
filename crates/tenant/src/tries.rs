//! Tries of a tenant's users, counted in transactions of their own.

use super::Tenant;
use context::throttle::{AttemptCounter, sweep, take};
use model::error::Result;

impl Tenant {
    /// Counts a try by all of the counters in a transaction of its own, which is committed when this returns. Where
    /// one of them is spent, the error tells of it.
    pub async fn count_try(
        &self,
        counters: Vec<AttemptCounter>,
        code: &'static str,
        message: &'static str,
    ) -> Result<()> {
        let now = self.environment().clock.now();
        let over = self.store().write(move |tx| take(tx, &counters, now)).await?;
        over.map_or(Ok(()), |over| Err(over.error(now, code, message)))
    }

    /// Deletes counters whose window has long passed.
    pub async fn sweep_counters(&self) -> Result<u64> {
        let now = self.environment().clock.now();
        self.store().write(move |tx| sweep(tx, now)).await
    }
}
