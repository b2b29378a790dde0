//! The description of what the tenant's API serves, and its version.

use super::request::TenantRequest;
use crate::description::{ApiForm, DocumentForm, document};
use ::openapi::answers::DecimalForm;
use ::openapi::version::{ApiAudience, schema_version};
use context::actor::Actor;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::ReadCost;
use edge::{Answer, Problem, Reply, etag};
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use model::parameters::RequestParameters;
use model::types::Model;
use std::sync::Arc;
use tenant::Tenant;

/// The parameters of a description.
const PROFILE: &str = "profile";
const DECIMALS: &str = "decimals";

/// The header with the version of the API's description for the caller's rights (E-113).
pub(super) const SCHEMA: HeaderName = HeaderName::from_static("plinth-schema");

/// GET /api/ext/v1/openapi.json, as the caller's rights have it: of the collections for generated clients, with
/// decimals as the answers that they ask for have them, or with `profile=contract` of the contract's own.
pub(super) async fn openapi(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let form = form(&request.parameters()?)?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let url = match (&context.model.settings.base_url, request.prefix) {
        (Some(url), _) => url.trim_end_matches('/').to_owned(),
        (None, Some(prefix)) => format!("/t/{prefix}"),
        (None, None) => "/".to_owned(),
    };
    let address = url.clone();
    let make = move |context: &RequestContext| {
        let audience = ApiAudience::of(&context.actor);
        document(form, audience, &context.model, &address, &|of| context.actor.grant(of.id)).to_string()
    };
    let documents = &request.app.documents;
    let document = documents.of(request.tenant.name(), &url, &context, DocumentForm::OpenApi(form), make).await?;
    Ok(etag::validated(Answer::json(document.body.clone()), &document.etag, &request.http))
}

/// GET /api/ext/v1/client.ts: the types of a client, as the caller's rights have them.
pub(super) async fn typescript(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let mut parameters = RequestParameters::gather(&request.parameters()?, None, &[DECIMALS])?;
    let decimals = decimals(&mut parameters)?.unwrap_or_default();
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let make = move |context: &RequestContext| {
        let version = version_of(&context.model, &context.actor);
        ::openapi::typescript::client(&context.model, Some(&version), decimals, &|of| context.actor.grant(of.id))
    };
    let (documents, form) = (&request.app.documents, DocumentForm::TypeScript(decimals));
    let document = documents.of(request.tenant.name(), "", &context, form, make).await?;
    // The type of files that end in .ts is one of videos.
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    let answer = Answer::json(document.body.clone()).with(CONTENT_TYPE, text);
    Ok(etag::validated(answer, &document.etag, &request.http))
}

/// Returns the version of the description for a caller who was answered a moment ago.
pub(super) fn version(tenant: &Tenant, caller: &CallerKey) -> Option<HeaderValue> {
    let (actor, model) = (tenant.guess(caller)?, tenant.latest_model()?);
    HeaderValue::from_str(&version_of(&model, &actor)).ok()
}

/// The version for an actor's rights, which is worked out once.
fn version_of(model: &Model, actor: &Actor) -> Arc<str> {
    let audience = ApiAudience::of(actor);
    Arc::clone(actor.schema.get_or_init(|| schema_version(audience, model, &|of| actor.grant(of.id))))
}

/// Reads the form of a description: its profile, and that of decimals, which the contract's own does not have.
fn form(pairs: &[(String, String)]) -> Result<ApiForm, Problem> {
    let mut parameters = RequestParameters::gather(pairs, None, &[PROFILE, DECIMALS])?;
    let profile = parameters.one_of(PROFILE, &["extended", "contract"])?;
    match (profile, decimals(&mut parameters)?) {
        (Some("contract"), None) => Ok(ApiForm::Contract),
        (Some("contract"), Some(_)) => {
            let message = "profile=contract has no decimals: leave it out.".to_owned();
            Err(Problem::invalid_at(DECIMALS, "parameter_unknown", message))
        }
        (_, decimals) => Ok(ApiForm::Extended(decimals.unwrap_or_default())),
    }
}

fn decimals(parameters: &mut RequestParameters) -> Result<Option<DecimalForm>, Problem> {
    Ok(parameters.one_of(DECIMALS, &["number", "text"])?.and_then(DecimalForm::named))
}
