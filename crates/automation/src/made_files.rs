//! Files that steps give resources: the bytes are stored first, outside of the transaction, and the step is done again.

use super::template::of_fault;
use context::value_json::to_json;
use expression::Value;
use expression::value::FileValue;
use model::error::{Error, Result};
use model::types::{Property, ResourceType};
use resources::expressions::PlatformProviders;
use resources::files;
use resources::files::Made;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use tenant::Tenant;

/// The most times that files are stored for a step that wants others each time.
const MOST: u8 = 4;

/// Files that are stored, by the promises that uploads give, or why they are not. Each is taken once.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptFiles {
    promises: RefCell<HashMap<Made, Vec<std::result::Result<String, String>>>>,
    /// The step that they are for, and how often files were stored for it.
    rounds: (String, u8),
}

/// A file to be stored.
pub(super) type WantedFile = Vec<(Made, Arc<FileValue>)>;

/// The files of one step.
pub(super) struct StepFiles<'k> {
    kept: &'k KeptFiles,
    position: String,
    wanted: RefCell<WantedFile>,
}

impl KeptFiles {
    /// Stores files that the step at a position wants, for the user in whose name it acts.
    pub(crate) async fn store(
        &mut self,
        tenant: &Arc<Tenant>,
        owner: i64,
        position: String,
        wanted: WantedFile,
    ) -> Result<()> {
        let before = if self.rounds.0 == position { self.rounds.1 } else { 0 };
        self.rounds = (position, before + 1);
        self.promises.get_mut().clear();
        for (made, file) in wanted {
            let stored = match files::store_made(tenant, owner, &made, &file).await {
                Ok(promise) => Ok(promise),
                Err(error) if error.detail.is_some() => return Err(error),
                // The property does not take it: the step fails.
                Err(error) => Err(error.message),
            };
            self.promises.get_mut().entry(made).or_default().push(stored);
        }
        Ok(())
    }
}

impl<'k> StepFiles<'k> {
    /// Those of the step at a position.
    pub(crate) fn new(kept: &'k KeptFiles, position: String) -> Self {
        StepFiles { kept, position, wanted: RefCell::default() }
    }

    /// Returns the files that have to be stored before the step can be done.
    pub(super) fn missing(self) -> Option<WantedFile> {
        Some(self.wanted.into_inner()).filter(|wanted| !wanted.is_empty())
    }

    /// The value of a property of files as bodies have it.
    pub(crate) fn wire(
        &self,
        resource_type: &ResourceType,
        property: &Property,
        value: &Value,
        providers: &PlatformProviders<'_, '_>,
    ) -> Result<Json> {
        match value {
            Value::File(file) => self.promise(Made::new(resource_type.id, property.id, file), file),
            Value::Array(members) => {
                members.values().map(|member| self.wire(resource_type, property, member, providers)).collect()
            }
            other => to_json(other, providers).map_err(|fault| of_fault(&fault)),
        }
    }

    fn promise(&self, made: Made, file: &Arc<FileValue>) -> Result<Json> {
        let stored = self.kept.promises.borrow_mut().get_mut(&made).and_then(Vec::pop);
        match stored {
            Some(Ok(promise)) => Ok(Json::String(promise)),
            Some(Err(message)) => Err(Error::invalid("file_refused", message)),
            None if self.kept.rounds.1 >= MOST && self.kept.rounds.0 == self.position => {
                Err(Error::invalid("file_changes", "A file of the step differs in each attempt."))
            }
            None => {
                self.wanted.borrow_mut().push((made, Arc::clone(file)));
                Ok(Json::Null)
            }
        }
    }
}
