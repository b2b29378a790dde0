//! Facts about a database's server, for operators.

use crate::StoreGuard;

/// Facts about the server behind a database.
#[derive(Clone, Debug)]
pub enum ServerFacts {
    /// SQLite, in this process.
    Sqlite {
        /// The version of the library.
        version: String,
    },
    /// PostgreSQL.
    Postgres(Box<PostgresFacts>),
}

/// Facts about a PostgreSQL server, and our role on it.
#[derive(Clone, Debug, Default)]
pub struct PostgresFacts {
    /// The version of the server.
    pub version: String,
    /// The name of our role.
    pub role: String,
    /// True if the role has all rights on the whole server.
    pub superuser: bool,
    /// True if the role may make schemas in the database.
    pub may_create: bool,
    /// True if the role may change rows of tables that another role made ([`crate::grants`]).
    pub may_change_rows: bool,
    /// True if the server is a standby.
    pub standby: bool,
    /// The most connections of the server, without those that it keeps for superusers.
    pub most_connections: i64,
    /// Connections of others and of other nodes.
    pub used_connections: i64,
    /// Standbys that follow the server.
    pub followers: i64,
    /// The setting that says for which standbys commits wait.
    pub synchronous_standby_names: String,
    /// Settings of a server that keeps what it acknowledged, with their values, where they are off.
    pub unsafe_settings: Vec<String>,
    /// True if a pooler gives each transaction a connection.
    pub pooled: bool,
    /// The locks that keep writes and changes of the configuration apart.
    pub guard: StoreGuard,
    /// True if an advisory lock of one connection keeps another one out; none if that could not be tried.
    pub advisory_locks: Option<bool>,
    /// Settings of requests' connections that are not in force.
    pub missing_settings: Vec<String>,
}
