//! Accepts connections, no more than it may, and ends them in order.

use super::connection;
use super::listener::PublicListener;
use super::sender::Sender;
use super::{Edge, Handler, Limits, ServerTls, caller};
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// A stage of the server's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServerStage {
    /// Requests are served.
    Serving,
    /// Requests that come are answered, and each answer is the last of its connection.
    Leaving,
    /// Nothing goes on.
    Stopped,
}

/// Serves what comes through `listener`, encrypted where there are certificates, until `shutdown` is done and the
/// connections have ended, or the time for that is over.
pub async fn run<H: Handler>(
    listener: impl Into<PublicListener>,
    tls: Option<Arc<ServerTls>>,
    limits: Limits,
    handler: Arc<H>,
    shutdown: impl Future<Output = ()> + Send,
) {
    let PublicListener { socket: listener, is_inherited } = listener.into();
    let (stages, stage) = watch::channel(ServerStage::Serving);
    let connections = u32::try_from(limits.connections).unwrap_or(u32::MAX).min(1 << 20);
    let slots = Arc::new(Semaphore::new(connections as usize));
    let edge = Arc::new(Edge::new(limits, tls, handler));
    let acceptor = Acceptor { edge: Arc::clone(&edge), slots: Arc::clone(&slots), addresses: Arc::default(), stage };
    {
        let mut shutdown = pin!(shutdown);
        tokio::select! {
            biased;
            () = shutdown.as_mut() => {}
            () = acceptor.accept(&listener) => {}
        }
        edge.handler.drain();
        edge.leaving.store(true, Relaxed);
        stages.send_replace(ServerStage::Leaving);
        // A balancer needs a moment to see that this node is not ready any more.
        let notice = tokio::time::sleep(edge.limits.shutdown_notice);
        tokio::select! {
            () = notice => {}
            () = acceptor.accept(&listener) => {}
        }
    }
    if is_inherited {
        // Connections wait in the socket, which the service manager holds, for the next process.
        drop(listener);
    } else {
        if closes_for_new(&listener) {
            // A client whose connection is half made sends the rest of its handshake within a round trip.
            let _ = tokio::time::timeout(HANDSHAKE, acceptor.accept(&listener)).await;
        }
        acceptor.take_the_last(listener);
    }
    let all_ended = slots.acquire_many(connections);
    if tokio::time::timeout(edge.limits.shutdown, all_ended).await.is_err() {
        tracing::warn!("connections were still open when the time to stop was over");
    }
    stages.send_replace(ServerStage::Stopped);
}

/// The time for handshakes that had begun when the server stopped taking new ones.
const HANDSHAKE: Duration = Duration::from_millis(200);

/// Drops the first packet of each new handshake from now on, and returns `true` where the system can do that.
///
/// Between the last `accept` and the end of a listener the system goes on making connections, and resets them with the
/// listener. Without new handshakes there are none. A dropped client tries again after a second, and is refused or
/// reaches the node's successor.
#[cfg(target_os = "linux")]
fn closes_for_new(listener: &TcpListener) -> bool {
    use socket2::{SockFilter, SockRef};
    // Classic BPF over the TCP header: of its flags (byte 13), SYN without ACK is a new handshake.
    const NO_SYN: [SockFilter; 5] = [
        SockFilter::new(0x30, 0, 0, 13),          // load the flags
        SockFilter::new(0x54, 0, 0, 0x12),        // keep SYN and ACK
        SockFilter::new(0x15, 0, 1, 0x02),        // SYN alone?
        SockFilter::new(0x06, 0, 0, 0),           // drop
        SockFilter::new(0x06, 0, 0, 0xffff_ffff), // pass
    ];
    let attached = SockRef::from(listener).attach_filter(&NO_SYN);
    if let Err(error) = &attached {
        tracing::debug!(%error, "new connections cannot be held off before the listener closes");
    }
    attached.is_ok()
}

/// Other systems close the listener at once.
#[cfg(not(target_os = "linux"))]
fn closes_for_new(_: &TcpListener) -> bool {
    false
}

/// All that a connection needs to begin.
struct Acceptor<H> {
    edge: Arc<Edge<H>>,
    slots: Arc<Semaphore>,
    addresses: Arc<AddressCounts>,
    stage: watch::Receiver<ServerStage>,
}

impl<H: Handler> Acceptor<H> {
    /// Accepts for ever.
    async fn accept(&self, listener: &TcpListener) {
        loop {
            let slot = Arc::clone(&self.slots).acquire_owned().await.expect("the semaphore is never closed");
            match listener.accept().await {
                Ok((stream, peer)) => self.begin(stream, peer.ip().to_canonical(), slot),
                Err(error) => pause_after(&error).await,
            }
        }
    }

    /// Closes the listener. What the system accepted for us already is served, as far as there is room.
    fn take_the_last(&self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else { return };
        while let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned()
            && let Ok((stream, peer)) = listener.accept()
        {
            let ready = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
            if let Ok(stream) = ready {
                self.begin(stream, peer.ip().to_canonical(), slot);
            }
        }
    }

    /// Serves a connection in a task of its own, unless its address has too many.
    fn begin(&self, mut stream: TcpStream, peer: IpAddr, slot: OwnedSemaphorePermit) {
        let Some(place) = self.place(peer) else { return };
        // Small answers must not wait for the acknowledgement of the one before.
        let _ = stream.set_nodelay(true);
        let (acceptor, mut stage) = (self.clone(), self.stage.clone());
        tokio::spawn(async move {
            let _held: (OwnedSemaphorePermit, Option<ConnectionPlace>) = (slot, place);
            let Some(sender) = Sender::of(&mut stream, peer, &acceptor.edge, &mut stage).await else { return };
            // A client that a proxy names has a limit of its own.
            let named = if sender.address == peer { Some(None) } else { acceptor.place(sender.address) };
            let Some(_named) = named else { return };
            connection::serve(stream, sender, acceptor.edge, stage).await;
        });
    }

    /// Takes a place among the connections of an address; nothing, which is counted, where it has too many. A trusted
    /// proxy needs none, and its neighbours in the network keep theirs.
    fn place(&self, address: IpAddr) -> Option<Option<ConnectionPlace>> {
        let limits = &self.edge.limits;
        if limits.trusts(address) {
            return Some(None);
        }
        let place = self.addresses.enter(address, limits.connections_per_address);
        if place.is_none() {
            self.edge.figures.refused_connections.increment();
        }
        place.map(Some)
    }
}

impl<H> Clone for Acceptor<H> {
    fn clone(&self) -> Self {
        let Acceptor { edge, slots, addresses, stage } = self;
        Acceptor {
            edge: Arc::clone(edge),
            slots: Arc::clone(slots),
            addresses: Arc::clone(addresses),
            stage: stage.clone(),
        }
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

/// The number of connections that each address has.
#[derive(Default)]
struct AddressCounts {
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// The place of one connection among those of its address.
struct ConnectionPlace {
    addresses: Arc<AddressCounts>,
    address: IpAddr,
}

impl AddressCounts {
    fn enter(self: &Arc<Self>, address: IpAddr, limit: usize) -> Option<ConnectionPlace> {
        let address = caller::network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= limit {
            return None;
        }
        *count += 1;
        Some(ConnectionPlace { addresses: Arc::clone(self), address })
    }
}

impl Drop for ConnectionPlace {
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
