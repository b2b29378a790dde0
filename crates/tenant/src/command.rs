//! Jobs of commands: with all rights, on the calling thread.

use super::Tenant;
use super::caller::PendingEntries;
use crate::worker::WorkerWishes;
use context::audit::{RequestChannel, RequestSource};
use context::request_context::RequestContext;
use database::{BlockingWriter, Tx};
use model::error::Result;

impl Tenant {
    /// [`Tenant::read`] with all rights, for commands. It blocks.
    pub fn read_as_administrator<T>(&self, job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>) -> Result<T> {
        self.store().read_blocking(|tx| {
            let (context, fresh) = self.administrator(tx)?;
            self.keep(fresh);
            job(tx, &context)
        })
    }

    /// [`Tenant::write`] with all rights, for commands. It blocks, and the job runs exactly once.
    pub fn write_as_administrator<T>(&self, job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>) -> Result<T> {
        self.write_by(&self.store().blocking_writer()?, job)
    }

    /// The same, by a writer that is used more than once.
    pub fn write_by<T>(
        &self,
        writer: &BlockingWriter,
        job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>,
    ) -> Result<T> {
        let wishes = WorkerWishes::default();
        let job = |tx: &mut Tx<'_>, context: &RequestContext| {
            context.refuse_frozen()?;
            job(tx, context)
        };
        let (value, fresh) = writer.write(|tx| self.command(tx, &wishes, job))?;
        self.keep(fresh);
        self.signal(&wishes);
        Ok(value)
    }

    /// The same, of which nothing is kept; nobody waits for it where writes go alone.
    pub fn rehearse_as_administrator<T>(
        &self,
        job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>,
    ) -> Result<T> {
        self.store().rehearse_blocking(|tx| self.command(tx, &WorkerWishes::default(), job)).map(|(value, _)| value)
    }

    /// Runs a job of a command inside a transaction; gives what had to be loaded for it, too.
    fn command<T>(
        &self,
        tx: &mut Tx<'_>,
        wishes: &WorkerWishes,
        job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>,
    ) -> Result<(T, PendingEntries)> {
        let (context, fresh) = self.administrator(tx)?;
        let mut context = context.come_from(RequestSource { via: RequestChannel::Command, ..RequestSource::default() });
        wishes.collect(&mut context);
        let done = job(tx, &context)?;
        context.write_audit(tx)?;
        Ok((done, fresh))
    }
}
