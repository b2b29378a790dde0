//! Requests to others: made in a transaction, sent outside of any, judged in the next one.
//!
//! A request may be sent again where the process ends before its answer is written down: each time it has the same
//! `Idempotency-Key`, by which the other side can tell.

use super::{Asking, Done, Scene};
use crate::automations::progress::{self, Progress};
use crate::automations::{Http, Step};
use crate::error::{Error, Result};
use crate::expressions::Secrets;
use crate::outgoing::HttpRoute;
use database::Tx;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use serde_json::{Map, Value as Json, json};
use std::time::Duration;
use url::Url;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Texts that are shorter are no secrets that an answer is searched for.
const SHORT: usize = 8;

/// A request that is to be sent.
pub(in crate::automations) struct Asked {
    /// The digest of the step that asks.
    step: u64,
    request: reqwest::Request,
    /// What was made of secrets: the answer is cleared of it.
    secrets: Vec<String>,
}

/// What came back, or what went wrong on the way.
#[derive(Clone, Debug)]
pub(in crate::automations) struct Answered {
    /// The digest of the step that asked.
    step: u64,
    outcome: Result<(u16, Map<String, Json>, Json), String>,
}

// Address, headers and body may hold secrets.
impl std::fmt::Debug for Asked {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Asked")
    }
}

/// Makes the request, or judges its answer.
pub(super) fn ask(
    tx: &mut Tx<'_>,
    scene: &Scene<'_>,
    progress: &mut Progress,
    (step, http): (&Step, &Http),
    answered: Option<Answered>,
) -> Result<Done> {
    // A step that was changed meanwhile asks anew.
    let Some(Answered { outcome, .. }) = answered.filter(|answered| answered.step == step.digest) else {
        let key = format!("{}-{}", scene.run.1, progress.position);
        // It may be made again: nothing is written by it.
        let asked = scene.ask_with(tx, progress, Secrets::Read, |asking| request(asking, (step, http), &key))?;
        return Ok(Done::Ask(Box::new(asked)));
    };
    let (status, headers, body) =
        outcome.map_err(|what| Error::invalid("http_failed", format!("The request failed: the other side {what}.")))?;
    progress.endpoint = progress::endpoint(status, headers, body);
    let success = match &http.success {
        None => (200..300).contains(&status),
        Some(program) => scene.ask(tx, progress, |asking| asking.holds(program))?,
    };
    if !success {
        let message = format!("The request failed: the other side answered {status}, which is no success.");
        return Err(Error::invalid("http_refused", message));
    }
    Ok(Done::Next(json!({"status": status})))
}

fn request(asking: &Asking<'_, '_>, (step, http): (&Step, &Http), key: &str) -> Result<Asked> {
    let mut secrets = Vec::new();
    let url = asking.revealed(&http.url, &mut secrets)?;
    // Neither the address nor what is wrong with it is told: it may hold a secret.
    let url: Option<Url> = url.parse().ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| Error::invalid("http_url", "The request's address is none of http or https."))?;
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static("plinth"));
    headers.insert(IDEMPOTENCY_KEY, header(key)?);
    for (name, template) in &http.headers {
        headers.insert(name.clone(), header(&asking.revealed(template, &mut secrets)?)?);
    }
    let mut request = reqwest::Request::new(http.method.clone(), url);
    if let Some(template) = &http.body {
        let (body, media_type) = match asking.revealed_json(template, &mut secrets)? {
            Json::String(text) => (text, "text/plain; charset=utf-8"),
            json => (json.to_string(), "application/json"),
        };
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(media_type));
        *request.body_mut() = Some(body.into());
    }
    *request.headers_mut() = headers;
    *request.timeout_mut() = Some(Duration::from_secs(http.timeout));
    Ok(Asked { step: step.digest, request, secrets: parts(&secrets) })
}

fn header(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text).map_err(|_| Error::invalid("http_header", "A header of the request cannot be one."))
}

/// The texts that answers are cleared of: what was made of secrets as a whole, and the words of it.
fn parts(secrets: &[String]) -> Vec<String> {
    let words = secrets.iter().flat_map(|secret| secret.split(|letter: char| letter.is_whitespace() || letter == ':'));
    let mut parts: Vec<String> = words.chain(secrets.iter().map(String::as_str)).map(str::to_owned).collect();
    parts.retain(|part| part.len() >= SHORT);
    // The longest first, so that no rest of it is left.
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    parts.dedup();
    parts
}

impl Asked {
    /// Sends it.
    pub(in crate::automations) async fn send(self, outgoing: &HttpRoute) -> Answered {
        Answered { step: self.step, outcome: self.outcome(outgoing).await }
    }

    async fn outcome(self, outgoing: &HttpRoute) -> Result<(u16, Map<String, Json>, Json), String> {
        let secrets = self.secrets;
        let answer = outgoing.ask(self.request).await?;
        let clear = |text: &str| secrets.iter().fold(text.to_owned(), |text, part| text.replace(part, "***"));
        let headers = answer.headers.iter().map(|(name, value)| (name.clone(), Json::String(clear(value))));
        let body = clear(&String::from_utf8_lossy(&answer.body));
        let body = serde_json::from_str(&body).unwrap_or(Json::String(body));
        Ok((answer.status, headers.collect(), body))
    }
}
