//! The audit log, for administrators.

use super::request::TenantRequest;
use accounts::audit_log;
use accounts::audit_log::AuditRequest;
use context::caller_key::CallerKey;
use database::ReadCost;
use edge::{Answer, Reply};
use serde_json::json;

/// GET /api/ext/v1/audit.
pub(super) async fn list(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    let list = AuditRequest::parse(&request.parameters()?)?;
    let page =
        request.tenant.read(ReadCost::Scan, &key, move |tx, context| audit_log::list(tx, context, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}
