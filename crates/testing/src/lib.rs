//! What the tests of all crates need: a PostgreSQL of their own, a server under test, a client.

mod client;
mod engine;
mod postgres;

pub use client::{Client, Reply, Request, form};
pub use engine::{Engine, Subject, run};
pub use postgres::{Cluster, postgres};
