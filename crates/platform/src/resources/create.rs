//! Creating a resource.

use super::{Body, Written};
use crate::error::Result;
use crate::tenants::Call;
use database::Tx;

/// Creates a resource and gives it as the caller may read it.
pub fn create(_tx: &mut Tx<'_>, _call: &Call, _collection: &str, _body: &Body) -> Result<Written> {
    todo!()
}
