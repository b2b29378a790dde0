//! The check of a master key against the tenants that began with one: it reads, and changes nothing.

use context::vault;
use context::vault::MasterKeys;
use database::{Database, Tx};
use model::error::{Error, Result};
use model::table_names::META;

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

/// Returns true if one of the keys is that of the tenant; none where it began with none yet.
pub(super) fn fits(database: &Database, keys: Option<&MasterKeys>, tenant: &str) -> Result<Option<bool>> {
    let store = database.store(tenant).map_err(Error::from)?;
    store.read_blocking(|tx: &mut Tx<'_>| match tx.has_table(&META)? {
        true => vault::fits(tx, keys, tenant),
        // Another process is about to make its tables.
        false => Ok(None),
    })
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
