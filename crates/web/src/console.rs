//! The console: one page for all its places, and the files that it loads. They are built in `console/`, and embedded as
//! they are packed there.

mod files;

use crate::pages;
use crate::routes::route::DirectRequest;
use bytes::Bytes;
use edge::{Answer, Problem, Reply, Request, etag};
use flate2::read::GzDecoder;
use http::header::{self, HeaderName, HeaderValue};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::sync::LazyLock;

/// Scripts and styles are our own files alone, requests go to our own server, and nothing frames the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types svelte-trusted-html";
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The part of the page that stands for the way to the tenant's place.
const ROOT: &str = "{root}";

/// A file of the console. Its name has a digest of its content.
struct ConsoleFile {
    name: &'static str,
    media_type: &'static str,
    brotli: &'static [u8],
    gzip: &'static [u8],
}

/// The digest of the page, for its ETag.
static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let digest: [u8; 32] = Sha256::digest(files::PAGE).into();
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
});

/// GET of a place of the console. The page is the same for all tenants and users: its scripts ask who is there.
pub(crate) async fn page(request: DirectRequest<'_>) -> Reply {
    let DirectRequest { app, target, http, trace } = request;
    if let Err(problem) = pages::tenant(app, target.tenant, &http, trace).await {
        return Ok(pages::framed(app, &http, trace, problem).await);
    }
    Ok(shell(&http))
}

/// GET of the address that `objectShowLink()` makes: it leads to the resource.
pub(crate) async fn shown(request: DirectRequest<'_>) -> Reply {
    let [collection, item, ..] = request.target.values;
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    Ok(pages::see(&format!("../../c/{}/{}", encode(collection), encode(item))))
}

/// The page, as a browser gets it.
pub(crate) fn shell(request: &Request) -> Answer {
    let root = pages::root(request.uri.path());
    let tag = format!("\"{}-{}\"", *DIGEST, root.len());
    let answer = Answer::json(files::PAGE.replace(ROOT, &root));
    etag::validated(answer, &tag, request)
        .with(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))
        .with(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))
        .with(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
        .with(header::VARY, HeaderValue::from_static("Accept-Encoding"))
        .with(OPENER_POLICY, HeaderValue::from_static("same-origin"))
        .with(RESOURCE_POLICY, HeaderValue::from_static("same-origin"))
}

/// GET of a file of the console. It never changes, so it may be kept for ever.
pub(crate) async fn file(request: DirectRequest<'_>) -> Reply {
    let file = files::FILES.iter().find(|file| file.name == request.target.values[0]).ok_or_else(Problem::not_found)?;
    let (body, coding) = file.coded(&request.http)?;
    let mut answer = Answer::json(body)
        .with(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type))
        .with(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"))
        .with(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"))
        .with(header::VARY, HeaderValue::from_static("Accept-Encoding"))
        .with(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    if let Some(coding) = coding {
        answer = answer.with(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Ok(answer)
}

impl ConsoleFile {
    /// The content in the best coding that a client takes. Next to none takes no coding: for those it is unpacked.
    fn coded(&self, request: &Request) -> Result<(Bytes, Option<&'static str>), Problem> {
        let lines = request.headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
        let accepted: Vec<&str> = lines.flat_map(|line| line.split(',')).filter_map(accepted).collect();
        if accepted.contains(&"br") {
            return Ok((Bytes::from_static(self.brotli), Some("br")));
        }
        if accepted.contains(&"gzip") {
            return Ok((Bytes::from_static(self.gzip), Some("gzip")));
        }
        let mut plain = Vec::new();
        GzDecoder::new(self.gzip).read_to_end(&mut plain).map_err(|_| Problem::failed())?;
        Ok((plain.into(), None))
    }
}

/// The coding of a part of `Accept-Encoding`, where its quality is not 0.
fn accepted(part: &str) -> Option<&str> {
    let mut parts = part.split(';').map(str::trim);
    let coding = parts.next()?;
    let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|quality| quality.parse() == Ok(0.0_f32)));
    (!refused).then_some(coding)
}
