//! The messages that are sent back: answers, problems, and the headers that each of them carries.

use super::outgoing::Outgoing;
use super::request::RequestId;
use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use hyper::body::Body;
use serde_json::{Value, json};
use std::borrow::Cow;
use tenant::cache::AnswerBody;

/// The result of a route.
pub type Reply = Result<Answer, Problem>;

/// An answer before it gets the headers that all answers have.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Headers of its own.
    pub headers: HeaderMap,
    /// Its body; JSON where the headers do not say otherwise.
    pub body: Outgoing,
}

/// Why a request is not served (D-5).
#[derive(Debug)]
pub struct Problem {
    /// The status, one of D-6.
    pub status: StatusCode,
    /// A stable word for programs, in snake case.
    pub code: &'static str,
    /// A sentence for people.
    pub message: Cow<'static, str>,
    /// The details of what is wrong where, if the request has parts that can be wrong.
    pub errors: Vec<ProblemDetail>,
    /// The index of the operation that it is about, for a request of several.
    pub operation: Option<usize>,
    /// Headers that the status demands, such as `Allow`.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The error of one property or parameter.
#[derive(Debug)]
pub struct ProblemDetail {
    /// The property's or parameter's name.
    pub property: String,
    /// A stable word for programs, in snake case.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The place in the body, as a JSON pointer, where one is told.
    pub pointer: Option<String>,
}

impl ProblemDetail {
    /// The error of a property, without a place in the body.
    pub fn new(property: String, code: &'static str, message: String) -> Self {
        ProblemDetail { property, code, message, pointer: None }
    }

    /// The error as it is told.
    pub fn json(&self) -> Value {
        let mut json = json!({"property": self.property, "code": self.code, "message": self.message});
        if let Some(pointer) = &self.pointer {
            json["pointer"] = pointer.as_str().into();
        }
        json
    }
}

const ERROR_CODE: HeaderName = HeaderName::from_static("x-error-code");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

impl Answer {
    /// 200 with a JSON body that is written already.
    pub fn json(body: impl Into<Bytes>) -> Self {
        Answer { status: StatusCode::OK, headers: HeaderMap::new(), body: Outgoing::from(body.into()) }
    }

    /// 200 with a JSON body that may lie in a file.
    pub fn of(body: AnswerBody) -> Self {
        match body {
            AnswerBody::Whole(bytes) => Answer::json(bytes),
            AnswerBody::Spooled(spooled) => Answer { body: Outgoing::spooled(spooled), ..Answer::json("") },
        }
    }

    /// 200 with a JSON body.
    pub fn value(body: &Value) -> Self {
        Answer::json(body.to_string())
    }

    /// 201 with a JSON body that is written already.
    pub fn created(body: impl Into<Bytes>) -> Self {
        Answer { status: StatusCode::CREATED, ..Answer::json(body) }
    }

    /// 204.
    pub fn empty() -> Self {
        Answer { status: StatusCode::NO_CONTENT, headers: HeaderMap::new(), body: Outgoing::default() }
    }

    /// Has the bytes of a whole body counted.
    pub(super) fn counted(self, count: impl FnOnce(Bytes) -> Result<Bytes, Problem>) -> Result<Self, Problem> {
        Ok(Answer { body: self.body.counted(count)?, ..self })
    }

    /// Adds a header, or replaces it.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }
}

impl Problem {
    /// A problem without details.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Problem { status, code, message: message.into(), errors: Vec::new(), operation: None, headers: Vec::new() }
    }

    /// 400: the request cannot be understood.
    pub fn invalid(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 400 about one property or parameter.
    pub fn invalid_at(property: &str, code: &'static str, message: String) -> Self {
        let detail = ProblemDetail::new(property.to_owned(), code, message.clone());
        Problem { errors: vec![detail], ..Problem::invalid(code, message) }
    }

    /// 404.
    pub fn not_found() -> Self {
        Problem::new(StatusCode::NOT_FOUND, "not_found", "Not found.")
    }

    /// 405 with the methods that there are.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let message = format!("The method is not allowed here; allowed: {allow}.");
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
            .with(header::ALLOW, HeaderValue::from_static(allow))
    }

    /// 413.
    pub fn too_large(limit: usize) -> Self {
        let message = format!("The request's body is larger than {limit} bytes.");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
    }

    /// 415.
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    }

    /// 500; what happened is for the log.
    pub fn failed() -> Self {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The request could not be processed.")
    }

    /// 501 with the methods that there are.
    pub fn not_implemented(allow: &'static str) -> Self {
        Problem::new(StatusCode::NOT_IMPLEMENTED, "not_implemented", "This is not supported.")
            .with(header::ALLOW, HeaderValue::from_static(allow))
    }

    /// 503 for a moment.
    pub fn unavailable(message: &'static str) -> Self {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
            .with(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// Adds a header.
    #[must_use]
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The problem as it is sent: with its details (RFC 9457), or in the words of the contract.
    fn into_answer(self, with_details: bool, id: RequestId) -> Answer {
        let mut headers: HeaderMap = self.headers.into_iter().collect();
        headers.insert(ERROR_CODE, HeaderValue::from_static(self.code));
        let body = if with_details {
            headers.insert(header::CONTENT_TYPE, PROBLEM_JSON);
            let errors: Vec<Value> = self.errors.iter().map(ProblemDetail::json).collect();
            let mut body = json!({
                "type": "about:blank",
                "title": self.status.canonical_reason(),
                "status": self.status.as_u16(),
                "detail": self.message,
                "code": self.code,
                "requestId": id.as_str(),
                "errors": errors,
            });
            if let Some(operation) = self.operation {
                body["operation"] = operation.into();
            }
            body
        } else {
            json!({"message": self.message})
        };
        Answer { status: self.status, headers, body: Outgoing::from(Bytes::from(body.to_string())) }
    }
}

/// Returns true if an `Accept` names `application/problem+json` and does not refuse it.
pub(crate) fn takes_details(accept: Option<&HeaderValue>) -> bool {
    let Some(accept) = accept.and_then(|accept| accept.to_str().ok()) else { return false };
    accept.to_ascii_lowercase().split(',').any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let quality = |part: &str| part.strip_prefix("q=").and_then(|quality| quality.parse::<f32>().ok());
        parts.next() == Some("application/problem+json") && parts.find_map(quality) != Some(0.0)
    })
}

/// Makes the response of a reply, with the headers that all responses have.
pub(crate) fn respond(reply: Reply, with_details: bool, id: RequestId) -> Response<Outgoing> {
    let answer = reply.unwrap_or_else(|problem| problem.into_answer(with_details, id));
    let has_body = !answer.body.is_end_stream();
    let mut response = Response::new(answer.body);
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    *headers = answer.headers;
    if has_body {
        headers.entry(header::CONTENT_TYPE).or_insert(JSON);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers
        .entry(header::VARY)
        .or_insert(HeaderValue::from_static("key, x-api-key, Authorization, X-Plinth-Proof, Origin, Accept"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(REQUEST_ID, id.header());
    response
}
