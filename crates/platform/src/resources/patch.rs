//! Changing a resource.

use super::{Body, IfMatch, ItemRef, Written};
use crate::error::Result;
use crate::tenants::Call;
use database::Tx;

/// Changes a resource and gives it as the caller may read it then.
pub fn patch(
    _tx: &mut Tx<'_>,
    _call: &Call,
    _collection: &str,
    _item: &ItemRef,
    _if_match: Option<&IfMatch>,
    _body: &Body,
) -> Result<Written> {
    todo!()
}
