//! The digest of resources in the state in which their caller finds them.

use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use xxhash_rust::xxh3::Xxh3;

/// The most resources that are in memory at once.
const TOGETHER: usize = 250;

/// The digest of resources as the caller reads them, their ids among that, under the tenant's secret seed. It tells of
/// changes that the caller could see, and of no others.
pub(super) fn of(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, ids: &[i64]) -> Result<String> {
    let mut digest = Xxh3::with_seed(request.seed);
    for some in ids.chunks(TOGETHER) {
        let bodies = resources::bodies(tx, request, collection, some)?;
        digest.update(&(bodies.len() as u64).to_be_bytes());
        digest.update(&bodies);
    }
    Ok(format!("{:032x}", digest.digest128()))
}
