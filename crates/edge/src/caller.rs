//! The caller: the key and the address.

use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Deserializer};
use std::net::{IpAddr, Ipv6Addr};
use traces::TraceParent;

const KEY: HeaderName = HeaderName::from_static("key");
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// An address, or a range of them in CIDR notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

/// The key of a request, if it has one, which is text: in `key`, in `X-API-Key`, or as `Authorization: Bearer`. Two keys
/// that differ, or a header twice, are none: which of them was meant must not depend on who reads the request.
pub fn key(headers: &HeaderMap) -> Option<HeaderValue> {
    let named = |name: &HeaderName| only(headers.get_all(name).iter().cloned());
    let bearer = only(headers.get_all(AUTHORIZATION).iter().filter_map(token));
    let mut given = [named(&KEY), named(&X_API_KEY), bearer].into_iter().flatten();
    let first = given.next()??;
    given.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// Returns true if a request does not even try to give a key. Of other schemes, proxies send Basic; all else may be a
/// key that was spelled wrong.
pub(crate) fn is_keyless(headers: &HeaderMap) -> bool {
    let is_basic = |credentials: &HeaderValue| {
        let text = credentials.as_bytes();
        let parts = text.split_at_checked("Basic ".len());
        parts.is_some_and(|(scheme, rest)| {
            let token = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
            scheme.eq_ignore_ascii_case(b"Basic ") && !rest.is_empty() && rest.iter().all(token)
        })
    };
    !headers.contains_key(KEY)
        && !headers.contains_key(X_API_KEY)
        && headers.get_all(AUTHORIZATION).iter().all(is_basic)
}

/// The only value of a header: `None` if the header is absent, `Some(None)` if it stands twice or is not text.
fn only(mut values: impl Iterator<Item = HeaderValue>) -> Option<Option<HeaderValue>> {
    let first = values.next()?;
    Some(Some(first).filter(|first| first.to_str().is_ok() && values.next().is_none()))
}

/// The token of `Bearer` (RFC 6750, 2.1). Other schemes have no key.
fn token(credentials: &HeaderValue) -> Option<HeaderValue> {
    let (scheme, token) = credentials.as_bytes().split_at_checked("Bearer ".len())?;
    let token = HeaderValue::from_bytes(token.trim_ascii()).ok();
    token.filter(|_| scheme.eq_ignore_ascii_case(b"Bearer "))
}

/// The span that a request belongs to, if its headers name one by the rules of W3C Trace Context. A header twice names
/// none.
pub fn trace_parent(headers: &HeaderMap) -> Option<TraceParent> {
    let mut named = headers.get_all(TRACE_PARENT).iter();
    let first = named.next()?;
    named.next().is_none().then(|| TraceParent::parse(first.as_bytes()))?
}

/// The address of the client: the peer, or, where that is a trusted proxy, the last address in
/// `X-Forwarded-For` that is not one.
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    if !is_trusted(peer) {
        return peer;
    }
    let mut client = peer;
    let lines: Vec<&str> = headers.get_all(&FORWARDED_FOR).iter().map(|value| value.to_str().unwrap_or("?")).collect();
    for entry in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        let Ok(address) = entry.trim().parse::<IpAddr>() else { break };
        client = address.to_canonical();
        if !is_trusted(client) {
            break;
        }
    }
    client
}

impl Network {
    /// Reads `10.0.0.0/8` or `::1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().ok()?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Some(longest), |prefix| prefix.parse().ok())?;
        (prefix <= longest).then_some(Network { address, prefix })
    }

    /// Returns true if the address lies in it.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).checked_shr(32 - self.prefix).unwrap_or(0) == 0
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).checked_shr(128 - self.prefix).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

/// The network that an address stands for: a client that has one IPv6 address has the 2^64 beside it.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Network::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format_args!("{text:?} is not an address or a range such as 10.0.0.0/8"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Network, client};
    use http::{HeaderMap, HeaderName, HeaderValue};

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let mut headers = HeaderMap::new();
        pairs.iter().map(pair).for_each(|(name, value)| _ = headers.append(name, value));
        headers
    }

    fn key(headers: &HeaderMap) -> Option<String> {
        super::key(headers).and_then(|key| key.to_str().ok().map(str::to_owned))
    }

    #[test]
    fn finds_one_key() {
        for (pairs, expected) in [
            (&[][..], None),
            (&[("key", "a")], Some("a")),
            (&[("x-api-key", "a")], Some("a")),
            (&[("authorization", "Bearer a")], Some("a")),
            (&[("authorization", "bearer   a ")], Some("a")),
            (&[("key", "a"), ("x-api-key", "a"), ("authorization", "Bearer a")], Some("a")),
            (&[("key", "a"), ("x-api-key", "b")], None),
            (&[("key", "a"), ("authorization", "Bearer b")], None),
            (&[("key", "a"), ("key", "a")], None),
            (&[("key", "a"), ("x-api-key", "a"), ("x-api-key", "a")], None),
            (&[("authorization", "Bearer a"), ("authorization", "Bearer a")], None),
            // Other schemes say nothing of a key.
            (&[("authorization", "Basic a")], None),
            (&[("key", "a"), ("authorization", "Basic b")], Some("a")),
            (&[("authorization", "Basic b"), ("authorization", "Bearer a")], Some("a")),
            (&[("authorization", "Bearer")], None),
        ] {
            assert_eq!(key(&headers(pairs)).as_deref(), expected, "{pairs:?}");
        }
    }

    #[test]
    fn a_key_that_is_spelled_wrong_is_no_missing_key() {
        for (pairs, expected) in [
            (&[][..], true),
            (&[("authorization", "Basic a")], true),
            (&[("key", "")], false),
            (&[("x-api-key", "a"), ("key", "b")], false),
            (&[("authorization", "Bearer")], false),
            (&[("authorization", "bearer ")], false),
            (&[("authorization", "Basic a"), ("authorization", "BEARER x")], false),
            (&[("authorization", "Bearer\tplk_1")], false),
            (&[("authorization", "Bearer,plk_1")], false),
            (&[("authorization", "Bearer: plk_1")], false),
            (&[("authorization", "Basic abc, Bearer plk_1")], false),
            (&[("authorization", "plk_1")], false),
            (&[("authorization", "Token a")], false),
            (&[("authorization", "")], false),
        ] {
            assert_eq!(super::is_keyless(&headers(pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn believes_trusted_proxies_alone() {
        let trusted = [Network::parse("10.0.0.0/8").unwrap(), Network::parse("::1").unwrap()];
        for (peer, forwarded, expected) in [
            ("1.2.3.4", "9.9.9.9", "1.2.3.4"),
            ("10.1.1.1", "9.9.9.9", "9.9.9.9"),
            ("10.1.1.1", "6.6.6.6, 9.9.9.9, 10.2.2.2", "9.9.9.9"),
            ("10.1.1.1", "6.6.6.6, nonsense, 10.2.2.2", "10.2.2.2"),
            ("::1", "2001:db8::1", "2001:db8::1"),
        ] {
            let found = client(peer.parse().unwrap(), &headers(&[("x-forwarded-for", forwarded)]), &trusted);
            assert_eq!(found.to_string(), expected, "{peer} {forwarded}");
        }
        assert_eq!(Network::parse("10.0.0.0/33"), None);
        assert!(Network::parse("0.0.0.0/0").unwrap().contains("1.2.3.4".parse().unwrap()));
    }
}
