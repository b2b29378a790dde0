//! Requests of ours to others: where they may go, how long they may take, how much of an answer is read.

mod addresses;
mod escapes;
mod json_match;
mod redaction;
mod stubbed_http;

pub use json_match::alike;
pub use redaction::Redactor;
pub use stubbed_http::{GivenAnswer, RequestLike, SentRequest, StubbedHttp};

use addresses::{AddressResolver, is_public, is_refused};
use model::error::{Error, Result};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

/// The most bytes that are read of an answer.
const ANSWER: usize = 1 << 20;

/// The sender of requests. Redirects are not followed: where they lead was not configured.
#[derive(Clone, Debug)]
pub struct Outgoing {
    client: Client,
    allow_private: bool,
    /// True if this machine has certificates of authorities: without them, no server can prove who it is.
    has_authorities: bool,
}

/// The route by which requests of automations leave.
#[derive(Clone, Debug, Default)]
pub enum HttpRoute {
    /// They do not: they fail, and are tried again.
    #[default]
    Closed,
    /// Over the network.
    Network(Outgoing),
    /// Nowhere: they are answered as somebody said, and kept in memory, to be looked at.
    Stubbed(StubbedHttp),
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Names in lower case; of several with one name the last.
    pub headers: Vec<(String, String)>,
    /// The body, as far as it is read.
    pub body: Vec<u8>,
}

impl HttpRoute {
    /// Sends a request and reads its answer; says what the other side did where there is none. The address is not told.
    pub async fn ask(&self, request: reqwest::Request) -> Result<Answer, String> {
        match self {
            HttpRoute::Closed => Err("cannot be asked: this process sends no requests".to_owned()),
            HttpRoute::Network(outgoing) if outgoing.refuses(request.url()) => {
                Err("has a private address (outgoing.allow_private)".to_owned())
            }
            HttpRoute::Network(outgoing) => outgoing.ask(request).await.map_err(str::to_owned),
            HttpRoute::Stubbed(stub) => stub.ask(&request),
        }
    }
}

impl Outgoing {
    /// Sends to public addresses alone, unless private ones are allowed.
    pub fn new(allow_private: bool, longest: Duration) -> Result<Self> {
        // The client takes whichever provider the process has.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = || {
            let resolver = Arc::new(AddressResolver { allow_private });
            Client::builder().redirect(Policy::none()).no_proxy().timeout(longest).dns_resolver(resolver)
        };
        match builder().build() {
            Ok(client) => Ok(Outgoing { client, allow_private, has_authorities: true }),
            Err(error) => {
                tracing::warn!(
                    error = chain(&error),
                    "There are no certificates of authorities: HTTPS to other servers will fail. Install the package \
                     ca-certificates, or name a file in SSL_CERT_FILE."
                );
                let client = builder().tls_certs_only([]).build();
                let client = client.map_err(|error| Error::failed(chain(&error)))?;
                Ok(Outgoing { client, allow_private, has_authorities: false })
            }
        }
    }

    /// Returns the client that makes requests.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns true if a request to the address is refused at once: names are judged when they are resolved, numbers
    /// never are.
    pub fn refuses(&self, url: &Url) -> bool {
        let number = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            _ => None,
        };
        number.is_some_and(|address| !self.allow_private && !is_public(address))
    }

    /// Sends a request and reads its answer, no more than is wanted of it: what comes after that is cut off, with the
    /// connection. Says what went wrong on the way; the error's own text is left out, for it holds the address, and
    /// that may hold a secret.
    pub async fn ask(&self, request: reqwest::Request) -> Result<Answer, &'static str> {
        if !self.has_authorities && request.url().scheme() == "https" {
            return Err("cannot prove who it is: this machine has no certificates of authorities (ca-certificates)");
        }
        let answer = self.client.execute(request).await.map_err(|error| unreached(&error))?;
        let headers = answer.headers().iter();
        let headers = headers.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into()));
        let (status, headers) = (answer.status().as_u16(), headers.collect());
        let body = read(answer).await?;
        Ok(Answer { status, headers, body })
    }
}

async fn read(mut answer: Response) -> Result<Vec<u8>, &'static str> {
    let mut body = Vec::new();
    while body.len() < ANSWER {
        match answer.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk[..chunk.len().min(ANSWER - body.len())]),
            Ok(None) => break,
            Err(error) => return Err(unreached(&error)),
        }
    }
    Ok(body)
}

/// Returns an error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

fn unreached(error: &reqwest::Error) -> &'static str {
    match () {
        () if error.is_timeout() => "took too long",
        () if is_refused(error) => "has private addresses alone (outgoing.allow_private)",
        () if error.is_connect() => "cannot be reached",
        () => "broke off its answer",
    }
}
