//! A page of a collection.

use super::ListRequest;
use crate::error::Result;
use crate::tenants::Call;
use database::Tx;

/// A page of a list, done. Where nothing was fetched the contract has no body: the edge answers 204.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The envelope, as JSON.
    pub body: Vec<u8>,
    /// How many resources are in it.
    pub fetched: usize,
    /// How many there are in all.
    pub total: u64,
}

/// Lists a collection.
pub fn list(_tx: &mut Tx<'_>, _call: &Call, _collection: &str, _request: &ListRequest) -> Result<Page> {
    todo!()
}
