//! The queue of jobs: a worker claims one, and renews its lease with each batch.

use super::job_row::{JobRow, JobState};
use super::parts;
use context::caller_key::CallerKey;
use context::key_text::KeyText;
use context::request_context::RequestContext;
use database::{ColumnType, ReadCost, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::table_names::{JOB, JOB_PART, KEY};
use serde_json::Value as Json;
use std::sync::Arc;
use tenant::Tenant;
use tenant::worker::LEASE;

/// The code of the error of a worker whose job is not its own any more.
pub(crate) const LOST: &str = "job_lost";
/// The jobs that are removed in one transaction.
const SWEPT: i64 = 100;

/// A job that this worker has until its lease is over.
#[derive(Clone)]
pub(crate) struct ClaimedJob {
    pub(crate) row: JobRow,
    /// The key of the caller who began it.
    pub(crate) key: CallerKey,
    holder: String,
}

/// The progress of a job, as a batch leaves it.
pub(crate) struct JobProgress {
    pub(crate) state: JobState,
    pub(crate) position: i64,
    pub(crate) failed: i64,
    pub(crate) result: Json,
}

/// When the next job is due, in milliseconds; none where none waits.
pub fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT due FROM ").table(&JOB).push(" WHERE due IS NOT NULL ORDER BY due").limit(1, 0);
    let mut due = None;
    tx.query(&sql, &mut |row| {
        due = Some(row.timestamp(0)?);
        Ok(())
    })?;
    Ok(due)
}

/// Takes the job that is due first.
pub(crate) async fn claim(tenant: &Arc<Tenant>) -> Result<Option<ClaimedJob>> {
    tenant
        .write_elevated(|tx, context| {
            let (now, holder) = (context.now.as_millisecond(), context.random_name());
            let mut sql = tx.sql();
            JobRow::select(&mut sql).push(" WHERE due <= ").bind(Value::Timestamp(now));
            sql.push(" ORDER BY due, id").limit(1, 0);
            let mut found = None;
            tx.query(&sql, &mut |row| {
                found = Some(JobRow::read(row)?);
                Ok(())
            })?;
            let Some(row) = found else { return Ok(None) };
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&JOB).push(" SET holder = ").bind(holder.as_str()).push(", due = ");
            sql.bind(Value::Timestamp(now + LEASE)).push(" WHERE id = ").bind(row.id);
            sql.push(" AND due <= ").bind(Value::Timestamp(now));
            if tx.execute(&sql)? == 0 {
                return Ok(None);
            }
            let key = key_of(tx, row.key)?;
            Ok(Some(ClaimedJob { row, key, holder }))
        })
        .await
}

/// The key with which a job was begun. One that is gone is as good as none: it is refused when it is used.
pub(crate) fn key_of(tx: &mut Tx<'_>, id: i64) -> Result<CallerKey> {
    let mut sql = tx.sql();
    sql.push("SELECT digest FROM ").table(&KEY).push(" WHERE id = ").bind(id);
    let mut digest = [0; 32];
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(bytes) = row.get(0, ColumnType::Bytes)?
            && bytes.len() == digest.len()
        {
            digest.copy_from_slice(bytes);
        }
        Ok(())
    })?;
    Ok(KeyText { id, digest }.into())
}

impl ClaimedJob {
    /// The key as it is now: that of a session in a browser follows the session's token.
    pub(crate) async fn current_key(&self, tenant: &Arc<Tenant>) -> Result<CallerKey> {
        let id = self.row.key;
        tenant.store().read(ReadCost::Point, move |tx| key_of(tx, id)).await
    }

    /// Notes the progress, in the transaction of the batch that made it, and renews the lease. Fails where the job was
    /// canceled, or another worker has it.
    pub(crate) fn advance(&self, tx: &mut Tx<'_>, context: &RequestContext, progress: &JobProgress) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&JOB).push(" SET state = ").bind(progress.state.name()).push(", position = ");
        sql.bind(progress.position).push(", failed = ").bind(progress.failed).push(", result = ");
        sql.bind(progress.result.to_string()).push(", due = ");
        let due = context.now.as_millisecond() + LEASE;
        sql.bind(if progress.state.has_ended() { Value::Null } else { Value::Timestamp(due) });
        sql.push(" WHERE id = ").bind(self.row.id).push(" AND holder = ").bind(self.holder.as_str());
        sql.push(" AND due IS NOT NULL");
        match tx.execute(&sql)? {
            1 => Ok(()),
            _ => Err(Error::conflict(LOST, "The job was ended, or another worker has it.")),
        }
    }

    /// Notes the number of rows, where it was not known at the start.
    pub(crate) fn note_total(&self, tx: &mut Tx<'_>, total: i64) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&JOB).push(" SET total = ").bind(total).push(" WHERE id = ").bind(self.row.id);
        Ok(tx.execute(&sql).map(drop)?)
    }

    /// Lets another worker go on at once.
    pub(crate) async fn release(&self, tenant: &Arc<Tenant>) -> Result<()> {
        let job = self.clone();
        tenant
            .write_elevated(move |tx, context| {
                let mut sql = tx.sql();
                sql.push("UPDATE ")
                    .table(&JOB)
                    .push(" SET due = ")
                    .bind(Value::Timestamp(context.now.as_millisecond()));
                sql.push(" WHERE id = ").bind(job.row.id).push(" AND holder = ").bind(job.holder.as_str());
                sql.push(" AND due IS NOT NULL");
                Ok(tx.execute(&sql).map(drop)?)
            })
            .await
    }
}

/// Removes jobs whose time is over; returns whether there may be more.
pub fn sweep(tx: &mut Tx<'_>, context: &RequestContext) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&JOB).push(" WHERE expires <= ");
    sql.bind(Value::Timestamp(context.now.as_millisecond())).push(" ORDER BY expires, id").limit(SWEPT, 0);
    let mut ids = Vec::new();
    tx.query(&sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    let Some(first) = ids.first().copied() else { return Ok(false) };
    // A large file goes part by part.
    if parts::remove_some(tx, first, None)? {
        return Ok(true);
    }
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&JOB_PART).push(" WHERE job = ").bind(first);
    tx.execute(&sql)?;
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&JOB).push(" WHERE id = ").bind(first);
    tx.execute(&sql)?;
    Ok(true)
}
