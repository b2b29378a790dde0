//! The collections below `/api/ext/v1/` as tests of the contract see them.
//!
//! Both addresses lead to the same handlers. So half of the requests that tests send to `/api/v1/collection/` go to the
//! other address, and what comes back is put into the contract's form: the same assertions then hold for both. A request
//! always takes the same way. `PLINTH_TEST_DOOR` sends all that way (`extended`), or none (`contract`).

use crate::client::{Reply, Request};
use serde_json::{Value as Json, json};

/// The form in which the answer to a request is expected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpectedForm {
    /// True if it may be a list without resources, which has no body by contract.
    lists: bool,
    /// True if errors have their details.
    details: bool,
}

/// Sends a request the other way, where it takes that way.
pub(crate) fn turn(request: &mut Request) -> Option<ExpectedForm> {
    let (path, query) =
        request.path.split_once('?').map_or((request.path.as_str(), None), |(path, query)| (path, Some(query)));
    let (tenant, below) = path.split_once("/api/v1/collection/")?;
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let segments: Vec<&str> = below.split('/').collect();
    let (search, lists) = match (request.method.as_str(), &segments[..]) {
        ("GET", [_]) => ("", true),
        ("SEARCH", ["notifications"]) => return None,
        ("SEARCH", [_]) => ("/search", true),
        ("POST", [_]) | ("GET" | "PUT" | "PATCH" | "DELETE", [_, _]) | ("GET", [_, "get-by", _, _]) => ("", false),
        _ => return None,
    };
    // Unknown and ambiguous paths go to the contract's address alone.
    let is_known = match segments[..] {
        ["notifications"] => request.method == "GET",
        ["notifications", item] => plain(item) && ["GET", "PATCH"].contains(&request.method.as_str()),
        _ => segments[..segments.len().min(3)].iter().all(|segment| plain(segment)),
    };
    let of_tenant = tenant.is_empty() || tenant.strip_prefix("/t/").is_some_and(plain);
    if !is_known || !of_tenant || !takes_the_way(request) {
        return None;
    }
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let details = |(name, value): &(String, String)| name.eq_ignore_ascii_case("accept") && value.contains("problem");
    let form = ExpectedForm { lists, details: request.headers.iter().any(details) };
    request.path = format!("{tenant}/api/ext/v1/collection/{below}{search}{query}");
    if !search.is_empty() {
        request.method = "POST".to_owned();
    }
    Some(form)
}

/// Puts an answer into the form of the contract.
pub(crate) fn turn_back(reply: &mut Reply, form: ExpectedForm) {
    if reply.headers.remove("location").is_some() {
        assert_eq!(reply.status, 201, "{}", reply.request);
    }
    let is_problem = reply.header("content-type") == "application/problem+json";
    // These are refused before it is known what is asked.
    let is_early = ["not_found", "url_too_long", "malformed_request"].contains(&reply.header("x-error-code"));
    assert!(is_problem || reply.status < 400 || is_early, "{}: {}", reply.request, reply.text);
    if is_problem && !form.details {
        reply.text = json!({"message": reply.at("/detail")}).to_string();
        reply.headers.insert("content-type", "application/json".parse().expect("it is a media type"));
        reply.bytes = reply.text.clone().into();
    }
    let rows = || if reply.at("/data").is_null() { reply.at("/items") } else { reply.at("/data") };
    let is_empty = || rows() == Json::Array(Vec::new()) && !reply.headers.contains_key("plinth-omitted");
    if form.lists && reply.status == 200 && is_empty() {
        reply.status = 204;
        reply.headers.remove("content-type");
        reply.headers.remove("content-length");
        (reply.text, reply.bytes) = (String::new(), Default::default());
    }
}

/// Half of the requests, by method, path and body.
fn takes_the_way(request: &Request) -> bool {
    if let Some(door) = std::env::var_os("PLINTH_TEST_DOOR") {
        return door == "extended";
    }
    let parts = [request.method.as_bytes(), request.path.as_bytes(), &request.body];
    let sum =
        parts.concat().iter().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (sum >> 8) & 1 == 1
}
