//! The model of a tenant as it was read from its store, and requests under it.

use context::actor::Actor;
use context::audit::{AuditNotes, RequestSource};
use context::key_uses::KeyUses;
use context::listener::Listener;
use context::reads::LoggedReads;
use context::request_context::RequestContext;
use context::spool::SpoolFolder;
use context::vault::Vault;
use database::Epochs;
use jiff::Timestamp;
use model::cursor::CursorSigner;
use model::environment::Environment;
use model::file_link::LinkSigner;
use model::types::Model;
use std::path::Path;
use std::sync::Arc;

/// A model with the epoch at which it was read.
pub struct LoadedModel {
    /// The epoch of the configuration.
    pub configuration: i64,
    /// The model.
    pub model: Arc<Model>,
    /// The caller without a key, where the tenant has a public role (E-110).
    pub public: Option<Arc<Actor>>,
    /// The tenant's secret seed of ETags.
    pub seed: u64,
    /// The signer of addresses of files.
    pub signer: Arc<LinkSigner>,
    /// The signer of cursors.
    pub cursors: Arc<CursorSigner>,
    /// The tenant's own keys; none without a master key.
    pub vault: Option<Arc<Vault>>,
    /// The address of the tenant's API.
    pub base: Arc<str>,
    /// The folder that `fileFromFile()` reads from.
    pub file_root: Option<Arc<Path>>,
    /// The place of large answers.
    pub spools: Option<Arc<SpoolFolder>>,
    /// The most bytes that a resource may have.
    pub row_bytes: usize,
    /// The uses of keys that the store does not know yet.
    pub key_uses: KeyUses,
    /// True if the tenant takes no writes.
    pub frozen: bool,
    /// The listener of writes.
    pub listener: &'static dyn Listener,
}

impl LoadedModel {
    /// A request context of an actor at an instant. What is read is not logged unless the caller of this says otherwise.
    pub(crate) fn request_context(
        &self,
        actor: Arc<Actor>,
        now: Timestamp,
        epochs: Epochs,
        environment: &Environment,
    ) -> RequestContext {
        RequestContext {
            model: Arc::clone(&self.model),
            actor,
            now,
            random: Arc::clone(&environment.random),
            epochs,
            seed: self.seed,
            signer: Arc::clone(&self.signer),
            cursors: Arc::clone(&self.cursors),
            reads: LoggedReads::default(),
            vault: self.vault.clone(),
            queued: Arc::default(),
            started: Arc::default(),
            depth: 0,
            keeps_keys: false,
            quiet: false,
            texts: false,
            held: None,
            in_job: false,
            path: None,
            span: None,
            base: Arc::clone(&self.base),
            file_root: self.file_root.clone(),
            spools: self.spools.clone(),
            row_bytes: self.row_bytes,
            inside: None,
            source: RequestSource::default(),
            audit: AuditNotes::default(),
            key_uses: self.key_uses.clone(),
            frozen: self.frozen,
            listener: self.listener,
            unlimited: std::sync::OnceLock::new(),
        }
    }
}
