//! The model of a tenant as its store holds it.

use crate::configuration;
use crate::cursor::CursorSigner;
use crate::error::Result;
use crate::files::Signer;
use crate::tables;
use crate::types::Model;
use database::Tx;
use std::sync::Arc;

/// A model with the epoch at which it was read.
pub(super) struct Loaded {
    pub(super) configuration: i64,
    pub(super) model: Arc<Model>,
    pub(super) seed: u64,
    pub(super) signer: Arc<Signer>,
    pub(super) cursors: Arc<CursorSigner>,
}

/// Builds the model from the stored files.
pub(super) fn load(tx: &mut Tx<'_>, configuration: i64) -> Result<Loaded> {
    let seed = tables::secret(tx, "etag")?.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    let model = configuration::load_stored(tx)?;
    let own = || format!("/t/{}", model.settings.name);
    let base = model.settings.base_url.as_ref().map_or_else(own, |base| base.trim_end_matches('/').to_owned());
    let signer = Arc::new(Signer::new(tables::secret(tx, "file")?, base));
    let cursors = Arc::new(CursorSigner::new(tables::secret(tx, "cursor")?));
    Ok(Loaded { configuration, model: Arc::new(model), seed, signer, cursors })
}
