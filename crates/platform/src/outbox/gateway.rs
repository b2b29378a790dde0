//! SMS over HTTP: one request for each, whose parts are templates, and an expression that judges the answer.

use super::claim::{Claimed, Outcome};
use crate::error::{Error, Result};
use crate::outgoing::Outgoing;
use crate::work::World;
use expression::catalogue::Availability;
use expression::scope::{Available, Kind};
use expression::{Limits, Program, Providers, Run, Scope, Value, convert};
use jiff::tz::TimeZone;
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::form_urlencoded::byte_serialize;

/// How long a request may take, to the last byte that is read of its answer.
const LONGEST: Duration = Duration::from_secs(10);
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
    outgoing: Outgoing,
    world: World,
    url: Program,
    method: Method,
    headers: Vec<(HeaderName, Program)>,
    body: Program,
    sender: String,
    success: Program,
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
        Ok(Gateway(Arc::new(Parts {
            outgoing: Outgoing::new(options.allow_private, LONGEST)?,
            world,
            url: template("url", &options.url)?,
            method,
            headers: options.headers.iter().map(header).collect::<Result<_>>()?,
            body: template("body", &options.body)?,
            sender: options.sender.clone(),
            success: compiled("success", Program::template(&options.success, &scope(&answer)))?,
        })))
    }

    /// Hands an SMS over.
    pub(super) async fn send(&self, row: &Claimed, text: &str) -> Result<(), Outcome> {
        let parts = &*self.0;
        let request = parts.request(row, text)?;
        let told = |what| Outcome::Later(format!("the SMS gateway {what}"));
        let answer = parts.outgoing.ask(request).await.map_err(told)?;
        let (status, body) = (answer.status, String::from_utf8_lossy(&answer.body).into_owned());
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
        if self.outgoing.refuses(&url) {
            return Err(Outcome::Later(
                "the SMS gateway's address is a private one (outgoing.allow_private)".to_owned(),
            ));
        }
        let mut request = self.outgoing.client().request(self.method.clone(), url);
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
