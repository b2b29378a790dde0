//! Tenants: which there are, their stores and models, and the one way in for requests.

use crate::actor::Actor;
use crate::types::Model;
use jiff::Timestamp;
use std::sync::Arc;

/// A request inside a tenant: what every domain function is given beside the transaction.
pub struct Call {
    /// The configuration that holds.
    pub model: Arc<Model>,
    /// Who acts.
    pub actor: Arc<Actor>,
    /// The one present of the whole request.
    pub now: Timestamp,
}
