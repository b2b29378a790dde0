//! The description of what the tenant's API serves.

use super::{Served, key};
use crate::http::{Answer, Reply, Request, query};
use crate::openapi;
use database::Cost;
use std::sync::Arc;

/// GET /api/ext/v1/openapi.json, as the caller's rights have it.
pub(super) async fn openapi(tenant: &Served, prefix: Option<&str>, request: &Request) -> Reply {
    let key = key(request)?;
    query::none(request.uri.query())?;
    let found = tenant.read(Cost::Point, &key, |_, call| Ok((Arc::clone(&call.model), Arc::clone(&call.actor))));
    let (model, actor) = found.await?;
    let url = match (&model.settings.base_url, prefix) {
        (Some(url), _) => url.trim_end_matches('/').to_owned(),
        (None, Some(prefix)) => format!("/t/{prefix}"),
        (None, None) => "/".to_owned(),
    };
    let document = openapi::document(&model, &url, &|resource_type| actor.grant(resource_type.id));
    Ok(Answer::value(&document))
}
