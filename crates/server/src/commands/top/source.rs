//! The admin listener of a server, where its metrics are read.

use crate::commands::Failure;
use crate::settings::AdminAddress;
use monitoring::MetricsSample;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// The longest time for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The listener that is asked, and the token that it needs.
pub(super) struct MetricsSource {
    address: AdminAddress,
    token: String,
}

impl MetricsSource {
    /// The listener at an address. Fails where the file of its token cannot be read.
    pub(super) fn new(address: AdminAddress, token_file: &Path) -> Result<Self, Failure> {
        let token = match token_file.as_os_str().is_empty() {
            true => String::new(),
            false => std::fs::read_to_string(token_file).map_err(|error| {
                let message = format!("The token in {} cannot be read: {error}.", token_file.display());
                Failure::new(message, "Run it as a user who may read the file of admin.token_file.")
            })?,
        };
        Ok(MetricsSource { address: reachable(address), token: token.trim().to_owned() })
    }

    /// Reads the metrics.
    pub(super) fn read(&self) -> Result<MetricsSample, Failure> {
        let taken = Instant::now();
        let answer = self.ask().map_err(|error| {
            let message = format!("There is no answer of an admin listener at {self}: {error}.");
            Failure::new(message, "Does the server run with this admin.listen? Name another with --address ADDRESS.")
        })?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        match head.split(' ').nth(1) {
            Some("200") if body.contains("plinth_build_info") => Ok(MetricsSample::of(body, taken)),
            Some("401") => Err(Failure::new(
                format!("The admin listener at {self} refuses the token."),
                "Give its file as admin.token_file, by --config or PLINTH_ADMIN_TOKEN_FILE.",
            )),
            _ => Err(Failure::new(
                format!("What answers at {self} is not an admin listener of Plinth."),
                "Name the address of admin.listen, not the one where the API is.",
            )),
        }
    }

    fn ask(&self) -> io::Result<String> {
        match &self.address {
            AdminAddress::Tcp(address) => {
                let stream = TcpStream::connect_timeout(address, PATIENCE)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                self.exchange(stream)
            }
            AdminAddress::Unix(path) => {
                let stream = UnixStream::connect(path)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                self.exchange(stream)
            }
        }
    }

    /// Sends the request, and reads to the end of the connection.
    fn exchange(&self, mut stream: impl Read + Write) -> io::Result<String> {
        let token = match self.token.is_empty() {
            true => String::new(),
            false => format!("Authorization: Bearer {}\r\n", self.token),
        };
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{token}\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }
}

impl fmt::Display for MetricsSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.address {
            AdminAddress::Tcp(address) => address.fmt(formatter),
            AdminAddress::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

/// Returns the address at which a listener at all addresses of the machine is reached from the machine.
fn reachable(address: AdminAddress) -> AdminAddress {
    match address {
        AdminAddress::Tcp(address) if address.ip().is_unspecified() => {
            let ip: IpAddr = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
            AdminAddress::Tcp(SocketAddr::new(ip, address.port()))
        }
        address => address,
    }
}
