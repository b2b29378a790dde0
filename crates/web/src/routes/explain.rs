//! Why a user may or may not do something, for administrators.

use super::request::TenantRequest;
use automation::explain;
use automation::explain::ExplainRequest;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Reply};
use serde_json::json;

/// GET and POST /api/ext/v1/explain.
pub(super) async fn explain(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let pairs = request.parameters()?;
    let members = match request.http.method.as_str() {
        "POST" => Some(request.object().await?),
        _ => None,
    };
    let asked = ExplainRequest::parse(&pairs, members)?;
    let explained =
        request.tenant.read(ReadCost::Scan, &key, move |tx, context| explain::explain(tx, context, &asked)).await?;
    Ok(Answer::value(&json!(explained)))
}
