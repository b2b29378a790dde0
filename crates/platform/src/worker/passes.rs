//! Work on the queues: one tenant's turn, and passes over all tenants without a worker.

use super::{TenantPoll, WorkerQueue};
use automation::Ran;
use std::convert::Infallible;
use std::time::Duration;
use tenant::worker::Stop;

use crate::tenants::backup::clone::is_silent;
use crate::tenants::{Platform, WaitingRows};
use context::freeze;
use database::{ReadCost, Tx};
use messages::outbox;
use messages::outbox::Delivered;
use model::error::Result;
use operations::job_runs;
use std::sync::Arc;
use tenant::Tenant;

/// The time between two counts of the runs that are due, while others are carried out.
const COUNT: Duration = Duration::from_secs(10);

impl Platform {
    /// Sends all that is due, of all tenants, one after the other; ends when nothing is due any more.
    pub async fn deliver(self: &Arc<Self>) -> Result<Delivered> {
        let mut all = Delivered::default();
        for name in self.blocking(Self::tenants).await? {
            let (delivered, _) = self.deliver_tenant(&name, &Stop::default()).await?;
            all.sent += delivered.sent;
            all.later += delivered.later;
            all.failed += delivered.failed;
        }
        Ok(all)
    }

    /// Carries out all runs that are due, of all tenants, one tenant after the other; ends when none is due any more.
    pub async fn run_due(self: &Arc<Self>) -> Result<Ran> {
        let mut all = Ran::default();
        for name in self.blocking(Self::tenants).await? {
            let (ran, _) = self.run_tenant(&name, &Stop::default()).await?;
            all.done += ran.done;
            all.later += ran.later;
            all.failed += ran.failed;
        }
        Ok(all)
    }

    /// Begins the runs whose moments have come, of all tenants; gives how many.
    pub async fn schedule_due(self: &Arc<Self>) -> Result<usize> {
        let mut begun = 0;
        for tenant in self.blocking(Self::tenants).await? {
            begun += self.schedule_tenant(&tenant).await?.0;
        }
        Ok(begun)
    }

    /// Sends all that is due of a tenant; gives, too, when the next is due, in milliseconds. A tenant that is gone has
    /// nothing. Once it is to stop, what is being sent ends, and nothing else is sent.
    pub(super) async fn deliver_tenant(self: &Arc<Self>, name: &str, stop: &Stop) -> Result<(Delivered, Option<i64>)> {
        match self.look(WorkerQueue::Outbox, name).await? {
            TenantPoll::Later(next) => {
                self.glance_at_waiting(name, next.is_some()).await?;
                Ok((Delivered::default(), next))
            }
            TenantPoll::Gone => {
                self.figures().note_waiting(name, WaitingRows::default());
                Ok((Delivered::default(), None))
            }
            TenantPoll::Open(tenant) => {
                self.note_waiting(&tenant).await?;
                if rests(&tenant).await? {
                    return Ok((Delivered::default(), None));
                }
                let turn = outbox::deliver_due(&self.workers, self.routes(), Arc::clone(&tenant), stop).await?;
                let Delivered { sent, later, failed } = turn.0;
                self.figures().outbox.add([sent, later, failed]);
                self.note_waiting(&tenant).await?;
                Ok(turn)
            }
        }
    }

    /// Notes the rows that wait in the outbox of a tenant that is open.
    async fn note_waiting(&self, tenant: &Arc<Tenant>) -> Result<()> {
        let (count, oldest) = tenant.store().read(ReadCost::Point, outbox::waiting).await?;
        self.figures().note_waiting(tenant.name(), WaitingRows { count, oldest });
        Ok(())
    }

    /// The same without opening it; where none waits, nothing is read.
    async fn glance_at_waiting(self: &Arc<Self>, name: &str, waits: bool) -> Result<()> {
        let looked = name.to_owned();
        let found = match waits {
            true => self.blocking(move |platform| Ok(platform.glance(&looked, outbox::waiting))).await?,
            false => Some((0, None)),
        };
        if let Some((count, oldest)) = found {
            self.figures().note_waiting(name, WaitingRows { count, oldest });
        }
        Ok(())
    }

    /// Carries out all runs of a tenant that are due; gives, too, when the next is due, in milliseconds.
    /// Once it is to stop, those that began end, and no others begin.
    pub(super) async fn run_tenant(self: &Arc<Self>, name: &str, stop: &Stop) -> Result<(Ran, Option<i64>)> {
        match self.look(WorkerQueue::Runs, name).await? {
            TenantPoll::Later(next) => {
                self.figures().note_due_runs(name, WaitingRows::default());
                Ok((Ran::default(), next))
            }
            TenantPoll::Gone => Ok((Ran::default(), None)),
            TenantPoll::Open(tenant) if rests(&tenant).await? => {
                self.figures().note_due_runs(name, WaitingRows::default());
                Ok((Ran::default(), None))
            }
            TenantPoll::Open(tenant) => {
                let turn = automation::run_due(&self.workers, &self.routes().outgoing, Arc::clone(&tenant), stop);
                let turn = tokio::select! {
                    turn = turn => turn?,
                    never = self.count_due_runs(&tenant) => match never {},
                };
                let Ran { done, later, failed } = turn.0;
                self.figures().runs.add([done, later, failed]);
                self.note_due_runs(&tenant).await?;
                Ok(turn)
            }
        }
    }

