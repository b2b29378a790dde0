//! Messages to the service manager that started the process, such as systemd: ready, alive, about to stop.

use crate::settings::ServiceSettings;
use std::future::pending;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The service manager, where one listens.
pub(crate) struct ServiceManager {
    socket: Option<(UnixDatagram, SocketAddr)>,
    watchdog: Option<Duration>,
}

impl ServiceManager {
    /// Connects to the manager that the settings name.
    pub(crate) fn new(settings: &ServiceSettings) -> Self {
        let connect = |path: &Path| {
            let address = address(path)?;
            let socket = UnixDatagram::unbound()?;
            // A manager that does not listen holds up nothing.
            socket.set_nonblocking(true)?;
            io::Result::Ok((socket, address))
        };
        let socket = settings.socket.as_deref().and_then(|path| {
            connect(path)
                .inspect_err(|error| tracing::warn!(%error, "the service manager cannot be told anything"))
                .ok()
        });
        ServiceManager { socket, watchdog: settings.watchdog }
    }

    /// Tells that requests are served.
    pub(crate) fn ready(&self) {
        self.tell("READY=1");
    }

    /// Tells that the process ends.
    pub(crate) fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// Sends signs of life for as long as the runtime works, until it is dropped.
    pub(crate) async fn stay_alive(self: Arc<Self>) {
        if self.socket.is_none() {
            return pending().await;
        }
        let Some(time) = self.watchdog else { return pending().await };
        loop {
            self.tell("WATCHDOG=1");
            tokio::time::sleep(time / 3).await;
        }
    }

    fn tell(&self, message: &str) {
        if let Some((socket, address)) = &self.socket
            && let Err(error) = socket.send_to_addr(message.as_bytes(), address)
        {
            tracing::warn!(%error, "the service manager could not be told");
        }
    }
}

/// The address of a path, or of a name without a file.
fn address(path: &Path) -> io::Result<SocketAddr> {
    match path.to_str().and_then(|path| path.strip_prefix('@')) {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(path),
    }
}
