//! A file that came: it is read to its end, shown, and kept until it is imported.

use super::plan::{ATOMIC, FileForm, ImportPlan, ImportRun};
use super::preview::{BodyReader, Survey};
use super::run::{ImportOutcome, start, write_now};
use crate::jobs::{JobKind, JobState, NewJob, PART, put_data};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use context::spool::{ReadBody, SpoolFolder};
use database::{ReadCost, Tx};
use model::error::{Error, Result};
use model::types::ResourceAction;
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use tenant::Tenant;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Files whose rows are in memory at a time.
static TURNS: Semaphore = Semaphore::const_new(4);

/// The destination of an import, where the caller may write there.
#[derive(Clone, Debug)]
pub struct Destination {
    /// The id of the type.
    pub type_id: i64,
    /// The place of bytes that are too large for memory.
    pub spools: Option<Arc<SpoolFolder>>,
}

/// A file that came.
pub struct Upload {
    /// Its bytes.
    pub body: ReadBody,
    /// Its form.
    pub form: FileForm,
}

/// Fails unless the caller may create or change resources of a type.
pub async fn check(tenant: &Arc<Tenant>, key: &CallerKey, collection: &str) -> Result<Destination> {
    let collection = collection.to_owned();
    let job = move |_: &mut Tx<'_>, context: &RequestContext| {
        let allowed = |action| context.actor.allowed(&context.model, &collection, action);
        let allowed = allowed(ResourceAction::Create).or_else(|_| allowed(ResourceAction::Edit))?;
        Ok(Destination { type_id: allowed.resource_type.id, spools: context.spools.clone() })
    };
    tenant.read(ReadCost::Point, key, job).await
}

/// Takes a file: shows what it has, or imports it at once where the members of a run are given.
pub async fn receive(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    destination: &Destination,
    upload: Upload,
    run: Option<Map<String, Json>>,
) -> Result<ImportOutcome> {
    let asked = run.clone().map(ImportRun::read).transpose()?;
    let most = asked.as_ref().map_or(0, ImportRun::most_at_once);
    let Upload { body, form } = upload;
    asked.as_ref().map_or(Ok(()), |asked| asked.check_form(&form))?;
    let (turn, read) = (turn().await?, form.clone());
    // A turn lasts as long as the rows are read, be there somebody who waits or not.
    let surveying = tokio::task::spawn_blocking(move || {
        let survey = Survey::of(&read, BodyReader::new(&body), most);
        (survey, body, turn)
    });
    let (survey, body, _turn) = surveying.await.map_err(|error| Error::failed(error.to_string()))?;
    let survey = survey?;
    if let Some(asked) = asked {
        if survey.whole && survey.rows <= most {
            let ImportRun { options, as_admin, .. } = asked;
            let plan = ImportPlan { type_id: destination.type_id, file: form, options, as_admin };
            return write_now(tenant, key, plan, survey.kept, None).await;
        }
        if asked.atomic {
            return Err(too_many());
        }
    }
    let id = store(tenant, key, destination.type_id, form.clone(), &survey, body).await?;
    match run {
        Some(run) => start(tenant, key, id, run).await,
        None => preview(tenant, key, destination.type_id, form, id, survey).await,
    }
}

/// Waits for its turn: few files are in memory at a time.
pub(super) async fn turn() -> Result<SemaphorePermit<'static>> {
    TURNS.acquire().await.map_err(|error| Error::failed(error.to_string()))
}

/// The error of an import in one transaction of too many rows.
pub(super) fn too_many() -> Error {
    let message = format!("An import with \"atomic\": true has at most {ATOMIC} rows, of 8 MB. Leave atomic out.");
    Error::invalid("rows_too_many", message)
}

async fn preview(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    type_id: i64,
    form: FileForm,
    id: i64,
    survey: Survey,
) -> Result<ImportOutcome> {
    let job = move |_: &mut Tx<'_>, context: &RequestContext| {
        let plan = ImportPlan { type_id, file: form.clone(), options: Default::default(), as_admin: false };
        survey.told(context, &plan.collection(context)?, id, plan.file.name)
    };
    tenant.read(ReadCost::Point, key, job).await.map(ImportOutcome::Preview)
}

/// Keeps a file as a job that waits for its run; gives its id.
async fn store(
    tenant: &Arc<Tenant>,
    key: &CallerKey,
    type_id: i64,
    form: FileForm,
    survey: &Survey,
    body: ReadBody,
) -> Result<i64> {
    let request = ImportPlan::stored_form(type_id, form, &Map::new())?;
    let total = i64::try_from(survey.rows).unwrap_or(i64::MAX);
    let begin = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let (kind, state) = (JobKind::Import, JobState::Uploaded);
        NewJob { kind, type_id, state, request: &request, total }.insert(tx, context)
    };
    let id = tenant.write(key, begin).await?;
    let body = Arc::new(body);
    let mut from = 0;
    loop {
        let (source, at) = (Arc::clone(&body), from);
        let read = tokio::task::spawn_blocking(move || piece(&source, at));
        let piece = read.await.map_err(|error| Error::failed(error.to_string()))??;
        if piece.is_empty() {
            return Ok(id);
        }
        from += piece.len() as u64;
        tenant.write_elevated(move |tx, _| put_data(tx, id, piece.clone())).await?;
    }
}

/// The piece of a body from a place on.
fn piece(body: &ReadBody, from: u64) -> Result<Vec<u8>> {
    match body {
        ReadBody::Whole(bytes) => {
            let from = usize::try_from(from).unwrap_or(usize::MAX).min(bytes.len());
            Ok(bytes[from..bytes.len().min(from + PART)].to_vec())
        }
        ReadBody::Spooled(spooled) => {
            let (mut piece, mut at) = (Vec::new(), from);
            while piece.len() < PART {
                let some = spooled.read(at)?;
                if some.is_empty() {
                    break;
                }
                at += some.len() as u64;
                piece.extend(some);
            }
            Ok(piece)
        }
    }
}