    /// Counts the runs of a tenant that are due, now and then, while others are carried out.
    async fn count_due_runs(&self, tenant: &Arc<Tenant>) -> Infallible {
        loop {
            tokio::time::sleep(COUNT).await;
            if let Err(error) = self.note_due_runs(tenant).await {
                tracing::debug!(tenant = tenant.name(), error = error.message, "runs that are due cannot be counted");
            }
        }
    }

    async fn note_due_runs(&self, tenant: &Arc<Tenant>) -> Result<()> {
        let now = self.environment().clock.now();
        let due = move |tx: &mut Tx<'_>| automation::overdue(tx, now);
        let (count, oldest) = tenant.store().read(ReadCost::Point, due).await?;
        self.figures().note_due_runs(tenant.name(), WaitingRows { count, oldest });
        Ok(())
    }

    /// Begins the runs of a tenant whose moments have come; gives how many, and when the next comes, in milliseconds.
    pub(super) async fn schedule_tenant(self: &Arc<Self>, name: &str) -> Result<(usize, Option<i64>)> {
        match self.look(WorkerQueue::Schedules, name).await? {
            TenantPoll::Later(next) => Ok((0, next)),
            TenantPoll::Gone => Ok((0, None)),
            TenantPoll::Open(tenant) if rests(&tenant).await? => Ok((0, None)),
            TenantPoll::Open(tenant) => automation::begin_due(&tenant).await,
        }
    }

    /// Carries out the jobs of a tenant that are due; gives when the next is due, in milliseconds.
    pub(super) async fn run_jobs_of(self: &Arc<Self>, name: &str, stop: &Stop) -> Result<Option<i64>> {
        match self.look(WorkerQueue::Jobs, name).await? {
            TenantPoll::Later(next) => Ok(next),
            TenantPoll::Gone => Ok(None),
            TenantPoll::Open(tenant) if is_frozen(&tenant).await? => Ok(None),
            TenantPoll::Open(tenant) => job_runs::run_due(&tenant, stop).await,
        }
    }

    /// Does all that changes of configuration and imports left of a tenant; gives when there is more to do.
    pub(super) async fn recalculate_tenant(self: &Arc<Self>, name: &str) -> Result<Option<i64>> {
        match self.look(WorkerQueue::Recalculations, name).await? {
            TenantPoll::Later(next) => Ok(next),
            TenantPoll::Gone => Ok(None),
            TenantPoll::Open(tenant) if is_frozen(&tenant).await? => Ok(None),
            TenantPoll::Open(tenant) => configuration::recalculate_left(tenant).await,
        }
    }
}

/// Returns true if a tenant sends nothing and runs no automation: it is frozen, or a clone that is not enabled.
async fn rests(tenant: &Tenant) -> Result<bool> {
    tenant.store().read(ReadCost::Point, |tx| Ok(is_silent(tx)? || freeze::is_frozen(tx)?)).await
}

/// Returns true if a tenant takes no writes: its work waits, and is looked for when that ends.
async fn is_frozen(tenant: &Tenant) -> Result<bool> {
    tenant.store().read(ReadCost::Point, freeze::is_frozen).await
}

#[cfg(test)]
mod tests {
    use crate::fixtures::environment;
    use crate::tenants::{Platform, Settings};
    use context::vault::MasterKey;
    use database::{Database, SqliteOptions};

    #[tokio::test]
    async fn only_tenants_with_something_to_send_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions { folder: folder.path().to_owned(), readers: 1, descriptors: 192 };
        let database = Database::sqlite(options).unwrap();
        let node = || {
            let settings = Settings { key: Some(MasterKey::new([1; 32]).into()), ..Settings::default() };
            Platform::new(database.clone(), environment(7), settings)
        };
        let first = node();
        let made = first.blocking(|platform| {
            platform.create_tenant("idle")?;
            platform.create_tenant("busy")
        });
        let task = messages::outbox::OutboxTask { kind: "none".to_owned(), input: serde_json::Value::Null };
        let busy = made.await.unwrap();
        busy.write_elevated(move |tx, context| messages::outbox::later(tx, context, &task)).await.unwrap();
        let second = node();
        second.deliver().await.unwrap();
        assert_eq!([second.is_open("idle"), second.is_open("busy")], [false, true]);
    }
}
