//! Addresses that requests of ours may go to: those of the public network, judged after names are resolved.
//!
//! Else an address in a configuration, or a name that points elsewhere by now, reaches what stands behind our own
//! walls.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Resolves names to the addresses that may be asked.
pub(super) struct AddressResolver {
    /// True if all may be.
    pub(super) allow_private: bool,
}

/// All addresses of a name are private ones.
#[derive(Debug)]
struct PrivateAddresses;

impl Resolve for AddressResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let kept: Vec<SocketAddr> = found.filter(|address| allow_private || is_public(address.ip())).collect();
            if kept.is_empty() {
                return Err(PrivateAddresses.into());
            }
            Ok(Box::new(kept.into_iter()) as Addrs)
        })
    }
}

impl fmt::Display for PrivateAddresses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("all addresses are private")
    }
}

impl Error for PrivateAddresses {}

/// Returns true if a request failed because all addresses of its name are private.
pub(super) fn is_refused(error: &reqwest::Error) -> bool {
    let mut source = error.source();
    while let Some(error) = source {
        if error.is::<PrivateAddresses>() {
            return true;
        }
        source = error.source();
    }
    false
}

/// Returns true if an address is one of the public network.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// By the registry of RFC 6890 and its successors.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let shared = first == 100 && second & 0xC0 == 64;
    let protocol = (first, second, third) == (192, 0, 0);
    let relay = (first, second, third) == (192, 88, 99);
    let benchmark = first == 198 && second & 0xFE == 18;
    !(first == 0
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_documentation()
        || shared
        || protocol
        || relay
        || benchmark
        || first >= 224)
}

/// Global unicast, and no address of IPv4 within that is not public itself.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    let segments = address.segments();
    let embedded = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match segments {
        // NAT64, 6to4.
        [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => is_public_v4(embedded(high, low)),
        [0x2002, high, low, ..] => is_public_v4(embedded(high, low)),
        // Teredo and other protocols, documentation.
        [0x2001, second, ..] if second < 0x200 => false,
        [0x2001, 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => false,
        [first, ..] => first & 0xE000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn only_addresses_of_the_public_network_are_public() {
        for address in [
            "127.0.0.1",
            "127.255.255.254",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "198.19.9.9",
            "198.51.100.1",
            "203.0.113.1",
            "192.88.99.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "100::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "172.32.0.1",
            "100.128.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::",
            "2001:4860:4860::8888",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
