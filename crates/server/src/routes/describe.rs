//! The description of what the tenant's API serves, and its version.

use super::request::TenantRequest;
use super::route::Profile;
use crate::app::App;
use crate::description::{ApiAudience, ApiDocument, DescriptionText, DocumentForm, document};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::ReadCost;
use edge::{Answer, Problem, Reply, etag};
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use std::sync::Arc;
use tenant::Tenant;

/// The header with the version of the API's description for the caller's rights (E-113).
pub(super) const SCHEMA: HeaderName = HeaderName::from_static("plinth-schema");

/// GET /api/ext/v1/openapi.json, as the caller's rights have it: of the collections for generated clients, or with
/// `profile=contract` of the contract's own.
pub(super) async fn openapi(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let profile = profile(&request.parameters()?)?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let document = DescribedTenant::of(&request).description(&context, profile);
    Ok(etag::validated(Answer::json(document.body.clone()), &document.etag, &request.http))
}

/// GET /api/ext/v1/client.ts: the types of a client, as the caller's rights have them.
pub(super) async fn typescript(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let context = request.tenant.read(ReadCost::Point, &key, |_, context| Ok(context.clone())).await?;
    let make = || {
        let version = DescribedTenant::of(&request).description(&context, Profile::Extended).version.clone();
        let text = openapi::typescript::client(&context.model, version.as_deref(), &|of| context.actor.grant(of.id));
        DescriptionText { text, version }
    };
    let document = request.app.documents.of(request.tenant.name(), "", &context, DocumentForm::TypeScript, make);
    // The type of files that end in .ts is one of videos.
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    let answer = Answer::json(document.body.clone()).with(CONTENT_TYPE, text);
    Ok(etag::validated(answer, &document.etag, &request.http))
}

/// A tenant whose API is described.
pub(super) struct DescribedTenant<'a> {
    app: &'a App,
    tenant: Arc<Tenant>,
    prefix: Option<&'a str>,
}

impl<'a> DescribedTenant<'a> {
    /// The tenant that a request is for.
    pub(super) fn of(request: &TenantRequest<'a>) -> Self {
        DescribedTenant { app: request.app, tenant: Arc::clone(&request.tenant), prefix: request.prefix }
    }

    /// Returns the version of the description for a caller who was answered a moment ago. It is made once for each caller.
    pub(super) async fn version(&self, caller: &CallerKey) -> Option<HeaderValue> {
        let actor = self.tenant.guess(caller)?;
        let version = match actor.schema.get() {
            Some(version) => Arc::clone(version),
            None => {
                let context = self.tenant.read(ReadCost::Point, caller, |_, context| Ok(context.clone())).await.ok()?;
                let version = self.description(&context, Profile::Extended).version.clone()?;
                Arc::clone(context.actor.schema.get_or_init(|| version))
            }
        };
        HeaderValue::from_str(&version).ok()
    }

    /// The description of a profile as the caller's rights have it.
    fn description(&self, context: &RequestContext, profile: Profile) -> Arc<ApiDocument> {
        let url = match (&context.model.settings.base_url, self.prefix) {
            (Some(url), _) => url.trim_end_matches('/').to_owned(),
            (None, Some(prefix)) => format!("/t/{prefix}"),
            (None, None) => "/".to_owned(),
        };
        let audience = ApiAudience::of(context);
        let make = || {
            let document = document(profile, audience, &context.model, &url, &|of| context.actor.grant(of.id));
            let version = document["info"]["version"].as_str().map(Arc::from);
            DescriptionText { text: document.to_string(), version }
        };
        self.app.documents.of(self.tenant.name(), &url, context, DocumentForm::OpenApi(profile), make)
    }
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
