//! Deleted tenants: out of reach at once, kept for a while, and removed when their time is over.

use super::Platform;
use super::backup::restore::{self, is_empty};
use super::platform::missing;
use super::runtimes::within_runtime;
use context::vault;
use database::{DeletedStore, Error as StoreError, Tx};
use jiff::{SignedDuration, Timestamp};
use model::error::{Error, Result};
use model::table_names;
use std::sync::Arc;

/// The longest time for which a deleted tenant is kept.
const LONGEST: SignedDuration = SignedDuration::from_hours(24 * 3_650);

/// A tenant that is deleted, and not removed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedTenant {
    /// Its name, which no other tenant gets meanwhile.
    pub name: String,
    /// The end of the time in which it can come back; none once its removal has begun.
    pub until: Option<Timestamp>,
}

impl Platform {
    /// Deletes a tenant, so that it can come back for some time: nothing reaches it, and it does nothing. Gives the end of
    /// that time. It blocks: for commands.
    pub fn delete_tenant(&self, name: &str, time: SignedDuration) -> Result<Timestamp> {
        self.find_live(name)?;
        // Requests that name no tenant meant the only one. They mean no other while it can come back.
        if let Err(error) = self.keep_default() {
            tracing::warn!(tenant = name, %error, "requests that name no tenant may mean another one from now on");
        }
        let until = self.environment().clock.now().saturating_add(time.min(LONGEST)).map_err(time_failed)?;
        let until = Timestamp::from_second(until.as_second()).map_err(time_failed)?;
        self.database.put_away(name, Some(until.as_second()))?;
        self.forget(name);
        Ok(until)
    }

    /// Removes a tenant with all that is in it, be it deleted already or not. It blocks: for commands.
    pub fn erase_tenant(&self, name: &str) -> Result<()> {
        let condemned = match self.find_live(name) {
            Ok(()) => self.database.put_away(name, None)?,
            Err(error) => match self.find_deleted(name)? {
                Some(deleted) => self.condemn(deleted)?,
                None => return Err(error),
            },
        };
        self.forget(name);
        self.remove(&condemned)
    }

    /// Brings a deleted tenant back. It blocks: for commands.
    pub fn undelete_tenant(&self, name: &str) -> Result<()> {
        let is_there = self.database.stores()?.iter().any(|store| store == name);
        let deleted = match self.find_deleted(name)? {
            Some(deleted) if !is_there => deleted,
            Some(_) => {
                let message = format!(
                    "There is another tenant {name} by now. Back it up and remove it (plinth tenant delete {name} \
                     --now --yes); then the deleted one can come back."
                );
                return Err(Error::conflict("tenant_exists", message));
            }
            None if is_there => {
                return Err(not_deleted(name));
            }
            None => return Err(missing()),
        };
        let now = self.environment().clock.now().as_second();
        if deleted.until.is_none_or(|until| until <= now) {
            return Err(over(name));
        }
        let keys = self.settings.key.as_ref();
        if self.database.read_deleted(&deleted, |tx| vault::fits(tx, keys, name))? == Some(false) {
            let message = format!(
                "The tenant {name} was deleted before the master key changed. Copy the former key's file to \
                 plinth.key.previous, beside the file of the key; then bring the tenant back, and run plinth secret \
                 rotate."
            );
            return Err(Error::conflict("master_key_foreign", message));
        }
        self.keep_default()?;
        self.database.bring_back(&deleted).map_err(|error| match error {
            // Another command brought it back, or a server removes it.
            StoreError::NoStore if self.database.store(name).is_ok() => not_deleted(name),
            StoreError::NoStore => over(name),
            error => error.into(),
        })?;
        self.directory.put(name, &[]);
        // Servers that had it open forget what they know of rights, and look for work that waits.
        self.open(name)?.store().write_blocking(|tx| -> Result<()> {
            tx.raise_access()?;
            wake_workers(tx)
        })
    }

    /// The deleted tenants, sorted by name. It blocks.
    pub fn deleted_tenants(&self) -> Result<Vec<DeletedTenant>> {
        let tenant = |store: DeletedStore| {
            let until = store.until.map(Timestamp::from_second).transpose().map_err(time_failed)?;
            Ok(DeletedTenant { name: store.name, until })
        };
        self.database.deleted()?.into_iter().map(tenant).collect()
    }

