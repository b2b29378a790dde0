//! The description of what the tenant's API serves.

use super::TenantRequest;
use context::key_text::KeyText;
use database::ReadCost;
use edge::{Answer, Reply, etag};

/// GET /api/ext/v1/openapi.json, as the caller's rights have it.
pub(super) async fn openapi(request: TenantRequest<'_>, key: KeyText) -> Reply {
    request.no_parameters()?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let url = match (&context.model.settings.base_url, request.prefix) {
        (Some(url), _) => url.trim_end_matches('/').to_owned(),
        (None, Some(prefix)) => format!("/t/{prefix}"),
        (None, None) => "/".to_owned(),
    };
    let document = request.app.documents.of(request.tenant.name(), &url, &context);
    Ok(etag::validated(Answer::json(document.body.clone()), &document.etag, &request.http))
}
