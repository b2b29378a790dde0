//! Signals by which a write tells the workers of its node that something is to be done, so that nobody waits for the
//! next look.

use super::Sample;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Notify;

/// Those of a node's workers.
#[derive(Default)]
pub struct Signals {
    /// Something is to be sent.
    pub outbox: Signal,
    /// An automation is to be carried out.
    pub runs: Signal,
    /// Resources are to be calculated anew.
    pub recalculations: Signal,
    /// A job is to be carried out.
    pub jobs: Signal,
    /// A schedule has another moment.
    pub schedules: Signal,
    /// The number of times that another node was missed.
    pub lost: AtomicUsize,
    /// The sampler of the lines about what fails as the database does.
    pub troubles: Sample,
}

/// The tenants where something was put since the worker last asked.
#[derive(Default)]
pub struct Signal {
    tenants: Mutex<BTreeSet<String>>,
    raised: Notify,
    /// Turns that are under way, by tenant: they hear of it, too.
    turns: Mutex<HashMap<String, Weak<Notify>>>,
    /// The number of turns that only wait for others.
    parked: Arc<AtomicUsize>,
    /// Held by workers that look into a tenant that is not open: one after the other, they take one file or connection.
    pub turn: tokio::sync::Mutex<()>,
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
        let turn = self.turns.lock().unwrap_or_else(PoisonError::into_inner).get(tenant).and_then(Weak::upgrade);
        if let Some(turn) = turn {
            turn.notify_one();
        }
    }

    /// Returns a `Notify` that is notified when something is put there for a tenant, as long as it is held.
    pub fn listen(&self, tenant: &str) -> Arc<Notify> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = turns.get(tenant).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(Notify::new());
        turns.insert(tenant.to_owned(), Arc::downgrade(&turn));
        turn
    }

    /// By which a turn says that it only waits for others.
    pub fn parking(&self) -> Parked {
        Parked { count: Arc::clone(&self.parked), parked: false }
    }

    /// Returns the number of turns that only wait for others.
    pub fn parked(&self) -> usize {
        self.parked.load(Ordering::Relaxed)
    }

    /// The tenants of which that was said since this was last asked.
    pub fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.tenants.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns true if it is said of a tenant.
    pub fn is_raised(&self, tenant: &str) -> bool {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).contains(tenant)
    }

    /// Is done when there are some.
    pub async fn raised(&self) {
        self.raised.notified().await;
    }
}

/// Tells turns to begin nothing more: what they began ends, and is written down.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Tells it.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if that was told.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// True if a turn only waits for others: then it takes nothing from the turns of other tenants.
pub struct Parked {
    count: Arc<AtomicUsize>,
    parked: bool,
}

impl Parked {
    /// Says so, or takes it back.
    pub fn set(&mut self, parked: bool) {
        if std::mem::replace(&mut self.parked, parked) == parked {
            return;
        }
        if parked {
            self.count.fetch_add(1, Ordering::Relaxed);
        } else {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        self.set(false);
    }
}
