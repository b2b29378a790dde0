//! Events of a job, noted while it runs and written as it ends.

use super::chain;
use super::event::AuditEvent;
use crate::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The events that a job has noted so far.
#[derive(Clone, Debug, Default)]
pub struct AuditNotes(Arc<Mutex<Vec<AuditEvent>>>);

/// Notes an event of this job. It is written in the job's transaction, last; where the job fails, it never was.
pub fn record(call: &RequestContext, event: AuditEvent) {
    let (actor, source) = (event.actor.or_else(|| call.user()), event.source.unwrap_or(call.source));
    let mut event = AuditEvent { actor, source: Some(source), ..event };
    // Whoever acts as somebody else stands beside them.
    if let Some(acting) = call.actor.acting {
        event = event.with("loginAs", acting);
    }
    call.audit.events().push(event);
}

impl AuditNotes {
    /// Returns the number of events: where [`AuditNotes::forget`] begins.
    pub fn count(&self) -> usize {
        self.events().len()
    }

    /// Forgets all but so many, of a part of the job that was undone.
    pub fn forget(&self, from: usize) {
        self.events().truncate(from);
    }

    /// Writes them. Nothing of the job may come after.
    pub fn write(&self, tx: &mut Tx<'_>, call: &RequestContext) -> Result<()> {
        let events = std::mem::take(&mut *self.events());
        if events.is_empty() { Ok(()) } else { chain::append(tx, call, events) }
    }

    fn events(&self) -> MutexGuard<'_, Vec<AuditEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
