//! Bytes of files go out, with the checks of the row that they belong to.

use super::request::TenantRequest;
use bytes::Bytes;
use context::caller_key::CallerKey;
use edge::range::FileValidators;
use edge::{Answer, Outgoing, Problem, Reply};
use futures_util::stream;
use http::header::{self, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resources::files;
use resources::files::{Attachment, Opened};
use std::io;
use tenant::storage::Content;

/// The types that browsers show without running anything of them. All else is saved.
const SHOWN: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", PDF];
const PDF: &str = "application/pdf";
/// The characters that are encoded in a parameter's value (RFC 8187).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// GET /api/ext/v1/file/{link}/{name}: the address that a file's output has. Its signature is the key.
pub(super) async fn linked(request: TenantRequest<'_>) -> Reply {
    let [token, name, ..] = request.values;
    request.no_parameters()?;
    let (opened, left) = files::linked_file(&request.tenant, token, name.to_owned(), Some(request.http.client)).await?;
    serve(&request, opened, format!("private, max-age={}", left.max(0))).await
}

/// GET /api/ext/v1/file/{collection}/{item}/{property}/{name}, with a key.
pub(super) async fn named(request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.no_parameters()?;
    let opened = files::named_file(&request.tenant, &key, request.values.map(str::to_owned)).await?;
    serve(&request, opened, "private, no-cache".to_owned()).await
}

async fn serve(request: &TenantRequest<'_>, opened: Opened, caching: String) -> Reply {
    let Opened { file, logged } = opened;
    let validators = FileValidators { tag: format!("\"{}\"", file.hash), modified: file.created.div_euclid(1_000) };
    // What is logged is read each time, and kept nowhere.
    let caching = if logged { "no-store".to_owned() } else { caching };
    let answer = described(&file, &validators, caching);
    if !logged && validators.known(&request.http.headers) {
        return Ok(Answer { status: StatusCode::NOT_MODIFIED, ..answer });
    }
    if request.http.method == Method::HEAD {
        return Ok(answer.with(header::CONTENT_LENGTH, file.size.into()));
    }
    let range = validators.range(&request.http.headers, file.size)?;
    let (answer, range) = match range {
        None => (answer, 0..file.size),
        Some(range) => {
            let part = format!("bytes {}-{}/{}", range.start, range.end - 1, file.size);
            let answer = Answer { status: StatusCode::PARTIAL_CONTENT, ..answer };
            (answer.with(header::CONTENT_RANGE, text(part)?), range)
        }
    };
    let length = range.end - range.start;
    let content = request.tenant.files().read(&file.key, range).await?;
    Ok(Answer { body: Outgoing::stream(length, Box::pin(stream::try_unfold(content, next))), ..answer })
}

/// 200 without its body: what the file is, and that it runs nowhere.
fn described(file: &Attachment, validators: &FileValidators, caching: String) -> Answer {
    let shown = SHOWN.contains(&file.mime.as_str());
    let disposition = if shown { "inline" } else { "attachment" };
    let disposition = format!("{disposition}; filename*=UTF-8''{}", utf8_percent_encode(&file.name, ENCODED));
    // Chrome shows no PDF in a sandbox, and runs PDFs in one of its own.
    let policy = match file.mime.as_str() {
        PDF => "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
        _ => "sandbox; default-src 'none'",
    };
    let mime = HeaderValue::try_from(&file.mime).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = [
        (header::CONTENT_TYPE, Some(mime)),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(disposition).ok()),
        (header::CONTENT_SECURITY_POLICY, Some(HeaderValue::from_static(policy))),
        (RESOURCE_POLICY, Some(HeaderValue::from_static("cross-origin"))),
        (header::ACCEPT_RANGES, Some(HeaderValue::from_static("bytes"))),
        (header::CACHE_CONTROL, HeaderValue::try_from(caching).ok()),
        (header::ETAG, HeaderValue::try_from(&validators.tag).ok()),
        (header::LAST_MODIFIED, validators.modified()),
    ];
    let answer = Answer { status: StatusCode::OK, ..Answer::empty() };
    headers.into_iter().fold(answer, |answer, (name, value)| match value {
        Some(value) => answer.with(name, value),
        None => answer,
    })
}

async fn next(mut content: Content) -> io::Result<Option<(Bytes, Content)>> {
    let bytes = content.next().await.map_err(io::Error::other)?;
    Ok(bytes.map(|bytes| (bytes, content)))
}

fn text(text: String) -> Result<HeaderValue, Problem> {
    HeaderValue::try_from(text).map_err(|_| Problem::failed())
}
