//! Requests of steps, and what their answers must be like.

use super::case::{Found, Run, mismatch};
use crate::commands::Failure;
use automation::config_tests::{Expectations, Expected, RowName};
use bytes::Bytes;
use http::{Method, Request, header};
use model::types::ResourceType;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// A request: who asks, and for what.
pub(super) struct CaseRequest<'a> {
    pub(super) user: Option<&'a RowName>,
    pub(super) method: Method,
    /// Below `/api/`.
    pub(super) path: &'a str,
}

/// An answer.
pub(super) struct TestAnswer {
    status: u16,
    pub(super) body: Json,
}

impl TestAnswer {
    pub(super) fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn has_code(&self, code: &str) -> bool {
        self.body["code"] == code || self.parts().any(|part| part["code"] == code)
    }

    fn parts(&self) -> impl Iterator<Item = &Json> {
        self.body["errors"].as_array().into_iter().flatten()
    }

    /// The status, and what an error says.
    fn words(&self) -> String {
        let mut words = self.status.to_string();
        if let Some(detail) = self.body["detail"].as_str().filter(|_| !self.succeeded()) {
            words.push_str(&format!(" {}: {detail}", self.body["code"].as_str().unwrap_or_default()));
        }
        words
    }
}

impl Run<'_> {
    /// Sends a request of a user.
    pub(super) fn ask(
        &self,
        asking: &CaseRequest<'_>,
        body: Option<&Map<String, Json>>,
    ) -> Result<TestAnswer, Failure> {
        let mut headers = Vec::new();
        if let Some(key) = asking.user.and_then(|user| self.template.keys.get(user)) {
            headers.push(("key", key.as_str()));
        }
        let body = body.map(serde_json::to_vec).transpose().map_err(|error| Failure::new(error.to_string(), ""))?;
        self.send(&asking.method, asking.path, &headers, body)
    }

    /// Sends a request with a body of JSON, or without one.
    pub(super) fn send(
        &self,
        method: &Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<TestAnswer, Failure> {
        let tenant = &self.model().settings.name;
        let mut request = Request::builder()
            .method(method.clone())
            .uri(format!("/t/{tenant}/api/{path}"))
            .header(header::ACCEPT, "application/problem+json, application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let request = request.body(Bytes::from(body.unwrap_or_default()));
        let request = request.map_err(|error| Failure::new(error.to_string(), ""))?;
        let response = self.open.ask(&self.bench.runtime, request)?;
        let body = serde_json::from_slice(response.body()).unwrap_or_default();
        Ok(TestAnswer { status: response.status().as_u16(), body })
    }
}

/// Holds status, code, message and property of an answer against what is expected.
pub(super) fn judge(expected: &Expected, answer: &TestAnswer) -> Found {
    let mut found = Vec::new();
    let says_error = expected.code.is_some() || expected.message.is_some() || expected.property.is_some();
    match expected.status {
        Some(status) if status != answer.status => found.push(mismatch("status", status.to_string(), answer.words())),
        None if !says_error && !answer.succeeded() => {
            found.push(mismatch("status", "success".to_owned(), answer.words()));
        }
        _ => {}
    }
    if let Some(code) = expected.code.as_deref().filter(|code| !answer.has_code(code)) {
        found.push(mismatch("code", code.to_owned(), answer.words()));
    }
    let message = answer.body["detail"].as_str().unwrap_or_default();
    let within = |part: &&str| message.contains(*part) || answer.parts().any(|one| says(one, part));
    if let Some(part) = expected.message.as_deref().filter(|part| !within(part)) {
        found.push(mismatch("message", format!("one with {part:?}"), answer.words()));
    }
    let about = |name: &&str| answer.parts().any(|one| one["property"] == **name);
    if let Some(name) = expected.property.as_deref().filter(|name| !about(name)) {
        let named: Vec<&str> = answer.parts().filter_map(|one| one["property"].as_str()).collect();
        let named = if named.is_empty() { answer.words() } else { named.join(", ") };
        found.push(mismatch("property", name.to_owned(), named));
    }
    found
}

fn says(part: &Json, text: &str) -> bool {
    part["message"].as_str().is_some_and(|message| message.contains(text))
}

/// Holds the rows of a list against what is expected.
pub(super) fn listed(
    expectations: &Expectations<'_>,
    resource_type: &Arc<ResourceType>,
    expected: &Expected,
    rows: &[Json],
    ordered: bool,
) -> Found {
    let mut found = Vec::new();
    let ids = rows.iter().filter_map(|row| row["id"].as_i64());
    let mut names: Vec<String> = ids.map(|id| expectations.names.name(resource_type.id, id)).collect();
    let text = |names: &[String]| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    let lacks = |row: &&RowName| !names.contains(&row.name);
    for row in expected.includes.iter().filter(lacks) {
        found.push(mismatch("the list", format!("to have {}", row.name), text(&names)));
    }
    for row in expected.excludes.iter().filter(|row| !lacks(row)) {
        found.push(mismatch("the list", format!("not to have {}", row.name), text(&names)));
    }
    if let Some(count) = expected.count.filter(|count| *count != rows.len() as u64) {
        found.push(mismatch("count", count.to_string(), format!("{}: {}", rows.len(), text(&names))));
    }
    if let Some(wanted) = &expected.rows {
        if wanted.len() != rows.len() {
            found.push(mismatch(
                "rows",
                format!("{} of them", wanted.len()),
                format!("{}: {}", rows.len(), text(&names)),
            ));
        }
        for (index, (wanted, row)) in wanted.iter().zip(rows).enumerate() {
            for mut mismatch in expectations.compare(resource_type, wanted, row) {
                mismatch.what = format!("rows[{index}].{}", mismatch.what);
                found.push(mismatch);
            }
        }
    }
    if let Some(wanted) = &expected.listed {
        let mut wanted: Vec<String> = wanted.iter().map(|row| row.name.clone()).collect();
        if !ordered {
            wanted.sort();
            names.sort();
        }
        if wanted != names {
            found.push(mismatch("the list", text(&wanted), text(&names)));
        }
    }
    found
}

/// Holds the groups of a query against what is expected.
pub(super) fn groups(count: Option<u64>, wanted: Option<&[Map<String, Json>]>, answer: &Json) -> Found {
    let rows = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let total = answer["stats"]["total"].as_u64().unwrap_or_default();
    let mut found = Vec::new();
    if let Some(count) = count.filter(|count| *count != total) {
        found.push(mismatch("count", count.to_string(), total.to_string()));
    }
    let Some(wanted) = wanted else { return found };
    if wanted.len() != rows.len() {
        found.push(mismatch("rows", format!("{} of them", wanted.len()), rows.len().to_string()));
    }
    for (index, (wanted, row)) in wanted.iter().zip(rows).enumerate() {
        for mut mismatch in members(wanted, row) {
            mismatch.what = format!("rows[{index}].{}", mismatch.what);
            found.push(mismatch);
        }
    }
    found
}

/// Holds members of an answer against what is expected.
pub(super) fn members(expected: &Map<String, Json>, answer: &Json) -> Found {
    let differs = |(name, expected): (&String, &Json)| {
        let found = answer.get(name);
        let agrees = found.is_some_and(|found| messages::outgoing::alike(expected, found));
        let words = || found.map_or_else(|| "nothing: it is absent".to_owned(), Json::to_string);
        (!agrees).then(|| mismatch(name, expected.to_string(), words()))
    };
    expected.iter().filter_map(differs).collect()
}

/// Holds the items of a canvas, by their titles, against what is expected.
pub(super) fn items(expected: &Map<String, Json>, answer: &Json) -> Found {
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut found = Vec::new();
    for (title, expected) in expected {
        let Some(item) = items.iter().find(|item| item["title"] == title.as_str()) else {
            let titles: Vec<&str> = items.iter().filter_map(|item| item["title"].as_str()).collect();
            found.push(mismatch(title, expected.to_string(), format!("no such item; there are {}", titles.join(", "))));
            continue;
        };
        let value = match item["kind"].as_str() {
            _ if !item["error"].is_null() => &item["error"],
            Some("text") => &item["text"],
            Some("table") if expected.is_number() => &item["total"],
            Some("table") => &item["rows"],
            Some("chart") => &item["series"],
            _ => &item["value"],
        };
        if !messages::outgoing::alike(expected, value) {
            found.push(mismatch(title, expected.to_string(), value.to_string()));
        }
    }
    found
}
