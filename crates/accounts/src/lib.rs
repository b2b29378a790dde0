//! Accounts: users, their keys, sessions, settings and views, registration, tags, and the logs of what they did and read.

pub mod audit_log;
pub mod keys;
mod owner;
pub mod proof;
pub mod read_log;
pub mod registration;
pub mod sessions;
pub mod tags;
pub mod user_settings;
pub mod users;
pub mod views;
