//! The memory of results of queries, for as long as one evaluation takes.

use expression::value::{Object, Value};
use model::types::ResourceType;
use query::request::ListRequest;
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
    pub(super) list: ListRequest,
    pub(super) page: ResultPage,
}

/// A page of a list.
pub(super) struct ResultPage {
    /// The place of its first row in the list.
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) rows: Vec<(i64, Object)>,
    pub(super) total: u64,
}
