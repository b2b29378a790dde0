//! The memory of results of queries, for as long as one evaluation takes.

use crate::queries::prepared::PreparedQuery;
use expression::value::{Object, Value};
use model::types::ResourceType;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The results of an evaluation's queries. A page of each is kept; the others are read as they are asked for.
#[derive(Default)]
pub(super) struct Results {
    pub(super) next: usize,
    pub(super) kept: BTreeMap<usize, KeptResult>,
    /// That of the current query.
    pub(super) current: Option<Value>,
    /// Single resources, as the acting user sees them.
    pub(super) seen: HashMap<(i64, i64), Option<Object>>,
}

/// A result, as far as it is kept.
pub(super) struct KeptResult {
    pub(super) of: Arc<ResourceType>,
    pub(super) read: PreparedQuery,
    pub(super) page: ResultPage,
}

/// A page of a list, or of groups.
pub(super) struct ResultPage {
    /// The place of its first row.
    pub(super) start: usize,
    pub(super) length: usize,
    /// The rows with their ids; those of groups are 0.
    pub(super) rows: Vec<(i64, Object)>,
    pub(super) total: u64,
}

/// A row of a result.
pub(super) struct FoundRow {
    /// The resource that it shows, by type and id; none for a group.
    pub(super) resource: Option<(i64, i64)>,
    pub(super) row: Object,
}

impl KeptResult {
    pub(super) fn row(&self, id: i64, row: Object) -> FoundRow {
        let resource = matches!(self.read, PreparedQuery::List(_)).then_some((self.of.id, id));
        FoundRow { resource, row }
    }
}
