//! Settings of the data, and of the bytes of files.

use super::secrets::SecretText;
use super::texts::positive_duration;
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;

/// The place of the data.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSettings {
    /// SQLite files, uploads, outgoing mail.
    pub folder: PathBuf,
    /// PostgreSQL's URL; empty for SQLite.
    pub postgres: SecretText,
    /// Connections to PostgreSQL.
    pub connections: usize,
    /// Threads that read SQLite; 0 is one for each processor.
    pub readers: usize,
    /// Files of SQLite that are open at a time, of all tenants.
    pub open_files: usize,
    /// Tenants whose configuration is kept in memory.
    pub open_tenants: usize,
    /// The time for which a request may wait for a connection or a thread.
    #[serde(deserialize_with = "positive_duration")]
    pub wait: Duration,
    /// The time between two looks for work that another process left.
    #[serde(deserialize_with = "positive_duration")]
    pub poll_interval: Duration,
}

/// The way to PostgreSQL.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresSettings {
    /// The pooler in front of the server.
    pub pooler: PoolerSetting,
    /// The address of the server itself, for commands; empty for that of all.
    pub direct_url: SecretText,
    /// The locks that keep writes and changes of the configuration apart.
    pub guard: GuardSetting,
}

/// The choice of locks that keep writes and changes of the configuration apart.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum GuardSetting {
    /// Those that the server is capable of.
    Auto,
    /// Advisory locks.
    Advisory,
    /// Locks of rows.
    Row,
}

/// The pooler between this process and PostgreSQL.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PoolerSetting {
    /// The one that is found at the start.
    Auto,
    /// None, or a pooler of sessions.
    None,
    /// A pooler of transactions.
    Transaction,
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
    pub access_key: SecretText,
    /// The secret of the access key.
    pub secret_key: SecretText,
    /// The time for which a bucket may be silent.
    #[serde(deserialize_with = "positive_duration")]
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
