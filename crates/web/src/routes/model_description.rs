//! The model as a caller may see it, for programs that make forms and lists of it.

use super::request::TenantRequest;
use crate::description::DocumentForm;
use crate::pages::Language;
use ::openapi::model_document::{ModelReader, describe_model};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::ReadCost;
use edge::{Answer, Reply, etag};
use http::header::{CONTENT_LANGUAGE, HeaderValue, VARY};
use model::types::SystemPermission;
use std::sync::Arc;

/// The headers that the answer depends on.
const VARIES: &str = "key, x-api-key, Authorization, X-Plinth-Proof, Origin, Accept, Accept-Language";

/// GET /api/ext/v1/model. Callers with the same rights and language share one answer, which is kept while the
/// configuration stands.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let language = request.app.pages.language(&request.http.headers, &context.model.settings.locale);
    let admin = context.actor.require(SystemPermission::Admin).is_ok();
    let form = DocumentForm::Model { admin, language: language.tag };
    let spoken = Arc::clone(&language);
    let describe = move |context: &RequestContext| describe(context, &spoken);
    let document = request.app.documents.of(request.tenant.name(), "", &context, form, describe).await?;
    let answer = Answer::json(document.body.clone())
        .with(CONTENT_LANGUAGE, HeaderValue::from_static(language.tag))
        .with(VARY, HeaderValue::from_static(VARIES));
    Ok(etag::validated(answer, &document.etag, &request.http))
}

fn describe(context: &RequestContext, language: &Language) -> String {
    let titles = |name: &str| language.find(&format!("field-{name}"));
    describe_model(&ModelReader { context, titles: &titles }).to_string()
}
