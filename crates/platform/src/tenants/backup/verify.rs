//! The proof of a backup: it is restored into a scratch folder, and looked at there.

use super::create::{named_files, row_counts};
use super::history::BackupHistory;
use super::restore::RestoreOptions;
use super::scratch::Scratch;
use crate::tenants::Platform;
use accounts::audit_log;
use backups::{Identities, Manifest};
use database::{Store, Tx};
use model::error::{Error, Result};
use model::table_names::{COUNTER, META, SECRET};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tenant::Tenant;
use tenant::storage::Key;
use tokio::runtime::Handle;

/// A backup that was restored and looked at.
#[derive(Debug)]
pub struct VerifiedBackup {
    /// The description of the backup.
    pub manifest: Manifest,
    /// The rows of the audit log that were verified.
    pub audited: u64,
    /// The faults that were found; empty for a whole backup.
    pub faults: Vec<String>,
}

impl Platform {
    /// Restores a backup within a folder, and removes it again: digests, the rows' file, references, numbers of rows,
    /// counters, the audit log and the bytes of files have to be right. An error is a backup that cannot be restored.
    pub fn verify_backup(
        self: &Arc<Self>,
        path: &Path,
        identities: &Identities,
        scratch: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<VerifiedBackup> {
        let scratch = Scratch::within(scratch)?;
        let aside = self.aside(&scratch)?;
        let options = RestoreOptions { identities: Some(identities), ..RestoreOptions::default() };
        let restored = aside.restore(path, options, scratch.path(), progress)?;
        let tenant = aside.open(&restored.tenant)?;
        let mut faults = tenant.store().faults_blocking()?;
        faults.extend(wrong_numbers(tenant.store(), &restored.manifest)?);
        faults.extend(wrong_counters(tenant.store())?);
        faults.extend(missing_files(&tenant)?);
        let audited = match aside.settings.key {
            Some(_) => {
                let chain = tenant.read_as_administrator(|tx, context| audit_log::verify(tx, context, None))?;
                let broken =
                    chain.broken.map(|broken| format!("row {} of the audit log: {}", broken.row, broken.fault.text()));
                faults.extend(broken);
                chain.rows
            }
            None => 0,
        };
        if faults.is_empty() {
            self.note_proof(&restored.manifest);
        }
        Ok(VerifiedBackup { manifest: restored.manifest, audited, faults })
    }

    /// Notes the proof of a backup where its tenant is one of this platform. One that cannot be noted is a proof all the
    /// same.
    pub(super) fn note_proof(&self, manifest: &Manifest) {
        let now = self.environment().clock.now();
        let note = |tx: &mut Tx<'_>| {
            tx.lock_store()?;
            let mut history = BackupHistory::read(tx)?;
            // A clock that was ahead proves nothing of the time to come.
            history.proven = history.proven.max(Some(manifest.made)).map(|proven| proven.min(now));
            history.write(tx)
        };
        let noted = self.tenants().and_then(|names| match names.contains(&manifest.tenant) {
            true => self.database.store(&manifest.tenant)?.write_blocking(note),
            false => Ok(()),
        });
        if let Err(error) = noted {
            let why = error.detail.as_deref().unwrap_or(&error.message);
            tracing::warn!(tenant = manifest.tenant, error = why, "the proof of a backup cannot be noted");
        }
    }
}

/// Tables whose rows are other ones than the manifest tells.
fn wrong_numbers(store: &Store, manifest: &Manifest) -> Result<Vec<String>> {
    let counts = store.read_blocking(row_counts)?;
    // Facts and secrets are added by a later version.
    let is_ours = |table: &str| table == META.as_str() || table == SECRET.as_str();
    let told = manifest.rows.iter().filter(|(table, _)| !is_ours(table));
    let wrong = told.filter(|(table, rows)| counts.get(*table) != Some(rows));
    let text = |(table, rows): (&String, &u64)| {
        format!("the table {table} has {} rows and not {rows}", counts.get(table).copied().unwrap_or_default())
    };
    Ok(wrong.map(text).collect())
}

/// Counters that tell other numbers than the rows.
fn wrong_counters(store: &Store) -> Result<Vec<String>> {
    store.read_blocking(|tx: &mut Tx<'_>| {
        let mut told: BTreeMap<i64, i64> = BTreeMap::new();
        let mut sql = tx.sql();
        sql.push("SELECT type, CAST(SUM(rows) AS bigint) FROM ").table(&COUNTER).push(" GROUP BY type");
        tx.query(&sql, &mut |row| {
            told.insert(row.integer(0)?, row.integer(1)?);
            Ok(())
        })?;
        let model = configuration::stored_types(tx)?;
        let mut faults = Vec::new();
        for of in model.iter().flat_map(|model| &model.types) {
            let mut sql = tx.sql();
            sql.push("SELECT COUNT(*) FROM ").table(&of.table);
            let mut rows = 0;
            tx.query(&sql, &mut |row| {
                rows = row.integer(0)?;
                Ok(())
            })?;
            let counter = told.get(&of.id).copied().unwrap_or_default();
            if counter != rows {
                faults.push(format!("the counter of {} tells {counter} rows, and there are {rows}", of.name));
            }
        }
        Ok(faults)
    })
}

/// Files of rows whose bytes are not there.
fn missing_files(tenant: &Tenant) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (key, size) in named_files(tenant.store())? {
        let known = Key::parse(&key).ok_or_else(|| Error::failed(format!("{key:?} is not a key of a file")))?;
        let last = size.saturating_sub(1);
        let read = Handle::current().block_on(async {
            let mut content = tenant.files().read(&known, last..size).await?;
            content.next().await.map(drop)
        });
        if read.is_err() {
            faults.push(format!("the bytes of the file {key} are missing"));
        }
    }
    Ok(faults)
}
