//! Named queries.

use super::collections;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use edge::Reply;
use query::query_request::QueryRequest;
use query::read_query::ReadQuery;

/// GET and SEARCH /api/ext/v1/query/{query}.
pub(super) async fn run(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let pairs = request.parameters()?;
    let members = request.search_members().await?;
    let asked = QueryRequest::parse(&pairs, members.as_ref())?;
    let name = request.values[0].to_owned();
    collections::answer(&request, &key, ReadQuery::Query { name, request: asked }).await
}
