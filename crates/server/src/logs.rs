//! Where log lines go, and in which form.

use crate::settings::{LogFormat, LogSettings};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts writing log lines to standard error. Fails where the level cannot be read.
pub fn start(settings: &LogSettings) -> Result<(), String> {
    let filter = EnvFilter::try_new(&settings.level).map_err(|error| format!("log.level: {error}"))?;
    let is_terminal = std::io::stderr().is_terminal();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(is_terminal);
    let as_text = match settings.format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => is_terminal,
    };
    let started = if as_text { builder.compact().try_init() } else { builder.json().flatten_event(true).try_init() };
    started.map_err(|error| error.to_string())
}
