//! Bodies of requests: whole, of the right type, and no larger than they may be.

use super::answer::Problem;
use super::budget::{Account, Reservation, SMALL};
use super::request::Request;
use super::{form, json};
use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName};
use http_body_util::BodyExt;
use hyper::body::Body;
use model::json::LongNumber;
use serde_json::{Map, Value};

/// The header with which a client names a write, to send it again (draft-ietf-httpapi-idempotency-key-header-07).
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Bytes of memory that a member of a document takes, beside its text.
const MEMBER: usize = 128;
/// Bytes of a sign-in form.
const FORM: usize = 64 * 1024;

/// Reads a body that must be a JSON object.
pub async fn object(request: &mut Request, limit: usize) -> Result<Map<String, Value>, Problem> {
    let bytes = json_bytes(request, limit).await?;
    json::parse_object(&bytes)
}

/// The same for a body that may have so many keys in all; gives also its text.
pub async fn large_object(
    request: &mut Request,
    limit: usize,
    keys: usize,
) -> Result<(Map<String, Value>, Bytes), Problem> {
    let bytes = json_bytes(request, limit).await?;
    Ok((json::parse_object_of(&bytes, keys)?, bytes))
}

/// The same for a body that is to be written; gives also its numbers of many digits.
pub async fn written(request: &mut Request, limit: usize) -> Result<(Map<String, Value>, Vec<LongNumber>), Problem> {
    let bytes = json_bytes(request, limit).await?;
    Ok((json::parse_object(&bytes)?, model::json::long_numbers(&bytes)))
}

/// Reads a body that is a JSON object, or nothing.
pub async fn optional_object(request: &mut Request, limit: usize) -> Result<Map<String, Value>, Problem> {
    let bytes = json_bytes(request, limit).await?;
    if bytes.is_empty() { Ok(Map::new()) } else { json::parse_object(&bytes) }
}

/// Refuses what a body says to a route that takes nothing: it would be dropped without a word.
pub async fn none(request: &mut Request, limit: usize) -> Result<(), Problem> {
    match optional_object(request, limit).await?.keys().next() {
        None => Ok(()),
        Some(name) => Err(Problem::invalid("property_unknown", format!("There is no property {name:?}."))),
    }
}

/// Reads an ordinary form, `application/x-www-form-urlencoded` or `multipart/form-data`, whose fields
/// are all among `known`.
pub async fn form(request: &mut Request, known: &[&'static str]) -> Result<form::Form, Problem> {
    refuse_encodings(&request.headers)?;
    let content_type = content_type(&request.headers)?.unwrap_or("");
    let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let kind = if essence.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        form::Kind::UrlEncoded
    } else if essence.trim().eq_ignore_ascii_case("multipart/form-data") {
        form::Kind::Multipart { boundary: form::boundary(parameters)?.to_owned() }
    } else {
        return Err(Problem::unsupported(
            "The fields must be sent as application/x-www-form-urlencoded or multipart/form-data.",
        ));
    };
    let bytes = read(request, FORM).await?;
    form::Form::parse(&bytes, &kind, known)
}

/// The boundary of a body that must be `multipart/form-data`.
pub fn boundary(headers: &HeaderMap) -> Result<&str, Problem> {
    refuse_encodings(headers)?;
    let content_type = content_type(headers)?.unwrap_or("");
    let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    if !essence.trim().eq_ignore_ascii_case("multipart/form-data") {
        return Err(Problem::unsupported("The files must be sent as multipart/form-data."));
    }
    form::boundary(parameters)
}

/// Reads a body that is sent as JSON, as it is.
pub async fn json_bytes(request: &mut Request, limit: usize) -> Result<Bytes, Problem> {
    refuse_encodings(&request.headers)?;
    if let Some(content_type) = content_type(&request.headers)? {
        let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
        let essence = essence.trim().to_ascii_lowercase();
        let is_json = essence == "application/json" || essence.ends_with("+json");
        let charset = parameters.trim().to_ascii_lowercase();
        let is_utf8 = !charset.contains("charset") || charset.contains("utf-8");
        if !is_json || !is_utf8 {
            return Err(Problem::unsupported("The body must be sent as application/json in UTF-8."));
        }
    }
    let bytes = read(request, limit).await?;
    hold(&mut request.held, &request.account, weight(&bytes))?;
    if request.headers.contains_key(IDEMPOTENCY_KEY) {
        request.text = bytes.clone();
    }
    Ok(bytes)
}

