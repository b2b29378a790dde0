//! The one place where a failure of the domain becomes a status.

use crate::answer::{Problem, ProblemDetail};
use crate::request::{CURRENT_ID, RequestId};
use http::header::{self, HeaderValue};
use http::{HeaderName, StatusCode};
use model::error::{Error, ErrorKind, FROZEN};
use model::rate::RatePolicy;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE_LIMIT_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        if let Some(detail) = error.detail.as_ref().filter(|_| error.code != "busy" || is_first_of_second()) {
            let id = CURRENT_ID.try_get().ok();
            tracing::error!(id = id.as_ref().map(RequestId::as_str), code = error.code, detail, "a request failed");
        }
        let status = match error.kind {
            ErrorKind::Invalid => StatusCode::BAD_REQUEST,
            ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
            ErrorKind::Forbidden => StatusCode::FORBIDDEN,
            ErrorKind::Missing => StatusCode::NOT_FOUND,
            ErrorKind::Conflict => StatusCode::CONFLICT,
            ErrorKind::Changed => StatusCode::PRECONDITION_FAILED,
            ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            ErrorKind::Unsupported => StatusCode::NOT_IMPLEMENTED,
            ErrorKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
            ErrorKind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let mut problem = Problem::new(status, error.code, error.message);
        problem.errors = error
            .problems
            .into_iter()
            .map(|found| ProblemDetail::new(found.property, found.code, found.message))
            .collect();
        match error.kind {
            ErrorKind::TooMany { retry_after, policy } => limited(problem, retry_after, policy),
            // A command alone ends that.
            ErrorKind::Busy if error.code == FROZEN => {
                problem.with(header::RETRY_AFTER, HeaderValue::from_static("60"))
            }
            ErrorKind::Busy => problem.with(header::RETRY_AFTER, HeaderValue::from_static("2")),
            _ => problem,
        }
    }
}

/// Returns true once in a second: all requests that write meet a full disk.
fn is_first_of_second() -> bool {
    static TOLD: Mutex<Option<Instant>> = Mutex::new(None);
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = told.is_none_or(|told| told.elapsed() >= Duration::from_secs(1));
    if is_first {
        *told = Some(Instant::now());
    }
    is_first
}

/// Says when to come again, and which limit was met, in the form of draft-ietf-httpapi-ratelimit-headers-10. Other
/// answers do not carry these headers: what is left to a key would make no two answers the same.
fn limited(problem: Problem, retry_after: u32, policy: Option<RatePolicy>) -> Problem {
    let problem = problem
        .with(header::RETRY_AFTER, HeaderValue::from(retry_after))
        .with(RATE_LIMIT_REMAINING, HeaderValue::from_static("0"))
        .with(RATE_LIMIT_RESET, HeaderValue::from(retry_after));
    let Some(RatePolicy { name, rate }) = policy else { return problem };
    let text = |text: String| HeaderValue::try_from(text).expect("names and numbers fit a header");
    problem
        .with(RATE_LIMIT, text(format!("\"{name}\";r=0;t={retry_after}")))
        .with(RATE_LIMIT_POLICY, text(format!("\"{name}\";q={};w={}", rate.requests, rate.seconds)))
}
