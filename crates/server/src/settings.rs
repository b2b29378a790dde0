//! The settings of a process: config.default.toml, a file over it, the environment, the command line.

mod layers;
mod outgoing;
#[cfg(test)]
mod tests;
mod texts;

use edge::{Limits, MemoryLimits, Network, Timeouts};
use layers::{ENVIRONMENT, assign, environment_name, overlay, setting_of, unknown};
use model::rate::RequestRate;
pub use outgoing::{
    MailEncryption, MailSettings, MailTransport, OutboxSettings, OutgoingSettings, SmsSettings, SmsTransport,
};
use serde::Deserialize;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use texts::{address, duration, rate};
use toml::{Table, Value};

const DEFAULTS: &str = include_str!("../../../config.default.toml");
/// Over which time the rate of a download is looked at.
const DOWNLOAD: Duration = Duration::from_secs(10);
/// Names of the environment that the command line reads itself.
const NO_SETTINGS: &[&str] = &["PLINTH_CONFIG"];

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
    /// The place of the data.
    pub data: DataSettings,
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
    /// The cache of answers.
    pub cache: CacheSettings,
    /// The limits of what a client may take.
    pub limits: LimitSettings,
    /// The times of the server's end.
    pub shutdown: ShutdownSettings,
}

/// The place of the data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSettings {
    /// SQLite files, uploads, outgoing mail.
    pub folder: PathBuf,
    /// PostgreSQL's URL; empty for SQLite.
    pub postgres: String,
    /// Connections to PostgreSQL.
    pub connections: usize,
    /// Threads that read SQLite; 0 is one for each processor.
    pub readers: usize,
    /// Files of SQLite that are open at a time, of all tenants.
    pub open_files: usize,
    /// Tenants whose configuration is kept in memory.
    pub open_tenants: usize,
    /// The time for which a request may wait for a connection or a thread.
    #[serde(deserialize_with = "duration")]
    pub wait: Duration,
}

/// The place of the bytes of files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSettings {
    /// In a folder or a bucket.
    pub storage: FileStorageKind,
    /// The address of the bucket's store.
    pub endpoint: String,
    /// The bucket.
    pub bucket: String,
    /// Its region.
    pub region: String,
    /// The beginning of names in the bucket.
    pub prefix: String,
    /// The id of the access key.
    pub access_key: String,
    /// The secret of the access key.
    pub secret_key: String,
    /// The time for which a bucket may be silent.
    #[serde(deserialize_with = "duration")]
    pub timeout: Duration,
    /// The folder in which `fileFromFile()` finds files, in a folder for each tenant; empty for nowhere.
    pub root: PathBuf,
}

/// The kind of storage that keeps the bytes of files.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FileStorageKind {
    /// The data folder.
    Folder,
    /// A bucket.
    S3,
}

/// Keys.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecuritySettings {
    /// The file of the master key; empty for the data folder.
    pub key_file: PathBuf,
    /// The master key in base64; empty for the file's.
    pub key: String,
    /// The master key that is to take the place of `key`; empty for none.
    pub next_key: String,
}

/// The cache of answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSettings {
    /// The bytes that all tenants' answers may take together; 0 is no cache.
    pub bytes: u64,
}

/// The settings of the log.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    /// In which form.
    pub format: LogFormat,
    /// From which level on, and exceptions.
    pub level: String,
    /// Warnings and errors of one kind in ten seconds; more are counted and not written.
    pub alike: u32,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text on a terminal, else JSON.
    Auto,
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The limits of what a client may take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    #[serde(deserialize_with = "duration")]
    /// See [`Timeouts::head`].
    pub head_time: Duration,
    #[serde(deserialize_with = "duration")]
    /// See [`Timeouts::request`].
    pub request_time: Duration,
    /// The time for which the database may work for a request.
    #[serde(deserialize_with = "duration")]
    pub job_time: Duration,
    #[serde(deserialize_with = "duration")]
    /// See [`Timeouts::idle`].
    pub idle_time: Duration,
    #[serde(deserialize_with = "duration")]
    /// See [`Timeouts::close`].
    pub close_time: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Connections of one address at a time.
    pub connections_per_address: usize,
    /// Requests of one address without a key that works; none is no limit.
    #[serde(deserialize_with = "rate")]
    pub requests_per_address: Option<RequestRate>,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// Fields of a request's head.
    pub head_fields: usize,
    /// Bytes of a URL.
    pub url_bytes: usize,
    /// Bytes of a JSON body.
    pub body_bytes: usize,
    /// Bytes of a resource; 0 is no limit.
    pub row_bytes: usize,
    /// Bytes of a body to a route that takes no key.
    pub keyless_body_bytes: usize,
    /// Bytes that are read of a body that was refused.
    pub refused_body_bytes: u64,
    /// Bytes of bodies and answers in flight, of the process, of an address, and of a key.
    pub memory_bytes: usize,
    /// Of one address.
    pub memory_per_address: usize,
    /// Of one key.
    pub memory_per_key: usize,
    /// Bytes of answers in flight that lie in files, of the process, of an address, and of a key.
    pub spool_bytes: usize,
    /// Of one address.
    pub spool_per_address: usize,
    /// Of one key.
    pub spool_per_key: usize,
    /// Bytes of an uploaded file.
    pub upload_file_bytes: u64,
    /// Files of an upload.
    pub upload_files: usize,
    /// Bytes of an upload.
    pub upload_bytes: u64,
    /// Bytes a second that an upload must have, over any ten seconds.
    pub upload_rate: u64,
    /// Bytes of a tenant's files; 0 is no limit.
    pub tenant_file_bytes: u64,
    /// See [`Timeouts::download_rate`].
    pub download_rate: u64,
    /// See [`Timeouts::answer_rate`].
    pub answer_rate: u64,
}

/// The times of the server's end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShutdownSettings {
    #[serde(deserialize_with = "duration")]
    /// From being not ready to accepting no more.
    pub notice: Duration,
    #[serde(deserialize_with = "duration")]
    /// The time for which connections without a request stay open meanwhile.
    pub idle: Duration,
    #[serde(deserialize_with = "duration")]
    /// From accepting no more to the end.
    pub drain: Duration,
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
        Settings::deserialize(Value::Table(table)).map_err(|error| SettingsError(format!("settings: {error}")))
    }

    /// The part of the settings that HTTP needs.
    pub fn http_limits(&self) -> Limits {
        let limits = &self.limits;
        Limits {
            timeouts: Timeouts {
                head: limits.head_time,
                request: limits.request_time,
                idle: limits.idle_time,
                close: limits.close_time,
                download: DOWNLOAD,
                download_rate: limits.download_rate,
                answer_rate: limits.answer_rate,
            },
            connections: limits.connections,
            connections_per_address: limits.connections_per_address,
            head_bytes: limits.head_bytes,
            head_fields: limits.head_fields,
            url_bytes: limits.url_bytes,
            memory: MemoryLimits {
                total: limits.memory_bytes,
                address: limits.memory_per_address,
                key: limits.memory_per_key,
            },
            spool: MemoryLimits {
                total: limits.spool_bytes,
                address: limits.spool_per_address,
                key: limits.spool_per_key,
            },
            refused_body_bytes: limits.refused_body_bytes,
            trusted_proxies: self.trusted_proxies.clone(),
            shutdown_notice: self.shutdown.notice,
            shutdown_idle: self.shutdown.idle,
            shutdown: self.shutdown.drain,
        }
    }
}

impl fmt::Debug for SecuritySettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecuritySettings({})", self.key_file.display())
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SettingsError {}
