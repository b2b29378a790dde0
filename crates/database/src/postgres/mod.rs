//! PostgreSQL: a schema for each store, and a few connections with a thread each.

mod database;
mod decode;
mod describe;
mod encode;
mod errors;
mod insert;
mod pool;
mod session;
mod transaction;

pub(crate) use database::{Database, Store};
pub(crate) use decode::{is_null, value};
pub(crate) use transaction::Transaction;
