//! A server, and what all connections to it share.

use super::deadlock_log::DeadlockLog;
use super::wire::ServerAddress;
use crate::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A server that connections lead to.
pub(super) struct ServerTarget {
    pub(super) address: Arc<ServerAddress>,
    /// The stores whose writes met in a deadlock.
    pub(super) deadlocks: DeadlockLog,
    made: AtomicU64,
}

impl ServerTarget {
    /// Reads an address, and adds options of ours before its own.
    pub(super) fn parse(url: &str, options: &str) -> Result<Self> {
        let address = Arc::new(ServerAddress::parse(url, options)?);
        Ok(ServerTarget { address, deadlocks: DeadlockLog::default(), made: AtomicU64::new(0) })
    }

    /// Counts a connection.
    pub(super) fn count_connection(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of connections that were made so far.
    pub(super) fn connections_made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }
}
