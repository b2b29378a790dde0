//! SQLite: a file for each store, with one writer that groups commits and many readers.

mod connection;
mod database;
mod describe;
mod errors;
mod file;
mod functions;
mod leftovers;
mod pool;
mod readers;
mod store;
mod transaction;
mod writer;

pub(crate) use connection::Patience;
pub(crate) use database::Database;
pub(crate) use store::{Line, Store};
pub(crate) use transaction::{Transaction, is_null, value};

/// An empty statement.
pub(crate) fn sql() -> crate::Sql {
    crate::Sql::new(crate::sql::Dialect::Sqlite)
}
