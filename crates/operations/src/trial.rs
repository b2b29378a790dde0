//! Writes that are only tried: all of them is done, and undone.

use context::caller_key::CallerKey;
use context::reads::ReadWay;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use std::convert::Infallible;
use std::sync::Arc;
use tenant::Tenant;

/// The name of the parameter.
pub const TRIAL: &str = "trial";

/// The error by which a trial is undone; nobody sees it.
const UNDONE: &str = "undone after a trial";

/// Does a part of a write and undoes it. Returns the outcome of the part, or its error.
///
/// No automation hears of it, and no event of it is in the audit log. The reads that it notes stay noted.
pub fn undone<T>(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    part: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>,
) -> Result<T> {
    let (quiet, noted) = (context.quietly(), context.audit.count());
    let mut done = None;
    let Err(error) = tx.savepoint(|tx| -> Result<Infallible> {
        done = Some(part(tx, &quiet)?);
        Err(Error::failed(UNDONE))
    });
    context.audit.forget(noted);
    done.filter(|_| error.detail.as_deref() == Some(UNDONE)).ok_or(error)
}

/// Tries a write in a transaction of its own. A caller without a key has no trials: they would be free of the proof of
/// work, and would tell more than a visitor's form needs.
pub async fn attempt<T: Send + 'static>(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    texts: bool,
    mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
) -> Result<T> {
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        if context.actor.is_public() {
            return Err(Error::invalid("parameter_unknown", format!("There is no parameter {TRIAL:?}.")));
        }
        let context = if texts { context.with_texts() } else { context.clone() };
        undone(tx, &context, &mut job)
    };
    // A trial shows a resource without a change: in the log of reads it is a read.
    tenant.write_noting(ReadWay::Get, key, job).await
}
