//! What the tests of all crates need: a PostgreSQL of their own, a server under test, a client.

mod postgres;

pub use postgres::{Cluster, postgres};
