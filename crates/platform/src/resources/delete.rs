//! Deleting a resource, and what follows from it (D-25).

use super::{IfMatch, ItemRef};
use crate::error::Result;
use crate::tenants::Call;
use database::Tx;

/// Deletes a resource.
pub fn delete(
    _tx: &mut Tx<'_>,
    _call: &Call,
    _collection: &str,
    _item: &ItemRef,
    _if_match: Option<&IfMatch>,
) -> Result<()> {
    todo!()
}
