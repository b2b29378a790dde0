//! `plinth demo`: an example's tenant, and a server to try it on.

mod examples;
mod tenant;
mod welcome;

use super::serve::{serve, start_log};
use super::{Console, Failure};
use clap::Args;
use examples::Choice;
use serde::{Deserialize, Serialize};
use serde_json::json;
use welcome::Greeting;

/// Make a tenant of examples, and serve it
#[derive(Debug, Args)]
#[command(after_help = "The first run creates the tenant; later runs only serve it.\n\nExamples:\n  \
                        plinth demo\n  plinth demo shop\n  plinth demo --data /tmp/world --listen 127.0.0.1:0\n  \
                        plinth demo --postgres postgresql://plinth@localhost/plinth\n  \
                        plinth demo --json          one line {url, tenant, user, password, key} when ready")]
pub(super) struct DemoArguments {
    /// The example
    #[arg(value_enum, default_value_t)]
    example: Choice,
    #[command(flatten)]
    serve: super::serve::ServeArguments,
}

/// The credentials to get in with. Kept in the data folder, for later runs to show.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Credentials {
    user: String,
    password: String,
    key: String,
}

/// Runs the command.
pub(super) fn run(arguments: DemoArguments, console: &Console) -> Result<(), Failure> {
    let mut flags = arguments.serve.flags();
    let example = arguments.example.example();
    flags.push(("default_tenant", example.name.to_owned()));
    // Its password is to stay in sight.
    if console.shared.config.is_none() && !console.variables.iter().any(|(name, _)| name.starts_with("PLINTH_LOG_")) {
        flags.push(("log.access", "false".to_owned()));
    }
    let mut settings = console.settings(flags)?;
    let fitted = crate::settings::fit_descriptors(&mut settings, context::spool::MOST_FILES);
    let platform = console.new_platform(&settings)?;
    let tenant::DemoTenant { tenant, credentials, is_current } =
        tenant::ensure(example, &platform, &settings.data.folder, console)?;
    // Rows that the greeting tells of may be gone.
    let greeting = is_current.then(|| (example.greeting)(&tenant).ok()).flatten();
    let greeting = greeting.unwrap_or(Greeting::Changed(example.name));
    start_log(&settings)?;
    if let Some(note) = fitted {
        tracing::warn!("{note}");
    }
    serve(settings, platform, |url| {
        let line = json!({
            "url": url,
            "tenant": example.name,
            "user": credentials.user,
            "password": credentials.password,
            "key": credentials.key,
        });
        console.print(&greeting.text(url, &credentials), &line)
    })
}
