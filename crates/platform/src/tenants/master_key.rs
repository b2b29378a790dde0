//! The check of a master key against the tenants that began with one: it reads, and changes nothing.

use super::Platform;
use context::vault;
use context::vault::MasterKeys;
use database::{Database, Tx};
use model::error::{Error, Result};
use model::table_names::META;
use std::time::{Duration, Instant};

/// The relation of a master key to the tenants of a database.
#[derive(Debug, PartialEq, Eq)]
pub enum KeyFit {
    /// There is no tenant.
    Empty,
    /// No tenant began with a master key yet.
    Free,
    /// The key is that of a tenant.
    Fits,
    /// The key is that of no tenant; the name of one that began with another.
    Foreign(String),
}

/// Returns the relation of the keys, or of their absence, to the tenants of the database. One tenant that they fit is
/// enough: another may come from the backup of an earlier time. It blocks.
pub fn fit(database: &Database, keys: Option<&MasterKeys>) -> Result<KeyFit> {
    fit_among(database, keys, &database.stores()?)
}

/// The same for some tenants of the database.
fn fit_among(database: &Database, keys: Option<&MasterKeys>, names: &[String]) -> Result<KeyFit> {
    let (mut foreign, mut unread) = (None, None);
    for name in names {
        match fits(database, keys, name) {
            Ok(Some(true)) => return Ok(KeyFit::Fits),
            Ok(Some(false)) if keys.is_none() => return Ok(KeyFit::Foreign(name.clone())),
            Ok(Some(false)) => _ = foreign.get_or_insert_with(|| name.clone()),
            Ok(None) => {}
            Err(error) => unread = Some(error),
        }
    }
    match (foreign, unread) {
        (Some(name), _) => Ok(KeyFit::Foreign(name)),
        // It may have begun with the key that is missing.
        (None, Some(error)) if keys.is_none() => Err(error),
        (None, _) if names.is_empty() => Ok(KeyFit::Empty),
        (None, _) => Ok(KeyFit::Free),
    }
}

/// Fails where other tenants of the database began with another master key: two nodes may each have made one for an
/// empty database.
pub(super) fn refuse_foreign(database: &Database, keys: Option<&MasterKeys>, others: &[String]) -> Result<()> {
    let Some(keys) = keys else { return Ok(()) };
    let KeyFit::Foreign(other) = fit_among(database, Some(keys), others)? else { return Ok(()) };
    let message =
        format!("The master key is not that of the tenant {other}. All nodes of a database need the same key.");
    Err(Error::conflict("master_key_foreign", message))
}

/// Returns the error of a backup whose tenant had another master key, with what makes it open: a rotation keeps each
/// former key beside the key's file, and all look for a tenant's key at the former one's name.
pub(super) fn foreign_backup(tx: &mut Tx<'_>, keys: Option<&MasterKeys>, tenant: &str) -> Result<Error> {
    let made = format!("The backup of {tenant} was made with another master key.");
    let afterwards = "Then try again, and run plinth secret rotate after a restoration";
    let Some(path) = keys.and_then(MasterKeys::file) else {
        let message = format!(
            "{made} Give that key as security.key (PLINTH_SECURITY_KEY), and today's as security.next_key. {afterwards} \
             with the same two settings."
        );
        return Ok(Error::conflict("master_key_foreign", message));
    };
    let previous = MasterKeys::previous_file(path);
    // It may be the only copy of its key.
    if previous.exists() {
        let previous = previous.display();
        let message = format!(
            "{made} {previous} has the key of a rotation that did not end. Run plinth secret rotate, then try again."
        );
        return Ok(Error::conflict("master_key_foreign", message));
    }
    let mut found = None;
    for kept in MasterKeys::former_files(path) {
        let keys = MasterKeys::in_file(&kept).ok().flatten();
        if vault::fits(tx, keys.as_ref(), tenant)? == Some(true) {
            found = Some(kept);
            break;
        }
    }
    let previous = previous.display();
    let message = match found {
        Some(kept) => {
            format!("{made} That key is kept: copy it with `cp {} {previous}`. {afterwards}.", kept.display())
        }
        None => format!("{made} Copy that key's file to {previous}, beside the file of the key. {afterwards}."),
    };
    Ok(Error::conflict("master_key_foreign", message))
}

/// Returns true if one of the keys is that of the tenant; none where it began with none yet.
pub(super) fn fits(database: &Database, keys: Option<&MasterKeys>, tenant: &str) -> Result<Option<bool>> {
    let store = database.store(tenant).map_err(Error::from)?;
    store.read_blocking(|tx: &mut Tx<'_>| match tx.has_table(&META)? {
        true => vault::fits(tx, keys, tenant),
        // Another process is about to make its tables.
        false => Ok(None),
    })
}

/// The result of a look at the keys of all tenants.
#[derive(Debug, Default)]
pub struct KeyReport {
    /// The number of tenants whose key is ours.
    pub fitting: usize,
    /// The tenants that began with another key.
    pub foreign: Vec<String>,
    /// The tenants without tables: a process makes them just now, or did not end.
    pub empty: Vec<String>,
    /// The tenants that cannot be read, or for which no time was left.
    pub unread: Vec<String>,
}

impl Platform {
    /// Compares the master key with those of all tenants, for so long. It blocks: for commands.
    pub fn look_at_keys(&self, within: Duration) -> Result<KeyReport> {
        let (began, mut report) = (Instant::now(), KeyReport::default());
        for name in self.tenants()? {
            if began.elapsed() >= within {
                report.unread.push(name);
                continue;
            }
            match self.has_foreign_key(&name) {
                Ok(true) => report.foreign.push(name),
                Ok(false) if self.is_empty_tenant(&name).unwrap_or(false) => report.empty.push(name),
                Ok(false) => report.fitting += 1,
                // It was deleted meanwhile.
                Err(error) if error.code == "tenant_missing" => {}
                Err(_) => report.unread.push(name),
            }
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyFit, fit};
    use database::{Database, SqliteOptions};

    #[test]
    fn a_tenant_without_tables_yet_began_with_no_key() {
        let folder = tempfile::TempDir::new().unwrap();
        let options = SqliteOptions { folder: folder.path().to_owned(), readers: 1, descriptors: 64 };
        let database = Database::sqlite(options).unwrap();
        assert_eq!(fit(&database, None).unwrap(), KeyFit::Empty);
        // Another process makes the file, and the tables in a second step.
        database.create("half").unwrap();
        assert_eq!(fit(&database, None).unwrap(), KeyFit::Free);
    }
}
