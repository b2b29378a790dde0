//! Canvases, as data.

use super::{Served, collections, key};
use crate::http::{Reply, Request, body, query_string};
use query::canvas_request::CanvasRequest;
use query::read_query::ReadQuery;

/// GET and SEARCH /api/ext/v1/canvas/{canvas}.
pub(super) async fn show(tenant: &Served, name: &str, mut request: Request, limit: usize) -> Reply {
    key(&request)?;
    let pairs = query_string::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "SEARCH" => Some(body::optional_object(&mut request, limit).await?),
        _ => None,
    };
    let asked = CanvasRequest::parse(&pairs, members.as_ref())?;
    collections::answer(tenant, ReadQuery::Canvas { name: name.to_owned(), request: asked }, &request).await
}
