//! Events of a job, noted while it runs and written as it ends.

use super::chain;
use super::event::Event;
use crate::call::Call;
use database::Tx;
use model::error::Result;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The events that a job has noted so far.
#[derive(Clone, Debug, Default)]
pub struct Notes(Arc<Mutex<Vec<Event>>>);

/// Notes an event of this job. It is written in the job's transaction, last; where the job fails, it never was.
pub fn record(call: &Call, event: Event) {
    let (actor, source) = (event.actor.or_else(|| call.user()), event.source.unwrap_or(call.source));
    let mut event = Event { actor, source: Some(source), ..event };
    // Whoever acts as somebody else stands beside them.
    if let Some(acting) = call.actor.acting {
        event = event.with("loginAs", acting);
    }
    call.audit.events().push(event);
}

impl Notes {
    /// Returns the number of events: where [`Notes::forget`] begins.
    pub fn count(&self) -> usize {
        self.events().len()
    }

    /// Forgets all but so many, of a part of the job that was undone.
    pub fn forget(&self, from: usize) {
        self.events().truncate(from);
    }

    /// Writes them. Nothing of the job may come after.
    pub fn write(&self, tx: &mut Tx<'_>, call: &Call) -> Result<()> {
        let events = std::mem::take(&mut *self.events());
        if events.is_empty() { Ok(()) } else { chain::append(tx, call, events) }
    }

    fn events(&self) -> MutexGuard<'_, Vec<Event>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
