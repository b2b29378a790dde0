//! From a key to its owner's rights, inside the request's own database job.

use super::loaded_model::LoadedModel;
use super::loader::Loader;
use arc_swap::ArcSwapOption;
use context::actor::{Actor, PUBLIC};
use context::audit::{RequestChannel, RequestSource};
use context::caller_key::CallerKey;
use context::key_owner::KeyOwner;
use context::key_text::refused;
use context::request_context::RequestContext;
use context::tables;
use database::{Epochs, Tx};
use jiff::Timestamp;
use model::environment::Environment;
use model::error::Result;
use model::file_link::{self, FileLink};
use model::rate::RequestRate;
use model::types::Model;
use quick_cache::sync::Cache;
use std::sync::Arc;

/// The most callers of a tenant that stay in memory.
const CALLERS: usize = 1_024;

/// The cached data of a tenant. Each entry names the epoch that it was read at and holds only while that stands.
pub(super) struct TenantCache {
    model: ArcSwapOption<LoadedModel>,
    callers: Cache<i64, Arc<KeyOwner>>,
    loader: Box<dyn Loader>,
}

/// Data that a job had to load, to be kept once nothing can undo it.
#[derive(Default)]
pub struct PendingEntries {
    pub(super) loaded: Option<Arc<LoadedModel>>,
    known: Option<Arc<KeyOwner>>,
}

impl PendingEntries {
    pub(super) fn is_empty(&self) -> bool {
        self.loaded.is_none() && self.known.is_none()
    }
}

impl TenantCache {
    pub(super) fn new(loader: Box<dyn Loader>) -> Self {
        TenantCache { model: ArcSwapOption::empty(), callers: Cache::new(CALLERS), loader }
    }

    /// Returns the request context of a key's owner, or of the public role. Validity and the owner's state are checked
    /// against the present on every request.
    pub(super) fn keyed(
        &self,
        tx: &mut Tx<'_>,
        caller: &CallerKey,
        now: Timestamp,
        environment: &Environment,
    ) -> Result<(RequestContext, PendingEntries)> {
        // The epochs are read before what they speak of, so that a cached entry is never older than its epoch.
        let epochs = tx.epochs()?;
        let (loaded, mut fresh) = self.model(tx, epochs)?;
        let source = RequestSource { via: RequestChannel::Api, key: caller.id(), address: caller.address };
        let Some(key) = &caller.text else {
            let actor = loaded.public.clone().ok_or_else(refused)?;
            return Ok((loaded.request_context(actor, now, epochs, environment).come_from(source), fresh));
        };
        // A session goes on beyond the end that was read: it is looked for again.
        let holds = |known: &Arc<KeyOwner>| known.access == epochs.access && known.validity.holds(now);
        let known = match self.callers.get(&key.id).filter(holds) {
            Some(known) => known,
            None => {
                let known = Arc::new(self.loader.key_owner(tx, key, &loaded.model, epochs.access)?);
                fresh.known = Some(Arc::clone(&known));
                known
            }
        };
        let actor = known.actor(key, now)?;
        let source = RequestSource { via: known.channel, ..source };
        Ok((loaded.request_context(actor, now, epochs, environment).come_from(source), fresh))
    }

    /// Returns the request context of the user that an address of a file was signed for, with the rights that hold now.
    pub(crate) fn linked(
        &self,
        tx: &mut Tx<'_>,
        token: &str,
        now: Timestamp,
        environment: &Environment,
    ) -> Result<(RequestContext, FileLink, PendingEntries)> {
        let epochs = tx.epochs()?;
        let (loaded, fresh) = self.model(tx, epochs)?;
        let LoadedModel { model, signer, .. } = &*loaded;
        let link = signer.verify(token, now).ok_or_else(file_link::refused)?;
        let actor = match link.user {
            0 => Some(Arc::new(Actor::administrator(model))),
            PUBLIC => loaded.public.clone(),
            user => self.loader.user(tx, user, model, now)?.map(Arc::new),
        };
        let actor = actor.ok_or_else(file_link::refused)?;
        // The address came with an answer of the API, and stands for asking there.
        let source = RequestSource { via: RequestChannel::Api, ..RequestSource::default() };
        Ok((loaded.request_context(actor, now, epochs, environment).come_from(source), link, fresh))
    }

    /// The model that holds at these epochs.
    pub(super) fn model(&self, tx: &mut Tx<'_>, epochs: Epochs) -> Result<(Arc<LoadedModel>, PendingEntries)> {
        let cached = self.model.load_full().filter(|loaded| loaded.configuration == epochs.configuration);
        if let Some(loaded) = cached {
            return Ok((loaded, PendingEntries::default()));
        }
        // A later version may have raised the form since this node opened the store.
        tables::refuse_later(tx)?;
        let loaded = Arc::new(self.loader.model(tx, epochs.configuration)?);
        Ok((Arc::clone(&loaded), PendingEntries { loaded: Some(loaded), known: None }))
    }

    /// The limit of each key, as the configuration that was read last has it; nothing where none was read yet.
    #[expect(clippy::option_option, reason = "unknown is not the same as unlimited")]
    pub(super) fn key_rate(&self) -> Option<Option<RequestRate>> {
        self.model.load().as_ref().map(|loaded| loaded.model.settings.api.rate)
    }

    /// The model that was read last, where one was.
    pub(super) fn latest_model(&self) -> Option<Arc<Model>> {
        self.model.load().as_ref().map(|loaded| Arc::clone(&loaded.model))
    }

    /// Returns whoever acted with the key when the store was last asked. Good for guesses alone.
    pub(super) fn guess(&self, caller: &CallerKey) -> Option<Arc<Actor>> {
        match caller.text {
            Some(key) => {
                let known = self.callers.get(&key.id).filter(|known| known.has_text(&key));
                known.map(|known| Arc::clone(known.owner()))
            }
            None => self.model.load().as_ref().and_then(|loaded| loaded.public.clone()),
        }
    }

    pub(super) fn keep(&self, fresh: PendingEntries) {
        if let Some(loaded) = fresh.loaded {
            self.loader.keep(&loaded.model);
            self.model.store(Some(loaded));
        }
        if let Some(known) = fresh.known {
            self.callers.insert(known.key, known);
        }
    }
}
