//! Backups by the server: each tenant's in its turn, by one node, and those that are kept.

use super::create::{BackupPlace, MadeBackup};
use super::history::{BackupClaim, BackupFailure, BackupHistory, OwnArchive};
use super::scratch::Scratch;
use crate::tenants::Platform;
use backups::Retention;
use database::{Store, Tx};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::cron::CronExpression;
use model::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tenant::worker::{LEASE, RENEWAL, pause};
use tokio::runtime::Handle;

/// The longest time for which a tenant is not looked at, in milliseconds: its store may be another one by then.
const LONGEST: i64 = 10 * 60 * 1_000;

/// The time between two looks at archives of removed tenants, in milliseconds.
const HOUR: i64 = 60 * 60 * 1_000;

/// The most archives of a tenant that its history knows.
const MOST_ARCHIVES: usize = 1_000;

/// The schedule of backups, and what it keeps.
#[derive(Clone, Debug)]
pub struct BackupSchedule {
    /// The place of the archives.
    pub place: BackupPlace,
    /// The moments, in UTC.
    pub at: CronExpression,
    /// The archives to keep; none for all.
    pub keep: Option<Retention>,
}

/// The rounds of a node over its tenants.
#[derive(Debug)]
pub struct BackupRounds {
    schedule: BackupSchedule,
    /// When a tenant is looked at again, in milliseconds.
    next: Mutex<BTreeMap<String, i64>>,
    /// When archives of removed tenants were looked at, in milliseconds.
    removed: AtomicI64,
}

/// The state of a tenant's scheduled backups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupState {
    /// The name of the tenant.
    pub tenant: String,
    /// The instant of the last one.
    pub last: Option<Timestamp>,
    /// The failure since then.
    pub failure: Option<BackupFailure>,
}

impl BackupSchedule {
    /// Returns the moment at which a tenant's next backup is due, in milliseconds. Moments that were missed are one.
    fn due(&self, history: &BackupHistory, now: Timestamp) -> i64 {
        let scheduled = match history.last {
            // A clock that was set back makes it due, too.
            Some(last) if last <= now => self.at.next(last, &TimeZone::UTC).map_or(i64::MAX, Timestamp::as_millisecond),
            _ => 0,
        };
        history.failure.as_ref().map_or(scheduled, |failure| failure.again.max(scheduled))
    }

    /// Returns true if a backup is missing: the moment after the one that was due is over, too.
    pub fn is_overdue(&self, last: Timestamp, now: Timestamp) -> bool {
        let next = |after| self.at.next(after, &TimeZone::UTC);
        next(last).and_then(next).is_some_and(|second| second <= now)
    }
}

impl BackupRounds {
    /// The rounds by a schedule.
    pub fn new(schedule: BackupSchedule) -> Arc<Self> {
        Arc::new(BackupRounds { schedule, next: Mutex::default(), removed: AtomicI64::new(i64::MIN) })
    }

    /// Backs up the tenants that are due, one after the other. What fails for one is logged, and tried again later.
    pub async fn round(self: &Arc<Self>, platform: &Arc<Platform>) -> Result<()> {
        let rounds = Arc::clone(self);
        platform.blocking(move |platform| rounds.look(platform)).await
    }

    fn look(&self, platform: &Platform) -> Result<()> {
        // A process that was killed may have left rows of a tenant that are not encrypted.
        Scratch::tidy(&self.schedule.place.scratch);
        self.tidy(platform);
        let names = platform.tenants()?;
        let known: BTreeSet<&String> = names.iter().collect();
        self.lock().retain(|name, _| known.contains(name));
        platform.figures().retain_backups(|name| names.iter().any(|known| known == name));
        for name in &names {
            let now = platform.environment().clock.now();
            if self
                .lock()
                .get(name)
                .is_some_and(|next| (now.as_millisecond() + 1..=now.as_millisecond() + LONGEST).contains(next))
            {
                continue;
            }
            let history = match platform.read_unopened(name, BackupHistory::read) {
                Ok(history) => history,
                // One that was deleted meanwhile has not failed.
                Err(_) if !platform.tenants()?.contains(name) => continue,
                Err(error) => {
                    failed(platform, name, &error);
                    continue;
                }
            };
            let due = self.schedule.due(&history, now);
            platform.figures().note_backup(name, history.backups());
            let next = if due > now.as_millisecond() { due } else { self.turn(platform, name) };
            self.lock().insert(name.clone(), next.min(now.as_millisecond() + LONGEST));
        }
        Ok(())
    }