/// The memory of a document, in bytes, beside its text: each member has a value and a place.
fn weight(json: &[u8]) -> usize {
    let members = json.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    let bytes = members * MEMBER;
    if bytes > SMALL { bytes } else { 0 }
}

/// Has a request hold more of the budget.
fn hold(held: &mut Option<Reservation>, account: &Account, more: usize) -> Result<(), Problem> {
    match held {
        Some(held) => held.grow(more),
        None => account.reserve(more).map(|reservation| *held = Some(reservation)),
    }
}

fn content_type(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let first = values.next().map(|value| value.to_str()).transpose();
    match (first, values.next()) {
        (Ok(first), None) => Ok(first),
        _ => Err(Problem::unsupported("The request must have one readable Content-Type.")),
    }
}

fn refuse_encodings(headers: &HeaderMap) -> Result<(), Problem> {
    let is_plain = |value: &header::HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"identity");
    if headers.get_all(header::CONTENT_ENCODING).iter().all(is_plain) {
        return Ok(());
    }
    Err(Problem::unsupported("The body must not be compressed or otherwise encoded."))
}

/// Refuses a body where the method has none.
pub async fn refuse(request: &mut Request) -> Result<(), Problem> {
    while let Some(frame) = request.body.frame().await {
        let empty = frame.is_ok_and(|frame| frame.data_ref().is_none_or(Bytes::is_empty));
        if !empty {
            let message = "A GET takes no body. Give its parameters in the address, or use SEARCH where there is one.";
            return Err(Problem::invalid("body_unexpected", message));
        }
    }
    Ok(())
}

/// Reads a whole body. It takes memory as it comes, and counts against the budget until the request is answered.
pub async fn read(request: &mut Request, limit: usize) -> Result<Bytes, Problem> {
    let Request { body, account, held, .. } = request;
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(Problem::too_large(limit));
    }
    let most = body.size_hint().upper().and_then(|most| usize::try_from(most).ok()).unwrap_or(limit);
    let mut first = Bytes::new();
    let mut whole: Vec<u8> = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Problem::invalid("body_broken", "The body is malformed or incomplete."))?;
        let Ok(data) = frame.into_data() else { continue };
        let length = first.len() + whole.len() + data.len();
        if length > limit {
            return Err(Problem::too_large(limit));
        }
        if first.is_empty() && whole.is_empty() {
            if !body.is_end_stream() || held.is_some() {
                hold(held, account, data.len())?;
            }
            first = data;
            continue;
        }
        if whole.capacity() < length {
            // What is announced may never come: no more is taken at once than came already.
            let capacity = length.next_power_of_two().min(most.max(length));
            hold(held, account, capacity - whole.capacity().max(first.len()))?;
            whole.reserve_exact(capacity - whole.len());
            whole.extend_from_slice(&std::mem::take(&mut first));
        }
        whole.extend_from_slice(&data);
    }
    Ok(if whole.is_empty() { first } else { Bytes::from(whole) })
}

#[cfg(test)]
mod tests {
    use super::super::budget::MemoryBudget;
    use super::super::ledger::MemoryLimits;
    use super::{hold, weight};
    use std::sync::Arc;

    #[test]
    fn a_document_of_many_members_takes_its_part_of_the_budget() {
        let limits = MemoryLimits { total: 1 << 20, address: 1 << 20, key: 1 << 20 };
        let account = Arc::new(MemoryBudget::new(limits, limits)).account([10, 0, 0, 1].into(), None);
        let many = format!("[{}0]", "0,".repeat(10_000));
        let (mut first, mut second) = (None, None);
        hold(&mut first, &account, weight(many.as_bytes())).unwrap();
        assert_eq!(hold(&mut second, &account, weight(many.as_bytes())).unwrap_err().status, 503);
        hold(&mut second, &account, weight(br#"{"a": [1, 2], "b": {}}"#)).unwrap();
        drop(first);
        hold(&mut second, &account, weight(many.as_bytes())).unwrap();
    }
}
