//! `plinth healthcheck`: asks the server of this machine for a sign of life, for images that have no other program.

use super::{Console, Failure};
use crate::settings::{AdminAddress, Settings};
use clap::Args;
use serde_json::json;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// The time for a connection, and for each part of the answer. The database has less, as `/readyz` asks it.
const PATIENCE: Duration = Duration::from_secs(5);
/// More bytes than the head of an answer has.
const HEAD: u64 = 4096;

/// Ask the server of this machine for a sign of life
#[derive(Debug, Args)]
#[group(skip)]
#[command(after_help = "It asks at admin.listen, or at the address to listen on where that is empty.\n\n\
                        Examples:\n  plinth healthcheck          does the process answer?\n  \
                        plinth healthcheck --ready  can it serve requests?")]
pub(super) struct HealthcheckArguments {
    /// Ask for the database and the data folder, too
    #[arg(long)]
    ready: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &HealthcheckArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let path = if arguments.ready { "/readyz" } else { "/healthz" };
    let place = place(&settings)?;
    let told = match &place {
        AdminAddress::Tcp(address) => address.to_string(),
        AdminAddress::Unix(path) => path.display().to_string(),
    };
    let answer = ask(&place, &request(path, &settings)?).map_err(|error| {
        let message = format!("No server answers at {told}: {error}.");
        Failure::new(message, "Start it, or give this command the settings of the server.")
    })?;
    let status = status(&answer);
    match status {
        Some(200) => console.print(&format!("{told} answers."), &json!({"address": told, "status": 200})),
        Some(status) => {
            let why = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body.trim());
            Err(Failure::new(format!("{told} answers {path} with {status}: {why}"), ""))
        }
        None => Err(Failure::new(format!("What answers at {told} speaks no HTTP."), "Is it a server of Plinth?")),
    }
}

/// Returns the address of the listener for operators, or that of the server. With TLS, only the former speaks HTTP.
fn place(settings: &Settings) -> Result<AdminAddress, Failure> {
    let address = match &settings.admin.listen {
        Some(AdminAddress::Unix(path)) => return Ok(AdminAddress::Unix(path.clone())),
        Some(AdminAddress::Tcp(address)) => *address,
        None if !settings.tls.certificate.as_os_str().is_empty() => {
            let message = "The server speaks HTTPS, and admin.listen is empty.";
            return Err(Failure::new(message, "Set it to 127.0.0.1:8081, for the server and for this command."));
        }
        None => settings.listen,
    };
    Ok(AdminAddress::Tcp(reachable(address)))
}

/// Returns the address of this machine for a listener on all of its addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Returns the request, with the token of operators where the settings name one.
fn request(path: &str, settings: &Settings) -> Result<String, Failure> {
    let file = &settings.admin.token_file;
    let token = match settings.admin.listen.is_some() && !file.as_os_str().is_empty() && path != "/healthz" {
        false => String::new(),
        true => {
            let text = std::fs::read_to_string(file)
                .map_err(|error| Failure::new(format!("{}: {error}.", file.display()), "See admin.token_file."))?;
            format!("Authorization: Bearer {}\r\n", text.trim())
        }
    };
    Ok(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{token}Connection: close\r\n\r\n"))
}

/// Returns the beginning of the answer.
fn ask(place: &AdminAddress, request: &str) -> io::Result<String> {
    match place {
        AdminAddress::Tcp(address) => {
            let stream = TcpStream::connect_timeout(address, PATIENCE)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            exchange(stream, request)
        }
        AdminAddress::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            exchange(stream, request)
        }
    }
}

fn exchange(mut stream: impl Read + Write, request: &str) -> io::Result<String> {
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    stream.take(HEAD).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the status in the first line of an answer.
fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}
