//! Rows become JSON.

use super::FieldsRequest;
use crate::actor::Allowed;
use crate::error::Result;
use crate::tenants::Call;
use database::Tx;

/// Gives the resource with that id as the caller may read it, for the answers of writes. Whatever the action
/// that `allowed` was given for, only its readable fields are used. Missing where there is no such row.
pub fn one(
    _tx: &mut Tx<'_>,
    _call: &Call,
    _allowed: &Allowed<'_>,
    _id: i64,
    _fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    todo!()
}
