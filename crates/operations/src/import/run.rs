//! Imports that are carried out: at once in one transaction, or by a job.

use super::plan::{ATOMIC, ImportPlan, ImportRun};
use super::preview::Survey;
use super::upload::{too_many, turn};
use crate::jobs::{self, JobKind, JobRow, JobState, PartKind, PartReader};
use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use model::error::{Error, InputProblem, Result};
use serde_json::{Map, Value as Json, json};
use std::sync::{Arc, Mutex, PoisonError};
use tenant::Tenant;
use transfer::import::{CallerRows, ImportReport, RowProblem, write_rows};

/// The most problems that are told of rows that were written, or tried, while the caller waits.
const TOLD: usize = 1_000;
/// The most problems that a job keeps in its own row.
pub(crate) const KEPT: usize = 20;
/// The code of the error by which a transaction is undone.
const UNDONE: &str = "import_undone";

/// The outcome of a request about an import.
#[derive(Debug)]
pub enum ImportOutcome {
    /// The file is kept, and this is what it has.
    Preview(Json),
    /// The rows were written, or could not be.
    Done(Json),
    /// A job does it.
    Job(Json),
}

/// An import whose file was kept.
pub struct KeptImport {
    id: i64,
    total: u64,
    plan: ImportPlan,
    begin: Begin,
}

/// The row with which a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begin {
    /// The first one.
    New,
    /// The one behind those that a run wrote before it stopped.
    Resumed,
}

impl KeptImport {
    /// Finds it. `resume` is true for one that is to go on where it stopped.
    pub async fn find(tenant: &Arc<Tenant>, key: &CallerKey, id: i64, resume: bool) -> Result<Self> {
        let begin = if resume { Begin::Resumed } else { Begin::New };
        let kept = tenant.read(ReadCost::Point, key, move |tx, context| uploaded(tx, context, id, begin)).await?;
        Ok(KeptImport { id, total: kept.total.unsigned_abs(), plan: ImportPlan::stored(&kept.request)?, begin })
    }

    /// The memory that it takes.
    pub fn memory(&self) -> usize {
        self.plan.file.memory()
    }
}

/// Takes the member that has a stopped import go on out of those of a run. Returns true if it asks for that.
pub fn take_resume(members: &mut Map<String, Json>) -> Result<bool> {
    match members.shift_remove("resume") {
        None => Ok(false),
        Some(Json::Bool(resume)) => Ok(resume),
        Some(_) => {
            let message = "resume must be true or false.".to_owned();
            Err(Error::problems(vec![InputProblem { property: "resume".to_owned(), code: "not_boolean", message }]))
        }
    }
}

/// Carries out an import whose file was kept.
pub async fn run(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    kept: KeptImport,
    members: Map<String, Json>,
) -> Result<ImportOutcome> {
    let KeptImport { id, total, plan, begin } = kept;
    if begin == Begin::Resumed {
        return resume(tenant, key, id, &members).await;
    }
    let asked = ImportRun::read(members.clone())?;
    asked.check_form(&plan.file)?;
    if asked.atomic && total > ATOMIC {
        return Err(too_many());
    }
    if total > asked.most_at_once() {
        return start(tenant, key, id, members).await;
    }
    let plan = ImportPlan { options: asked.options, as_admin: asked.as_admin, ..plan };
    let turn = turn().await?;
    let (reader, form) = (PartReader::new(tenant, id, plan.file.length), plan.file.clone());
    // A turn lasts as long as the rows are read, be there somebody who waits or not.
    let reading = tokio::task::spawn_blocking(move || Survey::of(&form, reader, ATOMIC).map(|survey| (survey, turn)));
    let (survey, _turn) = reading.await.map_err(|error| Error::failed(error.to_string()))??;
    match survey.whole {
        true => write_now(tenant, key, plan, survey.kept, Some(id)).await,
        false if asked.atomic => Err(too_many()),
        false => start(tenant, key, id, members).await,
    }
}

/// The job of a file that was kept, and that nobody has begun to import, or whose import stopped.
fn uploaded(tx: &mut Tx<'_>, context: &RequestContext, id: i64, begin: Begin) -> Result<JobRow> {
    let job = jobs::own(tx, context, id)?;
    if job.kind != JobKind::Import {
        return Err(Error::missing("job_missing", "There is no such import."));
    }
    match job.state {
        _ if job.owner != context.actor.user => {
            Err(Error::forbidden("import_of_other", "The file is another user's, who alone may import it."))
        }
        _ if job.has_stopped() => match begin {
            Begin::Resumed => Ok(job),
            Begin::New => {
                let message = format!(
                    "The import wrote {} of {} rows and stopped. Send \"resume\": true to import the others.",
                    job.position, job.total
                );
                Err(Error::conflict("import_stopped", message))
            }
        },
        JobState::Uploaded | JobState::Done | JobState::Failed | JobState::Canceled if begin == Begin::Resumed => {
            Err(Error::conflict("import_not_stopped", "The import did not stop between rows: it cannot be resumed."))
        }
        JobState::Uploaded => Ok(job),
        _ if job.keeps_file() => Ok(job),
        _ => Err(Error::conflict("import_running", "The import was begun already.")),
    }
}

/// Gives an import to the workers.
pub(super) async fn start(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    id: i64,
    members: Map<String, Json>,
) -> Result<ImportOutcome> {
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let kept = uploaded(tx, context, id, Begin::New)?;
        let ImportPlan { type_id, file, .. } = ImportPlan::stored(&kept.request)?;
        let request = ImportPlan::stored_form(type_id, file, &members)?;
        check(context, &request, kept.total)?;
        kept.start(tx, context, &request)?;
        let started = jobs::own(tx, context, id)?;
        Ok(jobs::told(context, &started))
    };
    let told = tenant.write(key, job).await?;
    tenant.wake_jobs();
    Ok(ImportOutcome::Job(told))
}

