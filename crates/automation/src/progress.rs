//! Progress of a run, and the values that it knows by then.

use super::StepPosition;
use super::memory::RunMemory;
use super::run_values::{self, RunIdentity};
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use serde_json::Value as Json;
use std::sync::Arc;

/// Progress of a run. Values are kept as they are written down: what they refer to is read anew in each evaluation.
#[derive(Clone, Debug)]
pub(super) struct RunProgress {
    pub(super) position: StepPosition,
    /// Its variables, and what the last request gave.
    pub(super) memory: RunMemory,
    /// The lists that the run goes through, from the outermost one.
    pub(super) lists: Vec<Arc<Vec<Json>>>,
    /// Number of steps that were done, and of members of lists that were gone through.
    pub steps: i64,
    pub(super) items: i64,
    /// The digest of the steps that were gone past.
    pub(super) passed: u64,
    /// Number of times that the step was tried.
    pub(super) tries: i64,
    /// The number of the claim, or of the transaction after it.
    pub(super) claim: i64,
}

impl RunProgress {
    /// Returns the progress that was written down; a run that has not begun knows nothing.
    pub(super) fn decode(position: StepPosition, content: Option<&[u8]>) -> Option<Self> {
        let json: Json = match content {
            Some(content) => serde_json::from_slice(content).ok()?,
            None => Json::Null,
        };
        let (memory, items) = (RunMemory::decode(&json), json["items"].as_i64().unwrap_or_default());
        Some(RunProgress { position, memory, lists: Vec::new(), steps: 0, items, passed: 0, tries: 0, claim: 0 })
    }

    /// As it is written down; lists and large values lie apart.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut members = self.memory.encode();
        members.insert("items".to_owned(), Json::from(self.items));
        Json::Object(members).to_string().into_bytes()
    }

    /// Reads what lies apart: the lists that the run goes through, and its large values. Gives whether all of it could be read.
    pub(super) fn read_apart(
        &mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        run: RunIdentity<'_>,
    ) -> Result<bool> {
        let lists = self.position.lists();
        if lists == 0 && !self.memory.is_apart() {
            return Ok(true);
        }
        let mut rows = run_values::read(tx, context, run)?;
        let list = |number| match rows.remove(&run_values::level(number)).flatten() {
            Some(Json::Array(members)) => Some(Arc::new(members)),
            _ => None,
        };
        let lists: Option<Vec<_>> = (0..lists).map(list).collect();
        self.lists = lists.unwrap_or_default();
        Ok(self.lists.len() == self.position.lists() && self.memory.take(&mut rows))
    }
}
