//! Listening sockets that a service manager passes to this process (socket activation, sd_listen_fds(3)).

use super::admin::AdminListener;
use super::listener::PublicListener;
use socket2::{Domain, Socket, Type};
use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::net::{TcpListener, UnixListener};

/// The names of sockets, as `FileDescriptorName` of a unit says them.
const PUBLIC: &str = "http";
const ADMIN: &str = "admin";

/// The most sockets that are looked at.
const MOST: u32 = 4;

/// Listening sockets of a service manager.
#[derive(Debug, Default)]
pub struct InheritedSockets {
    /// The socket for clients.
    pub public: Option<PublicListener>,
    /// The socket for operators.
    pub admin: Option<AdminListener>,
}

/// The reason why a socket of the service manager cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub struct SocketRefusal(String);

impl InheritedSockets {
    /// Takes the sockets that the environment tells of. Later calls find none.
    pub fn take() -> Result<Self, SocketRefusal> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        if TAKEN.swap(true, Relaxed) {
            return Ok(Self::default());
        }
        // A wrong number would have this process close descriptors of its own.
        #[expect(clippy::disallowed_methods, reason = "the library that takes the sockets reads it itself")]
        let count = std::env::var("LISTEN_FDS").ok().and_then(|count| count.parse::<u32>().ok());
        if let Some(count) = count.filter(|count| *count > MOST) {
            return Err(too_many(count as usize));
        }
        let passed =
            sd_listen_fds::get().map_err(|_| SocketRefusal("LISTEN_PID or LISTEN_FDS is not a number".into()))?;
        Self::sort(passed.into_iter().map(|(name, socket)| (name, socket.into_std())).collect())
    }

    /// Gives each socket its place: by its name, else by its order.
    fn sort(passed: Vec<(Option<String>, OwnedFd)>) -> Result<Self, SocketRefusal> {
        let count = passed.len();
        let (mut public, mut admin, mut unnamed) = (None, None, Vec::new());
        for (name, socket) in passed {
            let place = match name.as_deref() {
                Some(PUBLIC) => &mut public,
                Some(ADMIN) => &mut admin,
                _ => {
                    unnamed.push(socket);
                    continue;
                }
            };
            if place.replace(socket).is_some() {
                return Err(too_many(count));
            }
        }
        let mut unnamed = unnamed.into_iter();
        public = public.or_else(|| unnamed.next());
        admin = admin.or_else(|| unnamed.next());
        if unnamed.next().is_some() {
            return Err(too_many(count));
        }
        let refused = |name| move |error| SocketRefusal(format!("the socket {name} {error}"));
        Ok(InheritedSockets {
            public: public.map(public_listener).transpose().map_err(refused(PUBLIC))?,
            admin: admin.map(admin_listener).transpose().map_err(refused(ADMIN))?,
        })
    }
}

fn too_many(count: usize) -> SocketRefusal {
    SocketRefusal(format!(
        "there are {count} sockets, and places for one named {PUBLIC} and one named {ADMIN}. One at [::] takes IPv4, too"
    ))
}

/// A socket that listens, and its family.
fn listening(socket: OwnedFd) -> io::Result<(Socket, Domain)> {
    let socket = Socket::from(socket);
    if socket.r#type()? != Type::STREAM || !socket.is_listener()? {
        return Err(io::Error::other("does not listen for streams"));
    }
    // No program that this one starts needs it.
    socket.set_cloexec(true)?;
    socket.set_nonblocking(true)?;
    let domain = socket.domain()?;
    Ok((socket, domain))
}

fn public_listener(socket: OwnedFd) -> io::Result<PublicListener> {
    match listening(socket)? {
        (socket, Domain::IPV4 | Domain::IPV6) => {
            Ok(PublicListener { socket: TcpListener::from_std(socket.into())?, is_inherited: true })
        }
        _ => Err(io::Error::other("has no address of IPv4 or IPv6")),
    }
}

fn admin_listener(socket: OwnedFd) -> io::Result<AdminListener> {
    match listening(socket)? {
        (socket, Domain::IPV4 | Domain::IPV6) => TcpListener::from_std(socket.into()).map(AdminListener::Tcp),
        (socket, Domain::UNIX) => UnixListener::from_std(socket.into()).map(|socket| AdminListener::Unix(socket, None)),
        _ => Err(io::Error::other("has no address of IPv4, IPv6 or a path")),
    }
}

impl fmt::Display for SocketRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::InheritedSockets;
    use std::net::{TcpListener, UdpSocket};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixListener;

    fn tcp() -> OwnedFd {
        TcpListener::bind("127.0.0.1:0").unwrap().into()
    }

    /// Returns true for each place that is taken, or the refusal.
    fn sort(passed: Vec<(Option<&str>, OwnedFd)>) -> Result<(bool, bool), String> {
        let passed = passed.into_iter().map(|(name, socket)| (name.map(str::to_owned), socket)).collect();
        let sorted = InheritedSockets::sort(passed).map_err(|refusal| refusal.to_string())?;
        Ok((sorted.public.is_some(), sorted.admin.is_some()))
    }

    #[tokio::test]
    async fn sockets_have_places_by_name_or_order() {
        assert_eq!(sort(vec![]), Ok((false, false)));
        assert_eq!(sort(vec![(None, tcp())]), Ok((true, false)));
        assert_eq!(sort(vec![(Some("admin"), tcp())]), Ok((false, true)));
        assert_eq!(sort(vec![(Some("plinth.socket"), tcp()), (Some("unknown"), tcp())]), Ok((true, true)));
        let folder = tempfile::tempdir().unwrap();
        let unix = || OwnedFd::from(UnixListener::bind(folder.path().join("admin")).unwrap());
        // The order is of those without a name.
        assert_eq!(sort(vec![(Some("admin"), unix()), (Some("a"), tcp())]), Ok((true, true)));
    }

    #[tokio::test]
    async fn sockets_without_a_use_are_refused() {
        let refused = |passed| sort(passed).unwrap_err();
        assert!(refused(vec![(None, tcp()), (None, tcp()), (None, tcp())]).starts_with("there are 3 sockets"));
        assert!(refused(vec![(Some("http"), tcp()), (Some("http"), tcp())]).starts_with("there are 2 sockets"));
        let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap().into();
        assert_eq!(refused(vec![(None, datagrams)]), "the socket http does not listen for streams");
        let folder = tempfile::tempdir().unwrap();
        let unix = UnixListener::bind(folder.path().join("http")).unwrap().into();
        assert_eq!(refused(vec![(None, unix)]), "the socket http has no address of IPv4 or IPv6");
    }
}
