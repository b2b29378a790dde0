//! Parts of lists: how many rows match, and which come where. They are named by the statement that finds them, so that
//! all callers share them for whom it is the same.

use super::Cache;
use super::single_flight::FlightTurn;
use context::versions::TypeVersions;
use quick_cache::Weighter;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The number of rows that match, at versions.
#[derive(Debug)]
pub struct Part {
    /// The versions of the types that it depends on.
    pub versions: TypeVersions,
    /// The number of rows that match.
    pub total: i64,
    /// The number of resources in all, where that was asked for.
    pub all: i64,
    /// Set where a full text index finds a good part of them, if that was asked for.
    pub often: bool,
}

/// The rows of a window of a list, at versions.
#[derive(Debug)]
pub struct Order {
    /// The versions of the types that it depends on.
    pub versions: TypeVersions,
    /// The number of rows that match.
    pub total: i64,
    /// None where a page of the window was asked for, and the window itself was not looked for yet.
    pub ids: Option<Arc<[i64]>>,
    /// About how many bytes a row of it has; none where no row was read.
    pub row_bytes: Option<usize>,
    served: AtomicBool,
}

impl Order {
    /// A page was asked for.
    pub fn asked(versions: TypeVersions, row_bytes: Option<usize>) -> Self {
        Order { versions, total: 0, ids: None, row_bytes, served: AtomicBool::new(false) }
    }

    /// The ids were found.
    pub fn found(versions: TypeVersions, total: i64, ids: Arc<[i64]>, row_bytes: Option<usize>) -> Self {
        Order { versions, total, ids: Some(ids), row_bytes, served: AtomicBool::new(false) }
    }

    /// Notes that it was of use.
    pub fn serve(&self) {
        self.served.store(true, Relaxed);
    }

    /// Returns true if it was of use.
    pub fn served(&self) -> bool {
        self.served.load(Relaxed)
    }
}

/// The parts of a tenant's lists, as its configuration stands.
pub struct Parts<'c> {
    /// The cache.
    pub cache: &'c Cache,
    /// The tenant's name.
    pub tenant: &'c Arc<str>,
    /// The epoch of its configuration.
    pub configuration: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartKey {
    tenant: Arc<str>,
    configuration: i64,
    /// The identity of the statement.
    name: Vec<u8>,
}

#[derive(Clone, Debug)]
enum PartValue {
    Total(Arc<Part>),
    Order(Arc<Order>),
}

/// The parts that are kept.
pub(super) struct KeptParts(quick_cache::sync::Cache<PartKey, PartValue, PartSize>);

/// The bytes that an entry takes beside its own.
const OVERHEAD: usize = 256;

#[derive(Clone, Debug)]
struct PartSize;

impl Weighter<PartKey, PartValue> for PartSize {
    fn weight(&self, key: &PartKey, value: &PartValue) -> u64 {
        let bytes = match value {
            PartValue::Total(part) => part.versions.size(),
            PartValue::Order(order) => order.versions.size() + order.ids.as_ref().map_or(0, |ids| ids.len() * 8),
        };
        (OVERHEAD + key.name.len() + bytes) as u64
    }
}

impl KeptParts {
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / 2_048).unwrap_or(usize::MAX).max(16);
        KeptParts(quick_cache::sync::Cache::with_weighter(items, bytes, PartSize))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

impl fmt::Debug for KeptParts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} parts", self.0.len())
    }
}

impl Parts<'_> {
    /// Returns a total that was kept.
    pub fn total(&self, name: &[u8]) -> Option<Arc<Part>> {
        match self.get(name)? {
            PartValue::Total(part) => Some(part),
            PartValue::Order(_) => None,
        }
    }

    /// Keeps a total.
    pub fn keep_total(&self, name: Vec<u8>, part: Part) {
        self.keep(name, PartValue::Total(Arc::new(part)));
    }

    /// Returns an order that was kept.
    pub fn order(&self, name: &[u8]) -> Option<Arc<Order>> {
        match self.get(name)? {
            PartValue::Order(order) => Some(order),
            PartValue::Total(_) => None,
        }
    }

    /// Keeps an order.
    pub fn keep_order(&self, name: Vec<u8>, order: Order) {
        self.keep(name, PartValue::Order(Arc::new(order)));
    }

    /// The turn to look for an order; nothing for a caller that waited until another had looked for the same.
    pub fn turn(&self, name: &[u8]) -> Option<FlightTurn<'_, PartKey>> {
        self.cache.windows.take(self.key(name.to_vec()))
    }

    fn get(&self, name: &[u8]) -> Option<PartValue> {
        self.cache.parts.0.get(&self.key(name.to_vec()))
    }

    fn keep(&self, name: Vec<u8>, value: PartValue) {
        let key = self.key(name);
        if PartSize.weight(&key, &value) <= self.cache.largest {
            self.cache.parts.0.insert(key, value);
        }
    }

    fn key(&self, name: Vec<u8>) -> PartKey {
        PartKey { tenant: Arc::clone(self.tenant), configuration: self.configuration, name }
    }
}
