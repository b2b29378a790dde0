//! Named queries.

use super::collections;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use edge::Reply;
use query::query_request::QueryRequest;
use query::read_query::ReadQuery;

/// GET, SEARCH and POST /api/ext/v1/query/{query}. One of groups costs what groups of a collection cost.
pub(super) async fn run(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    if request.tenant.known_to_group(request.values[0]) {
        collections::admit_groups(&request).await?;
    }
    let pairs = request.parameters()?;
    let members = request.search_members().await?;
    let asked = QueryRequest::parse(&pairs, members.as_ref())?;
    let name = request.values[0].to_owned();
    collections::answer(&request, &key, ReadQuery::Query { name, request: asked }).await
}
