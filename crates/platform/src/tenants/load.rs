//! Loading a tenant's model and callers from its store.

use super::directory::TenantDirectory;
use super::listener::PlatformListener;
use tenant::loaded_model::LoadedModel;
use tenant::loader::Loader;

use arc_swap::ArcSwapOption;
use configuration::{Prepared, RefusedFiles};
use context::actor::Actor;
use context::freeze;
use context::key_owner::KeyOwner;
use context::key_text::KeyText;
use context::key_uses::KeyUses;
use context::spool::SpoolFolder;
use context::tables;
use context::vault;
use context::vault::MasterKeys;
use database::Tx;
use jiff::Timestamp;
use messages::outbox::Routes;
use model::cursor::CursorSigner;
use model::error::Result;
use model::file_link::LinkSigner;
use model::types::Model;
use resources::users::known;
use resources::users::person;
use std::path::Path;
use std::sync::Arc;

/// The loader of a tenant, with the data that does not stand in its store.
pub(super) struct StoreLoader {
    pub(super) name: Arc<str>,
    pub(super) keys: Option<MasterKeys>,
    pub(super) routes: Routes,
    /// The most bytes that a resource may have.
    pub(super) row_bytes: usize,
    pub(super) file_root: Option<Arc<Path>>,
    pub(super) spools: Option<Arc<SpoolFolder>>,
    pub(super) prepared: Option<Arc<Prepared>>,
    /// The stored files that were refused last.
    pub(super) refused: Arc<ArcSwapOption<RefusedFiles>>,
    pub(super) key_uses: KeyUses,
    pub(super) directory: Arc<TenantDirectory>,
}

impl Loader for StoreLoader {
    fn model(&self, tx: &mut Tx<'_>, configuration: i64) -> Result<LoadedModel> {
        load(tx, configuration, self)
    }

    fn key_owner(&self, tx: &mut Tx<'_>, key: &KeyText, model: &Arc<Model>, access: i64) -> Result<KeyOwner> {
        known::key_owner(tx, key, model, access, &self.key_uses)
    }

    fn user(&self, tx: &mut Tx<'_>, user: i64, model: &Arc<Model>, now: Timestamp) -> Result<Option<Actor>> {
        person::unkeyed(tx, user, model, now)
    }

    fn keep(&self, model: &Model) {
        self.directory.put(&self.name, &model.settings.hosts);
    }
}

/// Builds the model from the stored files, unless they are those that it was built from already, or that are known to
/// be refused.
fn load(tx: &mut Tx<'_>, configuration: i64, of: &StoreLoader) -> Result<LoadedModel> {
    let seed = tables::secret(tx, "etag")?.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    let disabled = automation::disabled(tx)?;
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
    let signer = Arc::new(LinkSigner::new(tables::secret(tx, "file")?, base));
    let cursors = Arc::new(CursorSigner::new(tables::secret(tx, "cursor")?));
    let vault = vault::find(tx, of.keys.as_ref(), &of.name)?;
    Ok(LoadedModel {
        base: of.routes.base(&model, &of.name).into(),
        configuration,
        public: Actor::public(&model).map(Arc::new),
        model,
        seed,
        signer,
        cursors,
        vault,
        file_root: of.file_root.clone(),
        spools: of.spools.clone(),
        row_bytes: of.row_bytes,
        key_uses: of.key_uses.clone(),
        frozen: freeze::is_frozen(tx)?,
        listener: &PlatformListener,
    })
}

/// The model out of the stored files. That they are refused is noted with the files themselves, and not at an epoch: so it
/// holds whatever becomes of the transaction.
fn stored(tx: &mut Tx<'_>, last: &ArcSwapOption<RefusedFiles>) -> Result<Model> {
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
