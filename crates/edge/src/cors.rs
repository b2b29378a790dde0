//! The pages of a browser that may call: any, and never with cookies.

use super::answer::Answer;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};

/// The methods that the router accepts.
pub const METHODS: &str = "GET, POST, HEAD, PUT, DELETE, PATCH, SEARCH, OPTIONS";
const HEADERS: &str = "Content-Type, Authorization, key, x-api-key, x-custom-auth-headers";
/// The headers under `/api/ext/v1/`. `*` would leave `Authorization` out.
const EXTENDED_HEADERS: &str = "Content-Type, Authorization, key, x-api-key, x-custom-auth-headers, If-Match, \
                                If-None-Match, Cache-Control, Idempotency-Key, Last-Event-ID, Plinth-Proof, Prefer, \
                                Traceparent, Tracestate, X-Keep-Keys";
const EXPOSED: &str = "ETag, Plinth-Omitted, RateLimit, RateLimit-Policy, Retry-After, X-Error-Code, X-Request-Id";
const EXTENDED_EXPOSED: &str = "ETag, Idempotency-Replayed, Location, Plinth-Omitted, Plinth-Schema, \
                                Plinth-Trial, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Error-Code, X-Request-Id";
const REQUEST_METHOD: HeaderName = header::ACCESS_CONTROL_REQUEST_METHOD;

/// Returns true if the request is a browser's question before the request proper.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ORIGIN) && headers.contains_key(REQUEST_METHOD)
}

/// Returns true if the path lies under `/api/ext/v1/`, of the host's tenant or of a named one. What lies under `/api/v1/`
/// keeps the headers of the contract.
pub fn is_extended(path: &str) -> bool {
    let below = path.strip_prefix("/t/").and_then(|rest| rest.find('/').map(|place| &rest[place..]));
    below.unwrap_or(path).starts_with("/api/ext/v1/")
}

/// The answer to a preflight. It is the same for all paths of a kind, so that it tells nothing about them.
pub(crate) fn preflight(extended: bool) -> Answer {
    let headers = if extended { EXTENDED_HEADERS } else { HEADERS };
    Answer { status: StatusCode::NO_CONTENT, ..Answer::empty() }
        .with(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS))
        .with(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(headers))
        .with(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"))
}

/// Lets any page read the answer. The origin is never repeated, which would invite credentials.
pub(crate) fn allow_any_origin(headers: &mut HeaderMap, extended: bool) {
    let exposed = if extended { EXTENDED_EXPOSED } else { EXPOSED };
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
}

/// Returns the method, or `-` for one that the API does not know: that is a client's free text.
pub(crate) fn known_method(method: &Method) -> &'static str {
    METHODS.split(", ").find(|known| *known == method.as_str()).unwrap_or("-")
}
