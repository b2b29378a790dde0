//! The description of what the tenant's API serves.

use super::{Served, key};
use crate::http::{Answer, Reply, Request, etag, query_string};
use crate::openapi::Documents;
use database::ReadCost;

/// GET /api/ext/v1/openapi.json, as the caller's rights have it.
pub(super) async fn openapi(tenant: &Served, prefix: Option<&str>, request: &Request, documents: &Documents) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let call = tenant.read(ReadCost::Point, &key, |_, call| Ok(call.clone())).await?;
    let url = match (&call.model.settings.base_url, prefix) {
        (Some(url), _) => url.trim_end_matches('/').to_owned(),
        (None, Some(prefix)) => format!("/t/{prefix}"),
        (None, None) => "/".to_owned(),
    };
    let document = documents.of(tenant.name(), &url, &call);
    Ok(etag::validated(Answer::json(document.body.clone()), &document.etag, request))
}
