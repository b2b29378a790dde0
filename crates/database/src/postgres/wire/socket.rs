//! The way to the server: a socket that is read and written by the connection's own thread.

use super::address::ServerAddress;
use super::message_reader::WaitingRead;
use super::pulse::ServerPulse;
use super::sign_in::{self, SignedIn};
use super::silence_watch::SilenceWatch;
use bytes::BytesMut;
use postgres_protocol::message::frontend;
use rustls::{ClientConnection, StreamOwned};
use socket2::{Domain, SockAddr, SockRef, Socket, TcpKeepalive, Type};
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::CancelToken;
use tokio_postgres::config::Host;

/// `MSG_DONTWAIT | MSG_PEEK`.
const LOOK: i32 = 0x40 | 0x2;
const PORT: u16 = 5432;
/// The time after which an answer is late for jobs that wait in a batch.
pub(crate) const LATE: Duration = Duration::from_millis(500);

/// A connected socket.
pub(crate) enum ServerSocket {
    Unix(UnixStream),
    Tcp(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl ServerSocket {
    /// Connects to a host by its number, and signs in. The last value is true for a standby, as far as the server says.
    pub(super) fn sign_in_to(
        address: &Arc<ServerAddress>,
        number: usize,
    ) -> Result<(Self, StatementCanceller, Option<bool>), String> {
        let unreached = |error: io::Error| format!("error connecting to server: {error}");
        let (watch, mut tried) = (SilenceWatch::new(address, number), None);
        let socket = match (reach(&watch, &mut tried), &tried) {
            (Ok(socket), _) => socket,
            (Err(error), Some(place)) => return Err(watch.failed(place, &error, unreached)),
            (Err(error), None) => return Err(unreached(error)),
        };
        let place = HostPlace::of(&socket).map_err(|error| error.to_string())?;
        let encrypted = encrypt(socket, &watch).map_err(|error| watch.failed(&place, &error, unreached))?;
        let signed_in = sign_in::sign_in(encrypted, &watch.asking(&place));
        let SignedIn { socket, token, standby } = signed_in.map_err(|error| error.to_string())?;
        Ok((socket, StatementCanceller { address: Arc::clone(address), number, place, token }, standby))
    }

    /// Returns true if the server has said something although nobody asked: most often that it closed the connection.
    pub(crate) fn stirs(&self) -> bool {
        let mut byte = [MaybeUninit::uninit(); 1];
        let seen = match self {
            ServerSocket::Unix(stream) => SockRef::from(stream).recv_with_flags(&mut byte, LOOK),
            ServerSocket::Tcp(stream) => SockRef::from(stream).recv_with_flags(&mut byte, LOOK),
            // What was decrypted already, or the other side's goodbye.
            ServerSocket::Tls(stream) if !stream.conn.wants_read() => return true,
            ServerSocket::Tls(stream) => SockRef::from(&stream.sock).recv_with_flags(&mut byte, LOOK),
        };
        !matches!(seen, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Has reads come back in time for [`LATE`]; there is no limit to their number, nor to how long a write takes.
    pub(crate) fn read_with_pauses(&self) -> io::Result<()> {
        self.set_patience(None)?;
        self.read_in_slices()
    }

    /// Has reads come back in time for [`LATE`].
    pub(super) fn read_in_slices(&self) -> io::Result<()> {
        match self {
            ServerSocket::Unix(stream) => stream.set_read_timeout(Some(LATE)),
            ServerSocket::Tcp(stream) => stream.set_read_timeout(Some(LATE)),
            ServerSocket::Tls(stream) => stream.sock.set_read_timeout(Some(LATE)),
        }
    }

    /// Sets the time for which a read or a write may take.
    pub(crate) fn set_patience(&self, patience: Option<Duration>) -> io::Result<()> {
        match self {
            ServerSocket::Unix(stream) => stream.set_read_timeout(patience).and(stream.set_write_timeout(patience)),
            ServerSocket::Tcp(stream) => patient(stream, patience),
            ServerSocket::Tls(stream) => patient(&stream.sock, patience),
        }
    }
}

/// The other end of a connection: names may lead elsewhere later.
#[derive(Clone, Debug)]
pub(crate) enum HostPlace {
    Tcp(SocketAddr),
    Unix(Option<PathBuf>),
}

impl HostPlace {
    fn of(socket: &ServerSocket) -> io::Result<Self> {
        Ok(match socket {
            ServerSocket::Unix(stream) => HostPlace::Unix(stream.peer_addr()?.as_pathname().map(Path::to_owned)),
            ServerSocket::Tcp(stream) => HostPlace::Tcp(stream.peer_addr()?),
            ServerSocket::Tls(stream) => HostPlace::Tcp(stream.sock.peer_addr()?),
        })
    }
}

/// Asks a server if it speaks TLS, which it says before anybody signs in. An end of the connection is an answer, too.
pub(super) fn knock(place: &HostPlace, patience: Duration) -> io::Result<()> {
    let mut stream = match place {
        HostPlace::Tcp(address) => ServerSocket::Tcp(TcpStream::connect_timeout(address, patience)?),
        HostPlace::Unix(Some(path)) => ServerSocket::Unix(connect_unix(path, patience)?),
        HostPlace::Unix(None) => return Ok(()),
    };
    stream.set_patience(Some(patience))?;
    let mut question = BytesMut::new();
    frontend::ssl_request(&mut question);
    stream.write_all(&question)?;
    stream.read(&mut [0]).map(|_| ())
}

/// Stops what a connection runs.
pub(crate) struct StatementCanceller {
    address: Arc<ServerAddress>,
    /// The number of the host that the connection leads to.
    number: usize,
    place: HostPlace,
    token: CancelToken,
}

impl StatementCanceller {
    /// Asks the server to stop the statement that runs. Its error comes by the connection itself.
    pub(crate) fn cancel(&self) -> io::Result<()> {
        let watch = SilenceWatch::new(&self.address, self.number);
        sign_in::cancel(encrypt(reach(&watch, &mut None)?, &watch)?, &self.token)
    }

    /// Returns true if the host of the connection says nothing on another socket either; nothing where that is not known.
    pub(crate) fn finds_silent(&self) -> Option<bool> {
        ServerPulse::finds_silent(&self.address, self.number, &self.place)
    }
}

impl WaitingRead for ServerSocket {
    /// Waits, for some time, until there is something to read.
    ///
    /// A thread that waits by reading a Unix socket is woken twice by Linux: also when the server takes what was sent
    /// to it, only to wait again. A poll is told what it asked for alone.
    #[cfg(target_os = "linux")]
    fn wait(&self) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let ServerSocket::Unix(stream) = self else { return Ok(()) };
        let patience = Timespec::try_from(LATE).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(stream, PollFlags::IN)], Some(&patience))? {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            _ => Ok(()),
        }
    }

    /// Returns at once: reading waits.
    #[cfg(not(target_os = "linux"))]
    fn wait(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for ServerSocket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            ServerSocket::Unix(stream) => stream.read(into),
            ServerSocket::Tcp(stream) => stream.read(into),
            ServerSocket::Tls(stream) => stream.read(into),
        }
    }
}

