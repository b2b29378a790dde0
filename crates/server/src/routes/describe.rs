//! The description of what the tenant's API serves, and its version.

use super::request::TenantRequest;
use super::route::Profile;
use crate::description::{DocumentForm, document};
use ::openapi::version::{ApiAudience, schema_version};
use context::actor::Actor;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Problem, Reply, etag};
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use model::types::Model;
use std::sync::Arc;
use tenant::Tenant;

/// The header with the version of the API's description for the caller's rights (E-113).
pub(super) const SCHEMA: HeaderName = HeaderName::from_static("plinth-schema");

/// GET /api/ext/v1/openapi.json, as the caller's rights have it: of the collections for generated clients, or with
/// `profile=contract` of the contract's own.
pub(super) async fn openapi(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let profile = profile(&request.parameters()?)?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let url = match (&context.model.settings.base_url, request.prefix) {
        (Some(url), _) => url.trim_end_matches('/').to_owned(),
        (None, Some(prefix)) => format!("/t/{prefix}"),
        (None, None) => "/".to_owned(),
    };
    let audience = ApiAudience::of(&context.actor);
    let make = || document(profile, audience, &context.model, &url, &|of| context.actor.grant(of.id)).to_string();
    let document =
        request.app.documents.of(request.tenant.name(), &url, &context, DocumentForm::OpenApi(profile), make);
    Ok(etag::validated(Answer::json(document.body.clone()), &document.etag, &request.http))
}

/// GET /api/ext/v1/client.ts: the types of a client, as the caller's rights have them.
pub(super) async fn typescript(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let version = version_of(&context.model, &context.actor);
    let make = || ::openapi::typescript::client(&context.model, Some(&version), &|of| context.actor.grant(of.id));
    let document = request.app.documents.of(request.tenant.name(), "", &context, DocumentForm::TypeScript, make);
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

fn profile(pairs: &[(String, String)]) -> Result<Profile, Problem> {
    match pairs {
        [] => Ok(Profile::Extended),
        [(name, value)] if name == "profile" => match value.as_str() {
            "extended" => Ok(Profile::Extended),
            "contract" => Ok(Profile::Contract),
            _ => {
                let message = "profile must be extended or contract.".to_owned();
                Err(Problem::invalid_at("profile", "parameter_invalid", message))
            }
        },
        [(name, _), ..] => {
            let message = format!("There is no parameter {name:?}, or it stands twice. There is profile.");
            Err(Problem::invalid_at(name, "parameter_unknown", message))
        }
    }
}
