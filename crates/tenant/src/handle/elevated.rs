//! Jobs with all rights: of the platform itself, and of callers that need none.

use super::Tenant;
use crate::caller::PendingEntries;
use crate::worker::WorkerWishes;
use context::actor::Actor;
use context::reads::LoggedReads;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use model::error::{Error, Result};
use model::types::Model;
use std::sync::Arc;

impl Tenant {
    /// The configuration that holds, for what needs no caller.
    pub async fn model(self: &Arc<Self>) -> Result<Arc<Model>> {
        let tenant = Arc::clone(self);
        self.store.read(ReadCost::Scan, move |tx| tenant.model_in(tx)).await
    }

    /// Runs a job that reads, with all rights: for what the platform does of itself or whose caller needs none.
    /// The job may be run again.
    pub async fn read_elevated<T: Send + 'static>(
        self: &Arc<Self>,
        cost: ReadCost,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let tenant = Arc::clone(self);
        self.store
            .read(cost, move |tx| {
                let (context, fresh) = tenant.administrator(tx)?;
                // It is kept before the job: where the read fails, it was of no store at all.
                tenant.keep(fresh);
                job(tx, &context)
            })
            .await
    }

    /// Runs a job in one transaction, with all rights: for what the platform does of itself or whose caller needs none.
    /// It may be run again.
    pub async fn write_elevated<T: Send + 'static>(
        self: &Arc<Self>,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
            context.refuse_frozen()?;
            job(tx, context)
        };
        self.write_beside_freeze(job).await
    }

    /// The same for what a frozen tenant takes, too: sign-ins and their ends, the log of reads, outcomes of mails.
    pub async fn write_beside_freeze<T: Send + 'static>(
        self: &Arc<Self>,
        mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let tenant = Arc::clone(self);
        let wishes = WorkerWishes::default();
        let collected = wishes.clone();
        let done = self.store.write(move |tx| {
            let (mut context, fresh) = tenant.administrator(tx)?;
            collected.collect(&mut context);
            let done = job(tx, &context)?;
            context.write_audit(tx)?;
            Ok::<_, Error>((done, fresh))
        });
        // Only what was committed is kept.
        let (value, fresh) = done.await?;
        self.keep(fresh);
        self.signal(&wishes);
        Ok(value)
    }

    /// The model inside a job that reads.
    pub fn model_in(&self, tx: &mut Tx<'_>) -> Result<Arc<Model>> {
        let epochs = tx.epochs()?;
        let (loaded, fresh) = self.caches.model(tx, epochs)?;
        self.keep(fresh);
        Ok(Arc::clone(&loaded.model))
    }

    /// The request context of a command: all rights, no user; and what had to be loaded for it.
    pub fn administrator(&self, tx: &mut Tx<'_>) -> Result<(RequestContext, PendingEntries)> {
        let epochs = tx.epochs()?;
        let (loaded, fresh) = self.caches.model(tx, epochs)?;
        let actor = Arc::new(Actor::administrator(&loaded.model));
        let context = loaded.request_context(actor, self.environment.clock.now(), epochs, &self.environment);
        Ok((RequestContext { reads: LoggedReads::free(), ..context }, fresh))
    }

    /// A request context with all rights inside a job that writes of itself: what had to be loaded for it is not kept.
    pub fn elevated(&self, tx: &mut Tx<'_>) -> Result<RequestContext> {
        Ok(self.administrator(tx)?.0)
    }
}
