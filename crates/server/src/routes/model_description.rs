//! The model as a caller may see it, for programs that make forms and lists of it.

use super::request::TenantRequest;
use crate::description::DocumentForm;
use ::openapi::queries::DescribedQuery;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::ReadCost;
use edge::{Answer, Reply, etag};
use model::query::QueryDefinition;
use model::types::{ResourceType, SystemPermission};
use std::sync::Arc;

/// GET /api/ext/v1/model. Callers with the same rights share one answer, which is kept while the configuration stands.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let form = DocumentForm::Model(context.actor.require(SystemPermission::Admin).is_ok());
    let documents = &request.app.documents;
    let document = documents.of(request.tenant.name(), "", &context, form, describe).await?;
    Ok(etag::validated(Answer::json(document.body.clone()), &document.etag, &request.http))
}

fn describe(context: &RequestContext) -> String {
    let rights = |of: &Arc<ResourceType>| context.actor.grant(of.id);
    let may_run = |query: &QueryDefinition| DescribedQuery::new(&context.model, query, &rights).is_some();
    resources::describe_model(context, &may_run).to_string()
}