impl Write for ServerSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            ServerSocket::Unix(stream) => stream.write(bytes),
            ServerSocket::Tcp(stream) => stream.write(bytes),
            ServerSocket::Tls(stream) => {
                let taken = stream.write(bytes)?;
                stream.flush()?;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn patient(stream: &TcpStream, patience: Option<Duration>) -> io::Result<()> {
    stream.set_read_timeout(patience).and(stream.set_write_timeout(patience))
}

/// Encrypts what goes over a network, where the address asks for it.
fn encrypt(socket: ServerSocket, watch: &SilenceWatch<'_>) -> io::Result<ServerSocket> {
    let SilenceWatch { address, number, .. } = *watch;
    let (Some(tls), ServerSocket::Tcp(stream)) = (&address.tls, &socket) else { return Ok(socket) };
    patient(stream, Some(address.patience()))?;
    socket.read_in_slices()?;
    let host = match (address.config.get_hosts().get(number), address.config.get_hostaddrs().get(number)) {
        (Some(Host::Tcp(name)), _) => name.clone(),
        (_, Some(address)) => address.to_string(),
        _ => return Ok(socket),
    };
    match socket {
        ServerSocket::Tcp(stream) => tls.begin(stream, &host, watch),
        other => Ok(other),
    }
}

/// Connects to one of the hosts; `tried` is the last place that was tried.
fn reach(watch: &SilenceWatch<'_>, tried: &mut Option<HostPlace>) -> io::Result<ServerSocket> {
    let SilenceWatch { address, number, .. } = *watch;
    let config = &address.config;
    let ports = config.get_ports();
    let port = ports.get(number).or(ports.first()).copied().unwrap_or(PORT);
    match (config.get_hostaddrs().get(number), config.get_hosts().get(number)) {
        (Some(host), _) => tcp(watch, SocketAddr::new(*host, port), tried),
        (None, Some(Host::Tcp(name))) => {
            let mut outcome = Err(io::Error::other(format!("{name} has no address")));
            for host in (name.as_str(), port).to_socket_addrs()? {
                outcome = tcp(watch, host, tried);
                if outcome.is_ok() {
                    break;
                }
            }
            outcome
        }
        (None, Some(Host::Unix(folder))) => {
            let path = folder.join(format!(".s.PGSQL.{port}"));
            let stream = connect_unix(&path, address.patience())?;
            stream.set_write_timeout(None)?;
            Ok(ServerSocket::Unix(stream))
        }
        (None, None) => Err(io::Error::other("the address names no host")),
    }
}

/// Connects in time: where nobody takes connections any more, the place for those that wait fills up.
fn connect_unix(path: &Path, patience: Duration) -> io::Result<UnixStream> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_write_timeout(Some(patience))?;
    socket.connect(&SockAddr::unix(path)?)?;
    Ok(socket.into())
}

fn tcp(watch: &SilenceWatch<'_>, host: SocketAddr, tried: &mut Option<HostPlace>) -> io::Result<ServerSocket> {
    *tried = Some(HostPlace::Tcp(host));
    let config = &watch.address.config;
    let stream = watch.connect(|slice| TcpStream::connect_timeout(&host, slice))?;
    stream.set_nodelay(true)?;
    let socket = SockRef::from(&stream);
    socket.set_tcp_user_timeout(config.get_tcp_user_timeout().copied())?;
    if config.get_keepalives() {
        let mut keepalive = TcpKeepalive::new().with_time(config.get_keepalives_idle());
        if let Some(interval) = config.get_keepalives_interval() {
            keepalive = keepalive.with_interval(interval);
        }
        if let Some(retries) = config.get_keepalives_retries() {
            keepalive = keepalive.with_retries(retries);
        }
        socket.set_tcp_keepalive(&keepalive)?;
    }
    Ok(ServerSocket::Tcp(stream))
}
