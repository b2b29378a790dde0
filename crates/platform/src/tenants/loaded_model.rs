//! The model of a tenant as it was read from its store, and requests under it.

use context::actor::Actor;
use context::audit::{Notes, Source};
use context::call::Call;
use context::key_uses::KeyUses;
use context::listener::Listener;
use context::reads::Reads;
use context::spool::SpoolFolder;
use context::vault::Vault;
use database::Epochs;
use jiff::Timestamp;
use model::cursor::CursorSigner;
use model::file_link::Signer;
use model::types::Model;
use model::work::World;
use std::path::Path;
use std::sync::Arc;

/// A model with the epoch at which it was read.
pub(crate) struct LoadedModel {
    pub(crate) configuration: i64,
    pub(crate) model: Arc<Model>,
    pub(crate) seed: u64,
    pub(crate) signer: Arc<Signer>,
    pub(crate) cursors: Arc<CursorSigner>,
    pub(crate) vault: Option<Arc<Vault>>,
    pub(crate) base: Arc<str>,
    pub(crate) file_root: Option<Arc<Path>>,
    pub(crate) spools: Option<Arc<SpoolFolder>>,
    pub(crate) row_bytes: usize,
    pub(crate) key_uses: KeyUses,
    pub(crate) listener: &'static dyn Listener,
}

impl LoadedModel {
    /// A request of somebody at an instant; what is read is not logged unless the caller of this says otherwise.
    pub(crate) fn call(&self, actor: Arc<Actor>, now: Timestamp, epochs: Epochs, world: &World) -> Call {
        Call {
            model: Arc::clone(&self.model),
            actor,
            now,
            random: Arc::clone(&world.random),
            epochs,
            seed: self.seed,
            signer: Arc::clone(&self.signer),
            cursors: Arc::clone(&self.cursors),
            reads: Reads::default(),
            vault: self.vault.clone(),
            queued: Arc::default(),
            started: Arc::default(),
            depth: 0,
            keeps_keys: false,
            quiet: false,
            held: None,
            path: None,
            base: Arc::clone(&self.base),
            file_root: self.file_root.clone(),
            spools: self.spools.clone(),
            row_bytes: self.row_bytes,
            inside: None,
            source: Source::default(),
            audit: Notes::default(),
            key_uses: self.key_uses.clone(),
            listener: self.listener,
        }
    }
}
