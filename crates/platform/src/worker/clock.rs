//! Rows of queues that were put there while the clock was ahead, and would wait for its moments.

use super::WorkerQueue;
use crate::tenants::Platform;
use context::request_context::RequestContext;
use database::{Name, Tx, Value};
use model::error::Result;
use std::sync::Arc;
use tenant::worker::CLOCK_ERROR;

impl Platform {
    /// Makes rows of a tenant due that came from the future: the clock was wrong when they were put there.
    pub(super) async fn bring_back(self: &Arc<Self>, queue: WorkerQueue, tenant: &str) -> Result<()> {
        if queue == WorkerQueue::Recalculations {
            // They have no moments.
            return Ok(());
        }
        let name = tenant.to_owned();
        let opened = match self.blocking(move |platform| platform.open(&name)).await {
            Err(error) if error.code == "tenant_missing" => return Ok(()),
            opened => opened?,
        };
        let bring_back = move |tx: &mut Tx<'_>, context: &RequestContext| match queue {
            WorkerQueue::Schedules => automation::bring_back_schedules(tx, context),
            _ => make_due(tx, context, &queue.table()),
        };
        let changed = opened.write_beside_freeze(bring_back).await?;
        if changed > 0 {
            tracing::warn!(
                tenant,
                changed,
                "rows that waited for a clock that was ahead, and wait no longer ({queue:?})"
            );
        }
        Ok(())
    }
}

fn make_due(tx: &mut Tx<'_>, context: &RequestContext, table: &Name) -> Result<u64> {
    let now = context.now.as_millisecond();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(table).push(" SET due = ").bind(Value::Timestamp(now));
    for column in [" WHERE due > ", " AND created > "] {
        sql.push(column).bind(Value::Timestamp(now.saturating_add(CLOCK_ERROR)));
    }
    Ok(tx.execute(&sql)?)
}
