//! The loader of a tenant: reads its model and callers, within the job of a request. It stands above the tenant.

use super::loaded_model::LoadedModel;
use context::actor::Actor;
use context::key_owner::KeyOwner;
use context::key_text::KeyText;
use database::Tx;
use jiff::Timestamp;
use model::error::Result;
use model::types::Model;
use std::sync::Arc;

/// A tenant's configuration and callers, as its store describes them.
pub trait Loader: Send + Sync {
    /// Reads the model, at this configuration epoch.
    fn model(&self, tx: &mut Tx<'_>, configuration: i64) -> Result<LoadedModel>;

    /// Reads a key with its owner, at this access epoch.
    fn key_owner(&self, tx: &mut Tx<'_>, key: &KeyText, model: &Arc<Model>, access: i64) -> Result<KeyOwner>;

    /// Reads a user with all rights of the roles, without a key; none where the user could not use a key either.
    fn user(&self, tx: &mut Tx<'_>, user: i64, model: &Arc<Model>, now: Timestamp) -> Result<Option<Actor>>;

    /// Notes a model that holds, as other parts of the process depend on it.
    fn keep(&self, model: &Model);
}
