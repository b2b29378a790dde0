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
    let answer = match body {
        ReadBody::Whole(bytes) => Answer::json(bytes),
        ReadBody::Spooled(spooled) => Answer { body: Outgoing::spooled(Arc::new(spooled)), ..Answer::json("") },
    };
    let disposition = format!("attachment; filename=\"{collection}.{}\"", format.name());
    let disposition = HeaderValue::try_from(disposition).map_err(|_| Problem::failed())?;
    let answer = answer
        .with(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()))
        .with(header::CONTENT_DISPOSITION, disposition);
    Ok(packing::coded(answer, packs))
}
