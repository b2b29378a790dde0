//! The wishes of a job to the workers: they count once it is committed.

use super::Signals;
use context::request_context::RequestContext;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The wishes of a job to the workers.
#[derive(Clone, Default)]
pub(crate) struct WorkerWishes {
    sending: Arc<AtomicBool>,
    running: Arc<AtomicBool>,
}

impl WorkerWishes {
    /// Has a request context collect the wishes. A job that is run again begins anew.
    pub(crate) fn collect(&self, context: &mut RequestContext) {
        self.sending.store(false, Ordering::Relaxed);
        self.running.store(false, Ordering::Relaxed);
        context.queued = Arc::clone(&self.sending);
        context.started = Arc::clone(&self.running);
    }

    /// Raises the signals of a tenant that are wished for.
    pub(crate) fn signal(&self, signals: &Signals, tenant: &str) {
        if self.sending.load(Ordering::Relaxed) {
            signals.outbox.raise(tenant);
        }
        if self.running.load(Ordering::Relaxed) {
            signals.runs.raise(tenant);
        }
    }
}
