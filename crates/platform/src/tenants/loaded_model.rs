//! The model of a tenant as its store holds it.

use super::listener::PlatformListener;
use crate::automations;
use crate::configuration::{self, Prepared, Refused};
use crate::outbox::Routes;
use arc_swap::ArcSwapOption;
use context::actor::Actor;
use context::audit::{Notes, Source};
use context::call::Call;
use context::key_uses::KeyUses;
use context::reads::Reads;
use context::spool::SpoolFolder;
use context::tables;
use context::vault;
use context::vault::{Keys, Vault};
use database::{Epochs, Tx};
use jiff::Timestamp;
use model::cursor::CursorSigner;
use model::error::Result;
use model::file_link::Signer;
use model::types::Model;
use model::work::World;
use std::path::Path;
use std::sync::Arc;

/// A model with the epoch at which it was read.
pub(super) struct LoadedModel {
    pub(super) configuration: i64,
    pub(super) model: Arc<Model>,
    pub(super) seed: u64,
    pub(super) signer: Arc<Signer>,
    pub(super) cursors: Arc<CursorSigner>,
    pub(super) vault: Option<Arc<Vault>>,
    base: Arc<str>,
    file_root: Option<Arc<Path>>,
    spools: Option<Arc<SpoolFolder>>,
    row_bytes: usize,
    key_uses: KeyUses,
}

/// The data of a tenant beside its store.
#[derive(Clone)]
pub(super) struct TenantConfig {
    pub(super) name: Arc<str>,
    pub(super) keys: Option<Keys>,
    pub(super) routes: Routes,
    /// The most bytes that a resource may have.
    pub(super) row_bytes: usize,
    pub(super) file_root: Option<Arc<Path>>,
    pub(super) spools: Option<Arc<SpoolFolder>>,
    pub(super) prepared: Option<Arc<Prepared>>,
    /// The stored files that were refused last.
    pub(super) refused: Arc<ArcSwapOption<Refused>>,
    pub(super) key_uses: KeyUses,
}

impl LoadedModel {
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
            listener: &PlatformListener,
        }
    }
}

/// Builds the model from the stored files, unless they are those that it was built from already, or that are known to
/// be refused.
pub(super) fn load(tx: &mut Tx<'_>, configuration: i64, of: &TenantConfig) -> Result<LoadedModel> {
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
    Ok(LoadedModel {
        base: of.routes.base(&model, &of.name).into(),
        configuration,
        model,
        seed,
        signer,
        cursors,
        vault,
        file_root: of.file_root.clone(),
        spools: of.spools.clone(),
        row_bytes: of.row_bytes,
        key_uses: of.key_uses.clone(),
    })
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
