//! Accounts: users, their keys and sessions, registration, tags, and the logs of what they did and read.

pub mod audit_log;
pub mod keys;
pub mod proof;
pub mod read_log;
pub mod registration;
pub mod sessions;
pub mod tags;
pub mod users;
