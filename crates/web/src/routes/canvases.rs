//! Canvases, as data.

use super::collections;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use edge::Reply;
use query::canvas_request::CanvasRequest;
use query::read_query::ReadQuery;

/// GET and SEARCH /api/ext/v1/canvas/{canvas}. One of groups costs what groups of a collection cost.
pub(super) async fn show(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    if request.tenant.known_to_show_groups(request.values[0]) {
        collections::admit_groups(&request).await?;
    }
    let pairs = request.parameters()?;
    let members = request.search_members().await?;
    let asked = CanvasRequest::parse(&pairs, members.as_ref())?;
    let name = request.values[0].to_owned();
    collections::answer(&request, &key, ReadQuery::Canvas { name, request: asked }).await
}