    /// Removes the archives of removed tenants whose time is over, once an hour.
    fn tidy(&self, platform: &Platform) {
        let now = platform.environment().clock.now().as_millisecond();
        let last = self.removed.load(Ordering::Relaxed);
        if (last..last.saturating_add(HOUR)).contains(&now) {
            return;
        }
        self.removed.store(now, Ordering::Relaxed);
        if let Err(error) = platform.remove_old_archives() {
            let why = error.detail.as_deref().unwrap_or(&error.message);
            tracing::warn!(error = why, "backups of removed tenants cannot be looked at");
        }
    }

    /// Makes a tenant's backup, unless another node does; returns when the tenant is looked at again.
    fn turn(&self, platform: &Platform, name: &str) -> i64 {
        match platform.back_up_in_turn(name, &self.schedule) {
            Ok(next) => next,
            Err(error) => {
                failed(platform, name, &error);
                0
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, i64>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts and logs a failure.
fn failed(platform: &Platform, name: &str, error: &Error) {
    platform.figures().backups_failed.increment();
    let why = error.detail.as_deref().unwrap_or(&error.message);
    tracing::error!(tenant = name, error = why, "a backup failed");
}

impl Platform {
    /// Returns the states of all tenants' scheduled backups. A tenant that cannot be read has failed. It blocks: for
    /// commands.
    pub fn backup_states(&self) -> Result<Vec<BackupState>> {
        let state = |tenant: String| match self.read_unopened(&tenant, BackupHistory::read) {
            Ok(BackupHistory { last, failure, .. }) => BackupState { tenant, last, failure },
            Err(error) => {
                let (at, message) = (self.environment().clock.now(), error.detail.unwrap_or(error.message));
                let failure = BackupFailure { at, message, tries: 1, again: 0 };
                BackupState { tenant, last: None, failure: Some(failure) }
            }
        };
        Ok(self.tenants()?.into_iter().map(state).collect())
    }

    /// Makes the backup that is due, and deletes what is not kept; returns when the next one is due.
    fn back_up_in_turn(&self, name: &str, schedule: &BackupSchedule) -> Result<i64> {
        let store = self.open(name)?.store().clone();
        let mut holder = [0; 16];
        self.environment().random.fill(&mut holder);
        let holder = format!("{:032x}", u128::from_be_bytes(holder));
        let began = self.environment().clock.now();
        let other = store.write_blocking(|tx| claim(tx, schedule, &holder, began))?;
        if let Some(next) = other {
            return Ok(next);
        }
        let held = HeldClaim::begin(self, &store, &holder);
        let made = self.back_up(name, &schedule.place, &mut |_| {});
        drop(held);
        let failed = made.as_ref().err().map(|error| error.detail.clone().unwrap_or_else(|| error.message.clone()));
        let now = self.environment().clock.now();
        let random = self.environment().random.as_ref();
        let history = store.write_blocking(|tx| {
            tx.lock_store()?;
            let mut history = BackupHistory::read(tx)?;
            match (&made, &failed) {
                (Ok(made), _) => note(&mut history, made, began, schedule.keep.is_none()),
                (Err(_), message) => {
                    let tries = history.failure.map_or(0, |failure| failure.tries) + 1;
                    let again = now.as_millisecond() + pause(tries, random);
                    let message = message.clone().unwrap_or_default();
                    history.failure = Some(BackupFailure { at: now, message, tries, again });
                }
            }
            history.write(tx)?;
            BackupClaim { holder: holder.clone(), ends: 0 }.write(tx)?;
            Ok::<_, Error>(history)
        })?;
        let made = made?;
        self.figures().backups_done.increment();
        self.figures().note_backup(name, history.backups());
        tracing::info!(tenant = name, file = %made.path.display(), bytes = made.bytes, "a backup was made");
        if let Some(keep) = &schedule.keep {
            // The archive is good all the same.
            if let Err(error) = self.delete_old(&store, schedule, keep, made.manifest.made) {
                let why = error.detail.as_deref().unwrap_or(&error.message);
                tracing::warn!(tenant = name, error = why, "old backups could not be deleted");
            }
        }
        Ok(schedule.due(&history, now))
    }

    /// Deletes the archives that the schedule made and that are not kept. The last one always is. Archives that cannot be
    /// seen, as where their folder is not mounted, stay in the history, as do those of another place.
    fn delete_old(&self, store: &Store, schedule: &BackupSchedule, keep: &Retention, last: Timestamp) -> Result<()> {
        let (history, place) = (store.read_blocking(BackupHistory::read)?, &schedule.place.archives);
        // One with another length is somebody else's, and one of a clock that was ahead is none of the past.
        let own_name = |archive: &OwnArchive| -> Option<String> {
            let name = place.name_of(&archive.path).filter(|_| archive.made <= last && !archive.kept)?;
            (place.length(name).ok()? == Some(archive.bytes)).then(|| name.to_owned())
        };
        let there: BTreeMap<Timestamp, String> =
            history.archives.iter().filter_map(|archive| Some((archive.made, own_name(archive)?))).collect();
        let kept = keep.kept(&there.keys().copied().collect());
        let mut deleted = BTreeSet::new();
        for (made, name) in there.iter().filter(|(made, _)| !kept.contains(made)) {
            match place.remove(name) {
                Ok(()) => _ = deleted.insert(*made),
                // It may be locked for a while.
                Err(error) => {
                    let why = error.detail.as_deref().unwrap_or(&error.message);
                    tracing::warn!(file = name, error = why, "an old backup cannot be deleted");
                }
            }
        }
        store.write_blocking(|tx| {
            tx.lock_store()?;
            let mut now = BackupHistory::read(tx)?;
            now.archives.retain(|archive| !deleted.contains(&archive.made) || !history.archives.contains(archive));
            now.write(tx)
        })
    }
}

/// Claims a tenant's backup; where it is not due or another node has it, returns when to look again.
fn claim(tx: &mut Tx<'_>, schedule: &BackupSchedule, holder: &str, now: Timestamp) -> Result<Option<i64>> {
    tx.lock_store()?;
    let due = schedule.due(&BackupHistory::read(tx)?, now);
    let now = now.as_millisecond();
    if due > now {
        return Ok(Some(due));
    }
    // One whose end is far away is of a clock that was set back.
    let other = BackupClaim::read(tx)?.filter(|claim| (now + 1..=now + LEASE).contains(&claim.ends));
    if let Some(other) = other {
        return Ok(Some(other.ends));
    }
    BackupClaim { holder: holder.to_owned(), ends: now + LEASE }.write(tx)?;
    Ok(None)
}

fn note(history: &mut BackupHistory, made: &MadeBackup, began: Timestamp, kept: bool) {
    history.last = Some(began);
    history.failure = None;
    let (path, made, bytes) = (made.path.clone(), made.manifest.made, made.bytes);
    history.archives.push(OwnArchive { path, made, bytes, kept });
    let oldest = history.archives.len().saturating_sub(MOST_ARCHIVES);
    history.archives.drain(..oldest);
}

/// A claim that is renewed until this is dropped.
struct HeldClaim(tokio::task::JoinHandle<()>);

impl HeldClaim {
    fn begin(platform: &Platform, store: &Store, holder: &str) -> Self {
        let (clock, store) = (Arc::clone(&platform.environment().clock), store.clone());
        let holder = holder.to_owned();
        HeldClaim(Handle::current().spawn(async move {
            loop {
                tokio::time::sleep(RENEWAL).await;
                let ends = clock.now().as_millisecond() + LEASE;
                let claim = BackupClaim { holder: holder.clone(), ends };
                let renewed = store.write(move |tx: &mut Tx<'_>| -> Result<()> {
                    match BackupClaim::read(tx)? {
                        Some(found) if found.holder == claim.holder && found.ends > 0 => claim.write(tx),
                        _ => Ok(()),
                    }
                });
                // The next renewal tries again after a failure.
                let _ = renewed.await;
            }
        }))
    }
}

impl Drop for HeldClaim {
    fn drop(&mut self) {
        self.0.abort();
    }
}
