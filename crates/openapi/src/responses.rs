//! Operations and their answers: each with its statuses, headers and bodies.

use super::literal::json;
use serde_json::{Map, Value};

/// A header of answers: its name among the components, its name on the wire, what it says.
type HeaderRow = (&'static str, &'static str, &'static str);

const HEADERS: [HeaderRow; 9] = [
    ("ETag", "ETag", "The strong validator of the body, hexadecimal digits in quotes."),
    ("CacheControl", "Cache-Control", "The rules for caches."),
    ("RequestId", "X-Request-Id", "The request's id in the server's log."),
    ("ErrorCode", "X-Error-Code", "A stable word for programs."),
    ("RetryAfter", "Retry-After", "Seconds to wait."),
    ("LimitState", "RateLimit", "The limit that was met, r=0, and the seconds to wait as t."),
    ("LimitPolicy", "RateLimit-Policy", "The limit that was met: q requests in w seconds, of a key or an address."),
    ("RateLimitRemaining", "RateLimit-Remaining", "The number of attempts left."),
    ("RateLimitReset", "RateLimit-Reset", "Seconds until attempts are allowed again."),
];

const PROBLEMS: [(&str, &str); 13] = [
    ("400", "The input is malformed or not allowed."),
    ("401", "Login name or password is wrong."),
    ("403", "The key is missing or invalid, or a permission is missing."),
    ("404", "The resource or route does not exist, or the caller may not see it."),
    ("409", "A unique property or a relation prevents it."),
    ("412", "The resource has changed since it was read."),
    ("413", "The body is too large."),
    ("415", "The body is of the wrong media type."),
    ("422", "The Idempotency-Key was sent with another request."),
    ("429", "Too many requests or attempts."),
    ("431", "The request's head is too large."),
    ("500", "The request could not be processed."),
    ("503", "The server is busy or stopping."),
];

/// The statuses that any request may be answered with.
const ALWAYS: [&str; 3] = ["400", "431", "500"];

/// The headers of an answer that caches may keep.
pub const VALIDATED: [&str; 2] = ["ETag", "CacheControl"];

/// The headers of an answer to a write.
pub const TAGGED: [&str; 1] = ["ETag"];

/// The headers of answers, as components.
pub fn headers() -> Value {
    let header = |(component, _, description): HeaderRow| {
        let kind = if component.starts_with("R") && component != "RequestId" { "integer" } else { "string" };
        (component.to_owned(), json!({"description": description, "schema": {"type": kind}}))
    };
    HEADERS.map(header).into_iter().collect::<Map<_, _>>().into()
}

/// The answers of errors, as components.
pub fn problems() -> Value {
    let problem = |(status, description): (&str, &str)| {
        let headers: &[&str] = match status {
            "429" => &["ErrorCode", "RetryAfter", "LimitState", "LimitPolicy", "RateLimitRemaining", "RateLimitReset"],
            "503" => &["ErrorCode", "RetryAfter"],
            _ => &["ErrorCode"],
        };
        let mut problem = empty(description, headers);
        problem["content"] = json!({
            "application/json": {"schema": {"$ref": "#/components/schemas/Problem"}},
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}},
        });
        (format!("Problem{status}"), problem)
    };
    PROBLEMS.map(problem).into_iter().collect::<Map<_, _>>().into()
}

/// The operations that no limit of rate holds for.
const UNLIMITED: [&str; 2] = ["healthz", "readyz"];

/// An operation with what it gives where all goes well, and the statuses of its problems beside those that any
/// request may have.
pub fn operation(id: &str, summary: &str, answers: &[(&str, Value)], problems: &[&str]) -> Value {
    let mut responses: Map<String, Value> =
        answers.iter().map(|(status, answer)| ((*status).to_owned(), answer.clone())).collect();
    let limited = (!UNLIMITED.contains(&id)).then_some(&"429");
    for status in problems.iter().chain(&ALWAYS).chain(limited) {
        let reference = format!("#/components/responses/Problem{status}");
        responses.insert((*status).to_owned(), json!({"$ref": reference}));
    }
    json!({"operationId": id, "summary": summary, "responses": responses})
}

/// An answer with a JSON body.
pub fn body(description: &str, schema: &Value, headers: &[&str]) -> Value {
    let mut answer = empty(description, headers);
    answer["content"] = json!({"application/json": {"schema": schema}});
    answer
}

/// An answer without a body.
pub fn empty(description: &str, headers: &[&str]) -> Value {
    let all = HEADERS.iter().filter(|(component, ..)| *component == "RequestId" || headers.contains(component));
    let headers: Map<String, Value> = all
        .map(|(component, name, _)| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{component}")})))
        .collect();
    json!({"description": description, "headers": headers})
}

/// The answer to a client that has the current body already.
pub fn not_modified() -> Value {
    empty("The client has the answer already.", &VALIDATED)
}

/// A schema among the components.
pub fn schema(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}
