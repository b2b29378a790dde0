//! Figures of a database: how long its jobs waited and ran, what was committed, and the connections that are open.

use metrics::{Counter, Gauge, Histogram};
use std::time::Duration;

/// The sort of a job, as figures tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// A few look-ups by key.
    Key,
    /// Any other read.
    List,
    /// A write.
    Write,
    /// A job on the thread of its caller: commands, and work of the platform itself.
    Command,
}

/// The times of the jobs of a database.
#[derive(Debug, Default)]
pub struct JobFigures {
    waited: [Histogram; JobKind::ALL.len()],
    ran: [Histogram; JobKind::ALL.len()],
}

/// The reason why a job ran again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryReason {
    /// Others were in the way: a deadlock, or a connection that broke.
    Conflict,
    /// It rested on rights or a configuration that had changed.
    StaleEpochs,
    /// It needs the store to itself.
    NeedsStore,
    /// A statement did not fit the tables any more.
    Outdated,
}

/// Figures of the engine behind a database.
#[derive(Debug, Default)]
pub(crate) struct EngineFigures {
    /// Connections that are open.
    pub open: Gauge,
    /// Transactions that were committed.
    pub commits: Counter,
    /// Writes in these transactions.
    pub committed_jobs: Counter,
    /// The times of commits, where the engine commits in a step of its own.
    pub commit_times: Histogram,
    retries: [Counter; RetryReason::ALL.len()],
}

/// The connections of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// Those that run something; none where the engine does not count them.
    pub used: Option<u64>,
    /// Those that are open.
    pub open: u64,
    /// The most that may be open.
    pub most: u64,
}

/// The figures of a database at a moment.
#[derive(Clone, Debug)]
pub struct DatabaseReport {
    /// The engine: `sqlite` or `postgres`.
    pub engine: &'static str,
    /// Its connections.
    pub connections: ConnectionCounts,
    /// Transactions that were committed.
    pub commits: u64,
    /// Writes in these transactions.
    pub committed_jobs: u64,
    /// The jobs that ran again, by the reason's word.
    pub retries: Vec<(&'static str, u64)>,
    /// The stores that the engine found damaged, and that are not written to.
    pub damaged_stores: u64,
    /// The number of times that another of several hosts took the writes.
    pub fail_overs: u64,
}

impl JobKind {
    /// All of them.
    pub const ALL: [JobKind; 4] = [JobKind::Key, JobKind::List, JobKind::Write, JobKind::Command];

    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            JobKind::Key => "key",
            JobKind::List => "list",
            JobKind::Write => "write",
            JobKind::Command => "command",
        }
    }
}

impl JobFigures {
    /// Counts a job that ended. One on its caller's thread did not wait.
    pub(crate) fn note(&self, kind: JobKind, waited: Option<Duration>, ran: Duration) {
        if let Some(waited) = waited {
            self.waited[kind as usize].observe(waited);
        }
        self.ran[kind as usize].observe(ran);
    }

    /// Returns the times for which jobs waited for a thread or a connection.
    pub fn waited(&self, kind: JobKind) -> &Histogram {
        &self.waited[kind as usize]
    }

    /// Returns the times for which jobs ran, with their commits.
    pub fn ran(&self, kind: JobKind) -> &Histogram {
        &self.ran[kind as usize]
    }
}

impl RetryReason {
    const ALL: [(RetryReason, &'static str); 4] = [
        (RetryReason::Conflict, "conflict"),
        (RetryReason::StaleEpochs, "stale_epochs"),
        (RetryReason::NeedsStore, "needs_store"),
        (RetryReason::Outdated, "outdated"),
    ];
}

impl EngineFigures {
    /// Counts a transaction with so many writes.
    pub(crate) fn committed(&self, jobs: usize) {
        self.commits.increment();
        self.committed_jobs.add(jobs as u64);
    }

    /// Counts a job that runs again.
    pub(crate) fn retried(&self, reason: RetryReason) {
        self.retries[reason as usize].increment();
    }

    /// Adds these figures to a report.
    pub(crate) fn add_to(&self, report: &mut DatabaseReport) {
        report.commits += self.commits.get();
        report.committed_jobs += self.committed_jobs.get();
        for (reason, word) in RetryReason::ALL {
            let count = self.retries[reason as usize].get();
            match report.retries.iter_mut().find(|(known, _)| *known == word) {
                Some((_, sum)) => *sum += count,
                None => report.retries.push((word, count)),
            }
        }
    }
}

impl DatabaseReport {
    pub(crate) fn new(engine: &'static str, connections: ConnectionCounts) -> Self {
        DatabaseReport {
            engine,
            connections,
            commits: 0,
            committed_jobs: 0,
            retries: Vec::new(),
            damaged_stores: 0,
            fail_overs: 0,
        }
    }
}
