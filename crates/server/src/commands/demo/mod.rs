//! `plinth demo`: a tenant of countries and cities, and a server to try it on.

mod tenant;
mod welcome;

use super::serve::{serve, start_log};
use super::{Console, Failure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Make the tenant `world` of 252 countries and 34,006 cities, and serve it
#[derive(Debug, Args)]
#[command(after_help = "The first run makes the tenant; later ones find it and just serve.\n\nExamples:\n  \
                        plinth demo\n  plinth demo --data /tmp/world --listen 127.0.0.1:0\n  \
                        plinth demo --postgres postgresql://plinth@localhost/plinth\n  \
                        plinth demo --json          one line {url, tenant, user, password, key} when ready")]
pub(super) struct Arguments {
    #[command(flatten)]
    serve: super::serve::Arguments,
}

/// How to get in. Kept in the data folder, for later runs to show.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Credentials {
    user: String,
    password: String,
    key: String,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments, console: &Console) -> Result<(), Failure> {
    let mut flags = arguments.serve.flags();
    flags.push(("default_tenant", tenant::NAME.to_owned()));
    let settings = console.settings(flags)?;
    let platform = console.platform(&settings)?;
    let (credentials, facts) = tenant::ensure(&platform, &settings.data.folder, console)?;
    start_log(&settings)?;
    serve(settings, platform, |address| {
        let url = format!("http://{address}");
        let line = json!({
            "url": url,
            "tenant": tenant::NAME,
            "user": credentials.user,
            "password": credentials.password,
            "key": credentials.key,
        });
        console.print(&welcome::text(&url, &credentials, &facts), &line);
    })
}
