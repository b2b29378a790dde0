//! Named queries.

use super::{Served, collections, key};
use crate::http::{Reply, Request, body, query};
use platform::queries::QueryRequest;
use platform::resources::Question;

/// GET and SEARCH /api/ext/v1/query/{query}.
pub(super) async fn run(tenant: &Served, name: &str, mut request: Request, limit: usize) -> Reply {
    key(&request)?;
    let pairs = query::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let asked = QueryRequest::parse(&pairs, members.as_ref())?;
    collections::answer(tenant, Question::Query { name: name.to_owned(), request: asked }, &request).await
}
