//! The history of a tenant's scheduled backups, which its store keeps: the last one, what failed, and what was made.

use crate::tenants::LastBackups;
use context::tables;
use database::Tx;
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::META;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The name of the history, in the table of facts.
const HISTORY: &str = "backups";
/// The name of the claim of the node that makes a backup just now.
const CLAIM: &str = "backup_claim";

/// The history of a tenant's scheduled backups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BackupHistory {
    /// The instant at which the last one began.
    pub last: Option<Timestamp>,
    /// The instant of the last one that was proven.
    #[serde(default)]
    pub proven: Option<Timestamp>,
    /// The failure since then.
    pub failure: Option<BackupFailure>,
    /// The archives that the schedule made, by their instants.
    pub archives: Vec<OwnArchive>,
}

/// A backup that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFailure {
    /// When it failed.
    pub at: Timestamp,
    /// The cause.
    pub message: String,
    /// The number of tries since the last one that was made.
    pub tries: i64,
    /// When it is tried again, in milliseconds.
    pub again: i64,
}

/// An archive that the schedule made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OwnArchive {
    pub path: PathBuf,
    pub made: Timestamp,
    pub bytes: u64,
    /// True if retention lets it be: it was made while none was set.
    #[serde(default)]
    pub kept: bool,
}

impl BackupHistory {
    /// Returns the instants for figures.
    pub(super) fn backups(&self) -> LastBackups {
        LastBackups { last: self.last, proven: self.proven }
    }

    pub(super) fn read(tx: &mut Tx<'_>) -> Result<Self> {
        let Some(text) = tables::get(tx, HISTORY)? else { return Ok(Self::default()) };
        serde_json::from_str(&text).map_err(|error| Error::failed(format!("the history of backups: {error}")))
    }

    pub(super) fn write(&self, tx: &mut Tx<'_>) -> Result<()> {
        let text = serde_json::to_string(self).map_err(|error| Error::failed(error.to_string()))?;
        tables::put(tx, HISTORY, &text)
    }
}

/// A node's right to make a tenant's backup, for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BackupClaim {
    pub holder: String,
    /// Its end, in milliseconds.
    pub ends: i64,
}

impl BackupClaim {
    pub(super) fn read(tx: &mut Tx<'_>) -> Result<Option<Self>> {
        let text = tables::get(tx, CLAIM)?;
        Ok(text.and_then(|text| {
            let (holder, ends) = text.split_once(' ')?;
            Some(BackupClaim { holder: holder.to_owned(), ends: ends.parse().ok()? })
        }))
    }

    pub(super) fn write(&self, tx: &mut Tx<'_>) -> Result<()> {
        tables::put(tx, CLAIM, &format!("{} {}", self.holder, self.ends))
    }
}

/// Forgets all of it, in a store that came out of a backup: its archives are another store's.
pub(super) fn forget(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&META).push(" WHERE name IN (").bind(HISTORY).push(", ").bind(CLAIM).push(")");
    tx.execute(&sql)?;
    Ok(())
}
