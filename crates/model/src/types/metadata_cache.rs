//! Cache of the metadata of types: the same for all callers with the same rights, as long as the model stands.

use super::TypeGrant;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Bytes that the metadata of a tenant's types may take.
const BYTES: u64 = 4 << 20;

/// The cache of a model.
#[derive(Default)]
pub struct MetadataCache(OnceLock<Cache<MetadataKey, Arc<TypeMetadata>, CacheSize>>);

/// The readers that the metadata of a type is for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MetadataKey {
    /// The type.
    pub type_id: i64,
    /// True where they may change what decides about the rights of users.
    pub admin: bool,
    /// The rights on the type, and on those that it refers to.
    pub grants: Vec<TypeGrant>,
}

/// The metadata of each field of a type, by position, as JSON. The reader's right to a field is judged when it is asked
/// for.
pub struct TypeMetadata {
    /// The JSON of all fields, one behind the other.
    pub bytes: Vec<u8>,
    /// The place of each field's JSON in the bytes.
    pub places: Vec<Range<usize>>,
}

impl MetadataCache {
    /// Returns the metadata for some readers, made where the cache lacks it.
    pub fn get_or_make(&self, key: MetadataKey, make: impl FnOnce() -> TypeMetadata) -> Arc<TypeMetadata> {
        let cache = self.0.get_or_init(|| Cache::with_weighter(16, BYTES, CacheSize));
        if let Some(cached) = cache.get(&key) {
            return cached;
        }
        let made = Arc::new(make());
        cache.insert(key, Arc::clone(&made));
        made
    }
}

impl std::fmt::Debug for MetadataCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MetadataCache")
    }
}

#[derive(Clone)]
struct CacheSize;

impl Weighter<MetadataKey, Arc<TypeMetadata>> for CacheSize {
    fn weight(&self, key: &MetadataKey, metadata: &Arc<TypeMetadata>) -> u64 {
        let places = metadata.places.len() * size_of::<Range<usize>>();
        (metadata.bytes.len() + places + key.grants.len() * size_of::<TypeGrant>()) as u64
    }
}
