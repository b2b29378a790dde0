//! The watch over a host that is signed in to: others may find it silent meanwhile, and it may be silent itself.

use super::address::ServerAddress;
use super::pulse::ServerPulse;
use super::socket::HostPlace;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time after which a connection is tried again: a packet that got lost is not waited for.
const SLICE: Duration = Duration::from_secs(1);

/// The host of an address to which a connection is made.
#[derive(Clone, Copy)]
pub(super) struct SilenceWatch<'a> {
    pub(super) address: &'a Arc<ServerAddress>,
    pub(super) number: usize,
    /// The place that is asked once it is silent. A sign-in may be slow where the server is well: it asks others.
    asked: Option<&'a HostPlace>,
}

/// A stream whose reads end once the host is known to be silent.
pub(super) struct WatchedStream<'w, S> {
    pub(super) stream: S,
    pub(super) watch: &'w SilenceWatch<'w>,
}

impl<'a> SilenceWatch<'a> {
    pub(super) fn new(address: &'a Arc<ServerAddress>, number: usize) -> Self {
        SilenceWatch { address, number, asked: None }
    }

    /// The same for a host that is asked on another socket while it is silent.
    pub(super) fn asking(self, place: &'a HostPlace) -> Self {
        SilenceWatch { asked: Some(place), ..self }
    }

    /// Connects in slices, for the time that a connection may take.
    pub(super) fn connect<S>(&self, connect: impl Fn(Duration) -> io::Result<S>) -> io::Result<S> {
        let end = Instant::now() + self.address.patience();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match connect(left.clamp(Duration::from_millis(1), SLICE)) {
                Err(error) if error.kind() == ErrorKind::TimedOut && Instant::now() < end => {
                    if ServerPulse::is_silent(self.address, self.number) {
                        return Err(io::Error::new(ErrorKind::TimedOut, "it does not answer"));
                    }
                }
                connected => return connected,
            }
        }
    }

    /// Reads from a stream whose reads come back in slices, for the time that a connection may take.
    pub(super) fn read(&self, mut stream: impl Read, into: &mut [u8]) -> io::Result<usize> {
        let end = Instant::now() + self.address.patience();
        loop {
            match stream.read(into) {
                Err(error) if is_slice(&error) && Instant::now() < end => {
                    if let Some(place) = self.asked {
                        ServerPulse::ask_aside(self.address, self.number, place);
                    }
                    if ServerPulse::is_silent(self.address, self.number) {
                        return Err(io::Error::new(ErrorKind::TimedOut, "it does not answer"));
                    }
                }
                Err(error) if is_slice(&error) => return Err(io::Error::new(ErrorKind::TimedOut, error)),
                read => return read,
            }
        }
    }

    /// Returns the reason of a failure in words. A silence is noted, so that no other connection waits for it again.
    pub(super) fn failed(&self, place: &HostPlace, error: &io::Error, text: impl Fn(io::Error) -> String) -> String {
        if error.kind() == ErrorKind::TimedOut {
            ServerPulse::note_silence(self.address, self.number, place);
        }
        text(io::Error::new(error.kind(), error.to_string()))
    }
}

fn is_slice(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

impl<S: Read> Read for WatchedStream<'_, S> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.watch.read(&mut self.stream, into)
    }
}

impl<S: io::Write> io::Write for WatchedStream<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{ServerAddress, ServerPulse};
    use crate::postgres::wire::socket::{HostPlace, ServerSocket};
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::Arc;

    /// A host that takes connections and says nothing, and the address of one that is waited for so many seconds.
    fn frozen(seconds: u32) -> (TcpListener, Arc<ServerAddress>, HostPlace) {
        let host = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = host.local_addr().unwrap();
        let url = format!("postgresql://a@127.0.0.1:{}/b?connect_timeout={seconds}", place.port());
        (host, Arc::new(ServerAddress::parse(&url, None).unwrap()), HostPlace::Tcp(place))
    }

    #[test]
    fn a_sign_in_without_an_answer_has_its_host_asked() {
        let (_host, address, _) = frozen(1);
        while !ServerPulse::is_silent(&address, 0) {
            assert!(ServerSocket::sign_in_to(&address, 0).is_err());
        }
    }

    #[test]
    fn a_slow_sign_in_does_not_make_its_host_silent() {
        let (host, address, _) = frozen(1);
        // It says at once that it has no TLS, and takes long over all else.
        std::thread::spawn(move || {
            let mut held = Vec::new();
            while let Ok((mut stream, _)) = host.accept() {
                let mut asked = [0; 8];
                if stream.read_exact(&mut asked).is_ok() && asked[4..] == [4, 210, 22, 47] {
                    let _ = stream.write_all(b"N");
                }
                held.push(stream);
            }
        });
        for _ in 0..3 {
            assert!(ServerSocket::sign_in_to(&address, 0).is_err());
            assert!(!ServerPulse::is_silent(&address, 0));
        }
    }

    #[test]
    fn a_sign_in_ends_once_its_host_is_found_silent() {
        // Without the finding of the other connection, it would last longer than any run of the tests.
        let (host, address, place) = frozen(100_000);
        let waiting = Arc::clone(&address);
        let waits = std::thread::spawn(move || ServerSocket::sign_in_to(&waiting, 0).err());
        let _connected = host.accept().unwrap();
        ServerPulse::note_silence(&address, 0, &place);
        assert_eq!(waits.join().unwrap().as_deref().map(|text| text.contains("it does not answer")), Some(true));
    }
}
