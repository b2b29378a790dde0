//! One resource: by id, by uuid, or the first whose property has a value.

use super::{FieldsRequest, ItemRef};
use crate::error::Result;
use crate::tenants::Call;
use database::Tx;

/// Gives one resource as JSON.
pub fn get(
    _tx: &mut Tx<'_>,
    _call: &Call,
    _collection: &str,
    _item: &ItemRef,
    _fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    todo!()
}

/// Gives the first resource, by id, whose property has the value. The text is read by the property's kind.
pub fn get_by(
    _tx: &mut Tx<'_>,
    _call: &Call,
    _collection: &str,
    _property: &str,
    _value: &str,
    _fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    todo!()
}
