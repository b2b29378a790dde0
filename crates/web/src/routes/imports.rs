//! Imports: a file comes, its rows are shown, and written.

use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::spool::{ReadBody, SpoolWriter};
use edge::stream::BodyStream;
use edge::{Answer, Problem, Reply};
use http::StatusCode;
use http::header::{self, HeaderMap};
use operations::import::{self, FileForm, FormName, ImportOutcome, ImportQuery, KeptImport, Upload};

/// The most bytes of a file, as it comes.
const MOST: u64 = 200 << 20;
/// Bytes that are in memory before they are spooled.
const PIECE: usize = 256 << 10;
/// The type of workbooks.
const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// The requests of a key's rate that a file counts for.
const COST: u32 = 10;

/// POST /api/ext/v1/import/{collection}.
pub(super) async fn receive(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_idempotency_key("an import has an id of its own")?;
    request.tenant.admit_more(request.http.client, request.http.key(), COST - 1).await?;
    let (form, packed) = (form(&request.http.headers)?, packed(&request.http.headers)?);
    let ImportQuery { form, run } = ImportQuery::read(request.parameters()?, form, packed)?;
    let destination = import::check(&request.tenant, &key, request.values[0]).await?;
    let rate = request.app.settings.limits.upload_rate;
    let mut stream = BodyStream::new(request.http, MOST, rate, 2 * PIECE)?;
    let mut spool = SpoolWriter::new(destination.spools.as_ref());
    let mut piece = Vec::new();
    while let Some(bytes) = stream.next().await? {
        piece.extend_from_slice(&bytes);
        if piece.len() >= PIECE {
            spool = spooled(spool, std::mem::take(&mut piece)).await?;
            if spool.spilt() {
                stream.hold_file(spool.len())?;
            }
        }
    }
    spool = spooled(spool, piece).await?;
    let form = FileForm { length: spool.len() as u64, ..form };
    stream.hold(form.memory()).await?;
    let body: ReadBody = spool.finish(b"", b"")?;
    answer(import::receive(&request.tenant, &key, &destination, Upload { body, form }, run).await?)
}

/// POST /api/ext/v1/import/{id}/run.
pub(super) async fn run(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_idempotency_key("an import has an id of its own")?;
    request.no_parameters()?;
    let id = request.id("an import")?;
    let mut members = request.optional_object().await?;
    let resume = import::take_resume(&mut members)?;
    let kept = KeptImport::find(&request.tenant, &key, id, resume).await?;
    request.http.hold(kept.memory()).await?;
    answer(import::run(&request.tenant, &key, kept, members).await?)
}

fn answer(outcome: ImportOutcome) -> Reply {
    let (status, told) = match outcome {
        ImportOutcome::Preview(told) => (StatusCode::CREATED, told),
        ImportOutcome::Done(told) => (StatusCode::OK, told),
        ImportOutcome::Job(told) => (StatusCode::ACCEPTED, told),
    };
    Ok(Answer { status, ..Answer::value(&told) })
}

/// Appends bytes to a spool, which may be a file.
async fn spooled(mut spool: SpoolWriter, piece: Vec<u8>) -> Result<SpoolWriter, Problem> {
    let written = tokio::task::spawn_blocking(move || spool.write(&piece).map(|()| spool));
    Ok(written.await.map_err(|_| Problem::failed())??)
}

fn form(headers: &HeaderMap) -> Result<FormName, Problem> {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        // The type that clients send for any file.
        "text/csv" | "application/octet-stream" => Ok(FormName::Csv),
        "application/json" => Ok(FormName::Json),
        "application/jsonl" | "application/x-ndjson" | "application/x-jsonlines" => Ok(FormName::Jsonl),
        WORKBOOK => Ok(FormName::Xlsx),
        _ => {
            let message =
                "The file must be text/csv, application/json, application/jsonl or a workbook of Excel (.xlsx).";
            Err(Problem::unsupported(message))
        }
    }
}

fn packed(headers: &HeaderMap) -> Result<bool, Problem> {
    let value = headers.get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap_or_default());
    match value.map(|value| value.trim().to_ascii_lowercase()).as_deref() {
        None | Some("" | "identity") => Ok(false),
        Some("gzip" | "x-gzip") => Ok(true),
        Some(_) => Err(Problem::unsupported("The file must be as it is, or packed with gzip.")),
    }
}
