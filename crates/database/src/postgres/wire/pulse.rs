//! The pulse of a server: a host that is silent is asked on another socket if it is there at all.

use super::address::ServerAddress;
use super::socket::{HostPlace, knock};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for which a finding holds for all connections: each looks every two seconds.
const RECENT: Duration = Duration::from_secs(2);

/// The last finding about each host.
#[derive(Default)]
pub(super) struct ServerPulse(Mutex<BTreeMap<usize, HostFinding>>);

/// The last finding about a host.
#[derive(Clone, Copy, Debug)]
enum HostFinding {
    /// One connection asks, since then.
    Asked(Instant),
    /// The host said something then, were it a refusal.
    There(Instant),
    /// It took too long then, or no way led to it.
    Silent(Instant),
}

impl ServerPulse {
    /// Asks a host once more, unless that was just done; returns true if it is silent, and nothing where that is
    /// not known.
    ///
    /// A machine that is frozen or cut off takes connections and says nothing. One that works on a long statement, or
    /// waits for a standby, answers.
    pub(super) fn finds_silent(address: &Arc<ServerAddress>, number: usize, place: &HostPlace) -> Option<bool> {
        let patience = address.patience();
        match address.pulse.get(number) {
            Some(HostFinding::There(at)) if at.elapsed() < RECENT => return Some(false),
            Some(HostFinding::Silent(at)) if at.elapsed() < RECENT => return Some(true),
            // Another connection will know soon.
            Some(HostFinding::Asked(at)) if at.elapsed() < patience * 2 => return None,
            _ => address.pulse.set(number, HostFinding::Asked(Instant::now())),
        }
        let silent = match knock(place, patience) {
            Ok(()) => false,
            Err(error) => is_silence(&error)?,
        };
        let found = if silent { HostFinding::Silent } else { HostFinding::There };
        address.pulse.set(number, found(Instant::now()));
        Some(silent)
    }

    /// Returns true if a host was just found silent.
    pub(super) fn is_silent(&self, number: usize) -> bool {
        matches!(self.get(number), Some(HostFinding::Silent(at)) if at.elapsed() < RECENT)
    }

    fn get(&self, number: usize) -> Option<HostFinding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&number).copied()
    }

    fn set(&self, number: usize, found: HostFinding) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(number, found);
    }
}

/// Returns true if an error is silence, false if it is an answer of the host, and nothing for a fault of this machine.
fn is_silence(error: &io::Error) -> Option<bool> {
    use ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable, NetworkUnreachable,
        NotFound, TimedOut, WouldBlock,
    };
    match error.kind() {
        TimedOut | WouldBlock | HostUnreachable | NetworkUnreachable => Some(true),
        BrokenPipe | ConnectionAborted | ConnectionRefused | ConnectionReset | NotFound => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ServerAddress, ServerPulse};
    use crate::postgres::wire::socket::HostPlace;
    use std::net::TcpListener;
    use std::sync::Arc;

    /// An address of a host that is waited for a second.
    fn address(port: u16) -> (Arc<ServerAddress>, HostPlace) {
        let url = format!("postgresql://a@127.0.0.1:{port}/b?connect_timeout=1");
        let place = HostPlace::Tcp(format!("127.0.0.1:{port}").parse().unwrap());
        (Arc::new(ServerAddress::parse(&url, None).unwrap()), place)
    }

    #[test]
    fn a_host_that_takes_connections_and_says_nothing_is_silent() {
        let frozen = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, place) = address(frozen.local_addr().unwrap().port());
        assert!(!address.pulse.is_silent(0));
        assert_eq!(ServerPulse::finds_silent(&address, 0, &place), Some(true));
        assert!(address.pulse.is_silent(0));
        assert!(!address.pulse.is_silent(1), "another host of the address");
    }

    #[test]
    fn a_host_that_refuses_is_there() {
        let gone = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = gone.local_addr().unwrap().port();
        drop(gone);
        let (address, place) = address(port);
        assert_eq!(ServerPulse::finds_silent(&address, 0, &place), Some(false));
        assert!(!address.pulse.is_silent(0));
    }

    #[test]
    fn a_host_that_ends_the_connection_is_there() {
        let busy = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, place) = address(busy.local_addr().unwrap().port());
        let ends = std::thread::spawn(move || drop(busy.accept().unwrap()));
        assert_eq!(ServerPulse::finds_silent(&address, 0, &place), Some(false));
        ends.join().unwrap();
    }
}
