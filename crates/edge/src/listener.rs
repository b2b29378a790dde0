//! The listener for clients: opened by this process, or by a service manager that keeps it open.

use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpSocket};

/// The most connections that wait to be accepted. Beyond the usual 128, the system resets some of a burst; it takes the
/// smaller of this and `net.core.somaxconn`.
const BACKLOG: u32 = 4096;

/// A listener for clients.
#[derive(Debug)]
pub struct PublicListener {
    pub(crate) socket: TcpListener,
    /// A service manager holds the socket, too: connections that wait are for the next process.
    pub(crate) is_inherited: bool,
}

impl PublicListener {
    /// Listens at an address.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // A successor may listen while connections of this process end.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG).map(Self::from)
    }

    /// Returns the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl From<TcpListener> for PublicListener {
    fn from(socket: TcpListener) -> Self {
        PublicListener { socket, is_inherited: false }
    }
}
