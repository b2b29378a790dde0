//! What every command is given: the shared options, settings, the platform, and a place to print.

use super::Failure;
use crate::settings::{Settings, Sources};
use clap::Args;
use platform::tenants::{Platform, Tenant};
use platform::work::World;
use serde_json::{Value as Json, json};
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// What every command takes.
#[derive(Debug, Args)]
pub struct Shared {
    /// A settings file laid over the defaults of config.default.toml
    #[arg(long, global = true, value_name = "FILE", env = "PLINTH_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder that holds SQLite files, uploads and outgoing mail
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Use PostgreSQL: postgresql://user:password@host/database
    #[arg(long, global = true, value_name = "URL")]
    pub postgres: Option<String>,
    /// The tenant to work on, where there are several
    #[arg(long, global = true, value_name = "NAME")]
    pub tenant: Option<String>,
    /// Print JSON for programs
    #[arg(long, global = true)]
    pub json: bool,
}

/// The shared options, and what the process was given by the system.
pub struct Console {
    /// The shared options.
    pub shared: Shared,
    /// Clock and randomness.
    pub world: World,
    environment: Vec<(String, String)>,
}

impl Console {
    /// The console of a process with that environment.
    pub fn new(shared: Shared, world: World, environment: Vec<(String, String)>) -> Self {
        Console { shared, world, environment }
    }

    /// The settings: defaults, file, environment, the shared options, then the command's own.
    pub fn settings(&self, own: Vec<(&'static str, String)>) -> Result<Settings, Failure> {
        let mut flags = Vec::new();
        if let Some(folder) = &self.shared.data {
            flags.push(("data.folder", folder.to_string_lossy().into_owned()));
        }
        if let Some(url) = &self.shared.postgres {
            flags.push(("data.postgres", url.clone()));
        }
        flags.extend(own);
        let sources = Sources { file: self.shared.config.as_deref(), environment: self.environment.clone(), flags };
        Settings::load(&sources)
            .map_err(|error| Failure::new(error.to_string(), "config.default.toml lists every setting."))
    }

    /// The platform over the database of the settings.
    pub fn platform(&self, settings: &Settings) -> Result<Arc<Platform>, Failure> {
        crate::open(settings, self.world.clone()).map_err(|error| match settings.data.postgres.as_str() {
            "" => {
                let message = format!("The data folder {} cannot be used: {error}.", settings.data.folder.display());
                Failure::new(message, "Choose a folder that you may write to with --data DIR.")
            }
            _ => Failure::new(
                format!("The database cannot be used: {error}."),
                "Is it running, and is its address right? --postgres postgresql://user:password@host/database.",
            ),
        })
    }

    /// The tenant that the command is about: the one named, the configured default, or the only one.
    pub fn tenant(&self, settings: &Settings, platform: &Platform) -> Result<Arc<Tenant>, Failure> {
        let named = self.shared.tenant.clone();
        let name = named.or_else(|| Some(settings.default_tenant.clone()).filter(|name| !name.is_empty()));
        let names = platform.tenants()?;
        match (name, names.as_slice()) {
            (Some(name), _) if names.contains(&name) => Ok(platform.open(&name)?),
            (Some(name), _) => Err(Failure::new(format!("There is no tenant {name}."), tenants_advice(&names))),
            (None, [only]) => Ok(platform.open(only)?),
            (None, []) => Err(Failure::new("There is no tenant yet.", tenants_advice(&names))),
            (None, _) => Err(Failure::new("There are several tenants.", tenants_advice(&names))),
        }
    }

    /// Prints a result: the JSON where programs read, else the text.
    pub fn print(&self, text: &str, json: &Json) {
        if self.shared.json { print_line(json) } else { print_line(text) }
    }

    /// Prints a failure on standard error, unless the command did.
    pub fn fail(&self, failure: &Failure) {
        if failure.message.is_empty() {
            return;
        }
        if self.shared.json {
            eprintln!("{}", json!({"error": {"message": failure.message, "advice": failure.advice}}));
        } else {
            eprintln!("plinth: {failure}");
        }
    }
}

/// Prints a line on standard output. That nobody reads on, as behind `| head`, is no failure.
pub(super) fn print_line(text: impl fmt::Display) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// A value of an answer, for people.
pub(super) fn shown(value: &Json) -> String {
    match value {
        Json::Null => "-".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn tenants_advice(names: &[String]) -> String {
    if names.is_empty() {
        "Make one of a folder of files: plinth apply FOLDER.".to_owned()
    } else {
        format!("Name one with --tenant: {}.", names.join(", "))
    }
}
