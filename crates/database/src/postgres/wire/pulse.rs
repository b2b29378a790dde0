//! The pulse of a server: a host that is silent is asked on another socket if it is there at all.

use super::address::ServerAddress;
use super::socket::{HostPlace, knock};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for which a finding holds for all connections: each looks every two seconds.
const RECENT: Duration = Duration::from_secs(2);
/// The time after which a silent host is asked again, behind the backs of requests.
const AGAIN: Duration = Duration::from_millis(500);
/// The time after which silence is forgotten that nobody has looked at since.
const FORGOTTEN: Duration = Duration::from_secs(10);

/// The last finding about each host.
#[derive(Default)]
pub(super) struct ServerPulse(Mutex<BTreeMap<usize, HostFinding>>);

/// The last finding about a host.
#[derive(Clone, Debug)]
enum HostFinding {
    /// The host said something then, were it a refusal.
    There(Instant),
    /// It took too long then, or no way led to it.
    Silent(Instant, HostPlace),
    /// One connection asks, since then, and nothing is known.
    Asked(Instant),
    /// It was silent, and is asked again since then.
    AskedAgain(Instant),
}

impl ServerPulse {
    /// Asks a host once more, unless that was just done; returns true if it is silent, and nothing where that is not
    /// known.
    ///
    /// A machine that is frozen or cut off takes connections and says nothing. One that works on a long statement, or
    /// waits for a standby, answers.
    pub(super) fn finds_silent(address: &Arc<ServerAddress>, number: usize, place: &HostPlace) -> Option<bool> {
        if Self::is_silent(address, number) {
            return Some(true);
        }
        match address.pulse.get(number) {
            Some(HostFinding::There(at)) if at.elapsed() < RECENT => return Some(false),
            // Another connection will know soon.
            Some(HostFinding::Asked(at)) if at.elapsed() < address.patience() * 2 => return None,
            _ => address.pulse.set(number, HostFinding::Asked(Instant::now())),
        }
        Self::ask(address, number, place)
    }

    /// Returns true if a host was found silent, and has not answered since. It is asked again meanwhile.
    pub(super) fn is_silent(address: &Arc<ServerAddress>, number: usize) -> bool {
        match address.pulse.get(number) {
            Some(HostFinding::Silent(at, place)) if at.elapsed() < FORGOTTEN => {
                if at.elapsed() >= AGAIN {
                    address.pulse.set(number, HostFinding::AskedAgain(Instant::now()));
                    let asked = Arc::clone(address);
                    let thread = std::thread::Builder::new().name("postgres pulse".to_owned());
                    // Without a thread, it is asked in the old way once that time is over.
                    let _ = thread.spawn(move || Self::ask(&asked, number, &place));
                }
                true
            }
            Some(HostFinding::AskedAgain(at)) => at.elapsed() < address.patience() * 2,
            _ => false,
        }
    }

    /// Asks a host behind the backs of its callers, unless that was just done.
    pub(super) fn ask_aside(address: &Arc<ServerAddress>, number: usize, place: &HostPlace) {
        match address.pulse.get(number) {
            Some(HostFinding::There(at)) if at.elapsed() < RECENT => return,
            Some(HostFinding::Asked(at) | HostFinding::AskedAgain(at)) if at.elapsed() < address.patience() * 2 => {
                return;
            }
            Some(HostFinding::Silent(..)) if Self::is_silent(address, number) => return,
            _ => address.pulse.set(number, HostFinding::Asked(Instant::now())),
        }
        let (asked, place) = (Arc::clone(address), place.clone());
        let thread = std::thread::Builder::new().name("postgres pulse".to_owned());
        // Without a thread, the next connection asks once that time is over.
        let _ = thread.spawn(move || Self::ask(&asked, number, &place));
    }

    /// Notes that no way led to a host, or that it did not say if it speaks TLS, for as long as a connection may take.
    pub(super) fn note_silence(address: &ServerAddress, number: usize, place: &HostPlace) {
        if !matches!(address.pulse.get(number), Some(HostFinding::Silent(..) | HostFinding::AskedAgain(_))) {
            address.pulse.set(number, HostFinding::Silent(Instant::now(), place.clone()));
        }
    }

    fn ask(address: &Arc<ServerAddress>, number: usize, place: &HostPlace) -> Option<bool> {
        let silent = match knock(place, address.patience()) {
            Ok(()) => Some(false),
            Err(error) => is_silence(&error),
        };
        let now = Instant::now();
        let found =
            if silent == Some(true) { HostFinding::Silent(now, place.clone()) } else { HostFinding::There(now) };
        address.pulse.set(number, found);
        silent
    }

    fn get(&self, number: usize) -> Option<HostFinding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()
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
        assert!(!ServerPulse::is_silent(&address, 0));
        assert_eq!(ServerPulse::finds_silent(&address, 0, &place), Some(true));
        assert!(ServerPulse::is_silent(&address, 0));
        assert!(!ServerPulse::is_silent(&address, 1), "another host of the address");
    }

    #[test]
    fn a_host_that_refuses_is_there() {
        let gone = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = gone.local_addr().unwrap().port();
        drop(gone);
        let (address, place) = address(port);
        assert_eq!(ServerPulse::finds_silent(&address, 0, &place), Some(false));
        assert!(!ServerPulse::is_silent(&address, 0));
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
