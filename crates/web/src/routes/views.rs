//! Saved views of lists.

use super::collections::if_match;
use super::once::{WriteOutcome, nothing, value};
use super::request::TenantRequest;
use accounts::views::{self, ViewInput};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Reply, etag};
use http::header::{self, HeaderValue};
use model::parameters::RequestParameters;
use operations::batch::OperationEffect;
use operations::once::OnceMemory;
use serde_json::Value as Json;

/// A view as it is answered, and its ETag.
type TaggedView = (Json, String);

/// The parameter that chooses the views of one type.
const TYPE: &str = "type";

/// GET /api/ext/v1/view.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let of = RequestParameters::gather(&request.parameters()?, None, &[TYPE])?.text(TYPE)?;
    let read = move |tx: &mut Tx<'_>, context: &RequestContext| {
        views::list(tx, context, of.as_deref()).map(|views| with_etag(context, views))
    };
    answer(&request, request.tenant.read(ReadCost::Scan, &key, read).await?)
}

/// GET /api/ext/v1/view/{id}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a view")?;
    let read = move |tx: &mut Tx<'_>, context: &RequestContext| {
        views::get(tx, context, id).map(|view| with_etag(context, view))
    };
    answer(&request, request.tenant.read(ReadCost::Point, &key, read).await?)
}

/// POST /api/ext/v1/view.
pub(super) async fn create(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let preferences = request.preferences()?;
    let input = ViewInput::parse(request.object().await?)?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        views::create(tx, context, &input).map(|view| with_etag(context, view))
    };
    let remember = |(view, _): &TaggedView| OnceMemory::Answer(OperationEffect::Created, view.clone());
    Ok(preferences.apply(match request.write(&key, remember, job).await? {
        WriteOutcome::Now((view, tag)) => {
            let location = format!("{}/{}", request.http.uri.path(), view["id"]);
            let location = HeaderValue::try_from(location).expect("a path and a number fit a header");
            let answer = Answer::created(view.to_string().into_bytes());
            etag::tagged(answer, &tag).with(header::LOCATION, location)
        }
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// PUT /api/ext/v1/view/{id}.
pub(super) async fn replace(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (id, if_match, preferences) = (request.id("a view")?, if_match(&request.http)?, request.preferences()?);
    let input = ViewInput::parse(request.object().await?)?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        views::replace(tx, context, id, if_match.as_ref(), &input).map(|view| with_etag(context, view))
    };
    let remember = |(view, _): &TaggedView| value(view);
    Ok(preferences.apply(match request.write(&key, remember, job).await? {
        WriteOutcome::Now((view, tag)) => etag::tagged(Answer::value(&view), &tag),
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// DELETE /api/ext/v1/view/{id}.
pub(super) async fn delete(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (id, if_match) = (request.id("a view")?, if_match(&request.http)?);
    request.preferences()?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| views::delete(tx, context, id, if_match.as_ref());
    match request.write(&key, nothing, job).await? {
        WriteOutcome::Now(()) => Ok(Answer::empty()),
        WriteOutcome::Before(answer) => Ok(*answer),
    }
}

fn with_etag(context: &RequestContext, view: Json) -> TaggedView {
    let tag = resources::etag(context, view.to_string().as_bytes());
    (view, tag)
}

fn answer(request: &TenantRequest<'_>, (view, tag): TaggedView) -> Reply {
    Ok(etag::validated(Answer::value(&view), &tag, &request.http))
}
