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
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// `postgresql://user:password@host/database`, or a key=value list; a folder as host is a socket's.
    pub url: String,
    /// Connections for the stores, each with a thread of its own. There is one more, for the process itself.
    pub connections: usize,
}
