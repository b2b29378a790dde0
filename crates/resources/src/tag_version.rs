//! Versions that tell caches that tags, or the tags of resources, have changed.

use context::counter;
use database::Tx;
use model::error::Result;

/// The id that stands for all tags where changes are counted by type.
pub(crate) const TAGS: i64 = -1;

/// Notes that tags were made, changed or deleted: what of a list a tag filter matches may differ.
pub fn tags_changed(tx: &mut Tx<'_>) -> Result<()> {
    counter::changed(tx, TAGS, 0)
}

/// Notes that a resource of the type has other tags.
pub fn resources_changed(tx: &mut Tx<'_>, type_id: i64) -> Result<()> {
    counter::changed(tx, type_id, 0)
}
