//! SMS over HTTP: one request for each, whose parts are templates, and an expression that judges the answer.

use super::claim::ClaimedMessage;
use super::helpers::{self, HelperNames, HelperRun, HelperValues, program, refused};
use super::settle::TryOutcome;
use crate::outgoing::Outgoing;
use expression::scope::ValueKind;
use expression::{Program, Value, convert};
use model::error::{Error, Result};
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tenant::Tenant;
use traces::begin_call;
use url::form_urlencoded::byte_serialize;

/// The time for which a request may take, to the last byte that is read of its answer.
const LONGEST: Duration = Duration::from_secs(10);
/// Names that all helpers know of the SMS: each as it is, and as addresses and forms have it.
const SENDING: [&str; 8] =
    ["phone", "text", "sender", "id", "phoneEncoded", "textEncoded", "senderEncoded", "idEncoded"];
/// Names that are known of the answer.
const ANSWER_NAMES: [(&str, ValueKind); 3] =
    [("status", ValueKind::Int), ("headers", ValueKind::Object), ("body", ValueKind::Any)];

/// Options for requests to the gateway.
#[derive(Clone)]
pub struct GatewayOptions {
    /// The address, a template.
    pub url: String,
    /// The method.
    pub method: String,
    /// Headers, `Name: value`, templates.
    pub headers: Vec<String>,
    /// The body, a template.
    pub body: String,
    /// The sender, for `sender`.
    pub sender: String,
    /// Variables, `name: template`, each of which may use those before it.
    pub vars: Vec<String>,
    /// Condition that is true of an answer that takes the SMS.
    pub success: String,
    /// True if addresses of this machine and of private networks may be asked.
    pub allow_private: bool,
}

/// A gateway that takes SMS.
#[derive(Clone)]
pub struct Gateway(Arc<RequestParts>);

struct RequestParts {
    outgoing: Outgoing,
    vars: Vec<(String, Arc<Program>)>,
    url: Arc<Program>,
    method: Method,
    headers: Vec<(HeaderName, Arc<Program>)>,
    body: Arc<Program>,
    sender: String,
    success: Arc<Program>,
}

/// Parts of a request.
struct MadeRequest {
    url: String,
    headers: Vec<(HeaderName, String)>,
    body: String,
    vars: BTreeMap<String, Value>,
}

impl Gateway {
    /// Compiles what is configured; nothing is sent yet.
    pub fn new(options: &GatewayOptions) -> Result<Self> {
        let sending = SENDING.iter().map(|name| ((*name).to_owned(), ValueKind::Text)).collect();
        let mut known = HelperNames { trigger: sending, ..HelperNames::default() };
        let mut vars = Vec::new();
        for line in &options.vars {
            let (name, value) = named("vars", line)?;
            if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') || name.is_empty() {
                return Err(refused("vars", "must have names of letters, digits and _"));
            }
            vars.push((name.to_owned(), program("vars", value, &known)?));
            known.local.push(name.to_owned());
        }
        let method = Method::from_bytes(options.method.as_bytes()).map_err(|_| refused("method", "is no method"))?;
        let header = |line: &String| {
            let (name, value) = named("headers", line)?;
            let name = name.parse().map_err(|_| refused("headers", "must have names of HTTP"))?;
            Ok((name, program("headers", value, &known)?))
        };
        let headers = options.headers.iter().map(header).collect::<Result<_>>()?;
        let (url, body) = (program("url", &options.url, &known)?, program("body", &options.body, &known)?);
        known.endpoint = ANSWER_NAMES.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
        // Settings of earlier versions have the answer here.
        known.trigger.extend([("status".to_owned(), ValueKind::Int), ("body".to_owned(), ValueKind::Text)]);
        let success = program("success", &options.success, &known)?;
        let (outgoing, sender) = (Outgoing::new(options.allow_private, LONGEST)?, options.sender.clone());
        Ok(Gateway(Arc::new(RequestParts { outgoing, vars, url, method, headers, body, sender, success })))
    }

    /// Hands an SMS over. What is asked of the tenant is asked before the request and after it, never meanwhile.
    pub(super) async fn send(&self, tenant: &Arc<Tenant>, row: &ClaimedMessage, text: &str) -> Result<(), TryOutcome> {
        let unread =
            |error: Error| TryOutcome::Later(format!("the request for the SMS cannot be made: {}", error.code));
        let mut given = HelperValues { trigger: sent(row, text, &self.0.sender), ..HelperValues::default() };
        let parts = Arc::clone(&self.0);
        let made = helpers::within(tenant, given.clone(), move |helping| parts.make(helping));
        let made = made.await.map_err(unread)?.map_err(TryOutcome::Later)?;
        let request = self.0.request(&made)?;
        let told = |what| TryOutcome::Later(format!("the SMS gateway {what}"));
        let call = begin_call("sms");
        let answer = self.0.outgoing.ask(request).await;
        if let Some(call) = call {
            call.end(answer.as_ref().ok().map(|answer| answer.status), answer.is_err());
        }
        let answer = answer.map_err(told)?;
        let (status, body) = (answer.status, String::from_utf8_lossy(&answer.body).into_owned());
        given.endpoint = helpers::answer(status, &answer.headers, &body);
        given.trigger.insert("status".to_owned(), Value::Int(i64::from(status)));
        given.trigger.insert("body".to_owned(), Value::text(&body));
        given.local = made.vars;
        let success = Arc::clone(&self.0.success);
        let judged = helpers::within(tenant, given, move |helping| helping.value(&success));
        match judged.await.map_err(|error| TryOutcome::Later(format!("judging the answer failed: {}", error.code)))? {
            // A secret decides nothing.
            Ok(Value::Secret(_)) => Err(TryOutcome::Later("a secret cannot judge the SMS gateway's answer".to_owned())),
            Ok(value) if convert::to_bool(&value) => Ok(()),
            Ok(_) => Err(TryOutcome::Later(format!("the SMS gateway answered {status}, which is not a success"))),
            Err(code) => {
                Err(TryOutcome::Later(format!("the SMS gateway answered {status}; judging it failed: {code}")))
            }
        }
    }
}

