//! Settings of the log.

use super::texts::{duration, log_level};
use serde::Deserialize;
use std::time::Duration;

/// The settings of the log.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    /// In which form.
    pub format: LogFormat,
    /// From which level on, and exceptions.
    #[serde(deserialize_with = "log_level")]
    pub level: String,
    /// Warnings and errors of one kind in ten seconds; more are counted and not written.
    pub alike: u32,
    /// True if each request has a line.
    pub access: bool,
    /// The time from which on a request is slow; zero for none.
    #[serde(deserialize_with = "duration")]
    pub slow: Duration,
    /// The part of an address that the line has.
    pub address: LoggedAddress,
}

/// The part of a client's address that the log has.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LoggedAddress {
    /// All of it.
    Full,
    /// Its network.
    Network,
    /// Nothing.
    None,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Text on a terminal, else JSON.
    Auto,
    /// For people.
    Text,
    /// For programs.
    Json,
}
