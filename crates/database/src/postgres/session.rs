//! One connection: made when it is needed, made again when it broke, and what it last saw of stores.

use super::errors::Problem;
use super::link::{Each, Link};
use super::socket::Socket;
use super::target::Target;
use crate::deadline::Deadline;
use crate::{Epochs, Sql};
use std::collections::HashMap;
use std::sync::Arc;

/// The most stores whose epochs a connection remembers.
const EPOCHS: usize = 4096;
/// Of how many tables it remembers whether the server numbers their rows.
const IDENTITIES: usize = 4096;

/// A connection. The thread that calls reads and writes the socket itself, and waits for it.
pub(super) struct Session {
    pub(super) target: Arc<Target>,
    link: Option<Link>,
    /// True if the last run used a statement that was prepared before it.
    pub(super) reused: bool,
    /// The number of the connection.
    pub(super) number: usize,
    /// When the job that runs on it has to end.
    pub(super) deadline: Deadline,
    /// The epochs that were last seen, by what stands before the store's tables.
    epochs: HashMap<Arc<str>, Epochs>,
    /// Of tables that rows were put into, by their whole names, whether the server numbers these.
    identities: HashMap<String, bool>,
}

impl Session {
    pub(super) fn new(target: Arc<Target>, number: usize) -> Self {
        Session {
            target,
            link: None,
            reused: false,
            number,
            deadline: Deadline::default(),
            epochs: HashMap::new(),
            identities: HashMap::new(),
        }
    }

    /// Returns true if it is connected, as far as is known.
    pub(super) fn healthy(&self) -> bool {
        self.link.as_ref().is_some_and(Link::healthy)
    }

    /// Returns true if the server has a transaction open.
    pub(super) fn open(&self) -> bool {
        self.link.as_ref().is_some_and(Link::open)
    }

    pub(super) fn disconnect(&mut self) {
        self.link = None;
    }

    /// Forgets all statements, since their tables have changed.
    pub(super) fn forget_statements(&mut self) {
        self.identities.clear();
        if let Some(link) = &mut self.link {
            link.forget_statements();
        }
    }

    /// Returns true if the server numbers the rows of a table, as far as this connection knows.
    pub(super) fn identity(&self, table: &str) -> Option<bool> {
        self.identities.get(table).copied()
    }

    pub(super) fn remember_identity(&mut self, table: String, identity: bool) {
        if self.identities.len() >= IDENTITIES {
            self.identities.clear();
        }
        self.identities.insert(table, identity);
    }

    /// The epochs of a store as this connection saw them last.
    pub(super) fn epochs(&self, prefix: &str) -> Option<Epochs> {
        self.epochs.get(prefix).copied()
    }

    pub(super) fn remember_epochs(&mut self, prefix: &Arc<str>, epochs: Epochs) {
        if self.epochs.len() >= EPOCHS {
            self.epochs.clear();
        }
        self.epochs.insert(Arc::clone(prefix), epochs);
    }

    pub(super) fn forget_epochs(&mut self, prefix: &str) {
        self.epochs.remove(prefix);
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(super) fn command(&mut self, text: &str) -> Result<(), Problem> {
        self.link()?.command(text)
    }

    /// Runs statements in one round trip, `begin` before them and `finish` behind them; gives how many rows the last
    /// one changed. Where one fails, those behind it are not run.
    pub(super) fn run(
        &mut self,
        begin: &[Sql],
        statements: &[&Sql],
        finish: Option<&Sql>,
        each: Each<'_>,
    ) -> Result<u64, Problem> {
        let all: Vec<&Sql> = begin.iter().chain(statements.iter().copied()).chain(finish).collect();
        let (first, behind) = (begin.len(), begin.len() + statements.len());
        let mut reused = false;
        let link = self.link()?;
        let prepared = link.prepare(&all, &mut reused).map_err(Problem::before_anything);
        let outcome = prepared.and_then(|prepared| {
            link.exchange(&prepared, &all, behind.saturating_sub(1), &mut |index, row| {
                if (first..behind).contains(&index) { each(index - first, row) } else { Ok(()) }
            })
        });
        self.reused = reused;
        outcome
    }

    /// Runs statements in one round trip. Where the answers are late, the connection counts as lost.
    pub(super) fn run_hastily(&mut self, statements: &[&Sql], each: Each<'_>) -> Result<u64, Problem> {
        self.link()?.hasty = true;
        let outcome = self.run(&[], statements, None, each);
        if let Some(link) = &mut self.link {
            link.hasty = false;
        }
        outcome
    }

    /// Makes the connection where there is none; else tells why not, in words for an operator.
    pub(super) fn reach(&mut self) -> Result<&mut Link, String> {
        // One that broke within a transaction must be seen to have broken.
        if !self.open() && !self.healthy() {
            self.link = None;
        }
        let link = match &mut self.link {
            Some(link) => link,
            empty => {
                let (socket, canceller) = Socket::connect(&self.target)?;
                self.target.connected();
                empty.insert(Link::new(socket, canceller))
            }
        };
        link.deadline.clone_from(&self.deadline);
        Ok(link)
    }

    fn link(&mut self) -> Result<&mut Link, Problem> {
        self.reach().map_err(Problem::Unreachable)
    }
}
