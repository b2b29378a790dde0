//! The collector of traces: OTLP over HTTP, in JSON.

use bytes::Bytes;
use messages::outgoing::{Answer, Outgoing};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use reqwest::{Method, Request, Url};
use serde_json::Value as Json;
use settings::TraceSettings;
use std::time::Duration;

/// The path of traces below the address of a collector.
const PATH: &str = "/v1/traces";
/// The longest pause that a collector may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A collector of traces.
pub struct Collector {
    outgoing: Outgoing,
    url: Url,
    headers: HeaderMap,
}

/// The answer of a collector.
#[derive(Debug, PartialEq, Eq)]
pub enum CollectorAnswer {
    /// It took all spans but so many.
    Taken(u64),
    /// It may take them later, and perhaps says after which time.
    Later(Option<Duration>, String),
    /// It never takes them.
    Never(String),
}

impl Collector {
    /// Prepares to reach a collector; nothing is sent yet. None where the settings name none. The error is a sentence.
    pub fn new(settings: &TraceSettings) -> Result<Option<Self>, String> {
        if settings.endpoint.is_empty() {
            return Ok(None);
        }
        let endpoint = settings.endpoint.trim_end_matches('/');
        let url: Option<Url> = format!("{}{PATH}", endpoint.strip_suffix(PATH).unwrap_or(endpoint)).parse().ok();
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none());
        // Credentials belong into traces.token or traces.headers.
        let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
        let url = url.ok_or("traces.endpoint must be an address such as http://127.0.0.1:4318, without a password.")?;
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, HeaderValue::from_static("plinth"));
        for (place, line) in settings.headers.iter().enumerate() {
            let parts = line.split_once(':').and_then(|(name, value)| {
                let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
                Some((name, HeaderValue::from_str(value.trim()).ok()?))
            });
            // The line itself may be a secret.
            let (name, value) =
                parts.ok_or_else(|| format!("traces.headers: line {} must be `Name: value`.", place + 1))?;
            headers.insert(name, value);
        }
        if !settings.token.is_empty() {
            let bearer = HeaderValue::from_str(&format!("Bearer {}", &*settings.token));
            headers.insert(AUTHORIZATION, bearer.map_err(|_| "traces.token must be one line of ASCII.")?);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // The operator names the collector, which is on this machine or beside it as a rule.
        let outgoing = Outgoing::new(true, settings.timeout).map_err(|error| error.message)?;
        Ok(Some(Collector { outgoing, url, headers }))
    }

    /// Sends a message, once.
    pub async fn send(&self, message: Bytes) -> CollectorAnswer {
        let mut request = Request::new(Method::POST, self.url.clone());
        request.headers_mut().clone_from(&self.headers);
        *request.body_mut() = Some(message.into());
        match self.outgoing.ask(request).await {
            Ok(answer) => judged(&answer),
            Err(what) => CollectorAnswer::Later(None, format!("the collector {what}")),
        }
    }

    /// Sends a message without spans: says what is wrong where the collector does not take it.
    pub async fn greet(&self) -> Result<(), String> {
        match self.send(Bytes::from_static(b"{\"resourceSpans\":[]}")).await {
            CollectorAnswer::Taken(_) => Ok(()),
            CollectorAnswer::Later(_, reason) | CollectorAnswer::Never(reason) => Err(reason),
        }
    }
}

/// Judges an answer by the rules of OTLP.
fn judged(answer: &Answer) -> CollectorAnswer {
    let reason = || format!("the collector answered {}", answer.status);
    match answer.status {
        200..300 => CollectorAnswer::Taken(rejected(&answer.body)),
        429 | 502 | 503 | 504 => {
            let after = answer.headers.iter().find(|(name, _)| name == RETRY_AFTER.as_str());
            let after = after.and_then(|(_, value)| value.trim().parse().ok());
            CollectorAnswer::Later(after.map(|after| Duration::from_secs(after).min(LONGEST_PAUSE)), reason())
        }
        _ => CollectorAnswer::Never(reason()),
    }
}

/// Returns the number of spans that a collector refused of those that it took otherwise.
fn rejected(body: &[u8]) -> u64 {
    let answer: Json = serde_json::from_slice(body).unwrap_or_default();
    let rejected = &answer["partialSuccess"]["rejectedSpans"];
    // Numbers of 64 bits are texts in the JSON of protocol buffers; some write them as numbers all the same.
    rejected.as_u64().or_else(|| rejected.as_str()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{CollectorAnswer, LONGEST_PAUSE, judged};
    use messages::outgoing::Answer;
    use std::time::Duration;

    fn answer(status: u16, retry_after: Option<&str>, body: &str) -> CollectorAnswer {
        let headers = retry_after.map(|value| ("retry-after".to_owned(), value.to_owned())).into_iter().collect();
        judged(&Answer { status, headers, body: body.as_bytes().to_vec() })
    }

    #[test]
    fn answers_are_judged_by_the_rules_of_otlp() {
        assert_eq!(answer(200, None, "{}"), CollectorAnswer::Taken(0));
        assert_eq!(answer(200, None, "\u{1}no JSON"), CollectorAnswer::Taken(0));
        assert_eq!(answer(200, None, r#"{"partialSuccess":{"rejectedSpans":"3"}}"#), CollectorAnswer::Taken(3));
        assert_eq!(answer(202, None, r#"{"partialSuccess":{"rejectedSpans":4}}"#), CollectorAnswer::Taken(4));
        for status in [429, 502, 503, 504] {
            let paused = |value| match answer(status, value, "") {
                CollectorAnswer::Later(pause, _) => pause,
                other => panic!("{other:?}"),
            };
            assert_eq!(paused(None), None);
            assert_eq!(paused(Some("2")), Some(Duration::from_secs(2)));
            assert_eq!(paused(Some("99999999")), Some(LONGEST_PAUSE));
            assert_eq!(paused(Some("Wed, 21 Oct 2026 07:28:00 GMT")), None);
        }
        for status in [301, 400, 401, 404, 500] {
            assert!(matches!(answer(status, None, ""), CollectorAnswer::Never(_)), "{status}");
        }
    }
}
