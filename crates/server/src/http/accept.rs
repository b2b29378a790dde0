//! Accepts connections, no more than it may, and ends them in order.

use super::connection;
use super::{Edge, Handler, Limits};
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Where the server is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Requests are served.
    Serving,
    /// Requests under way are finished; no more are taken.
    Draining,
    /// Nothing goes on.
    Stopped,
}

/// Serves what comes through `listener` until `shutdown` is done and the connections have ended, or
/// the time for that is over.
pub async fn run<H: Handler>(
    listener: TcpListener,
    limits: Limits,
    handler: Arc<H>,
    shutdown: impl Future<Output = ()> + Send,
) {
    let (stages, stage) = watch::channel(Stage::Serving);
    let connections = u32::try_from(limits.connections).unwrap_or(u32::MAX).min(1 << 20);
    let slots = Arc::new(Semaphore::new(connections as usize));
    let addresses = Arc::new(Addresses::default());
    let edge = Arc::new(Edge::new(limits, handler));
    {
        let mut shutdown = pin!(shutdown);
        tokio::select! {
            biased;
            () = shutdown.as_mut() => {}
            () = accept(&listener, &edge, &slots, &addresses, &stage) => {}
        }
        edge.handler.drain();
        // A balancer needs a moment to see that this node is not ready any more.
        let notice = tokio::time::sleep(edge.limits.shutdown_notice);
        tokio::select! {
            () = notice => {}
            () = accept(&listener, &edge, &slots, &addresses, &stage) => {}
        }
    }
    drop(listener);
    stages.send_replace(Stage::Draining);
    let all_ended = slots.acquire_many(connections);
    if tokio::time::timeout(edge.limits.shutdown, all_ended).await.is_err() {
        tracing::warn!("connections were still open when the time to stop was over");
    }
    stages.send_replace(Stage::Stopped);
}

/// Accepts for ever.
async fn accept<H: Handler>(
    listener: &TcpListener,
    edge: &Arc<Edge<H>>,
    slots: &Arc<Semaphore>,
    addresses: &Arc<Addresses>,
    stage: &watch::Receiver<Stage>,
) {
    loop {
        let slot = Arc::clone(slots).acquire_owned().await.expect("the semaphore is never closed");
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                pause_after(&error).await;
                continue;
            }
        };
        let address = peer.ip().to_canonical();
        let is_proxy = edge.limits.trusted_proxies.iter().any(|network| network.contains(address));
        let limit = if is_proxy { usize::MAX } else { edge.limits.connections_per_address };
        let Some(place) = addresses.enter(address, limit) else { continue };
        // Small answers must not wait for the acknowledgement of the one before.
        let _ = stream.set_nodelay(true);
        let (edge, stage) = (Arc::clone(edge), stage.clone());
        tokio::spawn(async move {
            let _held: (OwnedSemaphorePermit, Place) = (slot, place);
            connection::serve(stream, address, edge, stage).await;
        });
    }
}

/// A connection that failed before it was accepted is its client's matter; anything else is ours,
/// such as a lack of file handles, and does not pass in no time.
async fn pause_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!(%error, "cannot accept connections");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// How many connections each address has.
#[derive(Default)]
struct Addresses {
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// The place of one connection among those of its address.
struct Place {
    addresses: Arc<Addresses>,
    address: IpAddr,
}

impl Addresses {
    fn enter(self: &Arc<Self>, address: IpAddr, limit: usize) -> Option<Place> {
        let address = subnet(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= limit {
            return None;
        }
        *count += 1;
        Some(Place { addresses: Arc::clone(self), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.addresses.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// Whoever has one IPv6 address has the 2^64 beside it.
fn subnet(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}
