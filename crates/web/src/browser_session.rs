//! The session of a browser: the cookie, what it leads to, and the proof with which scripts of our pages use it.

use accounts::sessions;
use accounts::sessions::{ApiProof, Browser, SessionToken, Visit};
use context::key_text::refused;
use edge::Request;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use model::error::Result;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// The header with the proof that `GET /api/ext/v1/session` gives (E-136).
const PROOF: HeaderName = HeaderName::from_static("x-plinth-proof");

/// A browser that asks for a page.
pub(crate) struct BrowserSession {
    /// The token that the browser has, or is about to get.
    pub(crate) token: SessionToken,
    /// True if the browser has to be told the token.
    pub(crate) told: bool,
    /// The session behind it.
    pub(crate) visit: Option<Visit>,
}

impl BrowserSession {
    /// Reads the cookie. A browser without one gets a token that leads to no session: forms are tied to it.
    pub(crate) async fn of(tenant: &Arc<Tenant>, headers: &HeaderMap, address: IpAddr) -> Result<Self> {
        let Some(token) = token(tenant.name(), headers) else {
            let token = SessionToken::generate(tenant.environment().random.as_ref());
            return Ok(BrowserSession { token, told: true, visit: None });
        };
        Ok(match sessions::visit(tenant, &token, address).await? {
            Some(visit) => BrowserSession { token: visit.token.clone(), told: visit.renewed, visit: Some(visit) },
            None => BrowserSession { token, told: false, visit: None },
        })
    }
}

/// Puts the key of the browser's session in the place of a key, where the request proves that a page of ours sent it:
/// no other site knows the proof, and without the cookie the proof is worth nothing (E-136).
pub(crate) fn adopt_key(tenant: &str, request: &mut Request) -> Result<()> {
    let Some(proof) = request.headers.get(PROOF).filter(|_| request.is_keyless()) else { return Ok(()) };
    let proof = proof.to_str().ok().and_then(ApiProof::parse).filter(|_| is_own(&request.headers));
    let token = token(tenant, &request.headers);
    let key = proof.zip(token).and_then(|(proof, token)| token.proven_key(&proof));
    request.key = Some(key.and_then(|key| HeaderValue::try_from(key).ok()).ok_or_else(refused)?);
    Ok(())
}

/// The token that a browser has, if it has one.
pub(crate) fn token(tenant: &str, headers: &HeaderMap) -> Option<SessionToken> {
    cookie(headers, &name(tenant)).and_then(SessionToken::parse)
}

/// Returns true if a page of ours sent a request, as far as the browser tells. Ours have no referrer, so that their
/// `Origin` is `null` and does not tell; then the proof alone decides.
pub(crate) fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text(&FETCH_SITE) {
        return site == "same-origin";
    }
    match text(&header::ORIGIN) {
        None | Some("null") => true,
        Some(origin) => {
            let host = text(&header::HOST).unwrap_or_default();
            origin.split_once("://").is_some_and(|(_, origin)| origin.eq_ignore_ascii_case(host))
        }
    }
}

/// The browser of a request.
pub(crate) fn browser(address: IpAddr, headers: &HeaderMap) -> Browser {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("");
    Browser { address, agent: agent.to_owned() }
}

/// Has the browser keep a token until it is closed. The prefix of the name binds it to this host, this path and
/// https; browsers take it from a server on their own machine without https, too.
pub(crate) fn keep(tenant: &str, token: &SessionToken) -> Option<HeaderValue> {
    let (name, text) = (name(tenant), token.text());
    HeaderValue::try_from(format!("{name}={text}; Path=/; Secure; HttpOnly; SameSite=Lax")).ok()
}

/// Has the browser forget its token.
pub(crate) fn forget(tenant: &str) -> Option<HeaderValue> {
    let name = name(tenant);
    HeaderValue::try_from(format!("{name}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")).ok()
}

/// A cookie's value. A name that is there twice has none: which was meant must not depend on who reads it.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

fn name(tenant: &str) -> String {
    format!("__Host-plinth-{tenant}")
}

#[cfg(test)]
mod tests {
    use super::is_own;
    use http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn requests_from_elsewhere_are_seen() {
        for (fields, expected) in [
            (&[][..], true),
            (&[("sec-fetch-site", "same-origin"), ("origin", "null")], true),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://acme.test")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("origin", "null")], true),
            (&[("origin", "https://ACME.test")], true),
            (&[("origin", "https://acme.test.evil")], false),
            (&[("origin", "https://acme.test:8443")], false),
            (&[("origin", "acme.test")], false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("acme.test"));
            for (name, value) in fields {
                headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            assert_eq!(is_own(&headers), expected, "{fields:?}");
        }
    }
}
