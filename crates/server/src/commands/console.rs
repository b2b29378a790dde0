//! The console that every command is given: the shared options, settings, the platform, and a place to print.

use super::Failure;
use super::account::{refuse_foreign_folder, unreadable_folder};
use super::output::{print_line, print_once, tell};
use super::settings_file;
use super::table::steers;
use super::table::table;
use crate::open::{MissingKey, OpeningError};
use crate::settings::{JOURNAL_STREAM, Settings, Sources};
use clap::Args;
use model::environment::Environment;
use monitoring::logs;
use platform::tenants::Platform;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use tenant::Tenant;

/// The options of every command.
#[derive(Debug, Args)]
pub struct Shared {
    /// A file of settings that differ from config.default.toml
    #[arg(long, global = true, value_name = "FILE", env = "PLINTH_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder that holds SQLite files, uploads and outgoing mail
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Use PostgreSQL: postgresql://user:password@host/database
    #[arg(long, global = true, value_name = "URL")]
    pub postgres: Option<String>,
    /// The tenant to work on, if there are several
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
    pub environment: Environment,
    /// The variables of the process's environment.
    pub(super) variables: Vec<(String, String)>,
}

impl Console {
    /// The console of a process with these variables.
    pub fn new(shared: Shared, environment: Environment, variables: Vec<(String, String)>) -> Self {
        Console { shared, environment, variables }
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
        let sources = Sources { file: self.shared.config.as_deref(), environment: self.variables.clone(), flags };
        Settings::load(&sources)
            .map_err(|error| Failure::new(error.to_string(), format!("{} lists every setting.", settings_file::list())))
    }

