//! SQLite: a file for each store, with one writer that groups commits and many readers.

mod buckets;
mod catalog;
mod connection;
mod database;
mod deleted;
mod errors;
mod file;
mod functions;
mod idle_readers;
mod leftover_files;
mod locks;
mod log_copies;
mod lost_files;
mod marks;
mod pool;
mod store;
mod transaction;
pub(crate) mod values;
mod writer;

pub(crate) use connection::StatementPatience;
pub(crate) use database::{SqliteFolder, StoreCopy};
pub(crate) use store::{DirectWriter, SqliteStore};
pub(crate) use transaction::SqliteTransaction;
