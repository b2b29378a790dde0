//! The choice among the hosts of an address: all are tried at once, and the first one that takes writes is taken.

use super::address::ServerAddress;
use super::message_reader::MessageReader;
use super::pulse::ServerPulse;
use super::socket::{ServerSocket, StatementCanceller};
use bytes::BytesMut;
use postgres_protocol::message::frontend;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

/// The time after which a host is tried again, while none takes us.
const ROUND: Duration = Duration::from_millis(250);

/// The host that was taken last among several, and the number of changes.
#[derive(Debug, Default)]
pub(super) struct TakenHost {
    /// Its number, from 1; 0 before the first.
    number: AtomicUsize,
    changes: AtomicU64,
}

impl TakenHost {
    fn take(&self, number: usize) {
        let before = self.number.swap(number + 1, Ordering::Relaxed);
        if before != 0 && before != number + 1 {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns how often another host was taken than before.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }
}

type Reached = Result<(ServerSocket, StatementCanceller), String>;

/// Connects to a host that takes us, and signs in; else returns the reasons, in words for an operator.
///
/// Several hosts are tried again until the time to connect is over: a standby may become the primary meanwhile.
pub(crate) fn connect(address: &Arc<ServerAddress>) -> Reached {
    let count = address.host_count();
    if count <= 1 {
        // Waiting once more would keep a request for seconds.
        return if ServerPulse::is_silent(address, 0) {
            Err("it does not answer".to_owned())
        } else {
            reach(address, 0)
        };
    }
    let end = Instant::now() + address.patience();
    let (tell, told) = mpsc::channel();
    for number in 0..count {
        let (address, tell) = (Arc::clone(address), tell.clone());
        std::thread::Builder::new()
            .name(format!("postgres host {number}"))
            .spawn(move || try_until(&address, number, end, &tell))
            .map_err(|error| format!("no thread for a connection: {error}"))?;
    }
    drop(tell);
    let mut reasons = vec!["it did not answer in time".to_owned(); count];
    let left = || (end + ROUND).saturating_duration_since(Instant::now());
    while let Ok((number, reached)) = told.recv_timeout(left()) {
        match reached {
            Ok(found) => {
                if address.wants_primary {
                    address.taken.take(number);
                }
                return Ok(found);
            }
            Err(reason) => reasons[number] = reason,
        }
    }
    let of_host = |(number, reason): (usize, &String)| format!("host {}: {reason}", number + 1);
    Err(reasons.iter().enumerate().map(of_host).collect::<Vec<_>>().join("; "))
}

/// Tries a host until it takes us, the time is over, or nobody waits any more.
fn try_until(address: &Arc<ServerAddress>, number: usize, end: Instant, tell: &Sender<(usize, Reached)>) {
    loop {
        let reached = reach(address, number);
        let found = reached.is_ok();
        if tell.send((number, reached)).is_err() || found || Instant::now() + ROUND >= end {
            return;
        }
        std::thread::sleep(ROUND);
    }
}

/// Connects to one host, signs in, and refuses a standby where the address asks for a server that takes writes.
fn reach(address: &Arc<ServerAddress>, number: usize) -> Reached {
    let (mut socket, canceller, standby) = ServerSocket::sign_in_to(address, number)?;
    if !address.wants_primary {
        return Ok((socket, canceller));
    }
    let standby = standby.map_or_else(|| ask_standby(&mut socket), Ok);
    match standby.map_err(|error| error.to_string())? {
        true => Err("the server is a standby, which takes no writes".to_owned()),
        false => Ok((socket, canceller)),
    }
}

/// Asks a server that does not say so by itself, which is one before PostgreSQL 14.
fn ask_standby(socket: &mut ServerSocket) -> io::Result<bool> {
    let mut out = BytesMut::new();
    frontend::query("SELECT pg_catalog.pg_is_in_recovery()", &mut out)?;
    socket.write_all(&out)?;
    let (mut incoming, mut answer) = (MessageReader::new(), None);
    let end = Instant::now() + Duration::from_secs(2);
    loop {
        match incoming.next(socket) {
            Ok((b'Z', _)) => break,
            // One column: the number of columns, the length, and `t` or `f`.
            Ok((b'D', row)) => answer = row.last().map(|text| *text == b't'),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < end => {}
            Err(error) => return Err(error),
        }
    }
    answer.ok_or_else(|| io::Error::other("the server does not tell if it is a standby"))
}
