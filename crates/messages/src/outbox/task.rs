//! Tasks: done in the transaction that marks them as done.

use super::claim::ClaimedMessage;
use super::settle::{TryOutcome, settle};
use context::listener::OutboxTask;
use model::error::{Error, Result};
use std::sync::Arc;
use tenant::Tenant;

/// Does the task of a row, and marks it as done in the same transaction.
pub(super) async fn carry_out(tenant: &Arc<Tenant>, row: &ClaimedMessage) -> Result<()> {
    let input = row.content.as_deref().and_then(|content| serde_json::from_slice(content).ok());
    let input = input.ok_or_else(|| Error::failed("what is to be done cannot be read"))?;
    let task = OutboxTask { kind: row.template.clone(), input };
    let row = row.clone();
    let done = tenant.write_elevated(move |tx, context| {
        // A node that finds it marked by another does nothing.
        if settle(tx, context, &row, &TryOutcome::Sent)? {
            context.listener.run_task(tx, context, &task)
        } else {
            Ok(())
        }
    });
    done.await
}
