//! Figures of the platform, for operators: tenants, stores, queues. Nothing here asks the database.

use super::{FailedOpenings, Platform};
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
    /// The tenants that could not be opened.
    pub unopened: FailedOpenings,
    /// Messages and tasks of the outbox, by what became of them.
    pub outbox: OutcomeCounts,
    /// Runs of automations, by what became of them.
    pub runs: OutcomeCounts,
    /// Backups that this node made by the schedule.
    pub backups_done: Counter,
    /// Backups by the schedule that failed here.
    pub backups_failed: Counter,
    backups: Mutex<BTreeMap<String, LastBackups>>,
    tenants: Mutex<BTreeMap<String, Arc<TenantFigures>>>,
    waiting: Mutex<BTreeMap<String, WaitingRows>>,
    due_runs: Mutex<BTreeMap<String, WaitingRows>>,
}

/// The last backups of a tenant by the schedule, or of all tenants the oldest of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastBackups {
    /// The instant of the last one.
    pub last: Option<Timestamp>,
    /// The instant of the last one that was proven.
    pub proven: Option<Timestamp>,
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

/// The rows of a queue that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingRows {
    /// The number of them.
    pub count: u64,
    /// Since when the oldest waits, in milliseconds.
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
        note_rows(&self.waiting, tenant, rows);
    }

    /// Notes the runs of a tenant's automations that are due, as a worker that passed saw them.
    pub(crate) fn note_due_runs(&self, tenant: &str, rows: WaitingRows) {
        note_rows(&self.due_runs, tenant, rows);
    }

    /// Returns the rows that wait in the outboxes of all tenants, as the workers of this node saw them last.
    pub fn waiting(&self) -> WaitingRows {
        all_rows(&self.waiting)
    }

    /// Returns the runs of all tenants' automations that are due, as the workers of this node saw them last.
    pub fn due_runs(&self) -> WaitingRows {
        all_rows(&self.due_runs)
    }

    /// Notes the last backups of a tenant, as this node saw them.
    pub(super) fn note_backup(&self, tenant: &str, backups: LastBackups) {
        lock(&self.backups).insert(tenant.to_owned(), backups);
    }

    /// Forgets the backups of tenants that are not there any more.
    pub(super) fn retain_backups(&self, is_there: impl Fn(&str) -> bool) {
        lock(&self.backups).retain(|name, _| is_there(name));
    }

    /// Returns the oldest of the tenants' last backups, as this node saw them.
    pub fn oldest_backups(&self) -> LastBackups {
        let backups = lock(&self.backups);
        LastBackups {
            last: backups.values().filter_map(|of| of.last).min(),
            proven: backups.values().filter_map(|of| of.proven).min(),
        }
    }

    /// Returns the number of tenants without any backup, and of those none of whose backups was proven.
    pub fn without_backups(&self) -> [usize; 2] {
        let backups = lock(&self.backups);
        let count = |lacks: fn(&LastBackups) -> bool| backups.values().filter(|of| lacks(of)).count();
        [count(|of| of.last.is_none()), count(|of| of.last.is_some() && of.proven.is_none())]
    }

    /// Forgets the tenants that are not there any more.
    pub(super) fn retain(&self, is_there: impl Fn(&str) -> bool) {
        lock(&self.tenants).retain(|name, _| is_there(name));
        lock(&self.waiting).retain(|name, _| is_there(name));
        lock(&self.due_runs).retain(|name, _| is_there(name));
        self.unopened.retain(&is_there);
    }
}

fn note_rows(known: &Mutex<BTreeMap<String, WaitingRows>>, tenant: &str, rows: WaitingRows) {
    let mut known = lock(known);
    if rows.count == 0 {
        known.remove(tenant);
    } else {
        known.insert(tenant.to_owned(), rows);
    }
}

fn all_rows(known: &Mutex<BTreeMap<String, WaitingRows>>) -> WaitingRows {
    let known = lock(known);
    WaitingRows {
        count: known.values().map(|rows| rows.count).sum(),
        oldest: known.values().filter_map(|rows| rows.oldest).min(),
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
