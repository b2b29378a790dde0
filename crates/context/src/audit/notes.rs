//! Events of a job, noted while it runs and written as it ends.

use super::chain;
use super::event::AuditEvent;
use crate::vault::Vault;
use database::Tx;
use jiff::Timestamp;
use model::error::Result;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The events that a job has noted so far.
#[derive(Clone, Debug, Default)]
pub struct AuditNotes(Arc<Mutex<Vec<AuditEvent>>>);

impl AuditNotes {
    /// Adds an event.
    pub(super) fn add(&self, event: AuditEvent) {
        self.events().push(event);
    }

    /// Returns the number of events: where [`AuditNotes::forget`] begins.
    pub fn count(&self) -> usize {
        self.events().len()
    }

    /// Forgets all but so many, of a part of the job that was undone.
    pub fn forget(&self, from: usize) {
        self.events().truncate(from);
    }

    /// Writes them at that moment, under the tenant's keys. Nothing of the job may come after.
    pub fn write(&self, tx: &mut Tx<'_>, now: Timestamp, vault: Option<&Vault>) -> Result<()> {
        let events = std::mem::take(&mut *self.events());
        if events.is_empty() { Ok(()) } else { chain::append(tx, now, vault, events) }
    }

    fn events(&self) -> MutexGuard<'_, Vec<AuditEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
