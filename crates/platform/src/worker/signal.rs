//! How a write tells the workers of its node that something is to be done, so that nobody waits for the next look.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// Those of a node's workers.
#[derive(Default)]
pub(crate) struct Signals {
    /// Something is to be sent.
    pub(crate) outbox: Signal,
    /// An automation is to be carried out.
    pub(crate) runs: Signal,
    /// Resources are to be calculated anew.
    pub(crate) recalculations: Signal,
    /// A schedule has another moment.
    pub(crate) schedules: Signal,
}

/// The tenants where something was put since the worker last asked.
#[derive(Default)]
pub(crate) struct Signal {
    tenants: Mutex<BTreeSet<String>>,
    raised: Notify,
    /// Held by whoever looks into a tenant that is not open: one after the other, they take one file or connection.
    pub(super) turn: tokio::sync::Mutex<()>,
}

impl Signal {
    /// Something was put there, and committed.
    pub(crate) fn raise(&self, tenant: &str) {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if !tenants.contains(tenant) {
            tenants.insert(tenant.to_owned());
        }
        drop(tenants);
        self.raised.notify_one();
    }

    /// The tenants of which that was said since this was last asked.
    pub(crate) fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.tenants.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether it is said of a tenant.
    pub(super) fn is_raised(&self, tenant: &str) -> bool {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).contains(tenant)
    }

    /// Is done when there are some.
    pub(crate) async fn raised(&self) {
        self.raised.notified().await;
    }
}
