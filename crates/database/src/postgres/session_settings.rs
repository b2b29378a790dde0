//! Settings of the server for our statements, and the ways in which they reach it.
//!
//! A connection of our own says them as it signs in. Behind a pooler a connection may be another one in each transaction:
//! there they are settings of the role, or each transaction begins with them.

use super::wire::ServerAddress;
use crate::{Error, Result};

/// A setting whose presence tells that the options of a connection reached the server.
pub(super) const MARK: &str = "plinth.options";

/// The settings of all connections. Writes say so when they begin: a read that would write is refused, as by SQLite.
const ALWAYS: &[(&str, &str)] = &[("default_transaction_read_only", "on"), ("TimeZone", "UTC"), ("jit", "off")];
/// A request's statement has one of the server's processes: one that took workers would take them from other tenants.
const REQUESTS: &[(&str, &str)] = &[
    ("statement_timeout", "5s"),
    ("lock_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "30s"),
    ("max_parallel_workers_per_gather", "0"),
];
/// Commands take their time, but do not hold locks for ever.
const COMMANDS: &[(&str, &str)] =
    &[("statement_timeout", "0"), ("lock_timeout", "1min"), ("idle_in_transaction_session_timeout", "10min")];

/// The server's own watch over the network, for requests: a machine that is cut off lets go of its locks within three
/// seconds, before others give up. A socket of the same machine has no such settings.
const REQUEST_NETWORK: &[(&str, &str)] = &[
    ("tcp_keepalives_idle", "1"),
    ("tcp_keepalives_interval", "1"),
    ("tcp_keepalives_count", "2"),
    ("tcp_user_timeout", "3000"),
];
/// The same for commands, which outlast a short fault of the network. They may not read for a while: a backup copies
/// rows onto a disk.
const COMMAND_NETWORK: &[(&str, &str)] = &[
    ("tcp_keepalives_idle", "15"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "300000"),
];

/// Names and values of settings, as the server shows them.
#[derive(Clone)]
pub(super) struct SessionSettings {
    pairs: Vec<(String, String)>,
    /// Those of a connection's socket, which is another one behind a pooler.
    network: &'static [(&'static str, &'static str)],
}

/// The statements that set settings for a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TransactionOpenings {
    /// For statements without a transaction of their own: these only read.
    pub(super) alone: String,
    /// Behind a statement that begins a transaction.
    pub(super) begun: String,
}

impl SessionSettings {
    /// Returns the settings of requests.
    pub(super) fn of_requests() -> Self {
        SessionSettings::of(REQUESTS, REQUEST_NETWORK)
    }

    /// Returns the settings of commands.
    pub(super) fn of_commands() -> Self {
        SessionSettings::of(COMMANDS, COMMAND_NETWORK)
    }

    fn of(own: &[(&str, &str)], network: &'static [(&'static str, &'static str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        SessionSettings { pairs: ALWAYS.iter().chain(own).map(owned).collect(), network }
    }

    /// Returns the settings as options of a connection.
    pub(super) fn options(&self) -> String {
        let network = self.network.iter().copied();
        let options = network.chain(self.pairs()).map(|(name, value)| format!("-c {name}={value}"));
        options.chain([format!("-c {MARK}=on")]).collect::<Vec<_>>().join(" ")
    }

    /// Returns their names and values.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Adds those that an address has as options, which replace ours.
    pub(super) fn overridden(mut self, address: &ServerAddress) -> Result<Self> {
        for (name, value) in read_options(address.own_options())? {
            self.pairs.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            self.pairs.push((name, value));
        }
        Ok(self)
    }

    /// Returns the statements that set them for a transaction.
    pub(super) fn openings(&self) -> TransactionOpenings {
        let set =
            self.pairs.iter().map(|(name, value)| format!("set_config({}, {}, true)", quoted(name), quoted(value)));
        let begun = format!("SELECT {}", set.collect::<Vec<_>>().join(", "));
        // The default came too late for the transaction that it is set in.
        TransactionOpenings { alone: format!("{begun}, set_config('transaction_read_only', 'on', true)"), begun }
    }

    /// Returns a statement that gives one row for each setting that is not in force: its name.
    pub(super) fn missing(&self) -> String {
        let rows = self.pairs.iter().map(|(name, value)| format!("({}, {})", quoted(name), quoted(value)));
        let rows = rows.collect::<Vec<_>>().join(", ");
        format!(
            "SELECT name FROM (VALUES {rows}) AS s (name, wanted) WHERE current_setting(name, true) IS DISTINCT FROM wanted"
        )
    }
}

/// Reads options such as `-c lock_timeout=1s --jit=off`.
fn read_options(options: &str) -> Result<Vec<(String, String)>> {
    let refused = || Error::Failed("options in PostgreSQL's address must be -c name=value behind a pooler".into());
    let mut words = options.split_ascii_whitespace();
    let mut read = Vec::new();
    while let Some(word) = words.next() {
        let setting = match word {
            "-c" => words.next().ok_or_else(refused)?,
            _ => word.strip_prefix("--").or_else(|| word.strip_prefix("-c")).ok_or_else(refused)?,
        };
        let (name, value) = setting.split_once('=').ok_or_else(refused)?;
        if name.is_empty() || setting.contains('\\') {
            return Err(refused());
        }
        read.push((name.to_owned(), value.to_owned()));
    }
    Ok(read)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_an_address_are_read_as_settings() {
        let read = read_options("-c lock_timeout=1s --jit=off -cwork_mem=8MB").unwrap_or_default();
        let names: Vec<_> = read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(names, [("lock_timeout", "1s"), ("jit", "off"), ("work_mem", "8MB")]);
        for wrong in ["-c", "-c jit", "-B 12", "-c search_path=a\\ b", "--=x"] {
            assert!(read_options(wrong).is_err(), "{wrong}");
        }
    }
}
