//! The session of a page's browser: the cookie, and what it leads to.

use accounts::sessions;
use accounts::sessions::{Browser, SessionToken, Visit};
use http::header::{self, HeaderMap, HeaderValue};
use model::error::Result;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// A browser that asks for a page.
pub(super) struct BrowserSession {
    /// The token that the browser has, or is about to get.
    pub(super) token: SessionToken,
    /// True if the browser has to be told the token.
    pub(super) told: bool,
    /// The session behind it.
    pub(super) visit: Option<Visit>,
}

impl BrowserSession {
    /// Reads the cookie. A browser without one gets a token that leads to no session: forms are tied to it.
    pub(super) async fn of(tenant: &Arc<Tenant>, headers: &HeaderMap, address: IpAddr) -> Result<Self> {
        let came = cookie(headers, &name(tenant.name())).and_then(SessionToken::parse);
        let Some(token) = came else {
            let token = SessionToken::generate(tenant.environment().random.as_ref());
            return Ok(BrowserSession { token, told: true, visit: None });
        };
        Ok(match sessions::visit(tenant, &token, address).await? {
            Some(visit) => BrowserSession { token: visit.token.clone(), told: visit.renewed, visit: Some(visit) },
            None => BrowserSession { token, told: false, visit: None },
        })
    }
}

/// The browser of a request.
pub(super) fn browser(address: IpAddr, headers: &HeaderMap) -> Browser {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("");
    Browser { address, agent: agent.to_owned() }
}

/// Has the browser keep a token until it is closed. The prefix of the name binds it to this host, this path and
/// https; browsers take it from a server on their own machine without https, too.
pub(super) fn keep(tenant: &str, token: &SessionToken) -> Option<HeaderValue> {
    let (name, text) = (name(tenant), token.text());
    HeaderValue::try_from(format!("{name}={text}; Path=/; Secure; HttpOnly; SameSite=Lax")).ok()
}

/// Has the browser forget its token.
pub(super) fn forget(tenant: &str) -> Option<HeaderValue> {
    let name = name(tenant);
    HeaderValue::try_from(format!("{name}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")).ok()
}

/// A cookie's value. A name that is there twice has none: which was meant must not depend on who reads it.
pub(super) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

fn name(tenant: &str) -> String {
    format!("__Host-plinth-{tenant}")
}
