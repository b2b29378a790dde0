//! The parts of a node that the turns of its queues share.

use super::{Places, Signals};
use std::sync::{Arc, OnceLock};
use traces::Tracer;

/// Places and signals of a node. A clone shares them.
#[derive(Clone)]
pub struct WorkerContext {
    /// The most mails, SMS or runs that a tenant may have under way at a time.
    pub places: usize,
    /// The places at destinations of mails and SMS.
    pub outbox_places: Arc<Places>,
    /// The places at hosts that automations ask.
    pub host_places: Arc<Places>,
    /// The signals by which writes tell that there is something to do.
    pub signals: Arc<Signals>,
    /// The traces of the node, once it makes some.
    pub tracer: Arc<OnceLock<Tracer>>,
}

impl WorkerContext {
    /// A context with so many places for a tenant, and for a destination.
    pub fn new(places: usize, destination_places: usize) -> Self {
        WorkerContext {
            places: places.max(1),
            outbox_places: Places::new(destination_places),
            host_places: Places::new(destination_places),
            signals: Arc::default(),
            tracer: Arc::default(),
        }
    }
}
