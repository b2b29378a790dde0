//! The log of reads, for administrators.

use super::{Served, key};
use crate::http::{Answer, Reply, Request, query_string};
use accounts::read_log;
use accounts::read_log::ReadLogRequest;
use database::Cost;
use serde_json::json;

/// GET /api/ext/v1/read-log.
pub(super) async fn list(tenant: &Served, request: &Request) -> Reply {
    let key = key(request)?;
    let list = ReadLogRequest::parse(&query_string::pairs(request.uri.query())?)?;
    let page = tenant.read(Cost::Scan, &key, move |tx, call| read_log::list(tx, call, &list)).await?;
    Ok(Answer::value(&json!({"items": page.items, "nextCursor": page.next, "hasMore": page.next.is_some()})))
}
