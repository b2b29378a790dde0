//! `plinth serve`: serves all tenants over HTTP.

use super::{Console, Failure};
use crate::settings::Settings;
use crate::{App, logs, stop_signal};
use clap::Args;
use platform::tenants::Platform;
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;

/// Serve all tenants over HTTP.
#[derive(Debug, Args)]
#[group(skip)]
#[command(after_help = "Examples:\n  plinth serve\n  plinth serve --listen 0.0.0.0:80 --data /var/lib/plinth\n  \
                        plinth serve --postgres postgresql://plinth@localhost/plinth")]
pub(super) struct Arguments {
    /// Where to listen; port 0 takes one that is free
    #[arg(long, value_name = "ADDR:PORT")]
    pub listen: Option<String>,
}

impl Arguments {
    /// What the arguments say about settings.
    pub(super) fn flags(&self) -> Vec<(&'static str, String)> {
        self.listen.iter().map(|listen| ("listen", listen.clone())).collect()
    }
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(arguments.flags())?;
    let platform = console.platform(&settings)?;
    start_log(&settings)?;
    serve(settings, platform, |address| {
        console.print(&format!("Plinth serves on http://{address}"), &json!({"url": format!("http://{address}")}));
    })
}

/// Starts the log as the settings say.
pub(super) fn start_log(settings: &Settings) -> Result<(), Failure> {
    logs::start(&settings.log).map_err(|error| Failure::new(error, "See [log] in config.default.toml."))
}

/// Serves until the process is asked to stop; `bound` is told the address once it listens.
pub(super) fn serve(
    settings: Settings,
    platform: Arc<Platform>,
    bound: impl FnOnce(SocketAddr),
) -> Result<(), Failure> {
    let listen = settings.listen;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let app = Arc::new(App::new(settings, platform));
        let shutdown = async {
            if let Err(error) = stop_signal().await {
                tracing::error!(%error, "signals cannot be received");
            }
        };
        crate::serve(app, shutdown, bound).await.map_err(|error| {
            Failure::new(format!("Cannot listen on {listen}: {error}."), "Choose another with --listen ADDR:PORT.")
        })
    });
    logs::finish();
    served
}
