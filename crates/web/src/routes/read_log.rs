//! The log of reads, for administrators.

use super::request::TenantRequest;
use accounts::read_log;
use accounts::read_log::ReadLogRequest;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Reply};
use serde_json::json;

/// GET /api/ext/v1/read-log.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let list = ReadLogRequest::parse(&request.parameters()?)?;
    let page = request.tenant.read(ReadCost::Scan, &key, move |tx, context| read_log::list(tx, context, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}
