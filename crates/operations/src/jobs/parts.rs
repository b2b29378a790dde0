//! Bytes of a job, in parts: a file that came, ids, problems.

use super::job_row::{JobKind, JobRow, JobState};
use context::request_context::RequestContext;
use context::some_rows;
use database::{ColumnType, Name, Tx, Value, ValueRef};
use model::error::Result;
use model::table_names::JOB_PART;
use std::sync::Arc;
use tenant::Tenant;

/// Bytes of a part.
pub(crate) const PART: usize = 512 << 10;
/// The parts that are removed in one transaction.
const REMOVED: i64 = 16;

/// The content of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// The file or the ids that the job works on.
    Data = 0,
    /// Rows with problems.
    Problems = 1,
    /// The file that the job makes.
    File = 2,
    /// The ids of the resources that an import created.
    Created = 3,
}

/// Stores a piece of what a job works on, behind those that are there.
pub(crate) fn put_data(tx: &mut Tx<'_>, job: i64, content: Vec<u8>) -> Result<()> {
    put(tx, job, PartKind::Data, content)
}

/// Stores a part behind those that are there.
pub(crate) fn put(tx: &mut Tx<'_>, job: i64, kind: PartKind, content: Vec<u8>) -> Result<()> {
    let columns = [
        (Name::fixed("job"), ColumnType::Integer),
        (Name::fixed("kind"), ColumnType::Integer),
        (Name::fixed("content"), ColumnType::Bytes),
    ];
    let row = vec![Value::Integer(job), Value::Integer(kind as i64), Value::Bytes(content)];
    tx.insert_many(&JOB_PART, &columns, &[row])?;
    Ok(())
}

/// The first part of a kind behind another, with its number.
pub(crate) fn after(tx: &mut Tx<'_>, job: i64, kind: PartKind, last: i64) -> Result<Option<(i64, Vec<u8>)>> {
    let mut sql = tx.sql();
    sql.push("SELECT id, content FROM ").table(&JOB_PART).push(" WHERE job = ").bind(job);
    sql.push(" AND kind = ").bind(kind as i64).push(" AND id > ").bind(last).push(" ORDER BY id").limit(1, 0);
    let mut found = None;
    tx.query(&sql, &mut |row| {
        let content = match row.get(1, ColumnType::Bytes)? {
            ValueRef::Bytes(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        };
        found = Some((row.integer(0)?, content));
        Ok(())
    })?;
    Ok(found)
}

/// The bytes of all parts of a kind.
pub(crate) fn bytes(tx: &mut Tx<'_>, job: i64, kind: PartKind) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT CAST(COALESCE(SUM(LENGTH(content)), 0) AS BIGINT) FROM ").table(&JOB_PART);
    sql.push(" WHERE job = ").bind(job).push(" AND kind = ").bind(kind as i64);
    let mut bytes = 0;
    tx.query(&sql, &mut |row| {
        bytes = row.integer(0)?;
        Ok(())
    })?;
    Ok(bytes)
}

/// The bytes that a job works on.
pub(crate) fn data_bytes(tx: &mut Tx<'_>, job: i64) -> Result<u64> {
    bytes(tx, job, PartKind::Data).map(i64::unsigned_abs)
}

/// Removes some parts of a job, of one kind where one is given; returns true if there may be more.
pub(crate) fn remove_some(tx: &mut Tx<'_>, job: i64, kind: Option<PartKind>) -> Result<bool> {
    some_rows::remove_some(tx, &JOB_PART, REMOVED, |sql| {
        sql.push("job = ").bind(job);
        if let Some(kind) = kind {
            sql.push(" AND kind = ").bind(kind as i64);
        }
    })
}

/// Removes what a job that has ended worked on.
pub async fn forget_data(tenant: &Arc<Tenant>, job: i64) -> Result<()> {
    let some = move |tx: &mut Tx<'_>, _: &RequestContext| match JobRow::find(tx, job)? {
        Some(row) if !row.state.has_ended() || row.keeps_file() => Ok(false),
        Some(row) if row.kind == JobKind::Export && row.state != JobState::Done => remove_some(tx, job, None),
        _ => remove_some(tx, job, Some(PartKind::Data)),
    };
    while tenant.write_elevated(some).await? {}
    Ok(())
}
