//! Why a user may or may not do something, for administrators.

use super::{Served, key};
use crate::http::{Answer, Reply, Request, body, query_string};
use automation::explain;
use automation::explain::ExplainRequest;
use database::Cost;
use serde_json::json;

/// GET and POST /api/ext/v1/explain.
pub(super) async fn explain(tenant: &Served, mut request: Request, limit: usize) -> Reply {
    let key = key(&request)?;
    let pairs = query_string::pairs(request.uri.query())?;
    let members = match request.method.as_str() {
        "POST" => Some(body::object(&mut request, limit).await?),
        _ => None,
    };
    let asked = ExplainRequest::parse(&pairs, members)?;
    let explained = tenant.read(Cost::Scan, &key, move |tx, call| explain::explain(tx, call, &asked)).await?;
    Ok(Answer::value(&json!(explained)))
}
