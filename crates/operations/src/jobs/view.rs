//! Jobs as their owners see them, and as those do who hold `admin`.

use super::job_row::{JobKind, JobRow, JobState, KEPT};
use super::problems;
use crate::import::ImportPlan;
use context::request_context::RequestContext;
use database::{Tx, Value};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::JOB;
use model::types::{ResourceAction, SystemPermission};
use serde_json::{Value as Json, json};

/// Jobs of a page, and the problems of each.
const PAGE: i64 = 100;
const PROBLEMS: usize = 20;

/// A page of jobs, the latest first.
#[derive(Clone, Debug)]
pub struct JobPage {
    /// The jobs.
    pub items: Vec<Json>,
    /// The id behind which the next page begins; none where this is the last.
    pub next: Option<i64>,
}

/// A job of the caller, with the problems that are kept.
pub fn get(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<Json> {
    let job = own(tx, context, id)?;
    let mut told = told(context, &job);
    let here = told["problems"].as_array().map_or(0, Vec::len);
    if job.result["problemCount"].as_u64().is_some_and(|count| count > here as u64) {
        let kept = problems::first(tx, &job)?;
        if kept.len() > here {
            told["problems"] = kept.into();
        }
    }
    Ok(told)
}

/// Jobs of the caller, and those of all users for who holds `admin`: those before an id, each with its first problems.
pub fn list(tx: &mut Tx<'_>, context: &RequestContext, before: Option<i64>) -> Result<JobPage> {
    let mut sql = tx.sql();
    JobRow::select(&mut sql).push(" WHERE id < ").bind(before.unwrap_or(i64::MAX));
    if context.actor.require(SystemPermission::Admin).is_err() {
        sql.push(" AND owner = ").bind(context.actor.user);
    }
    sql.push(" ORDER BY id DESC").limit(PAGE + 1, 0);
    let (mut items, mut count, mut last) = (Vec::new(), 0, None);
    tx.query(&sql, &mut |row| {
        count += 1;
        if count > PAGE {
            return Ok(());
        }
        // Its request may be large: one is in memory at a time.
        let job = JobRow::read(row)?;
        last = Some(job.id);
        if is_in_scope(context, &job) {
            items.push(in_list(context, &job));
        }
        Ok(())
    })?;
    Ok(JobPage { items, next: last.filter(|_| count > PAGE) })
}

/// A job as a list has it.
fn in_list(context: &RequestContext, job: &JobRow) -> Json {
    let mut told = told(context, job);
    if let Some(problems) = told["problems"].as_array_mut() {
        problems.truncate(PROBLEMS);
    }
    told
}

/// Ends a job of the caller behind the batch that is under way. One that has ended stays as it is; but the file of an
/// export, or of a trial, goes.
pub fn cancel(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<()> {
    let job = own(tx, context, id)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&JOB).push(" SET state = ").bind(JobState::Canceled.name()).push(", due = NULL");
    sql.push(" WHERE id = ").bind(job.id);
    let kept = match job.kind {
        _ if job.keeps_file() => &[][..],
        JobKind::Export => &[JobState::Failed],
        JobKind::Import | JobKind::Bulk => &[JobState::Done, JobState::Failed],
    };
    for state in kept {
        sql.push(" AND state <> ").bind(state.name());
    }
    Ok(tx.execute(&sql).map(drop)?)
}

/// The job of that id, where the caller may see it.
pub(crate) fn own(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<JobRow> {
    let admin = context.actor.require(SystemPermission::Admin).is_ok();
    let found = JobRow::find(tx, id)?.filter(|job| admin || job.owner == context.actor.user);
    let now = context.now.as_millisecond();
    found
        .filter(|job| job.expires > now && is_in_scope(context, job))
        .ok_or_else(|| Error::missing("job_missing", "There is no such job."))
}

/// Returns true if the key is for the type of a job: a job has rows that another key of the user sent. The rows of an
/// export are those that its own key reads.
fn is_in_scope(context: &RequestContext, job: &JobRow) -> bool {
    if job.kind == JobKind::Export {
        return context.actor.scopes.unlimited() || context.source.key == Some(job.key);
    }
    let (scopes, of) = (&context.actor.scopes, context.model.type_by_id(job.type_id));
    let writes = [ResourceAction::Create, ResourceAction::Edit, ResourceAction::Delete];
    scopes.unlimited()
        || of.is_some_and(|of| writes.iter().any(|action| scopes.collection(&of.name, Some(of.id), *action)))
}

/// A job as it is told.
pub(crate) fn told(context: &RequestContext, job: &JobRow) -> Json {
    let moment = |milliseconds: i64| {
        Timestamp::from_millisecond(milliseconds).map_or(Json::Null, |moment| moment.to_string().into())
    };
    let name = context.model.type_by_id(job.type_id).map(|of| of.name.clone());
    let mut result = job.result.clone();
    if let Some((name, expires)) = crate::exports::file_of(context, job)
        && job.owner == context.actor.user
    {
        result["url"] = context.signer.export_url(job.id, &name, expires).into();
    }
    let problems = result.as_object_mut().and_then(|result| result.shift_remove("problems"));
    let mut told = json!({
        "id": job.id, "kind": job.kind.name(), "type": name, "state": job.state.name(), "done": job.position,
        "own": job.owner == context.actor.user, "total": job.total, "failed": job.failed, "atomic": false, "problems": problems.unwrap_or_else(|| json!([])),
        "result": result, "created": moment(job.created), "expires": moment(job.expires),
    });
    if job.kind == JobKind::Import {
        told["dryRun"] = ImportPlan::is_trial(&job.request).into();
        told["resumable"] = job.has_stopped().into();
    }
    if let Some(action) = job.request.get("action") {
        told["action"] = action.clone();
    }
    told
}

impl JobRow {
    /// Ends an import that was written at once.
    pub(crate) fn conclude(&self, tx: &mut Tx<'_>, result: &Json, failed: i64) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&JOB).push(" SET state = ").bind(JobState::Done.name()).push(", position = total");
        sql.push(", failed = ").bind(failed).push(", result = ").bind(result.to_string());
        sql.push(" WHERE id = ").bind(self.id).push(" AND state = ").bind(self.state.name());
        one_or_running(tx.execute(&sql)?)
    }

    /// Gives a job that is uploaded, or was tried, to the workers, with what it is to do: with the rights of the key that asks for it.
    pub(crate) fn start(&self, tx: &mut Tx<'_>, context: &RequestContext, request: &Json) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&JOB).push(" SET state = ").bind(JobState::Waiting.name()).push(", request = ");
        sql.bind(request.to_string())
            .push(", key = ")
            .bind(Value::from(context.source.key))
            .push(", due = ")
            .bind(Value::Timestamp(context.now.as_millisecond()))
            .push(", expires = ")
            .bind(Value::Timestamp(context.now.as_millisecond() + KEPT));
        sql.push(", position = 0, failed = 0, result = '{}' WHERE id = ").bind(self.id);
        sql.push(" AND state = ").bind(self.state.name());
        one_or_running(tx.execute(&sql)?)
    }
}

impl JobRow {
    /// Gives an import that stopped to the workers again, behind the rows that it wrote. Its problems are forgotten where
    /// their rows are tried again.
    pub(crate) fn resume(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        request: &Json,
        tries_again: bool,
    ) -> Result<()> {
        let mut result = self.result.clone();
        if let Some(members) = result.as_object_mut() {
            members.retain(|name, _| match name.as_str() {
                "created" | "updated" | "unchanged" => true,
                "failed" | "problemCount" | "problems" => !tries_again,
                _ => false,
            });
        }
        let (now, failed) = (context.now.as_millisecond(), if tries_again { 0 } else { self.failed });
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&JOB).push(" SET state = ").bind(JobState::Running.name()).push(", request = ");
        sql.bind(request.to_string()).push(", key = ").bind(Value::from(context.source.key)).push(", due = ");
        sql.bind(Value::Timestamp(now)).push(", expires = ").bind(Value::Timestamp(now + KEPT)).push(", failed = ");
        sql.bind(failed).push(", result = ").bind(result.to_string()).push(" WHERE id = ").bind(self.id);
        sql.push(" AND state = ").bind(self.state.name());
        one_or_running(tx.execute(&sql)?)
    }
}

/// Fails where another request began the import meanwhile.
fn one_or_running(changed: u64) -> Result<()> {
    match changed {
        1 => Ok(()),
        _ => Err(Error::conflict("import_running", "The import was begun already.")),
    }
}
