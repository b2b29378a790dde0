//! Named queries.

use super::{Served, collections, key};
use crate::http::{Reply, Request, body, query_string};
use query::query_request::QueryRequest;
use query::read_query::ReadQuery;

/// GET and SEARCH /api/ext/v1/query/{query}.
pub(super) async fn run(tenant: &Served, name: &str, mut request: Request, limit: usize) -> Reply {
    key(&request)?;
    let pairs = query_string::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let asked = QueryRequest::parse(&pairs, members.as_ref())?;
    collections::answer(tenant, ReadQuery::Query { name: name.to_owned(), request: asked }, &request).await
}
