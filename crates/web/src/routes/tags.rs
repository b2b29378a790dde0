//! Tags, and the commands that give them to resources.

use super::collections::{created, if_match, tagged};
use super::once::{WriteOutcome, nothing};
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Reply, etag};

use accounts::tags;
use accounts::tags::{Assignment, Deletion, TagListRequest, Tagged};
use model::error::Error;
use operations::batch::OperationEffect;
use operations::once::OnceMemory;
use query::request::FieldsRequest;
use resources::Written;

/// GET and SEARCH /api/v1/collection/tags.
pub(super) async fn list(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let pairs = request.parameters()?;
    let members = request.search_members().await?;
    let list = TagListRequest::parse(&pairs, members.as_ref())?;
    let (page, tag) = request
        .tenant
        .read(ReadCost::Scan, &key, move |tx, context| {
            let page = tags::list(tx, context, &list)?;
            let tag = resources::etag(context, &page.body);
            Ok((page, tag))
        })
        .await?;
    let answer = request.listed(page.fetched == 0, Answer::json(page.body));
    Ok(etag::validated(answer, &tag, &request.http))
}

/// GET /api/v1/collection/tags/{item}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let fields = FieldsRequest::parse(&request.parameters()?)?;
    let item = request.values[0].to_owned();
    let (body, tag) = request
        .tenant
        .read(ReadCost::Scan, &key, move |tx, context| {
            let body = tags::get(tx, context, &item, &fields)?;
            let tag = resources::etag(context, &body);
            Ok((body, tag))
        })
        .await?;
    Ok(etag::validated(Answer::json(body), &tag, &request.http))
}

/// POST /api/v1/collection/tags.
pub(super) async fn create(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let preferences = request.preferences()?;
    let members = request.object().await?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| tags::create(tx, context, &members);
    let remember = |written: &Written| OnceMemory::Tag(OperationEffect::Created, id_of(written));
    Ok(preferences.apply(match request.write(&key, remember, job).await? {
        WriteOutcome::Now(written) => created(&request, &id_of(&written), written),
        WriteOutcome::Before(answer) => *answer,
    }))
}

/// PUT /api/v1/collection/tags/{item}.
pub(super) async fn replace(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (if_match, preferences) = (if_match(&request.http)?, request.preferences()?);
    let members = request.object().await?;
    let item = request.values[0].to_owned();
    let job =
        move |tx: &mut Tx<'_>, context: &RequestContext| tags::replace(tx, context, &item, if_match.as_ref(), &members);
    changed(&request, &key, job).await.map(|answer| preferences.apply(answer))
}

/// PATCH /api/v1/collection/tags/{item}.
pub(super) async fn patch(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (if_match, preferences) = (if_match(&request.http)?, request.preferences()?);
    let members = request.object().await?;
    let item = request.values[0].to_owned();
    let job =
        move |tx: &mut Tx<'_>, context: &RequestContext| tags::patch(tx, context, &item, if_match.as_ref(), &members);
    changed(&request, &key, job).await.map(|answer| preferences.apply(answer))
}

/// DELETE /api/v1/collection/tags/{item}.
pub(super) async fn delete(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let deletion = Deletion::parse(&request.parameters()?)?;
    let if_match = if_match(&request.http)?;
    request.preferences()?;
    let item = request.values[0].to_owned();
    let job =
        move |tx: &mut Tx<'_>, context: &RequestContext| tags::delete(tx, context, &item, if_match.as_ref(), deletion);
    match request.write(&key, nothing, job).await? {
        WriteOutcome::Now(_) => Ok(Answer::empty()),
        WriteOutcome::Before(answer) => Ok(*answer),
    }
}

/// Changes a tag.
async fn changed(
    request: &TenantRequest<'_>,
    key: &CallerKey,
    job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<Written, Error> + Send + 'static,
) -> Reply {
    let remember = |written: &Written| OnceMemory::Tag(OperationEffect::Done, id_of(written));
    Ok(match request.write(key, remember, job).await? {
        WriteOutcome::Now(written) => tagged(Answer::json, written),
        WriteOutcome::Before(answer) => *answer,
    })
}

/// The id of a tag, a text, which its row has no part in.
fn id_of(written: &Written) -> String {
    let tag: serde_json::Value = serde_json::from_slice(&written.body).unwrap_or_default();
    tag["id"].as_str().unwrap_or_default().to_owned()
}

/// GET tags.object.
pub(super) async fn object(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let of = Tagged::parse(&request.parameters()?)?;
    let body = request.tenant.read(ReadCost::Point, &key, move |tx, context| tags::object(tx, context, &of)).await?;
    Ok(Answer::json(body))
}

/// POST tags.assign.
pub(super) async fn assign(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let assignment = Assignment::parse(&request.object().await?)?;
    let body = request.tenant.write(&key, move |tx, context| tags::assign(tx, context, &assignment)).await?;
    Ok(Answer::json(body))
}
