//! SMS over HTTP: one request for each, whose parts are templates, and an expression that judges the answer.

use super::addresses::Resolver;
use super::claim::{Claimed, Outcome};
use crate::error::{Error, Result};
use crate::work::World;
use expression::catalogue::Availability;
use expression::scope::{Available, Kind};
use expression::{Limits, Program, Providers, Run, Scope, Value, convert};
use jiff::tz::TimeZone;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Method, Response};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::form_urlencoded::byte_serialize;

/// How long a request may take, to the last byte that is read of its answer.
const LONGEST: Duration = Duration::from_secs(10);
/// How much is read of an answer.
const ANSWER: usize = 1 << 20;
/// What templates know: each as it is, and as addresses and forms have it.
const SENDING: [&str; 8] =
    ["phone", "text", "sender", "id", "phoneEncoded", "textEncoded", "senderEncoded", "idEncoded"];

/// How the gateway is asked.
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
    /// What is true of an answer that takes the SMS: an expression of `status` and `body`.
    pub success: String,
    /// Whether addresses of this machine and of private networks may be asked.
    pub allow_private: bool,
}

/// A gateway that takes SMS.
#[derive(Clone)]
pub struct Gateway(Arc<Parts>);

struct Parts {
    client: reqwest::Client,
    world: World,
    url: Program,
    method: Method,
    headers: Vec<(HeaderName, Program)>,
    body: Program,
    sender: String,
    success: Program,
    allow_private: bool,
}

/// What an expression sees: values by name.
struct Named<'n>(&'n [(&'static str, Value)]);

impl Providers for Named<'_> {
    fn trigger(&self, name: &str) -> expression::Result<Value> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        Ok(found.map(|(_, value)| value.clone()).unwrap_or_default())
    }
}

