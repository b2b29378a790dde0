//! Automations: what administrators see of them, and the hooks by which others call.

use super::{Served, key};
use crate::http::{Answer, Problem, Reply, Request, body, query_string};
use automation::{HookCall, RetryRequest, RunRequest};
use database::Cost;
use http::StatusCode;
use serde_json::{Map, Value as Json, json};

/// The largest body of a hook's call.
const BODY: usize = 1 << 20;
/// Headers that are nobody's business, or are checked here.
const KEPT_BACK: [&str; 6] = ["authorization", "cookie", "key", "proxy-authorization", "x-api-key", "x-signature"];

/// GET /api/ext/v1/automation.
pub(super) async fn overview(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let items = tenant.read(Cost::Scan, &key, automation::overview).await?;
    Ok(Answer::value(&json!({"items": items})))
}

/// POST /api/ext/v1/automation/{name}/disable and /enable.
pub(super) async fn switch(tenant: &Served, (name, on): (&str, bool), mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    query_string::none(request.uri.query())?;
    let name = name.to_owned();
    let reason = if on {
        body::none(&mut request, limit).await?;
        None
    } else {
        automation::reason(&body::optional_object(&mut request, limit).await?)?
    };
    let switched = tenant.write(&key, move |tx, call| {
        let reason = reason.as_deref().unwrap_or(REASON);
        if on { automation::enable(tx, call, &name) } else { automation::disable(tx, call, &name, reason) }?;
        Ok(json!({"automation": name, "enabled": on}))
    });
    Ok(Answer::value(&switched.await?))
}

/// Why an automation is switched off that an administrator switched off without saying why.
const REASON: &str = "an administrator switched it off";

/// GET /api/ext/v1/automation-run.
pub(super) async fn runs(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    let list = RunRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let page = tenant.read(Cost::Scan, &key, move |tx, call| automation::list(tx, call, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}

/// GET /api/ext/v1/automation-run/{id}.
pub(super) async fn run(tenant: &Served, id: &str, request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let id = number(id)?;
    let run = tenant.read(Cost::Scan, &key, move |tx, call| automation::get(tx, call, id)).await?;
    Ok(Answer::value(&run))
}

/// POST /api/ext/v1/automation-run/{id}/retry.
pub(super) async fn retry(tenant: &Served, id: &str, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    let given = body::optional_object(&mut request, limit).await?;
    let retry = RetryRequest::parse(&query_string::pairs(request.uri.query())?, &given)?;
    let id = number(id)?;
    let run = tenant.write(&key, move |tx, call| automation::retry(tx, call, id, retry)).await?;
    Ok(Answer::value(&run))
}

/// POST /api/ext/v1/hook/{name}. It takes no key: the signature is what allows it.
pub(super) async fn hook(tenant: &Served, name: &str, mut request: Request) -> Reply {
    query_string::none(request.uri.query())?;
    let bytes = body::json_bytes(&mut request, BODY).await?;
    let mut signatures = request.headers.get_all("x-signature").iter();
    let signature = match (signatures.next().map(|value| value.to_str()), signatures.next()) {
        (Some(Ok(text)), None) => text.to_owned(),
        _ => String::new(),
    };
    let named = request.headers.keys().filter(|name| !KEPT_BACK.contains(&name.as_str()));
    let shown = |name: &http::HeaderName| {
        let values = request.headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        (name.as_str().to_owned(), Json::from(values.collect::<Vec<_>>().join(", ")))
    };
    let call = HookCall {
        name: name.to_owned(),
        signature,
        json: crate::http::json::parse(&bytes).ok(),
        headers: named.map(shown).collect::<Map<_, _>>(),
        body: bytes.into(),
        address: Some(request.client),
    };
    let run = automation::hook(tenant, call).await?;
    Ok(Answer { status: StatusCode::ACCEPTED, ..Answer::value(&json!({"run": run})) })
}

fn number(id: &str) -> Result<i64, Problem> {
    let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    id.parse().ok().filter(|_| digits).ok_or_else(|| Problem::invalid("id_invalid", "The id of a run is a number."))
}
