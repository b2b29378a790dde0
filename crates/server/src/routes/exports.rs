//! Exports: all rows of a list as a file.

use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::spool::ReadBody;
use edge::{Answer, Outgoing, Problem, Reply, packing};
use http::header::{self, HeaderValue};
use std::sync::Arc;
use transfer::export::{ExportFormat, ExportRequest, export_spooled};

/// The requests of a key's rate that an export counts for.
const COST: u32 = 10;

/// GET /api/ext/v1/export/{collection}.
pub(super) async fn run(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.tenant.admit_more(request.http.client, request.http.key(), COST - 1).await?;
    let asked = ExportRequest::parse(&request.parameters()?)?;
    let (collection, format) = (request.values[0], asked.format);
    // A workbook is packed in itself.
    let packs = format != ExportFormat::Xlsx && packing::takes_gzip(&request.http.headers);
    let body = export_spooled(&request.tenant, &key, collection, asked, packs).await?;
    let answer = file(body, format.media_type(), &format!("{collection}.{}", format.name()))?;
    Ok(packing::coded(answer, packs))
}

/// The answer that is a file.
pub(super) fn file(body: ReadBody, media_type: &'static str, name: &str) -> Result<Answer, Problem> {
    let answer = match body {
        ReadBody::Whole(bytes) => Answer::json(bytes),
        ReadBody::Spooled(spooled) => Answer { body: Outgoing::spooled(Arc::new(spooled)), ..Answer::json("") },
    };
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    Ok(answer
        .with(header::CONTENT_TYPE, HeaderValue::from_static(media_type))
        .with(header::CONTENT_DISPOSITION, disposition.map_err(|_| Problem::failed())?))
}