/// Returns the values that are known of an SMS.
fn sent(row: &ClaimedMessage, text: &str, sender: &str) -> BTreeMap<String, Value> {
    let given = [&row.recipient, text, sender, &row.message];
    let plain = given.iter().map(|value| Value::text(value));
    let encoded = given.iter().map(|value| Value::text(&byte_serialize(value.as_bytes()).collect::<String>()));
    SENDING.iter().map(|name| (*name).to_owned()).zip(plain.chain(encoded)).collect()
}

/// A line `Name: value` of a setting.
fn named<'l>(setting: &str, line: &'l str) -> Result<(&'l str, &'l str)> {
    let (name, value) = line.split_once(':').ok_or_else(|| refused(setting, "must be written Name: value"))?;
    Ok((name.trim(), value.trim()))
}

impl RequestParts {
    /// Runs the templates; the inner error is for readers of the outbox.
    fn make(&self, helping: &HelperRun<'_, '_, '_>) -> Result<Result<MadeRequest, String>> {
        let mut vars = BTreeMap::new();
        for (name, program) in &self.vars {
            match helping.value(program)? {
                Ok(value) => drop(vars.insert(name.clone(), value)),
                Err(code) => return Ok(Err(format!("a variable of the request for the SMS cannot be made: {code}"))),
            }
            helping.knows(&vars);
        }
        let mut texts = Vec::new();
        let headers = self.headers.iter().map(|(_, program)| ("a header", program));
        for (what, program) in [("the address", &self.url), ("the body", &self.body)].into_iter().chain(headers) {
            match helping.text(program)? {
                Ok(text) => texts.push(text),
                Err(code) => return Ok(Err(format!("{what} of the request for the SMS cannot be made: {code}"))),
            }
        }
        let mut texts = texts.into_iter();
        let (url, body) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
        let headers = self.headers.iter().map(|(name, _)| name.clone()).zip(texts).collect();
        Ok(Ok(MadeRequest { url, headers, body, vars }))
    }

    fn request(&self, made: &MadeRequest) -> Result<reqwest::Request, TryOutcome> {
        let later = |what: &str| TryOutcome::Later(what.to_owned());
        let url: url::Url = made.url.parse().map_err(|_| later("the SMS gateway's address is malformed"))?;
        if self.outgoing.refuses(&url) {
            return Err(later("the SMS gateway's address is a private one (outgoing.allow_private)"));
        }
        let mut request = self.outgoing.client().request(self.method.clone(), url);
        for (name, value) in &made.headers {
            let value = HeaderValue::from_str(value);
            let value = value.map_err(|_| later("a header of the request for the SMS is malformed"))?;
            request = request.header(name, value);
        }
        if !made.body.is_empty() {
            request = request.body(made.body.clone());
        }
        request.build().map_err(|_| later("the request for the SMS cannot be made"))
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Address, headers and body may hold the gateway's password.
        formatter.write_str("Gateway")
    }
}
