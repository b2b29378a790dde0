//! The settings of a process: config.default.toml, a file over it, the environment, the command line.

mod layers;
mod limits;
mod log;
mod outgoing;
mod storage;
mod texts;

pub use self::log::{LogFormat, LogSettings};
use edge::Network;
use layers::{ENVIRONMENT, assign, environment_name, overlay, setting_of, unknown};
pub use limits::{LimitSettings, ShutdownSettings};
pub use outgoing::{
    MailEncryption, MailSettings, MailTransport, OutboxSettings, OutgoingSettings, SmsSettings, SmsTransport,
};
use serde::Deserialize;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
pub use storage::{DataSettings, FileSettings, FileStorageKind};
use texts::address;
use toml::{Table, Value};

const DEFAULTS: &str = include_str!("../../../config.default.toml");
/// Names of the environment that the command line reads itself.
const NO_SETTINGS: &[&str] = &["PLINTH_CONFIG"];

/// All settings; config.default.toml says what each is for.
#[derive(Clone, Debug, Deserialize)]
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

/// Keys.
#[derive(Clone, Deserialize)]
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
        Settings::deserialize(Value::Table(table)).map_err(|error| SettingsError(format!("settings: {error}")))
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

#[cfg(test)]
mod tests {
    use super::{LogFormat, Settings, Sources};
    use std::time::Duration;

    fn from_environment(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let environment = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let sources = Sources { environment, flags: vec![("data.folder", "here".to_owned())], ..Sources::default() };
        Settings::load(&sources).map_err(|error| error.to_string())
    }

    fn from_file(text: &str) -> Result<Settings, String> {
        let file = std::env::temp_dir().join(format!("plinth-settings-{}-{}.toml", std::process::id(), text.len()));
        std::fs::write(&file, text).unwrap();
        let loaded = Settings::load(&Sources { file: Some(&file), ..Sources::default() });
        std::fs::remove_file(&file).unwrap();
        loaded.map_err(|error| error.to_string().replace(&file.display().to_string(), "FILE"))
    }

    #[test]
    fn sources_come_over_each_other() {
        let settings = from_environment(&[
            ("HOME", "/"),
            ("PLINTH_LISTEN", "0.0.0.0:0"),
            ("PLINTH_TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
            ("PLINTH_LIMITS_HEAD_TIME", "200ms"),
            ("PLINTH_LIMITS_CONNECTIONS", "7"),
            ("PLINTH_DATA_FOLDER", "there"),
            ("PLINTH_DATA_WAIT", "500ms"),
        ])
        .unwrap();
        assert_eq!(settings.listen.port(), 0);
        assert_eq!(settings.trusted_proxies.len(), 2);
        assert_eq!(settings.limits.head_time, Duration::from_millis(200));
        assert_eq!(settings.limits.request_time, Duration::from_secs(30));
        assert_eq!(settings.limits.connections, 7);
        assert_eq!(settings.data.wait, Duration::from_millis(500));
        assert_eq!(settings.data.folder.to_str(), Some("here"));
        assert_eq!(from_file("[log]\nformat = \"json\"").unwrap().log.format, LogFormat::Json);
    }

    #[test]
    fn mistakes_are_named() {
        for (pair, expected) in [
            (("PLINTH_LISTN", "x"), "the environment: there is no setting PLINTH_LISTN; did you mean PLINTH_LISTEN?"),
            (
                ("PLINTH_LISTEN", "localhost:80"),
                "settings: \"localhost:80\" is not an address with a port, such as 127.0.0.1:8080\nin `listen`\n",
            ),
            (
                ("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "many"),
                "settings: \"many\" is not a rate such as 1000/10s, and not 0\nin `limits.requests_per_address`\n",
            ),
            (("PLINTH_DATA_CONNECTIONS", "x"), "PLINTH_DATA_CONNECTIONS: data.connections must be a whole number"),
        ] {
            assert_eq!(from_environment(&[pair]).unwrap_err(), expected);
        }
        assert!(from_environment(&[("PLINTH_LIMITS_IDLE_TIME", "5")]).unwrap_err().contains("is not a time such as"));
        for (text, expected) in [
            ("[limit]", "FILE: there is no setting limit; did you mean limits?"),
            ("[data]\nfoldr = \"a\"", "FILE: there is no setting data.foldr; did you mean data.folder?"),
            ("listen = 80", "FILE: listen must be of the type string"),
        ] {
            assert_eq!(from_file(text).unwrap_err(), expected);
        }
    }
}
