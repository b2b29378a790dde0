//! The address of PostgreSQL, and the settings of connections to it.

use super::tls::{self, TlsSettings};
use crate::{Error, Result};
use std::time::Duration;
use tokio_postgres::Config;

/// The settings of all connections. Writes say so when they begin: a read that would write is refused, as by SQLite.
const ALWAYS: &str = "-c default_transaction_read_only=on -c TimeZone=UTC -c jit=off";

/// The address of a server, and what is said to it first.
pub(crate) struct ServerAddress {
    pub(super) config: Config,
    /// The encryption of connections over TCP; not at all where there is none.
    pub(super) tls: Option<TlsSettings>,
}

impl ServerAddress {
    /// Reads an address, and adds options of ours before its own.
    pub(crate) fn parse(url: &str, options: &str) -> Result<Self> {
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
        Ok(ServerAddress { config, tls })
    }
}
