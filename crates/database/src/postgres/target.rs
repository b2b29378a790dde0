//! The address of PostgreSQL, and how connections to it are made.

use super::deadlocks::DeadlockLog;
use super::tls::{self, Tls};
use crate::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio_postgres::Config;

/// Writes say so when they begin, so that a read that would write is refused, as it is by SQLite.
const ALWAYS: &str = "-c default_transaction_read_only=on -c TimeZone=UTC -c jit=off";

/// A server, and what is said to it first.
pub(super) struct Target {
    pub(super) config: Config,
    /// The encryption of connections over TCP; not at all where there is none.
    pub(super) tls: Option<Tls>,
    /// The stores whose writes met in a deadlock.
    pub(super) deadlocks: DeadlockLog,
    made: AtomicU64,
}

impl Target {
    /// Reads an address, and adds options of ours before its own.
    pub(super) fn parse(url: &str, options: &str) -> Result<Self> {
        let (url, tls) = tls::take(url)?;
        let mut config: Config =
            url.parse().map_err(|_| Error::Failed("the address of the PostgreSQL database is malformed".into()))?;
        let own = config.get_options().unwrap_or_default().to_owned();
        config.options(format!("{ALWAYS} {options} {own}"));
        if config.get_application_name().is_none() {
            config.application_name("plinth");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(2));
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(Duration::from_secs(10));
        }
        config.keepalives_idle(Duration::from_secs(10));
        config.keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3);
        Ok(Target { config, tls, deadlocks: DeadlockLog::default(), made: AtomicU64::new(0) })
    }

    /// Counts a connection.
    pub(super) fn connected(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of connections that were made so far.
    pub(super) fn connections_made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }
}
