//! Sweeping a tenant: what nobody needs goes when it is due, by the store's own note of the last time, however often
//! servers start.

use super::Platform;
use accounts::{keys, tags};
use context::{freeze, tables};
use messages::notifications;
use model::error::Result;
use operations::{jobs, once};
use resources::files;
use resources::files::Swept;
use std::sync::Arc;
use tenant::Tenant;
use tenant::worker::WorkerTurn;

/// The time between two sweeps of a tenant, in milliseconds.
const PERIOD: i64 = 60 * 60 * 1_000;
/// When a tenant was last swept, in the table of facts.
const SWEPT: &str = "swept";

impl Platform {
    /// Removes what nobody needs of the tenants for which that is due, one after the other. What fails for one is logged.
    pub fn sweep(self: &Arc<Self>) -> WorkerTurn<'_, ()> {
        Box::pin(self.sweep_all())
    }

    async fn sweep_all(self: &Arc<Self>) -> Result<()> {
        for name in self.blocking(Self::tenants).await? {
            let now = self.environment().clock.now().as_millisecond();
            let looked = name.clone();
            let last = self.blocking(move |platform| Ok(platform.glance(&looked, |tx| tables::get(tx, SWEPT)))).await?;
            if last.is_some_and(|last| !is_due(last.as_deref(), now)) {
                continue;
            }
            // One that was deleted meanwhile is no failure.
            let Ok(tenant) = self.blocking(move |platform| platform.open(&name)).await else { continue };
            if let Err(error) = sweep_tenant(&tenant, now).await {
                tracing::error!(tenant = tenant.name(), %error, "sweeping failed");
            }
        }
        Ok(())
    }
}

/// Sweeps what is due, unless another node was first.
async fn sweep_tenant(tenant: &Arc<Tenant>, now: i64) -> Result<()> {
    let first = tenant.store().write(move |tx| -> Result<bool> {
        let due = is_due(tables::get(tx, SWEPT)?.as_deref(), now) && !freeze::is_frozen(tx)?;
        if due {
            tables::put(tx, SWEPT, &now.to_string())?;
        }
        Ok(due)
    });
    if !first.await? {
        return Ok(());
    }
    tenant.sweep_counters().await?;
    sweep_rows(tenant).await?;
    let swept = files::sweep_files(tenant, false).await?;
    if swept != Swept::default() {
        tracing::info!(tenant = tenant.name(), swept.expired, swept.orphans, "files were swept");
    }
    Ok(())
}

/// Removes expired keys, old notifications, outcomes of writes and jobs that are no longer kept, and private tags without an owner.
async fn sweep_rows(tenant: &Arc<Tenant>) -> Result<()> {
    while tenant.write_elevated(keys::sweep).await? {}
    while tenant.write_elevated(notifications::sweep).await? {}
    while tenant.write_elevated(once::sweep).await? {}
    while tenant.write_elevated(jobs::sweep).await? {}
    tenant.write_elevated(tags::forget_ownerless).await
}

fn is_due(last: Option<&str>, now: i64) -> bool {
    // A clock that was set back makes it due, too.
    let last = last.and_then(|last| last.parse::<i64>().ok());
    last.is_none_or(|last| !(last..last + PERIOD).contains(&now))
}
