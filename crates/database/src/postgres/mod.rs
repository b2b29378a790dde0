//! PostgreSQL: a schema for each store, and a few connections with a thread each.
//!
//! [`wire`] speaks the protocol, [`session`] runs transactions on a connection, and the rest brings jobs to them.

mod batch_reads;
mod database;
mod deadlock_log;
mod deleted;
mod facts;
mod grants;
mod guard;
mod job_queue;
mod lease;
mod node_list;
mod pool;
mod pooler;
mod queue_state;
mod server_target;
mod session;
mod session_settings;
mod store;
mod store_demand;
mod store_job;
pub(crate) mod wire;

pub(crate) use database::PostgresDatabase;
pub use grants::{RoleNames, grants};
pub(crate) use session::PostgresTransaction;
pub(crate) use store::PostgresStore;
