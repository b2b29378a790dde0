//! `plinth healthcheck`: asks the server of this machine for a sign of life, for images that have no other program.

use super::local_server::LocalServer;
use super::settings_file;
use super::{Console, Failure};
use crate::settings::{AdminAddress, Settings};
use clap::Args;
use serde_json::json;

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
    // A sign of life takes no token: it tells nothing else.
    let token = arguments.ready && settings.admin.listen.is_some();
    let server = LocalServer::new(place(&settings)?, token.then_some(settings.admin.token_file.as_path()))?;
    let told = server.to_string();
    let answer = server.get(path).map_err(|error| {
        let message = format!("No server answers at {told}: {error}.");
        let told = settings_file::told(settings.file.as_deref());
        Failure::new(message, format!("{told} Start the server, or give this command its settings."))
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

/// Returns the address of the listener for operators, or that of the server. With TLS, and with PROXY headers, only the
/// former takes plain HTTP.
fn place(settings: &Settings) -> Result<AdminAddress, Failure> {
    let advice = || {
        let told = settings_file::told(settings.file.as_deref());
        format!("{told} Set it to 127.0.0.1:8081, for the server and for this command.")
    };
    match &settings.admin.listen {
        Some(listen) => Ok(listen.clone()),
        None if !settings.tls.certificate.as_os_str().is_empty() => {
            let message = "The server speaks HTTPS, and admin.listen is empty.";
            Err(Failure::new(message, advice()))
        }
        None if settings.proxy_protocol => {
            let message = "The server takes connections of proxies alone, and admin.listen is empty.";
            Err(Failure::new(message, advice()))
        }
        None => Ok(AdminAddress::Tcp(settings.listen)),
    }
}

/// Returns the status in the first line of an answer.
fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}
