//! Automations: what administrators see of them, and the hooks by which others call.

use super::once::{WriteOutcome, value};
use super::request::TenantRequest;
use automation::{HookCall, RetryRequest, RunRequest};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use edge::{Answer, Reply, body};
use http::StatusCode;
use model::error::Error;
use serde_json::{Map, Value as Json, json};

/// The largest body of a hook's call.
const BODY: usize = 1 << 20;
/// Headers that are nobody's business, or are checked here.
const KEPT_BACK: [&str; 6] = ["authorization", "cookie", "key", "proxy-authorization", "x-api-key", "x-signature"];

/// GET /api/ext/v1/automation.
pub(super) async fn overview(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let items = request.tenant.read(ReadCost::Scan, &key, automation::overview).await?;
    Ok(Answer::value(&json!({"items": items})))
}

/// POST /api/ext/v1/automation/{automation}/disable.
pub(super) async fn disable(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let name = request.values[0].to_owned();
    request.no_parameters()?;
    let reason = automation::reason(&request.optional_object().await?)?;
    switched(&request, &key, move |tx, context| {
        automation::disable(tx, context, &name, reason.as_deref().unwrap_or(REASON))?;
        Ok(json!({"automation": name, "enabled": false}))
    })
    .await
}

/// POST /api/ext/v1/automation/{automation}/enable.
pub(super) async fn enable(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let name = request.values[0].to_owned();
    request.no_parameters()?;
    request.no_members().await?;
    switched(&request, &key, move |tx, context| {
        automation::enable(tx, context, &name)?;
        Ok(json!({"automation": name, "enabled": true}))
    })
    .await
}

/// Runs a write whose answer holds no resource.
async fn switched(
    request: &TenantRequest<'_>,
    key: &CallerKey,
    job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<Json, Error> + Send + 'static,
) -> Reply {
    Ok(match request.write(key, value, job).await? {
        WriteOutcome::Now(done) => Answer::value(&done),
        WriteOutcome::Before(answer) => *answer,
    })
}

/// Why an automation is switched off that an administrator switched off without saying why.
const REASON: &str = "an administrator switched it off";

/// GET /api/ext/v1/automation-run.
pub(super) async fn runs(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let list = RunRequest::parse(&request.parameters()?)?;
    let page =
        request.tenant.read(ReadCost::Scan, &key, move |tx, context| automation::list(tx, context, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}

/// GET /api/ext/v1/automation-run/{id}.
pub(super) async fn run(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let id = request.id("a run")?;
    let run = request.tenant.read(ReadCost::Scan, &key, move |tx, context| automation::get(tx, context, id)).await?;
    Ok(Answer::value(&run))
}

/// POST /api/ext/v1/automation-run/{id}/retry.
pub(super) async fn retry(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let given = request.optional_object().await?;
    let retry = RetryRequest::parse(&request.parameters()?, &given)?;
    let id = request.id("a run")?;
    switched(&request, &key, move |tx, context| automation::retry(tx, context, id, retry)).await
}

/// POST /api/ext/v1/hook/{hook}. It takes no key: the signature is what allows it.
pub(super) async fn hook(mut request: TenantRequest<'_>) -> Reply {
    request.no_parameters()?;
    let bytes = body::json_bytes(&mut request.http, BODY).await?;
    let headers = &request.http.headers;
    let mut signatures = headers.get_all("x-signature").iter();
    let signature = match (signatures.next().map(|value| value.to_str()), signatures.next()) {
        (Some(Ok(text)), None) => text.to_owned(),
        _ => String::new(),
    };
    let named = headers.keys().filter(|name| !KEPT_BACK.contains(&name.as_str()));
    let shown = |name: &http::HeaderName| {
        let values = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        (name.as_str().to_owned(), Json::from(values.collect::<Vec<_>>().join(", ")))
    };
    let hook = HookCall {
        name: request.values[0].to_owned(),
        signature,
        json: edge::json::parse(&bytes).ok(),
        headers: named.map(shown).collect::<Map<_, _>>(),
        body: bytes.into(),
        address: Some(request.http.client),
    };
    let run = automation::hook(&request.tenant, hook).await?;
    Ok(Answer { status: StatusCode::ACCEPTED, ..Answer::value(&json!({"run": run})) })
}
