//! Settings of the log.

use serde::Deserialize;

/// The settings of the log.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    /// In which form.
    pub format: LogFormat,
    /// From which level on, and exceptions.
    pub level: String,
    /// Warnings and errors of one kind in ten seconds; more are counted and not written.
    pub alike: u32,
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
