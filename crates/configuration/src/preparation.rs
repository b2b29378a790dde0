//! A configuration that is loaded once for many stores that hold the same files.

use super::load::Loaded;
use super::stored_files;
use crate::source_files::Files;
use database::Tx;
use model::error::Result;
use model::types::Model;
use std::sync::Arc;

/// Files and what they mean, for stores that may turn out to hold them.
#[derive(Debug)]
pub struct Prepared {
    files: Files,
    model: Arc<Model>,
}

impl Prepared {
    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The files, with all ids.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns true if a store holds these files, byte for byte, so that its model is this one.
    pub fn is_stored(&self, tx: &mut Tx<'_>) -> Result<bool> {
        Ok(stored_files::rules(tx)? == self.model.rules && stored_files::files(tx)? == self.files)
    }
}

impl From<Loaded> for Prepared {
    fn from(loaded: Loaded) -> Self {
        Prepared { files: loaded.files, model: Arc::new(loaded.model) }
    }
}