    /// Removes the deleted tenants whose time is over, and those whose removal was cut short. It blocks.
    pub fn remove_deleted(&self) -> Result<()> {
        let now = self.environment().clock.now().as_second();
        let mut failed = None;
        for deleted in self.database.deleted()? {
            if deleted.until.is_some_and(|until| until > now) {
                continue;
            }
            let name = deleted.name.clone();
            match self.condemn(deleted).and_then(|condemned| self.remove(&condemned)) {
                Ok(()) => tracing::info!(tenant = name, "the deleted tenant was removed"),
                // It came back, or another process was first.
                Err(error) if error.code == "tenant_missing" => {}
                Err(error) => {
                    let detail = error.detail.as_ref().unwrap_or(&error.message);
                    let detail = format!("the deleted tenant {name} stays: {detail}");
                    failed = Some(Error { detail: Some(detail), ..error });
                }
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Removes the deleted tenants whose time is over, beside other work.
    pub async fn sweep_deleted(self: &Arc<Self>) -> Result<()> {
        self.blocking(Self::remove_deleted).await
    }

    /// Forgets tenants that another process deleted, and finds those that came back. A look opens no tenant that is as it
    /// was.
    pub async fn watch_deleted(self: &Arc<Self>) -> Result<()> {
        let _turn = self.directory.turn.lock().await;
        let now = self.environment().clock.now();
        self.blocking(move |platform| {
            let names = platform.database.names()?;
            if !platform.directory.agrees(&names) {
                platform.directory.scan(&platform.database, now)?;
            }
            // One that went and came back between two looks is opened anew.
            platform.open.retain(|name, tenant| names.there.contains(name) && !tenant.store().is_closed());
            Ok(())
        })
        .await
    }

    /// Fails where the name is that of a deleted tenant. One whose time is over is removed here.
    pub(super) fn refuse_deleted(&self, name: &str) -> Result<()> {
        let Some(deleted) = self.find_deleted(name)? else { return Ok(()) };
        let now = self.environment().clock.now().as_second();
        if deleted.until.is_none_or(|until| until <= now) {
            return self.condemn(deleted).and_then(|condemned| self.remove(&condemned));
        }
        Err(still_deleted(&deleted))
    }

    /// Has requests that name no tenant mean the only one still, once there is a second: unless they meant a deleted one,
    /// which may come back. Tenants without tables do not count: others make them at this moment.
    pub(super) fn keep_default(&self) -> Result<()> {
        let names = self.database.stores()?;
        // One that cannot be read may have tables.
        let is_made = |name: &&String| self.database.store(name).is_ok_and(|store| !is_empty(&store).unwrap_or(false));
        let mut made = names.iter().filter(is_made);
        let (Some(only), None) = (made.next(), made.next()) else { return Ok(()) };
        if self.has_deleted_default()? {
            return Ok(());
        }
        self.open(only)?.store().write_blocking(configuration::make_default)?;
        self.directory.prefer(only);
        Ok(())
    }

    /// Returns true if requests that name no tenant meant one that is deleted.
    pub(super) fn has_deleted_default(&self) -> Result<bool> {
        let deleted = self.database.deleted()?;
        let is_default = |store: &DeletedStore| {
            let read = self.database.read_deleted(store, configuration::reached);
            // One that cannot be read may be the one, unless its removal has begun.
            read.map_or(store.until.is_some(), |(_, preferred)| preferred)
        };
        Ok(deleted.iter().any(is_default))
    }

    pub(super) fn find_live(&self, name: &str) -> Result<()> {
        if self.database.stores()?.iter().any(|store| store == name) {
            return Ok(());
        }
        self.refuse_lost(name)?;
        Err(self.find_deleted(name)?.as_ref().map_or_else(missing, still_deleted))
    }

    /// The deleted tenant of that name; of several, the one that was to be kept longest.
    fn find_deleted(&self, name: &str) -> Result<Option<DeletedStore>> {
        Ok(self.database.deleted()?.into_iter().rfind(|store| store.name == name))
    }

    fn condemn(&self, deleted: DeletedStore) -> Result<DeletedStore> {
        match deleted.until {
            None => Ok(deleted),
            Some(_) => Ok(self.database.condemn(&deleted)?),
        }
    }

    /// Removes the files first: the name is free once nothing of the tenant is left.
    fn remove(&self, condemned: &DeletedStore) -> Result<()> {
        let name = &condemned.name;
        self.note_archives(condemned);
        let others = self.database.deleted()?;
        let is_shared = self.database.stores()?.contains(name)
            || others.iter().any(|other| other != condemned && other.name == *name);
        if !is_shared {
            let files = self.settings.files.of(name);
            within_runtime(|| restore::remove_all(&files))?;
        }
        Ok(self.database.remove_condemned(condemned)?)
    }

    /// Forgets a tenant that is deleted.
    fn forget(&self, name: &str) {
        self.directory.remove(name);
        self.open.remove(name);
        self.forget_uses(|other| other != name);
        self.figures().retain(|other| other != name);
    }
}

/// Has the workers of all nodes look for work that waits.
pub(super) fn wake_workers(tx: &mut Tx<'_>) -> Result<()> {
    use table_names::{JOB, OUTBOX, RECALCULATION, RUN, SCHEDULE};
    Ok([OUTBOX, RUN, RECALCULATION, JOB, SCHEDULE].iter().try_for_each(|table| tx.grow(table))?)
}

/// Reads a time for which a deleted tenant is kept, such as `7d` or `12h`: a minute at least, ten years at most.
pub fn parse_keep_time(text: &str) -> std::result::Result<SignedDuration, String> {
    let unit = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let seconds = match &text[unit..] {
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => 0,
    };
    let time = text[..unit].parse::<u32>().map_or(0, |number| i64::from(number) * seconds);
    if (60..=LONGEST.as_secs()).contains(&time) {
        return Ok(SignedDuration::from_secs(time));
    }
    Err("a time is such as 30m, 12h or 7d, and ten years at most; --now deletes at once".to_owned())
}

fn still_deleted(deleted: &DeletedStore) -> Error {
    let name = &deleted.name;
    let message = match deleted.until.map(Timestamp::from_second) {
        Some(Ok(until)) => format!(
            "The tenant {name} is deleted, and keeps its name until {until}. plinth tenant undelete {name} brings it \
             back; plinth tenant delete {name} --now --yes removes it."
        ),
        _ => format!(
            "The tenant {name} is being removed, and keeps its name until that is done. A server does it, or \
             plinth tenant delete {name} --now --yes."
        ),
    };
    Error::conflict("tenant_deleted", message)
}

fn not_deleted(name: &str) -> Error {
    Error::conflict("tenant_exists", format!("The tenant {name} is not deleted."))
}

fn over(name: &str) -> Error {
    let message = format!("The time in which the tenant {name} could come back is over. Restore a backup of it.");
    Error::conflict("tenant_removed", message)
}

fn time_failed(error: jiff::Error) -> Error {
    Error::failed(error.to_string())
}
