//! The options of databases.

use std::path::PathBuf;

/// The options for SQLite and its files.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The folder; the store `acme` is the file `acme/tenant.db` below it.
    pub folder: PathBuf,
    /// Threads that read.
    pub readers: usize,
    /// The most descriptors that the files may take together.
    pub descriptors: usize,
}

/// The options for connections to PostgreSQL.
#[derive(Clone, Debug, Default)]
pub struct PostgresOptions {
    /// `postgresql://user:password@host/database`, or a key=value list; a folder as host is a socket's.
    pub url: String,
    /// Connections for the stores, each with a thread of its own. There is one more, for the process itself.
    pub connections: usize,
    /// The pooler between this process and the server.
    pub pooler: PoolerMode,
    /// The address of the server itself for commands, whose statements may take long; empty for `url`.
    pub direct_url: String,
    /// The locks that keep writes and changes of the configuration apart.
    pub guard: GuardMode,
}

/// The choice of locks that keep writes and changes of the configuration apart. All processes need the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuardMode {
    /// Advisory locks where the server has them, else those of rows.
    #[default]
    Auto,
    /// Advisory locks.
    Advisory,
    /// Locks of rows.
    Row,
}

/// The kind of locks that keep writes and changes of the configuration apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreGuard {
    /// Advisory locks of transactions.
    #[default]
    Advisory,
    /// Locks of rows beside a store's epochs.
    Row,
}

/// The pooler between a process and PostgreSQL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoolerMode {
    /// The one that is found when the database is opened.
    #[default]
    Auto,
    /// None, or one that keeps a connection for a whole session.
    None,
    /// One that may give each transaction another connection, such as PgBouncer with `pool_mode = transaction`.
    Transaction,
}
