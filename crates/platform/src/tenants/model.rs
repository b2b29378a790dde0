//! The model of a tenant as its store holds it.

use super::tables;
use crate::configuration;
use crate::error::Result;
use crate::types::Model;
use database::Tx;
use std::sync::Arc;

/// A model with the epoch at which it was read.
pub(super) struct Loaded {
    pub(super) configuration: i64,
    pub(super) model: Arc<Model>,
    pub(super) seed: u64,
}

/// Builds the model from the stored files.
pub(super) fn load(tx: &mut Tx<'_>, configuration: i64) -> Result<Loaded> {
    Ok(Loaded { configuration, model: Arc::new(configuration::load_stored(tx)?), seed: tables::etag_seed(tx)? })
}

/// The hosts that lead to the tenant.
pub(super) fn hosts(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    Ok(configuration::load_stored(tx)?.settings.hosts)
}
