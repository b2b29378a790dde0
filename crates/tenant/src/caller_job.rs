//! Jobs of a key's owner: their begin and their end, which are the same for all of them.

use super::Tenant;
use super::caller::PendingEntries;
use super::path;
use crate::worker::WorkerWishes;
use context::audit;
use context::caller_key::CallerKey;
use context::reads::{LoggedReads, ReadOrigin, ReadWay};
use context::request_context::RequestContext;
use database::Tx;
use jiff::Timestamp;
use model::error::Result;
use std::sync::Arc;
use traces::TraceParent;

/// A job of a key's owner, without its own work. Each run of it sees the same present.
pub(super) struct CallerJob {
    tenant: Arc<Tenant>,
    key: CallerKey,
    now: Timestamp,
    path: Option<Arc<str>>,
    span: Option<TraceParent>,
}

impl CallerJob {
    /// A job that begins now.
    pub(super) fn begin(tenant: &Arc<Tenant>, key: &CallerKey) -> Self {
        CallerJob {
            tenant: Arc::clone(tenant),
            key: *key,
            now: tenant.environment().clock.now(),
            path: path::current(),
            span: traces::current(),
        }
    }

    /// The context of a job that reads.
    pub(super) fn read(&self, tx: &mut Tx<'_>) -> Result<RequestContext> {
        let (context, fresh) = self.context(tx)?;
        self.tenant.keep(fresh);
        Ok(context)
    }

    /// The context of a job that writes; and what had to be loaded for it.
    pub(super) fn write(
        &self,
        tx: &mut Tx<'_>,
        way: ReadWay,
        wishes: &WorkerWishes,
    ) -> Result<(RequestContext, PendingEntries)> {
        let (mut context, fresh) = self.context(tx)?;
        context.reads = LoggedReads::noted(way);
        wishes.collect(&mut context);
        Ok((context, fresh))
    }

    /// Writes what a job that writes noted.
    pub(super) fn end(&self, tx: &mut Tx<'_>, context: &RequestContext, way: ReadWay) -> Result<()> {
        if way == ReadWay::Change {
            audit::acted_elsewhere(context);
        }
        context.write_reads(tx, ReadOrigin::by(&self.key))?;
        context.write_audit(tx)
    }

    fn context(&self, tx: &mut Tx<'_>) -> Result<(RequestContext, PendingEntries)> {
        let tenant = &self.tenant;
        let (mut context, fresh) = tenant.caches.keyed(tx, &self.key, self.now, &tenant.environment)?;
        context.path.clone_from(&self.path);
        context.span = self.span;
        Ok((context, fresh))
    }
}
