//! The model of a tenant as its store holds it.

use super::tables;
use crate::configuration::{Files, Given, load as load_files};
use crate::error::{Error, Result};
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
    Ok(Loaded { configuration, model: Arc::new(model(tx)?), seed: tables::etag_seed(tx)? })
}

/// The hosts that lead to the tenant.
pub(super) fn hosts(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    Ok(model(tx)?.settings.hosts)
}

fn model(tx: &mut Tx<'_>) -> Result<Model> {
    let mut files = Files::default();
    let mut sql = tx.sql();
    sql.push("SELECT path, content FROM ").table(&tables::FILE);
    tx.query(&sql, &mut |row| {
        files.insert(row.text(0)?, row.text(1)?);
        Ok(())
    })?;
    let loaded = load_files(&files, &Given::default()).map_err(|problems| {
        let first = problems.first().map(|problem| problem.render(None)).unwrap_or_default();
        Error::failed(format!("the stored configuration cannot be loaded: {first}"))
    })?;
    Ok(loaded.model)
}
