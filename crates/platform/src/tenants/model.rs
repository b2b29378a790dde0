//! The model of a tenant as its store holds it.

use super::Call;
use crate::actor::Actor;
use crate::audit::{Notes, Source};
use crate::automations;
use crate::configuration::{self, Prepared, Refused};
use crate::cursor::CursorSigner;
use crate::error::Result;
use crate::files::Signer;
use crate::outbox::Routes;
use crate::read_log::Reads;
use crate::tables;
use crate::types::Model;
use crate::vault::{self, Keys, Vault};
use crate::work::World;
use arc_swap::ArcSwapOption;
use database::{Epochs, Tx};
use jiff::Timestamp;
use std::path::Path;
use std::sync::Arc;

/// A model with the epoch at which it was read.
pub(super) struct Loaded {
    pub(super) configuration: i64,
    pub(super) model: Arc<Model>,
    pub(super) seed: u64,
    pub(super) signer: Arc<Signer>,
    pub(super) cursors: Arc<CursorSigner>,
    pub(super) vault: Option<Arc<Vault>>,
    base: Arc<str>,
    file_root: Option<Arc<Path>>,
}

/// What a tenant has beside its store.
#[derive(Clone)]
pub(super) struct Own {
    pub(super) name: Arc<str>,
    pub(super) keys: Option<Keys>,
    pub(super) routes: Routes,
    pub(super) file_root: Option<Arc<Path>>,
    pub(super) prepared: Option<Arc<Prepared>>,
    /// The stored files that were refused last.
    pub(super) refused: Arc<ArcSwapOption<Refused>>,
}

impl Loaded {
    /// A request of somebody at an instant; what is read is not logged unless the caller of this says otherwise.
    pub(super) fn call(&self, actor: Arc<Actor>, now: Timestamp, epochs: Epochs, world: &World) -> Call {
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
            quiet: false,
            path: None,
            base: Arc::clone(&self.base),
            file_root: self.file_root.clone(),
            inside: None,
            source: Source::default(),
            audit: Notes::default(),
        }
    }
}

/// Builds the model from the stored files, unless they are those that it was built from already, or that are known to
/// be refused.
pub(super) fn load(tx: &mut Tx<'_>, configuration: i64, of: &Own) -> Result<Loaded> {
    let seed = tables::secret(tx, "etag")?.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    let disabled = automations::disabled(tx)?;
    let prepared = of.prepared.as_ref().filter(|_| disabled.is_empty());
    let model = match prepared {
        Some(prepared) if prepared.is_stored(tx)? => Arc::clone(prepared.model()),
        _ => {
            let mut model = stored(tx, &of.refused)?;
            model.automations = model.automations.without(disabled);
            Arc::new(model)
        }
    };
    let own = || format!("/t/{}", model.settings.name);
    let base = model.settings.base_url.as_ref().map_or_else(own, |base| base.trim_end_matches('/').to_owned());
    let signer = Arc::new(Signer::new(tables::secret(tx, "file")?, base));
    let cursors = Arc::new(CursorSigner::new(tables::secret(tx, "cursor")?));
    let vault = vault::find(tx, of.keys.as_ref(), &of.name)?;
    let (base, file_root) = (of.routes.base(&model, &of.name).into(), of.file_root.clone());
    Ok(Loaded { configuration, model, seed, signer, cursors, vault, base, file_root })
}

/// The model out of the stored files. That they are refused is noted with the files themselves, and not at an epoch: so it
/// holds whatever becomes of the transaction.
fn stored(tx: &mut Tx<'_>, last: &ArcSwapOption<Refused>) -> Result<Model> {
    if let Some(refused) = &*last.load()
        && refused.is_stored(tx)?
    {
        return Err(refused.error());
    }
    match configuration::load_stored(tx)? {
        Ok(model) => {
            last.store(None);
            Ok(model)
        }
        Err(refused) => {
            let error = refused.error();
            last.store(Some(Arc::new(refused)));
            Err(error)
        }
    }
}
