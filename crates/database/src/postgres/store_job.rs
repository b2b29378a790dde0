//! Jobs on their way to a store.

use crate::job::QueuedJob;
use std::sync::Arc;

/// The kind of transaction that a job wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobAccess {
    /// A read by key, which may run in a batch with others.
    KeyRead,
    /// A read by key that did not fit into its batch, and runs by itself.
    SingleRead,
    /// A read that may take long.
    Scan,
    /// A write.
    Write,
}

/// A job on its way to a store.
pub(super) struct StoreJob {
    pub(super) access: JobAccess,
    /// The text before a table's name: `"schema".`
    pub(super) prefix: Arc<str>,
    pub(super) queued: QueuedJob,
}

impl StoreJob {
    /// The same, unless nobody waits for it or it waited too long.
    pub(super) fn due(self) -> Option<Self> {
        Some(StoreJob { queued: self.queued.due()?, ..self })
    }
}
