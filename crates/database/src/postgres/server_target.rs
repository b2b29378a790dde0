//! A server, and what all connections to it share.

use super::deadlock_log::DeadlockLog;
use super::session_settings::{SessionSettings, TransactionOpenings};
use super::wire::ServerAddress;
use crate::figures::EngineFigures;
use crate::{Result, StoreGuard};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A server that connections lead to.
pub(super) struct ServerTarget {
    pub(super) address: Arc<ServerAddress>,
    pub(super) pooling: ServerPooling,
    /// The stores whose writes met in a deadlock.
    pub(super) deadlocks: DeadlockLog,
    pub(super) figures: EngineFigures,
    /// Set once the server was asked.
    guard: OnceLock<StoreGuard>,
    made: AtomicU64,
}

/// A connection that is open, as figures count it.
pub(super) struct OpenConnection(Arc<ServerTarget>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.figures.open.add(-1);
    }
}

/// The way in which statements and settings reach a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerPooling {
    /// A connection is a session of the server: settings are said once, statements have names.
    Sessions,
    /// Each transaction may have another session: statements have no names.
    Transactions {
        /// The statements with which transactions begin; none where the settings are those of the role.
        openings: Option<TransactionOpenings>,
    },
}

impl ServerTarget {
    /// Reads the address of a server whose connections are sessions.
    pub(super) fn of_sessions(url: &str, settings: &SessionSettings) -> Result<Self> {
        let address = ServerAddress::parse(url, Some(&settings.options()))?;
        Ok(ServerTarget::new(address, ServerPooling::Sessions))
    }

    /// Reads the address of a pooler that gives each transaction a session.
    pub(super) fn of_transactions(url: &str, settings: Option<SessionSettings>) -> Result<Self> {
        let address = ServerAddress::parse(url, None)?;
        let settings = settings.map(|settings| settings.overridden(&address)).transpose()?;
        let openings = settings.map(|settings| settings.openings());
        Ok(ServerTarget::new(address, ServerPooling::Transactions { openings }))
    }

    fn new(address: ServerAddress, pooling: ServerPooling) -> Self {
        let (deadlocks, figures) = (DeadlockLog::default(), EngineFigures::default());
        ServerTarget {
            address: Arc::new(address),
            pooling,
            deadlocks,
            figures,
            guard: OnceLock::new(),
            made: AtomicU64::new(0),
        }
    }

    /// Sets the guard of stores, before the first of them is opened.
    pub(super) fn set_guard(&self, guard: StoreGuard) {
        let _ = self.guard.set(guard);
    }

    /// Returns the guard of stores.
    pub(super) fn guard(&self) -> StoreGuard {
        self.guard.get().copied().unwrap_or_default()
    }

    /// Counts a connection that was made, as open until the guard is dropped.
    pub(super) fn count_connection(self: &Arc<Self>) -> OpenConnection {
        self.made.fetch_add(1, Ordering::Relaxed);
        self.figures.open.add(1);
        OpenConnection(Arc::clone(self))
    }

    /// Returns the number of connections that were made so far.
    pub(super) fn connections_made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }
}

impl ServerPooling {
    /// Returns true if statements have names for the server.
    pub(super) fn names_statements(&self) -> bool {
        *self == ServerPooling::Sessions
    }

    /// Returns the statements with which transactions begin.
    pub(super) fn openings(&self) -> Option<&TransactionOpenings> {
        match self {
            ServerPooling::Sessions => None,
            ServerPooling::Transactions { openings } => openings.as_ref(),
        }
    }
}
