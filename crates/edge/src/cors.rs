//! The pages of a browser that may call: any, and never with cookies.

use super::answer::Answer;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};

/// The methods that the router accepts.
pub const METHODS: &str = "GET, POST, HEAD, PUT, DELETE, PATCH, SEARCH, OPTIONS";
const HEADERS: &str = "Content-Type, Authorization, key, x-api-key, x-custom-auth-headers";
const EXPOSED: &str = "ETag, Plinth-Omitted, RateLimit, RateLimit-Policy, Retry-After, X-Error-Code, X-Request-Id";
const REQUEST_METHOD: HeaderName = header::ACCESS_CONTROL_REQUEST_METHOD;

/// Returns true if the request is a browser's question before the request proper.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ORIGIN) && headers.contains_key(REQUEST_METHOD)
}

/// The answer to a preflight. It is the same for all paths, so that it tells nothing about them.
pub(crate) fn preflight() -> Answer {
    Answer { status: StatusCode::NO_CONTENT, ..Answer::empty() }
        .with(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS))
        .with(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(HEADERS))
        .with(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"))
}

/// Lets any page read the answer. The origin is never repeated, which would invite credentials.
pub(crate) fn allow_any_origin(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}