/// Checks names and rights before anybody waits, and notes where rows are to be written with all rights.
fn check(context: &RequestContext, request: &Json, rows: i64) -> Result<()> {
    let plan = ImportPlan::stored(request)?;
    let collection = plan.collection(context)?;
    transfer::import::check_options(&plan.writer(context)?, &collection, &plan.options)?;
    if plan.as_admin && !plan.options.dry_run {
        note_rights(context, &collection, rows);
    }
    Ok(())
}

/// Has an import go on behind the rows that it wrote. Rows with problems may be left out from here on; all else stays as
/// it was asked for.
async fn resume(tenant: &Arc<Tenant>, key: &CallerKey, id: i64, members: &Map<String, Json>) -> Result<ImportOutcome> {
    if let Some(name) = members.keys().find(|name| *name != "keepGoing") {
        let message = format!("{name} cannot be changed where an import goes on. Send resume and keepGoing alone.");
        return Err(Error::problems(vec![InputProblem { property: name.clone(), code: "parameter_invalid", message }]));
    }
    let asked = ImportRun::read(members.clone())?.options.keep_going;
    let asked = members.contains_key("keepGoing").then_some(asked);
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let stopped = uploaded(tx, context, id, Begin::Resumed)?;
        let plan = ImportPlan::stored(&stopped.request)?;
        if jobs::data_bytes(tx, id)? != plan.file.length {
            return Err(Error::conflict(
                "import_file_gone",
                "The file is not kept any more. Send the other rows again.",
            ));
        }
        let mut request = stopped.request.clone();
        request["run"]["keepGoing"] = asked.unwrap_or(plan.options.keep_going).into();
        check(context, &request, stopped.total - stopped.position)?;
        // Rows with problems stopped it, which are tried again; or they were passed over, and stay so.
        let tries_again = !plan.options.keep_going;
        stopped.resume(tx, context, &request, tries_again)?;
        while tries_again && jobs::remove_some(tx, id, Some(PartKind::Problems))? {}
        let resumed = jobs::own(tx, context, id)?;
        Ok(jobs::told(context, &resumed))
    };
    let told = tenant.write(key, job).await?;
    tenant.wake_jobs();
    Ok(ImportOutcome::Job(told))
}

/// Writes rows in one transaction, which is undone where they are only tried, or where some have problems.
pub(super) async fn write_now(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    plan: ImportPlan,
    rows: CallerRows,
    job: Option<i64>,
) -> Result<ImportOutcome> {
    let outcome: Arc<Mutex<Option<ImportReport>>> = Arc::default();
    let (told, tries) = (Arc::clone(&outcome), plan.options.dry_run);
    let write = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let collection = plan.collection(context)?;
        let report = write_rows(tx, &plan.writer(context)?, &collection, &plan.options, &rows)
            .map_err(|error| plan.file.explain(error, &rows))?;
        let kept = report.kept;
        if plan.as_admin {
            note_rights(context, &collection, i64::try_from(report.rows).unwrap_or(i64::MAX));
        }
        if let (Some(id), true) = (job, kept) {
            jobs::put_problems(tx, id, 0, &jobs::problems_of(&report, &rows))?;
            jobs::put_created(tx, id, &report, &report)?;
            uploaded(tx, context, id, Begin::New)?.conclude(
                tx,
                &counts(&report, KEPT),
                i64::try_from(report.failed).unwrap_or(i64::MAX),
            )?;
        }
        *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
        if kept { Ok(()) } else { Err(Error::invalid(UNDONE, "The import was undone.")) }
    };
    match tenant.write(key, write).await {
        Err(error) if error.code != UNDONE => return Err(error),
        _ => {}
    }
    if let Some(id) = job {
        jobs::forget_data(tenant, id).await?;
    }
    let report = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
    let report = report.ok_or_else(|| Error::failed("an import ended without a report"))?;
    let mut result = counts(&report, TOLD);
    let problems = result.as_object_mut().and_then(|result| result.shift_remove("problems"));
    let state = if report.kept || report.problem_count == 0 { JobState::Done } else { JobState::Failed };
    result["kept"] = report.kept.into();
    if tries {
        result["tried"] = true.into();
    }
    Ok(ImportOutcome::Done(json!({
        "import": job, "state": state.name(), "done": if report.kept { report.rows } else { 0 }, "total": report.rows,
        "failed": report.failed, "atomic": true, "problems": problems, "result": result,
    })))
}

/// Notes in the audit log that rows are written with all rights.
fn note_rights(context: &RequestContext, collection: &str, rows: i64) {
    let event = AuditEvent::of_none(EventKind::ImportElevated).with("type", collection);
    audit::record(context, event.with("rows", rows));
}

/// The outcome of an import, as it is told; with so many of its first problems.
pub(crate) fn counts(report: &ImportReport, most: usize) -> Json {
    let ImportReport { created, updated, unchanged, failed, problem_count, problems, .. } = report;
    let problem = |row: &RowProblem| {
        let InputProblem { property, code, message } = &row.problem;
        let mut told = json!({"line": row.line, "column": property, "code": code, "message": message});
        if let Some(value) = &row.value {
            told["value"] = value.as_str().into();
        }
        told
    };
    let problems: Vec<Json> = problems.iter().take(most).map(problem).collect();
    json!({
        "created": created, "updated": updated, "unchanged": unchanged, "failed": failed,
        "problemCount": problem_count, "problems": problems,
    })
}
