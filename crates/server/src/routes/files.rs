//! Bytes of files go out, with the checks of the row that they belong to.

use super::{Served, key};
use crate::http::range::Validators;
use crate::http::{Answer, Outgoing, Problem, Reply, Request, query_string};
use bytes::Bytes;
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
pub(super) async fn linked(tenant: &Served, token: &str, name: &str, request: &Request) -> Reply {
    query_string::none(request.uri.query())?;
    let (opened, left) = files::linked_file(tenant, token, name.to_owned(), Some(request.client)).await?;
    serve(tenant, opened, format!("private, max-age={}", left.max(0)), request).await
}

/// GET /api/ext/v1/file/{collection}/{item}/{property}/{name}, with a key.
pub(super) async fn named(tenant: &Served, path: [&str; 4], request: &Request) -> Reply {
    let key = key(request)?;
    query_string::none(request.uri.query())?;
    let opened = files::named_file(tenant, &key, path.map(str::to_owned)).await?;
    serve(tenant, opened, "private, no-cache".to_owned(), request).await
}

async fn serve(tenant: &Served, opened: Opened, caching: String, request: &Request) -> Reply {
    let Opened { file, logged } = opened;
    let validators = Validators { tag: format!("\"{}\"", file.hash), modified: file.created.div_euclid(1_000) };
    // What is logged is read each time, and kept nowhere.
    let caching = if logged { "no-store".to_owned() } else { caching };
    let answer = described(&file, &validators, caching);
    if !logged && validators.known(&request.headers) {
        return Ok(Answer { status: StatusCode::NOT_MODIFIED, ..answer });
    }
    if request.method == Method::HEAD {
        return Ok(answer.with(header::CONTENT_LENGTH, file.size.into()));
    }
    let range = validators.range(&request.headers, file.size)?;
    let (answer, range) = match range {
        None => (answer, 0..file.size),
        Some(range) => {
            let part = format!("bytes {}-{}/{}", range.start, range.end - 1, file.size);
            let answer = Answer { status: StatusCode::PARTIAL_CONTENT, ..answer };
            (answer.with(header::CONTENT_RANGE, text(part)?), range)
        }
    };
    let length = range.end - range.start;
    let content = tenant.files().read(&file.key, range).await?;
    Ok(Answer { body: Outgoing::stream(length, Box::pin(stream::try_unfold(content, next))), ..answer })
}

/// 200 without its body: what the file is, and that it runs nowhere.
fn described(file: &Attachment, validators: &Validators, caching: String) -> Answer {
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
