//! The check of the server itself: it serves, or no process has its address, or another program has it.

use super::Finding;
use crate::commands::local_server::LocalServer;
use crate::settings::{AdminAddress, Settings};
use std::io::{Error, ErrorKind};

const CHECK: &str = "server";
/// The answer to /healthz.
const ALIVE: &str = r#"{"status":"ok"}"#;

/// The process behind an address.
enum Listener {
    /// A server of Plinth.
    Plinth,
    /// A process that cannot be asked.
    Unknown,
    /// A process that does not answer in time.
    Silent,
    /// No process listens.
    None,
    /// Another program; the text tells how it shows.
    Other(String),
}

/// Asks the listener for operators, and that of the API.
pub(super) fn look(settings: &Settings) -> Finding {
    let api = AdminAddress::Tcp(settings.listen);
    let is_closed = settings.proxy_protocol || !settings.tls.certificate.as_os_str().is_empty();
    let operators = settings.admin.listen.clone().map(|address| ("admin.listen", address));
    let mut none = Vec::new();
    for (setting, address) in operators.into_iter().chain([("listen", api)]) {
        if matches!(address, AdminAddress::Tcp(address) if address.port() == 0) {
            continue;
        }
        let told = LocalServer::new(address, None).map(|server| {
            let unasked = is_closed && setting == "listen";
            (server.to_string(), if unasked { accepts(&server) } else { ask(&server) })
        });
        match told {
            Ok((told, Listener::Plinth)) => {
                let version = version(settings, setting).unwrap_or_default();
                return Finding::fine(CHECK, format!("A server of Plinth {version}runs at {told}."));
            }
            Ok((told, Listener::Unknown)) => {
                let why =
                    "It speaks HTTPS, wants PROXY headers, or is closed to this account; admin.listen would tell more.";
                return Finding::fine(CHECK, format!("A process listens at {told}, and was not asked. {why}"));
            }
            Ok((told, Listener::Silent)) => {
                let message = format!("A process listens at {told} of {setting}, and does not answer.");
                return Finding::warning(CHECK, message, "Look for the reason in the log of the server.");
            }
            Ok((told, Listener::None)) => none.push(told),
            Ok((told, Listener::Other(how))) => {
                let message = format!("Another program has the address {told} of {setting}: {how}.");
                return Finding::error(CHECK, message, format!("Stop that program, or change {setting}."));
            }
            Err(failure) => return Finding::error(CHECK, failure.message, failure.advice),
        }
    }
    match none.as_slice() {
        [] => Finding::fine(CHECK, "The port is 0: a server takes a free one, and was not asked."),
        places => Finding::fine(CHECK, format!("No server runs at {}.", places.join(" or "))),
    }
}

/// Asks for a sign of life.
fn ask(server: &LocalServer) -> Listener {
    match server.get("/healthz") {
        Ok(answer) if answer.starts_with("HTTP/1.1 200") && answer.contains(ALIVE) => Listener::Plinth,
        Ok(answer) if answer.starts_with("HTTP/") => {
            let line = answer.lines().next().unwrap_or_default();
            Listener::Other(format!("it answers /healthz with {}", line.escape_debug()))
        }
        Ok(_) => Listener::Other("it speaks no HTTP".to_owned()),
        Err(error) => absent(&error),
    }
}

/// Sees if a process takes connections, where it is not asked.
fn accepts(server: &LocalServer) -> Listener {
    match server.get("/healthz").map_err(|error| absent(&error)) {
        Err(Listener::None) => Listener::None,
        _ => Listener::Unknown,
    }
}

/// Returns the version that the metrics tell, with a space behind it.
fn version(settings: &Settings, setting: &str) -> Option<String> {
    let address = settings.admin.listen.clone().filter(|_| setting == "admin.listen")?;
    let server = LocalServer::new(address, Some(&settings.admin.token_file)).ok()?;
    let metrics = server.get("/metrics").ok()?;
    let (_, line) = metrics.split_once("plinth_build_info{version=\"")?;
    line.split_once('"').map(|(version, _)| format!("{version} "))
}

fn absent(error: &Error) -> Listener {
    match error.kind() {
        ErrorKind::ConnectionRefused | ErrorKind::NotFound => Listener::None,
        ErrorKind::PermissionDenied => Listener::Unknown,
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Listener::Silent,
        _ => Listener::Other(format!("it does not answer: {}", error.to_string().trim_end_matches('.'))),
    }
}