    /// Returns true if there is a database that was used before, as far as that shows without making one. Fails where
    /// the data folder may not be read.
    pub(crate) fn has_data(settings: &Settings) -> Result<bool, Failure> {
        if !settings.data.postgres.is_empty() {
            return Ok(true);
        }
        match fs::metadata(settings.data.folder.join("tenants")) {
            Ok(found) => Ok(found.is_dir()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
            Err(error) => Err(unreadable_folder(&settings.data.folder, &error)),
        }
    }

    /// The platform over a database that is there already, for commands that make none.
    pub fn platform(&self, settings: &Settings) -> Result<Arc<Platform>, Failure> {
        if !Self::has_data(settings)? {
            let message = format!("There is no data of Plinth in the folder {}.", settings.data.folder.display());
            let advice = format!(
                "{} Name the right folder with --data DIR. `plinth apply FOLDER` makes a new one, and `plinth plan` says \
                 what it would do.",
                settings_file::told(settings.file.as_deref())
            );
            return Err(Failure::new(message, advice));
        }
        self.open(settings, MissingKey::Leave)
    }

    /// The same for commands that change something.
    pub(super) fn changed_platform(&self, settings: &Settings) -> Result<Arc<Platform>, Failure> {
        refuse_foreign_folder(settings)?;
        self.platform(settings)
    }

    /// The platform over the database of the settings, which is made where it is missing.
    pub(crate) fn new_platform(&self, settings: &Settings) -> Result<Arc<Platform>, Failure> {
        refuse_foreign_folder(settings)?;
        self.open(settings, MissingKey::Make)
    }

    fn open(&self, settings: &Settings, missing: MissingKey) -> Result<Arc<Platform>, Failure> {
        let opened = crate::open_with(settings, self.environment.clone(), missing);
        opened.map_err(|error| match (error, &*settings.data.postgres) {
            (OpeningError::Refused { message, advice }, _) => Failure::new(message, advice),
            (OpeningError::Database(error), "") => {
                let message = format!("The data folder {} cannot be used: {error}.", settings.data.folder.display());
                Failure::new(message, "Choose a folder that you may write to with --data DIR.")
            }
            (OpeningError::Database(error), _) => {
                let message = format!("The database cannot be used: {error}.");
                let is_full = ["remaining connection slots", "too many clients", "too many connections"];
                let advice = match is_full.iter().any(|words| message.contains(words)) {
                    true => "Raise max_connections, or give nodes fewer (data.connections).",
                    false => {
                        "Is it running, and is its address right? --postgres postgresql://user:password@host/database."
                    }
                };
                Failure::of_database(message, advice)
            }
        })
    }

    /// Opens a tenant, unless it began with another master key.
    pub(crate) fn open_tenant(
        &self,
        settings: &Settings,
        platform: &Platform,
        name: &str,
    ) -> Result<Arc<Tenant>, Failure> {
        if platform.has_foreign_key(name)? {
            let (message, advice) = crate::foreign_key(settings, name);
            return Err(Failure::new(message, advice));
        }
        Ok(platform.open(name)?)
    }

    /// The tenant that the command is about: the one named, the configured default, or the only one.
    pub fn tenant(&self, settings: &Settings, platform: &Platform) -> Result<Arc<Tenant>, Failure> {
        let named = self.shared.tenant.clone();
        let name = named.or_else(|| Some(settings.default_tenant.clone()).filter(|name| !name.is_empty()));
        let names = platform.tenants()?;
        match (name, names.as_slice()) {
            (Some(name), _) if names.contains(&name) => self.open_tenant(settings, platform, &name),
            (Some(name), _) => {
                platform.refuse_lost(&name)?;
                Err(Failure::new(format!("There is no tenant {name}."), tenants_advice(&names)))
            }
            (None, [only]) => self.open_tenant(settings, platform, only),
            (None, []) => Err(Failure::new("There is no tenant yet.", tenants_advice(&names))),
            (None, _) => Err(Failure::new("There are several tenants.", tenants_advice(&names))),
        }
    }

    /// Prints a result: the JSON where programs read, else the text.
    pub fn print(&self, text: &str, json: &Json) -> Result<(), Failure> {
        if self.shared.json { print_line(json) } else { print_line(text) }
    }

    /// Prints a result that is shown once, such as a new key; `lost` says what to do if nobody saw it.
    pub(super) fn print_once(&self, text: &str, json: &Json, lost: &str) -> Result<(), Failure> {
        if self.shared.json { print_once(json, lost) } else { print_once(text, lost) }
    }

    /// Prints a table, or that it has no rows. For programs all lists have one shape.
    pub(super) fn print_table<const COLUMNS: usize>(
        &self,
        headings: [&str; COLUMNS],
        row: impl Fn(&Json) -> [String; COLUMNS],
        none: &str,
        items: Vec<Json>,
        more: bool,
    ) -> Result<(), Failure> {
        let rows: Vec<_> = items.iter().map(row).collect();
        let text = if rows.is_empty() { none.to_owned() } else { table(headings, &rows) };
        self.print(&text, &json!({"items": items, "hasMore": more}))
    }

    /// Prints a failure on standard error, unless the command did.
    pub fn fail(&self, failure: &Failure) {
        if failure.message.is_empty() {
            return;
        }
        let text = match self.shared.json {
            true => json!({"error": {"message": failure.message, "advice": failure.advice}}).to_string(),
            false => format!("plinth: {failure}"),
        };
        let stream = self.variables.iter().find(|(name, _)| name == JOURNAL_STREAM);
        tell(if logs::is_journal(stream.map(|(_, stream)| &**stream)) { logs::marked(&text) } else { text });
    }
}

/// A value of a table's cell: nothing where there is none.
pub(super) fn cell(value: &Json) -> String {
    if value.is_null() { String::new() } else { shown(value) }
}

/// A value of an answer, for people.
pub(super) fn shown(value: &Json) -> String {
    match value {
        Json::Null => "-".to_owned(),
        // What came from outside must not steer the terminal.
        Json::String(text) => text.replace(|character| character != '\n' && steers(character), " "),
        other => other.to_string(),
    }
}

/// Returns the advice where no tenant, or none that is there, is named.
pub(super) fn tenants_advice(names: &[String]) -> String {
    if names.is_empty() {
        "Create one from a folder of files: plinth apply FOLDER.".to_owned()
    } else {
        format!("Name one with --tenant: {}.", names.join(", "))
    }
}
