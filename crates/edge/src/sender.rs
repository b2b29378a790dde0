//! The sender of a connection: the peer, or the client that a trusted proxy names in a PROXY header.

use super::accept::ServerStage;
use super::proxy_header::{self, ProxyHeader};
use super::{Edge, Limits};
use std::io;
use std::net::IpAddr;
use tokio::net::TcpStream;
use tokio::sync::watch;

/// The sender of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender {
    /// Its address.
    pub(crate) address: IpAddr,
    /// `X-Forwarded-For` counts where the address is that of a trusted proxy.
    pub(crate) may_forward: bool,
}

impl Sender {
    /// Returns the sender of a connection; none where a PROXY header is needed, and there is no good one.
    pub(crate) async fn of<H>(
        stream: &mut TcpStream,
        peer: IpAddr,
        edge: &Edge<H>,
        stages: &mut watch::Receiver<ServerStage>,
    ) -> Option<Self> {
        if !edge.limits.proxy_protocol {
            return Some(Sender { address: peer, may_forward: true });
        }
        let header = async {
            match edge.limits.trusts(peer) {
                true => proxy_header::read(stream).await,
                false => Err(io::Error::new(io::ErrorKind::PermissionDenied, "the peer is not in trusted_proxies")),
            }
        };
        match in_time(edge, stages, header).await? {
            Ok(ProxyHeader::Client(address)) => Some(Sender { address, may_forward: true }),
            // What a client says of itself may come through a proxy that does not know it.
            Ok(ProxyHeader::Unnamed) => Some(Sender { address: peer, may_forward: false }),
            Err(error) => {
                edge.figures.refused_proxy_headers.increment();
                tracing::debug!(%error, %peer, "a connection has no PROXY header of a trusted proxy");
                None
            }
        }
    }
}

impl Limits {
    /// Returns true if an address is that of a trusted proxy.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(address))
    }
}

/// Waits for the first bytes of a connection: as long as for a head, and none once a stopping server closes idle ones.
pub(crate) async fn in_time<H, T>(
    edge: &Edge<H>,
    stages: &mut watch::Receiver<ServerStage>,
    first: impl Future<Output = io::Result<T>>,
) -> Option<io::Result<T>> {
    let first = tokio::time::timeout(edge.limits.timeouts.head, first);
    let idle = edge.limits.shutdown_idle;
    let stopping = async {
        let _ = stages.wait_for(|stage| *stage != ServerStage::Serving).await;
        tokio::time::sleep(idle).await;
    };
    tokio::select! {
        ended = first => Some(ended.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))),
        () = stopping => None,
    }
}
