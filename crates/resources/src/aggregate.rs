//! Groups of a collection.

use super::type_dependencies::TypeDependencies;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use query::aggregate_request::AggregateRequest;
use query::read_query::ReadResult;

/// Groups the rows of a collection that the caller may list, as an answer. With `keep` it tells the versions at which it
/// holds.
pub fn answer(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    asked: &AggregateRequest,
    keep: bool,
) -> Result<ReadResult> {
    groups::answer(tx, request, collection, asked, keep.then_some(TypeDependencies::by_groups))
}
