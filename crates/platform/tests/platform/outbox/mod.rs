//! The outbox and the keys that it needs, below HTTP.

mod rows;
mod worker;
