//! Figures of the platform, for operators: tenants, stores, queues. Nothing here asks the database.

use super::Platform;
use database::{DatabaseReport, JobFigures, ServerFacts};
use jiff::Timestamp;
use messages::outbox;
use metrics::{Counter, Histogram};
use model::error::{Error, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tenant::TenantFigures;
use tenant::storage::Files;

/// Figures of a platform.
#[derive(Debug, Default)]
pub struct PlatformFigures {
    /// The times for which opening a tenant took.
    pub opened: Histogram,
    /// Messages and tasks of the outbox, by what became of them.
    pub outbox: OutcomeCounts,
    /// Runs of automations, by what became of them.
    pub runs: OutcomeCounts,
    /// Backups that this node made by the schedule.
    pub backups_done: Counter,
    /// Backups by the schedule that failed here.
    pub backups_failed: Counter,
    /// The last backups by the schedule; none where a tenant has none yet.
    backups: Mutex<BTreeMap<String, Option<Timestamp>>>,
    tenants: Mutex<BTreeMap<String, Arc<TenantFigures>>>,
    waiting: Mutex<BTreeMap<String, WaitingRows>>,
}

/// Numbers of tries by their outcome.
#[derive(Debug, Default)]
pub struct OutcomeCounts {
    /// Those that succeeded.
    pub done: Counter,
    /// Those that failed and are tried again.
    pub later: Counter,
    /// Those that were given up.
    pub failed: Counter,
}

/// The rows of an outbox that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingRows {
    /// The number of them.
    pub count: u64,
    /// When the oldest was made, in milliseconds.
    pub oldest: Option<i64>,
}

impl OutcomeCounts {
    /// Counts the tries of a turn.
    pub(crate) fn add(&self, [done, later, failed]: [usize; 3]) {
        self.done.add(done as u64);
        self.later.add(later as u64);
        self.failed.add(failed as u64);
    }
}

impl PlatformFigures {
    /// Returns the figures of a tenant.
    pub(super) fn of(&self, tenant: &str) -> Arc<TenantFigures> {
        Arc::clone(lock(&self.tenants).entry(tenant.to_owned()).or_default())
    }

    /// Returns the figures of all tenants that this node opened since it started.
    pub fn tenants(&self) -> Vec<(String, Arc<TenantFigures>)> {
        lock(&self.tenants).iter().map(|(name, figures)| (name.clone(), Arc::clone(figures))).collect()
    }

    /// Notes the rows that wait in a tenant's outbox, as a worker that passed saw them.
    pub(crate) fn note_waiting(&self, tenant: &str, rows: WaitingRows) {
        let mut waiting = lock(&self.waiting);
        if rows.count == 0 {
            waiting.remove(tenant);
        } else {
            waiting.insert(tenant.to_owned(), rows);
        }
    }

    /// Returns the rows that wait in the outboxes of all tenants, as the workers of this node saw them last.
    pub fn waiting(&self) -> WaitingRows {
        let waiting = lock(&self.waiting);
        WaitingRows {
            count: waiting.values().map(|rows| rows.count).sum(),
            oldest: waiting.values().filter_map(|rows| rows.oldest).min(),
        }
    }

    /// Notes the last backup of a tenant, as this node saw it.
    pub(super) fn note_backup(&self, tenant: &str, last: Option<Timestamp>) {
        lock(&self.backups).insert(tenant.to_owned(), last);
    }

    /// Forgets the backups of tenants that are not there any more.
    pub(super) fn retain_backups(&self, is_there: impl Fn(&str) -> bool) {
        lock(&self.backups).retain(|name, _| is_there(name));
    }

    /// Returns the oldest of the tenants' last backups, and the number of tenants without any, as this node saw them.
    pub fn last_backups(&self) -> (Option<Timestamp>, usize) {
        let backups = lock(&self.backups);
        (backups.values().flatten().min().copied(), backups.values().filter(|last| last.is_none()).count())
    }

    /// Forgets the tenants that are not there any more.
    pub(super) fn retain(&self, is_there: impl Fn(&str) -> bool) {
        lock(&self.tenants).retain(|name, _| is_there(name));
        lock(&self.waiting).retain(|name, _| is_there(name));
    }
}

impl Platform {
    /// Returns the figures of the platform.
    pub fn figures(&self) -> &PlatformFigures {
        &self.figures
    }

    /// Returns the figures of the database's engine.
    pub fn database_report(&self) -> DatabaseReport {
        self.database.report()
    }

    /// Returns the times of commits, where the engine tells them.
    pub fn commit_times(&self) -> Option<&Histogram> {
        self.database.commit_times()
    }

    /// Returns the times of the database's jobs.
    pub fn job_figures(&self) -> &JobFigures {
        self.database.job_figures()
    }

    /// Asks for facts about the database's server. It blocks: for commands.
    pub fn server_facts(&self) -> Result<ServerFacts> {
        Ok(self.database.facts()?)
    }

    /// Returns the present by the database server's clock, in microseconds; none where it has none of its own. It blocks.
    pub fn server_present(&self) -> Result<Option<i64>> {
        Ok(self.database.present()?)
    }

    /// Returns the place of the bytes of a tenant's files.
    pub fn files_of(&self, tenant: &str) -> Files {
        self.settings.files.of(tenant)
    }

    /// Fails where the folder of files cannot be written. It blocks.
    pub fn check_files(&self) -> Result<()> {
        self.settings.files.check().map_err(|error| Error::failed(format!("the folder of files: {error}")))
    }

    /// Returns the tenant whose outbox has the oldest row that waits, with its rows. It looks into all tenants, and
    /// opens none: for commands.
    pub fn oldest_waiting(&self) -> Result<Option<(String, WaitingRows)>> {
        let waiting = self.tenants()?.into_iter().filter_map(|name| {
            let (count, oldest) = self.glance(&name, outbox::waiting)?;
            (count > 0).then_some((name, WaitingRows { count, oldest }))
        });
        Ok(waiting.min_by_key(|(_, rows)| rows.oldest))
    }

    /// Returns the number of tenants that are there, as far as this node knows.
    pub fn tenant_count(&self) -> usize {
        self.directory.size()
    }

    /// Returns the number of tenants that are open.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