impl Gateway {
    /// Compiles what is configured; nothing is sent yet.
    pub fn new(options: &GatewayOptions, world: World) -> Result<Self> {
        let sending: Vec<(&'static str, Kind)> = SENDING.iter().map(|name| (*name, Kind::Text)).collect();
        let template = |name: &str, text: &str| compiled(name, Program::template(text, &scope(&sending)));
        let method = Method::from_bytes(options.method.as_bytes()).map_err(|_| refused("method", "is no method"))?;
        let header = |line: &String| {
            let (name, value) =
                line.split_once(':').ok_or_else(|| refused("headers", "must be written Name: value"))?;
            let name = name.trim().parse().map_err(|_| refused("headers", "must have names of HTTP"))?;
            Ok((name, template("headers", value.trim())?))
        };
        let answer = [("status", Kind::Int), ("body", Kind::Text)];
        // The client takes whichever provider the process has.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(LONGEST)
            .dns_resolver(Arc::new(Resolver { allow_private: options.allow_private }))
            .build()
            .map_err(|error| Error::failed(error.to_string()))?;
        Ok(Gateway(Arc::new(Parts {
            client,
            world,
            url: template("url", &options.url)?,
            method,
            headers: options.headers.iter().map(header).collect::<Result<_>>()?,
            body: template("body", &options.body)?,
            sender: options.sender.clone(),
            success: compiled("success", Program::template(&options.success, &scope(&answer)))?,
            allow_private: options.allow_private,
        })))
    }

    /// Hands an SMS over.
    pub(super) async fn send(&self, row: &Claimed, text: &str) -> Result<(), Outcome> {
        let parts = &*self.0;
        let request = parts.request(row, text)?;
        let answer = parts.client.execute(request).await.map_err(|error| unreached(&error))?;
        let status = answer.status().as_u16();
        let body = read(answer).await?;
        let answer = [("status", Value::Int(i64::from(status))), ("body", Value::text(&body))];
        match parts.evaluate(&parts.success, &answer) {
            Ok(value) if convert::to_bool(&value) => Ok(()),
            Ok(_) => Err(Outcome::Later(format!("the SMS gateway answered {status}, which is no success"))),
            Err(code) => Err(Outcome::Later(format!("the SMS gateway answered {status}; judging it failed: {code}"))),
        }
    }
}

impl Parts {
    fn request(&self, row: &Claimed, text: &str) -> Result<reqwest::Request, Outcome> {
        let given = [&row.recipient, text, &self.sender, &row.message];
        let plain = given.iter().map(|value| Value::text(value));
        let encoded = given.iter().map(|value| Value::text(&byte_serialize(value.as_bytes()).collect::<String>()));
        let values: Vec<(&'static str, Value)> = SENDING.into_iter().zip(plain.chain(encoded)).collect();
        let fill = |what: &str, program: &Program| {
            let made = self.evaluate(program, &values);
            let made = made
                .and_then(|value| convert::to_text(&value, &Named(&values)).map_err(|fault| fault.code.to_string()));
            made.map(|text| text.lossy().into_owned())
                .map_err(|code| Outcome::Later(format!("{what} of the request for the SMS cannot be made: {code}")))
        };
        let url = fill("the address", &self.url)?;
        let url: url::Url = url.parse().map_err(|_| Outcome::Later("the SMS gateway's address is none".to_owned()))?;
        // Names are judged when they are resolved; numbers are never resolved.
        let number = match url.host() {
            Some(url::Host::Ipv4(address)) => Some(address.into()),
            Some(url::Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        if number.is_some_and(|address| !self.allow_private && !super::addresses::is_public(address)) {
            return Err(Outcome::Later(
                "the SMS gateway's address is a private one (outgoing.allow_private)".to_owned(),
            ));
        }
        let mut request = self.client.request(self.method.clone(), url);
        for (name, value) in &self.headers {
            let value = HeaderValue::from_str(&fill("a header", value)?);
            let value = value.map_err(|_| Outcome::Later("a header of the request for the SMS is none".to_owned()))?;
            request = request.header(name, value);
        }
        let body = fill("the body", &self.body)?;
        if !body.is_empty() {
            request = request.body(body);
        }
        request.build().map_err(|_| Outcome::Later("the request for the SMS cannot be made".to_owned()))
    }

    /// The value of a program, or the code of what went wrong.
    fn evaluate(&self, program: &Program, values: &[(&'static str, Value)]) -> Result<Value, String> {
        let mut random = |bytes: &mut [u8]| self.world.random.fill(bytes);
        let providers = Named(values);
        let now = self.world.clock.now();
        let mut run = Run::new(now, TimeZone::UTC, &providers, &mut random, Limits::default());
        program.evaluate(&mut run).map_err(|mistake| mistake.code.to_string())
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Address, headers and body may hold the gateway's password.
        formatter.write_str("Gateway")
    }
}

/// Reads an answer, no more than is wanted of it: what comes after that is cut off, with the connection.
async fn read(mut answer: Response) -> Result<String, Outcome> {
    let mut body = Vec::new();
    while body.len() < ANSWER {
        match answer.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk[..chunk.len().min(ANSWER - body.len())]),
            Ok(None) => break,
            Err(error) => return Err(unreached(&error)),
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// What went wrong on the way. The error's own text is left out: it holds the address, and that may hold a secret.
fn unreached(error: &reqwest::Error) -> Outcome {
    let what = match () {
        () if error.is_timeout() => "took too long",
        () if super::addresses::is_refused(error) => "has private addresses alone (outgoing.allow_private)",
        () if error.is_connect() => "cannot be reached",
        () => "broke off its answer",
    };
    Outcome::Later(format!("the SMS gateway {what}"))
}

fn scope(parameters: &[(&'static str, Kind)]) -> Scope {
    let mut scope = Scope::of(Available::default().with(Availability::Trigger));
    let parameters = parameters.iter().map(|(name, kind)| ((*name).to_owned(), (*kind).into()));
    scope.parameters = HashMap::from([("trigger", parameters.collect())]);
    scope
}

fn compiled(name: &str, program: Result<Program, Vec<expression::Diagnostic>>) -> Result<Program> {
    program.map_err(|mistakes| {
        let message =
            mistakes.first().map_or_else(|| "cannot be compiled".to_owned(), |mistake| mistake.message.clone());
        refused(name, &format!("cannot be compiled: {message}"))
    })
}

fn refused(name: &str, what: &str) -> Error {
    Error::invalid("sms_gateway", format!("The setting sms.{name} {what}."))
}
