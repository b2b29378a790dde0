//! The place where systemd listens for a service, as it says in the environment (sd_notify(3)).

use std::path::PathBuf;
use std::time::Duration;

/// The variable by which systemd tells a process that its output goes to the journal.
pub const JOURNAL_STREAM: &str = "JOURNAL_STREAM";

/// The wishes of the service manager that started this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceSettings {
    /// The socket for its messages: a path, or `@` and a name without a file; none where nobody listens.
    pub socket: Option<PathBuf>,
    /// The time without a sign of life after which it starts the process anew.
    pub watchdog: Option<Duration>,
    /// Device and number of the stream into its journal, with a colon between them.
    pub journal: Option<String>,
}

impl ServiceSettings {
    pub(super) fn of(environment: &[(String, String)]) -> Self {
        let text =
            |name: &str| environment.iter().find(|(variable, _)| variable == name).map(|(_, text)| text.as_str());
        let is_ours = text("WATCHDOG_PID").is_none_or(|id| id == std::process::id().to_string());
        let time = text("WATCHDOG_USEC").filter(|_| is_ours).and_then(|text| text.parse().ok());
        ServiceSettings {
            socket: text("NOTIFY_SOCKET").filter(|path| path.starts_with(['/', '@'])).map(PathBuf::from),
            watchdog: time.filter(|time| *time > 0).map(Duration::from_micros),
            journal: text(JOURNAL_STREAM).map(str::to_owned),
        }
    }
}
