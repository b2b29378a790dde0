//! PostgreSQL: a schema for each store, and a few connections with a thread each.
//!
//! [`wire`] speaks the protocol, [`session`] runs transactions on a connection, and the rest brings jobs to them.

mod database;
mod deadlock_log;
mod job_queue;
mod lease;
mod node_list;
mod pool;
mod server_target;
mod session;
mod store;
mod wire;

pub(crate) use database::PostgresDatabase;
pub(crate) use lease::create as create_leases;
pub(crate) use session::PostgresTransaction;
pub(crate) use store::PostgresStore;
pub(crate) use wire::{RowFields, is_null, value};
