//! PostgreSQL: a schema for each store, and a few connections with a thread each.

mod database;
mod deadlocks;
mod decode;
mod describe;
mod encode;
mod ending;
mod errors;
mod guard;
mod insert;
mod lease;
mod link;
mod messages;
mod nodes;
mod pool;
mod queue;
mod run;
mod session;
mod socket;
mod startup;
mod target;
mod tls;
mod together;
mod transaction;

pub(crate) use database::{Database, Store};
pub(crate) use decode::{Fields, is_null, value};
pub(crate) use lease::create as create_leases;
pub(crate) use transaction::Transaction;
