//! Exports that a job makes: their beginning, and the address of their file.

use crate::jobs::{self, JobKind, JobRow, JobState, NewJob, PartKind};
use context::request_context::RequestContext;
use context::spool::ReadBody;
use database::{ReadCost, Tx, Value};
use model::error::{Error, ErrorKind, Result};
use model::file_link::refused;
use model::table_names::JOB;
use model::types::ResourceAction;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use tenant::Tenant;
use transfer::export::{ExportFormat, ExportRequest, joined};

/// The most exports of a user that are kept, or under way.
const KEPT: i64 = 10;

/// The file that a job made.
#[derive(Debug)]
pub struct ExportedFile {
    /// Its bytes.
    pub body: ReadBody,
    /// Its form.
    pub format: ExportFormat,
    /// True if the bytes are packed with gzip.
    pub is_packed: bool,
}

/// Has a job export the rows of a list, given by the decoded pairs of a query string; gives the job.
pub fn begin(tx: &mut Tx<'_>, context: &RequestContext, collection: &str, query: &[(String, String)]) -> Result<Json> {
    let allowed = context.actor.allowed(&context.model, collection, ResourceAction::Show)?;
    let request = ExportRequest::parse(query)?;
    transfer::export::check(context, collection, &request)?;
    refuse_more(tx, context)?;
    let (type_id, state, request) = (allowed.resource_type.id, JobState::Waiting, json!({"query": query}));
    let job = NewJob { kind: JobKind::Export, type_id, state, request: &request, total: 0 }.insert(tx, context)?;
    jobs::get(tx, context, job)
}

/// Refuses an export where the caller keeps many: each may have a large file.
fn refuse_more(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    jobs::take_turn(tx, context)?;
    let mut sql = tx.sql();
    sql.push("SELECT COUNT(*) FROM ").table(&JOB).push(" WHERE owner = ").bind(context.actor.user);
    sql.push(" AND kind = ").bind(JobKind::Export.name());
    sql.push(" AND expires > ").bind(Value::Timestamp(context.now.as_millisecond()));
    for state in [JobState::Failed, JobState::Canceled] {
        sql.push(" AND state <> ").bind(state.name());
    }
    let mut kept = 0;
    tx.query(&sql, &mut |row| {
        kept = row.integer(0)?;
        Ok(())
    })?;
    if kept < KEPT {
        return Ok(());
    }
    let message = format!("You keep {kept} exports. Delete jobs whose files you do not need any more.");
    Err(Error::conflict("exports_too_many", message))
}

/// The request of a job.
pub(crate) fn request_of(job: &JobRow) -> Result<ExportRequest> {
    let query = serde_json::from_value::<Vec<(String, String)>>(job.request["query"].clone());
    ExportRequest::parse(&query.map_err(|error| Error::failed(error.to_string()))?)
}

/// The name of the file that a job made, and the second at which its address ends; none where it made none. The address
/// is for the owner alone: who holds it needs no key.
pub(crate) fn file_of(context: &RequestContext, job: &JobRow) -> Option<(String, i64)> {
    if job.kind != JobKind::Export || job.state != JobState::Done {
        return None;
    }
    let name = job.collection(context).ok()?;
    Some((format!("{name}.{}", request_of(job).ok()?.format.name()), job.expires.div_euclid(1_000)))
}

/// Opens the file to which a signed address leads. It is there as long as the key that asked for it may read the type.
pub async fn open(tenant: &Arc<Tenant>, token: &str, takes_packed: bool) -> Result<ExportedFile> {
    let signed = token.to_owned();
    // A forged address costs a look at its signature, and asks for no key's rights.
    let key = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let id = context.signer.verify_export(&signed, context.now).ok_or_else(refused)?;
        let job = JobRow::find(tx, id)?.ok_or_else(refused)?;
        Ok((id, jobs::key_of(tx, job.key)?))
    };
    let (id, key) = tenant.read_elevated(ReadCost::Point, key).await?;
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let job = JobRow::find(tx, id)?.filter(|job| job.expires > context.now.as_millisecond());
        let job = job.filter(|job| file_of(context, job).is_some()).ok_or_else(refused)?;
        context.actor.allowed(&context.model, &job.collection(context)?, ResourceAction::Show)?;
        let format = request_of(&job)?.format;
        let (is_packed, mut last) = (format.packs(), 0);
        let mut next = || -> Result<Option<Vec<u8>>> {
            tx.check_deadline()?;
            let part = jobs::part_after(tx, id, PartKind::File, last)?;
            Ok(part.map(|(number, content)| {
                last = number;
                content
            }))
        };
        let body = joined(context, is_packed && !takes_packed, &mut next)?;
        Ok(ExportedFile { body, format, is_packed: is_packed && takes_packed })
    };
    // An address tells nobody why it opens nothing.
    tenant.read(ReadCost::Scan, &key, job).await.map_err(|error| match error.kind {
        ErrorKind::Forbidden | ErrorKind::Missing => refused(),
        _ => error,
    })
}
