//! Requests to others: made in a transaction, sent outside of any, judged in the next one.
//!
//! A request may be sent again where the process ends before its answer is written down: each time it has the same
//! `Idempotency-Key`, by which the other side can tell.

use super::{StepExpressions, StepOutcome, StepScene};
use crate::progress::RunProgress;
use database::Tx;
use messages::outgoing::{HttpRoute, Redactor};
use model::automation::{AutomationStep, HttpStep};
use model::error::{Error, Result};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use resources::expressions::Secrets;
use serde_json::{Map, Value as Json, json};
use std::time::Duration;
use traces::begin_call;
use url::Url;

const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A request that is to be sent.
pub(crate) struct HttpCall {
    /// The digest of the step that asks.
    step: u64,
    request: reqwest::Request,
    /// Clears the answer of secrets, and of what was made of them.
    redactor: Redactor,
}

/// Answer that came back, or what went wrong on the way.
#[derive(Clone, Debug)]
pub(crate) struct HttpAnswer {
    /// The digest of the step that asked.
    step: u64,
    outcome: Result<(u16, Map<String, Json>, Json), String>,
}

// Address, headers and body may hold secrets.
impl std::fmt::Debug for HttpCall {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Asked")
    }
}

/// Makes the request, or judges its answer.
pub(super) fn ask(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &mut RunProgress,
    step: &AutomationStep,
    http: &HttpStep,
    answered: Option<HttpAnswer>,
) -> Result<StepOutcome> {
    // A step that was changed meanwhile asks anew.
    let Some(HttpAnswer { outcome, .. }) = answered.filter(|answered| answered.step == step.digest) else {
        let key = format!("{}-{}", scene.run.identifier, progress.position);
        // It may be made again: nothing is written by it.
        let asked = scene.ask_with(tx, progress, Secrets::Read, |asking| request(asking, http, step.digest, &key))?;
        return Ok(StepOutcome::Ask(Box::new(asked)));
    };
    let (status, headers, body) =
        outcome.map_err(|what| Error::invalid("http_failed", format!("The request failed: the other side {what}.")))?;
    progress.memory.put_endpoint(status, headers, body);
    let success = match &http.success {
        None => (200..300).contains(&status),
        Some(program) => scene.ask(tx, progress, |asking| asking.holds(program))?,
    };
    if !success {
        let message = format!("The request failed: the other side answered {status}, which is not a success.");
        return Err(Error::invalid("http_refused", message));
    }
    Ok(StepOutcome::Next(json!({"status": status})))
}

fn request(asking: &StepExpressions<'_, '_>, http: &HttpStep, step: u64, key: &str) -> Result<HttpCall> {
    let mut secrets = Vec::new();
    let url = asking.revealed(&http.url, &mut secrets)?;
    // Neither the address nor what is wrong with it is told: it may hold a secret.
    let url: Option<Url> = url.parse().ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| Error::invalid("http_url", "The request's address must be http or https."))?;
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
    // The other side may have taken apart what was made of them.
    asking.used_secrets(&mut secrets);
    Ok(HttpCall { step, request, redactor: Redactor::new(&secrets)? })
}

fn header(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text).map_err(|_| Error::invalid("http_header", "A header of the request is malformed."))
}

impl HttpCall {
    /// Whom it asks.
    pub(crate) fn destination(&self) -> String {
        let url = self.request.url();
        format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
    }

    /// Sends it.
    pub(crate) async fn send(self, outgoing: &HttpRoute) -> HttpAnswer {
        HttpAnswer { step: self.step, outcome: self.outcome(outgoing).await }
    }

    async fn outcome(mut self, outgoing: &HttpRoute) -> Result<(u16, Map<String, Json>, Json), String> {
        let call = begin_call("http");
        if let Some(call) = &call
            && let Ok(parent) = HeaderValue::from_str(&call.parent().text())
        {
            // A header of the automation's own stays.
            self.request.headers_mut().entry(TRACE_PARENT).or_insert(parent);
        }
        let answer = outgoing.ask(self.request).await;
        if let Some(call) = call {
            call.end(answer.as_ref().ok().map(|answer| answer.status), answer.is_err());
        }
        let answer = answer?;
        // A large answer is searched for long: the threads that serve requests do not wait for it.
        let cleared = tokio::task::spawn_blocking(move || {
            let clear = |text: &str| self.redactor.text(text);
            let headers = answer.headers.iter().map(|(name, value)| (clear(name), Json::String(clear(value))));
            (answer.status, headers.collect(), self.redactor.body(&answer.body))
        });
        cleared.await.map_err(|_| "sent what cannot be searched for secrets".to_owned())
    }
}

impl HttpAnswer {
    /// Returns true if the other side answered.
    pub(crate) fn is_answer(&self) -> bool {
        self.outcome.is_ok()
    }
}
