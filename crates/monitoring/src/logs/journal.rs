//! Lines of systemd's journal: each begins with its priority, as sd-daemon(3) says.

use std::io;
use tracing::Level;

/// The priority of the level `info`.
pub(super) const INFO: &str = "<6>";

/// Returns true if standard error is the stream into the journal that `JOURNAL_STREAM` names.
pub fn is_journal(stream: Option<&str>) -> bool {
    let Some(stream) = stream else { return false };
    rustix::fs::fstat(io::stderr()).is_ok_and(|stat| format!("{}:{}", stat.st_dev, stat.st_ino) == stream)
}

/// Returns an error's text with the priority before each of its lines.
pub fn marked(text: &str) -> String {
    String::from_utf8_lossy(&mark(text.as_bytes(), Level::ERROR)).into_owned()
}

/// Puts the priority of a level before each line.
pub(super) fn mark(lines: &[u8], level: Level) -> Vec<u8> {
    let priority = match level {
        Level::ERROR => "<3>",
        Level::WARN => "<4>",
        Level::INFO => INFO,
        _ => "<7>",
    };
    let mut marked = Vec::with_capacity(lines.len() + priority.len());
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        marked.extend_from_slice(priority.as_bytes());
        marked.extend_from_slice(line);
    }
    marked
}
