//! Requests that go nowhere: a test of a configuration gives their answers, and looks at them.

use super::Answer;
use super::alike;
use reqwest::Request;
use serde_json::Value as Json;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// The character that stands for any part of an address.
const ANY: char = '*';

/// Answers to requests, and the requests that were made. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct StubbedHttp(Arc<Mutex<StubState>>);

#[derive(Debug, Default)]
struct StubState {
    answers: Vec<GivenAnswer>,
    sent: Vec<SentRequest>,
}

/// A description of requests. A member that is none is not looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestLike {
    /// The method.
    pub method: Option<String>,
    /// The address; `*` stands for any part of it.
    pub url: Option<String>,
    /// Parts of headers, by names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: of an object the members that are named, of a text a part.
    pub body: Option<Json>,
}

/// An answer that requests are given.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenAnswer {
    /// The requests that it is given to.
    pub like: RequestLike,
    /// The status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: a text as it is, all else as JSON.
    pub body: Option<Json>,
}

/// A request that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct SentRequest {
    /// The method.
    pub method: String,
    /// The address.
    pub url: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as JSON, else its text; none where it is empty.
    pub body: Option<Json>,
    /// True if there was an answer for it.
    pub answered: bool,
}

impl StubbedHttp {
    /// Gives an answer. Of several for a request, the last one counts.
    pub fn give(&self, answer: GivenAnswer) {
        self.state(|state| state.answers.push(answer));
    }

    /// The requests so far, in the order in which they were made.
    pub fn sent(&self) -> Vec<SentRequest> {
        self.state(|state| state.sent.clone())
    }

    /// Answers a request.
    pub(super) fn ask(&self, request: &Request) -> Result<Answer, String> {
        let mut sent = SentRequest::of(request);
        self.state(|state| {
            let found = state.answers.iter().rev().find(|answer| answer.like.is_like(&sent));
            let answer = found.map(GivenAnswer::answer).ok_or_else(|| {
                format!("has no answer here: give one with `answer: {{url: {:?}, status: 200}}`", sent.url)
            });
            sent.answered = answer.is_ok();
            state.sent.push(sent);
            answer
        })
    }

    fn state<T>(&self, look: impl FnOnce(&mut StubState) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl GivenAnswer {
    fn answer(&self) -> Answer {
        let body = match &self.body {
            None => String::new(),
            Some(Json::String(text)) => text.clone(),
            Some(json) => json.to_string(),
        };
        Answer { status: self.status, headers: self.headers.clone(), body: body.into_bytes() }
    }
}

impl SentRequest {
    fn of(request: &Request) -> Self {
        let bytes = request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        let headers = request.headers().iter();
        SentRequest {
            method: request.method().to_string(),
            url: request.url().to_string(),
            headers: headers
                .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into()))
                .collect(),
            body: (!text.is_empty())
                .then(|| serde_json::from_str(&text).unwrap_or_else(|_| Json::String(text.into_owned()))),
            answered: false,
        }
    }
}

impl RequestLike {
    /// An address as requests have it, with `*` where it is any; none where it is none of http or https.
    pub fn address(text: &str) -> Option<String> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let mut written = url.to_string();
        // The path that an address without one has.
        if text.ends_with(ANY) && !written.ends_with(ANY) {
            written.pop();
        }
        Some(written)
    }

    /// Returns true if a request is like it.
    pub fn is_like(&self, sent: &SentRequest) -> bool {
        let has = |(name, part): &(String, String)| {
            sent.headers.iter().any(|(known, value)| known == name && value.contains(part.as_str()))
        };
        let body = |wanted: &Json| match (wanted, &sent.body) {
            (Json::String(part), Some(Json::String(text))) => text.contains(part.as_str()),
            (wanted, Some(body)) => alike(wanted, body),
            (_, None) => false,
        };
        self.method.as_ref().is_none_or(|method| *method == sent.method)
            && self.url.as_ref().is_none_or(|url| covers(url, &sent.url))
            && self.headers.iter().all(has)
            && self.body.as_ref().is_none_or(body)
    }
}

/// Returns true if a pattern is an address.
fn covers(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split(ANY);
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{RequestLike, covers};

    #[test]
    fn addresses_are_covered_by_their_patterns() {
        let covers = |pattern: &str, text: &str| covers(&RequestLike::address(pattern).unwrap(), text);
        assert!(covers("https://erp.example.com", "https://erp.example.com/"));
        assert!(covers("https://ERP.example.com/a b", "https://erp.example.com/a%20b"));
        assert!(covers("https://erp.example.com/*", "https://erp.example.com/invoices/7?x=1"));
        assert!(covers("https://erp.example.com/*/paid", "https://erp.example.com/invoices/7/paid"));
        assert!(covers("https://*", "https://erp.example.com/x"));
        assert!(covers("https://*.example.com/x", "https://erp.example.com/x"));
        assert!(!covers("https://erp.example.com", "https://erp.example.com/x"));
        assert!(!covers("https://erp.example.com/*/paid", "https://erp.example.com/paid"));
        assert!(!covers("https://erp.example.com/*/paid", "https://erp.example.com/7/paid/x"));
        assert!(!covers("https://*", "http://erp.example.com/x"));
        assert_eq!(RequestLike::address("/paid").or(RequestLike::address("ftp://erp.example.com")), None);
    }
}
