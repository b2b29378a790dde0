//! The settings of a process: config.default.toml, a file over it, the environment, the command line.

mod admin;
mod backup;
mod descriptors;
mod layers;
mod limits;
mod log;
mod outgoing;
mod secrets;
mod service;
mod storage;
#[cfg(test)]
mod tests;
mod texts;
mod tls;
mod traces;
mod unusable;

pub use self::admin::{AdminAddress, AdminSettings};
pub use self::backup::{BackupSettings, KeptBackups};
pub use self::descriptors::fit_descriptors;
pub use self::log::{LogFormat, LogSettings, LoggedAddress};
use edge::Network;
use layers::{ENVIRONMENT, assign, environment_name, overlay, setting_of, unknown};
pub use limits::{LimitSettings, ShutdownSettings};
pub use outgoing::{
    MailEncryption, MailSettings, MailTransport, OutboxSettings, OutgoingSettings, SmsSettings, SmsTransport,
};
pub use secrets::SecretText;
use serde::Deserialize;
pub use service::{JOURNAL_STREAM, ServiceSettings};
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
pub use storage::{DataSettings, FileSettings, FileStorageKind, GuardSetting, PoolerSetting, PostgresSettings};
use texts::address;
pub use tls::TlsSettings;
use toml::{Table, Value};
pub use traces::TraceSettings;

const DEFAULTS: &str = include_str!("../../../config.default.toml");
/// Names of the environment that the command line reads itself.
const NO_SETTINGS: &[&str] = &["PLINTH_CONFIG"];
/// The variable in which systemd names the folder of a unit's credentials.
const CREDENTIALS: &str = "CREDENTIALS_DIRECTORY";

/// All settings; config.default.toml says what each is for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The address to listen at.
    #[serde(deserialize_with = "address")]
    pub listen: SocketAddr,
    /// The tenant of requests that name none.
    pub default_tenant: String,
    /// The address from outside; empty for where it listens.
    pub public_url: String,
    /// The proxies whose forwarded addresses are believed.
    pub trusted_proxies: Vec<Network>,
    /// Each connection begins with a PROXY header of a trusted proxy.
    pub proxy_protocol: bool,
    /// The files of HTTPS.
    pub tls: TlsSettings,
    /// The listener for operators.
    pub admin: AdminSettings,
    /// The place of the data.
    pub data: DataSettings,
    /// The way to PostgreSQL.
    pub postgres: PostgresSettings,
    /// The place of the bytes of files.
    pub files: FileSettings,
    /// The settings of what sends the outbox.
    pub outbox: OutboxSettings,
    /// The way in which mails leave.
    pub mail: MailSettings,
    /// The way in which SMS leave.
    pub sms: SmsSettings,
    /// The addresses that requests of ours may go to.
    pub outgoing: OutgoingSettings,
    /// Keys.
    pub security: SecuritySettings,
    /// The settings of the log.
    pub log: LogSettings,
    /// The settings of traces.
    pub traces: TraceSettings,
    /// The settings of backups by the server.
    pub backup: BackupSettings,
    /// The cache of answers.
    pub cache: CacheSettings,
    /// The limits of what a client may take.
    pub limits: LimitSettings,
    /// The times of the server's end.
    pub shutdown: ShutdownSettings,
    /// Files that secrets were read from, by the names of their settings.
    #[serde(skip)]
    pub from_files: BTreeMap<&'static str, PathBuf>,
    /// The file that was read over the defaults.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// The wishes of the service manager.
    #[serde(skip)]
    pub service: ServiceSettings,
}

/// Keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecuritySettings {
    /// The file of the master key; empty for the data folder.
    pub key_file: PathBuf,
    /// The master key in base64; empty for the file's.
    pub key: SecretText,
    /// The master key that is to take the place of `key`; empty for none.
    pub next_key: SecretText,
}

/// The cache of answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSettings {
    /// The bytes that all tenants' answers may take together; 0 is no cache.
    pub bytes: u64,
}

/// The error of a setting: what is wrong, and where it comes from.
#[derive(Debug, PartialEq, Eq)]
pub struct SettingsError(String);

/// The sources of settings, beside the defaults.
#[derive(Debug, Default)]
pub struct Sources<'s> {
    /// A file.
    pub file: Option<&'s Path>,
    /// The environment's variables; those that do not begin with `PLINTH_` are passed over.
    pub environment: Vec<(String, String)>,
    /// Settings of the command line: names such as `data.folder`, and values.
    pub flags: Vec<(&'static str, String)>,
}

impl Settings {
    /// Puts the sources over each other. A name that is no setting is an error, wherever it stands.
    pub fn load(sources: &Sources<'_>) -> Result<Self, SettingsError> {
        let mut table: Table = DEFAULTS.parse().expect("config.default.toml is read by the tests");
        if let Some(file) = sources.file {
            let place = file.display().to_string();
            let text = std::fs::read_to_string(file).map_err(|error| SettingsError(format!("{place}: {error}")))?;
            let over: Table = text.parse().map_err(|error| SettingsError(format!("{place}: {error}")))?;
            overlay(&mut table, over, &place, "")?;
        }
        for (variable, text) in &sources.environment {
            let Some(name) = variable.strip_prefix(ENVIRONMENT) else { continue };
            if !NO_SETTINGS.contains(&variable.as_str()) {
                let name = setting_of(&table, &name.to_ascii_lowercase())
                    .ok_or_else(|| unknown(&table, "the environment", variable, environment_name))?;
                assign(&mut table, &name, text, variable)?;
            }
        }
        for (name, text) in &sources.flags {
            assign(&mut table, name, text, "the command line")?;
        }
        let credentials = sources.environment.iter().find(|(variable, _)| variable == CREDENTIALS);
        let from_files = secrets::resolve(&mut table, credentials.map(|(_, folder)| Path::new(folder)))?;
        let settings = Settings::deserialize(Value::Table(table));
        let settings = settings.map_err(|error| SettingsError(format!("settings: {error}")))?;
        if let Some(problem) = unusable::problem(&settings) {
            return Err(SettingsError(format!("settings: {problem}")));
        }
        let (file, service) = (sources.file.map(PathBuf::from), ServiceSettings::of(&sources.environment));
        Ok(Settings { from_files, file, service, ..settings })
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SettingsError {}
