//! Settings of the own user, for programs with screens.

use super::collections::if_match;
use super::once::{WriteOutcome, nothing};
use super::request::TenantRequest;
use accounts::user_settings::{self, MOST_BYTES, SettingName, SettingPrecondition};
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Problem, Reply, Request, body, etag, json};
use http::header::{ETAG, HeaderValue, IF_NONE_MATCH};

/// GET /api/ext/v1/setting: the names.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let names = request.tenant.read(ReadCost::Scan, &key, user_settings::list).await?;
    Ok(Answer::value(&names))
}

/// GET /api/ext/v1/setting/{name}.
pub(super) async fn get(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let name = SettingName::parse(request.values[0])?;
    let read = move |tx: &mut database::Tx<'_>, context: &_| user_settings::get(tx, context, &name);
    let (content, tag) = request.tenant.read(ReadCost::Point, &key, read).await?;
    Ok(etag::validated(Answer::json(content), &tag, &request.http))
}

/// PUT /api/ext/v1/setting/{name}.
pub(super) async fn put(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (name, precondition) = (SettingName::parse(request.values[0])?, precondition(&request.http)?);
    request.preferences()?;
    let limit = request.body_limit.min(MOST_BYTES);
    let value = json::parse(&body::json_bytes(&mut request.http, limit).await?)?;
    let job =
        move |tx: &mut database::Tx<'_>, context: &_| user_settings::put(tx, context, &name, &precondition, &value);
    match request.write(&key, nothing, job).await? {
        WriteOutcome::Now(tag) => {
            let tag = HeaderValue::from_str(&tag).expect("an ETag is hexadecimal digits in quotes");
            Ok(Answer::empty().with(ETAG, tag))
        }
        WriteOutcome::Before(answer) => Ok(*answer),
    }
}

/// DELETE /api/ext/v1/setting/{name}.
pub(super) async fn delete(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let (name, precondition) = (SettingName::parse(request.values[0])?, precondition(&request.http)?);
    request.preferences()?;
    let job = move |tx: &mut database::Tx<'_>, context: &_| user_settings::delete(tx, context, &name, &precondition);
    match request.write(&key, nothing, job).await? {
        WriteOutcome::Now(()) => Ok(Answer::empty()),
        WriteOutcome::Before(answer) => Ok(*answer),
    }
}

/// Reads `If-Match`, and `If-None-Match: *`, the one value that says something of a write.
fn precondition(request: &Request) -> Result<SettingPrecondition, Problem> {
    let mut lines = request.headers.get_all(IF_NONE_MATCH).iter();
    let is_new = match (lines.next(), lines.next()) {
        (None, _) => false,
        (Some(line), None) if line.as_bytes().trim_ascii() == b"*" => true,
        _ => return Err(Problem::invalid("if_none_match_invalid", "If-None-Match of a write must be *.")),
    };
    Ok(SettingPrecondition { if_match: if_match(request)?, is_new })
}
