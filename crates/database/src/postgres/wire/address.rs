//! The address of PostgreSQL, and the settings of connections to it.

use super::host_choice::TakenHost;
use super::pulse::ServerPulse;
use super::tls::{self, TlsSettings};
use crate::{Error, Result};
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::TargetSessionAttrs;

/// The address of a server, and what is said to it first.
pub(crate) struct ServerAddress {
    pub(super) config: Config,
    /// The encryption of connections over TCP; not at all where there is none.
    pub(super) tls: Option<TlsSettings>,
    /// True if a standby is refused: it would answer from the past, and takes no writes.
    pub(super) wants_primary: bool,
    /// The options that the address itself has.
    own_options: String,
    pub(super) pulse: ServerPulse,
    pub(super) taken: TakenHost,
}

/// The time for which a connection may take, unless the address says otherwise.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

impl ServerAddress {
    /// Reads an address, and adds options of ours before its own; with none of ours, as behind a pooler, it says neither.
    pub(crate) fn parse(url: &str, options: Option<&str>) -> Result<Self> {
        let (url, tls) = tls::take(url)?;
        let mut config: Config =
            url.parse().map_err(|_| Error::Failed("the address of the PostgreSQL database is malformed".into()))?;
        let own_options = config.get_options().unwrap_or_default().to_owned();
        config.options(options.map(|ours| format!("{ours} {own_options}")).unwrap_or_default());
        if config.get_application_name().is_none() {
            config.application_name("plinth");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(Duration::from_secs(10));
        }
        config.keepalives_idle(Duration::from_secs(10));
        config.keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3);
        let says_any = url.contains("target_session_attrs=any");
        let wants_primary = match config.get_target_session_attrs() {
            TargetSessionAttrs::Any => count(&config) > 1 && !says_any,
            TargetSessionAttrs::ReadWrite => true,
            _ => {
                let message = "target_session_attrs in PostgreSQL's address must be any or read-write";
                return Err(Error::Failed(message.into()));
            }
        };
        let (pulse, taken) = (ServerPulse::default(), TakenHost::default());
        Ok(ServerAddress { config, tls, wants_primary, own_options, pulse, taken })
    }

    /// Returns the options that the address itself has.
    pub(crate) fn own_options(&self) -> &str {
        &self.own_options
    }

    /// Returns how often another host took the writes than before.
    pub(crate) fn fail_overs(&self) -> u64 {
        self.taken.changes()
    }

    /// Returns the number of hosts.
    pub(super) fn host_count(&self) -> usize {
        count(&self.config)
    }

    /// Returns the time for which a connection may take.
    pub(super) fn patience(&self) -> Duration {
        self.config.get_connect_timeout().copied().unwrap_or(PATIENCE)
    }
}

fn count(config: &Config) -> usize {
    config.get_hosts().len().max(config.get_hostaddrs().len())
}
