//! `retry --all`: all that a list shows goes on, or nothing of it.

use super::{Console, Failure};
use context::request_context::RequestContext;
use database::Tx;
use serde_json::{Value as Json, json};
use tenant::Tenant;

/// Lists what is to go on and has each of it do so, in one transaction; prints how many there are.
pub(super) fn all(
    console: &Console,
    tenant: &Tenant,
    what: &str,
    mut list: impl FnMut(&mut Tx<'_>, &RequestContext) -> model::error::Result<Vec<Json>>,
    mut retry: impl FnMut(&mut Tx<'_>, &RequestContext, i64) -> model::error::Result<Json>,
) -> Result<(), Failure> {
    let items = tenant.write_as_administrator(|tx, context| {
        let found = list(tx, context)?;
        let ids = found.iter().filter_map(|item| item["id"].as_i64());
        ids.map(|id| retry(tx, context, id)).collect::<model::error::Result<Vec<Json>>>()
    })?;
    console.print(&format!("{} {what} are due now", items.len()), &json!({"items": items}))
}
