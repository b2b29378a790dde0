//! The row of a job, and what changes it.

use super::parts::PartKind;
use crate::import::ImportPlan;
use context::request_context::RequestContext;
use database::{ColumnType, Row, Sql, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::table_names::{JOB, JOB_PART};
use model::user_columns::USERS;
use serde_json::Value as Json;

/// The time for which a job is kept, in milliseconds.
pub(crate) const KEPT: i64 = 24 * 60 * 60 * 1_000;

/// The most jobs of a user that have not ended.
const OPEN: i64 = 20;

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// The rows of a file become resources.
    Import,
    /// One change of many resources.
    Bulk,
    /// The rows of a list become a file.
    Export,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// A file came, and nobody has said yet what to do with it.
    Uploaded,
    /// A worker is to take it.
    Waiting,
    /// Its rows are read, and nothing is written.
    Checking,
    /// Its batches are written.
    Running,
    /// All of it was done.
    Done,
    /// It ended before all was done.
    Failed,
    /// Somebody ended it.
    Canceled,
}

/// A job as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct JobRow {
    pub(crate) id: i64,
    pub(crate) kind: JobKind,
    pub(crate) type_id: i64,
    pub(crate) owner: i64,
    pub(crate) key: i64,
    pub(crate) state: JobState,
    /// The request that it carries out.
    pub(crate) request: Json,
    pub(crate) total: i64,
    pub(crate) position: i64,
    pub(crate) failed: i64,
    /// The outcome so far.
    pub(crate) result: Json,
    pub(crate) created: i64,
    pub(crate) expires: i64,
}

/// A job that is to be stored.
pub(crate) struct NewJob<'j> {
    pub(crate) kind: JobKind,
    pub(crate) type_id: i64,
    pub(crate) state: JobState,
    pub(crate) request: &'j Json,
    pub(crate) total: i64,
}

