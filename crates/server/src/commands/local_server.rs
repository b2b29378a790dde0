//! The server of this machine, as commands ask it over HTTP.

use super::Failure;
use crate::settings::AdminAddress;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// The time for a connection, and for each part of an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of an answer.
const LARGEST: u64 = 64 << 20;

/// A listener of the server, and the token of operators where it needs one.
pub(super) struct LocalServer {
    address: AdminAddress,
    token: String,
}

impl LocalServer {
    /// The listener at an address; one at all addresses of the machine is asked at one of them. Fails where the file of
    /// the token cannot be read.
    pub(super) fn new(address: AdminAddress, token_file: Option<&Path>) -> Result<Self, Failure> {
        let token = match token_file.filter(|file| !file.as_os_str().is_empty()) {
            None => String::new(),
            Some(file) => std::fs::read_to_string(file).map_err(|error| {
                let message = format!("The token in {} cannot be read: {error}.", file.display());
                Failure::new(message, "Run it as a user who may read the file of admin.token_file.")
            })?,
        };
        Ok(LocalServer { address: reachable(address), token: token.trim().to_owned() })
    }

    /// Returns the answer for a path, with its head.
    pub(super) fn get(&self, path: &str) -> io::Result<String> {
        match &self.address {
            AdminAddress::Tcp(address) => {
                let stream = TcpStream::connect_timeout(address, PATIENCE)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                self.exchange(stream, path)
            }
            AdminAddress::Unix(socket) => {
                let stream = UnixStream::connect(socket)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                self.exchange(stream, path)
            }
        }
    }

    /// Sends the request, and reads to the end of the connection.
    fn exchange(&self, mut stream: impl Read + Write, path: &str) -> io::Result<String> {
        let token = match self.token.is_empty() {
            true => String::new(),
            false => format!("Authorization: Bearer {}\r\n", self.token),
        };
        // In one piece: another program may go away after the first.
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n");
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.take(LARGEST).read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

impl fmt::Display for LocalServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.address {
            AdminAddress::Tcp(address) => address.fmt(formatter),
            AdminAddress::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

fn reachable(address: AdminAddress) -> AdminAddress {
    match address {
        AdminAddress::Tcp(address) if address.ip().is_unspecified() => {
            let ip: IpAddr = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
            AdminAddress::Tcp(SocketAddr::new(ip, address.port()))
        }
        address => address,
    }
}
