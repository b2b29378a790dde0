//! The digest of resources in the state in which their caller finds them.

use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use query::request::{FieldsRequest, ItemRef};
use xxhash_rust::xxh3::Xxh3;

/// The digest of resources by their ids and by the bodies that the caller reads, under the tenant's secret seed. It tells
/// of changes that the caller could see, and of no others.
pub(super) fn of(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, ids: &[i64]) -> Result<String> {
    let mut digest = Xxh3::with_seed(request.seed);
    for id in ids {
        tx.check_deadline()?;
        let body = resources::get(tx, request, collection, &ItemRef::Id(*id), &FieldsRequest::default())?;
        digest.update(&id.to_be_bytes());
        digest.update(&(body.len() as u64).to_be_bytes());
        digest.update(&body);
    }
    Ok(format!("{:032x}", digest.digest128()))
}