impl JobKind {
    const ALL: [(&'static str, JobKind); 3] =
        [("import", JobKind::Import), ("bulk", JobKind::Bulk), ("export", JobKind::Export)];

    /// Its name.
    pub fn name(self) -> &'static str {
        JobKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

impl JobState {
    const ALL: [(&'static str, JobState); 7] = [
        ("uploaded", JobState::Uploaded),
        ("waiting", JobState::Waiting),
        ("checking", JobState::Checking),
        ("running", JobState::Running),
        ("done", JobState::Done),
        ("failed", JobState::Failed),
        ("canceled", JobState::Canceled),
    ];

    /// The names of all states.
    pub const NAMES: [&'static str; 7] = ["uploaded", "waiting", "checking", "running", "done", "failed", "canceled"];

    /// Its name.
    pub fn name(self) -> &'static str {
        JobState::ALL.iter().find(|(_, state)| *state == self).map_or("", |(name, _)| name)
    }

    /// Returns true if nothing is left to do.
    pub fn has_ended(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed | JobState::Canceled)
    }
}

impl NewJob<'_> {
    /// Stores the job for the caller; gives its id.
    pub(crate) fn insert(self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<i64> {
        refuse_more(tx, context)?;
        let now = context.now.as_millisecond();
        let due = if self.state == JobState::Waiting { Value::Timestamp(now) } else { Value::Null };
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&JOB).push(
            " (kind, type, owner, key, state, request, total, position, failed, result, due, created, expires) VALUES (",
        );
        sql.bind(self.kind.name()).push(", ").bind(self.type_id).push(", ").bind(context.actor.user).push(", ");
        sql.bind(Value::from(context.source.key)).push(", ").bind(self.state.name()).push(", ");
        sql.bind(self.request.to_string()).push(", ").bind(self.total).push(", 0, 0, '{}', ").bind(due).push(", ");
        sql.bind(Value::Timestamp(now)).push(", ").bind(Value::Timestamp(now + KEPT)).push(") RETURNING id");
        let mut id = 0;
        tx.query(&sql, &mut |row| {
            id = row.integer(0)?;
            Ok(())
        })?;
        Ok(id)
    }
}

/// Has requests of a user that begin jobs go one by one: each counts those that are there.
pub(crate) fn take_turn(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&USERS).push(" WHERE id = ").bind(context.actor.user).for_change();
    Ok(tx.query(&sql, &mut |_| Ok(()))?)
}

/// Refuses a job where its owner has many that have not ended: each may have a large file.
fn refuse_more(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    take_turn(tx, context)?;
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&JOB).push(" AS own WHERE owner = ").bind(context.actor.user);
    sql.push(" AND expires > ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" AND (");
    for (name, _) in JobState::ALL.iter().filter(|(_, state)| !state.has_ended()) {
        sql.push("state = ").bind(*name).push(" OR ");
    }
    // A trial that has ended keeps its file for the run.
    sql.push("kind = ").bind(JobKind::Import.name()).push(" AND EXISTS (SELECT 1 FROM ").table(&JOB_PART);
    sql.push(" AS part WHERE part.job = own.id AND part.kind = ").bind(PartKind::Data as i64);
    sql.push("))");
    let mut open = 0;
    tx.query(&sql, &mut |row| {
        open = row.integer(0)?;
        Ok(())
    })?;
    if open < OPEN {
        return Ok(());
    }
    let message =
        format!("You have {open} imports and jobs that have not ended, or keep a file. Wait for them, or delete some.");
    Err(Error::conflict("jobs_too_many", message))
}

impl JobRow {
    /// Appends what selects jobs.
    pub(crate) fn select(sql: &mut Sql) -> &mut Sql {
        sql.push("SELECT id, kind, type, owner, key, state, request, total, position, failed, result, created, expires FROM ")
            .table(&JOB)
    }

    /// Reads a row of what [`JobRow::select`] appends.
    pub(crate) fn read(row: &Row<'_>) -> database::Result<Self> {
        let corrupt = |what: &str| database::Error::Corrupt(format!("a job has no {what}"));
        let json = |index: usize| -> database::Result<Json> {
            serde_json::from_str(row.text(index)?).map_err(|error| database::Error::Corrupt(format!("a job: {error}")))
        };
        let (kind, state) = (row.text(1)?, row.text(5)?);
        let key = match row.get(4, ColumnType::Integer)? {
            ValueRef::Integer(key) => key,
            _ => 0,
        };
        Ok(JobRow {
            id: row.integer(0)?,
            kind: JobKind::ALL.iter().find(|(name, _)| *name == kind).ok_or_else(|| corrupt("kind"))?.1,
            type_id: row.integer(2)?,
            owner: row.integer(3)?,
            key,
            state: JobState::ALL.iter().find(|(name, _)| *name == state).ok_or_else(|| corrupt("state"))?.1,
            request: json(6)?,
            total: row.integer(7)?,
            position: row.integer(8)?,
            failed: row.integer(9)?,
            result: json(10)?,
            created: row.timestamp(11)?,
            expires: row.timestamp(12)?,
        })
    }

    /// The job of that id.
    pub(crate) fn find(tx: &mut Tx<'_>, id: i64) -> Result<Option<Self>> {
        let mut sql = tx.sql();
        JobRow::select(&mut sql).push(" WHERE id = ").bind(id);
        let mut found = None;
        tx.query(&sql, &mut |row| {
            found = Some(JobRow::read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns true if it has ended and its file stays: what it did was only a trial, or it may go on where it stopped.
    pub(crate) fn keeps_file(&self) -> bool {
        let has_ended = matches!(self.state, JobState::Done | JobState::Failed);
        has_ended && self.kind == JobKind::Import && (ImportPlan::is_trial(&self.request) || self.has_stopped())
    }

    /// Returns true for an import that failed behind rows that it wrote, and before the last.
    pub(crate) fn has_stopped(&self) -> bool {
        let is_import = self.kind == JobKind::Import && self.state == JobState::Failed;
        is_import && !ImportPlan::is_trial(&self.request) && (1..self.total).contains(&self.position)
    }

    /// The name of its type.
    pub(crate) fn collection(&self, context: &RequestContext) -> Result<String> {
        let of = context.model.type_by_id(self.type_id);
        of.map(|of| of.name.clone()).ok_or_else(|| Error::missing("type_missing", "The type of the job is gone."))
    }
}
