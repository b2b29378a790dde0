//! Deleted stores: aside under a name that no store can have, which tells until when they can come back.

use crate::database::DatabaseEngine;
use crate::job::{self, JobTimes};
use crate::store::StoreEngine;
use crate::{Database, Error, Result, Store, Tx};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A store that was deleted, and is not removed yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeletedStore {
    /// The name that it had.
    pub name: String,
    /// The end of the time in which it can come back, in seconds since 1970; none once its removal has begun.
    pub until: Option<i64>,
}

/// The names of a database's stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreNames {
    /// Those that are there; a store that is half made may be among them.
    pub there: BTreeSet<String>,
    /// The deleted ones, sorted.
    pub deleted: BTreeSet<DeletedStore>,
}

impl DeletedStore {
    /// Returns the text in the store's name while it is deleted. Ten digits reach beyond the year 2200.
    pub(crate) fn label(&self) -> String {
        format!("{:010}-{}", self.until.unwrap_or(0), self.name)
    }

    /// Reads such a text.
    pub(crate) fn parse(label: &str) -> Option<Self> {
        let (digits, name) = label.split_once('-')?;
        let until = digits.parse().ok().filter(|_| digits.len() == 10 && crate::database::well_formed(name))?;
        Some(DeletedStore { name: name.to_owned(), until: (until != 0).then_some(until) })
    }
}

impl Database {
    /// Deletes a store in one step, so that it can come back until then; without an instant, it is for removal alone.
    /// Whatever still has it open finds no store.
    pub fn put_away(&self, name: &str, until: Option<i64>) -> Result<DeletedStore> {
        if !crate::database::well_formed(name) {
            return Err(Error::NoStore);
        }
        let store = DeletedStore { name: name.to_owned(), until };
        if until.is_some_and(|until| !(1..10_000_000_000).contains(&until)) {
            return Err(Error::Failed(format!("{until:?} is not an instant of a deleted store")));
        }
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.put_away(&store)?,
            DatabaseEngine::Postgres(database) => database.put_away(&store)?,
        }
        Ok(store)
    }

    /// The names of stores, at the price of a list of the folder's names, or of one statement.
    pub fn names(&self) -> Result<StoreNames> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.names(),
            DatabaseEngine::Postgres(database) => database.names(),
        }
    }

    /// The stores whose folders stand without their file, with the folders; PostgreSQL has none. A deleted store is none
    /// of them. No store is opened.
    pub fn lost(&self) -> Result<BTreeMap<String, PathBuf>> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.lost(),
            DatabaseEngine::Postgres(_) => Ok(BTreeMap::new()),
        }
    }

    /// The folder of such a store, at the price of a look at it.
    pub fn lost_folder(&self, name: &str) -> Result<Option<PathBuf>> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.lost_folder(name),
            DatabaseEngine::Postgres(_) => Ok(None),
        }
    }

    /// The same if no store of its name can be made, since something lies in the folder.
    pub fn blocking_folder(&self, name: &str) -> Result<Option<PathBuf>> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.blocking_folder(name),
            DatabaseEngine::Postgres(_) => Ok(None),
        }
    }

    /// The deleted stores, sorted by name. No store is opened.
    pub fn deleted(&self) -> Result<Vec<DeletedStore>> {
        Ok(self.names()?.deleted.into_iter().collect())
    }

    /// Brings a deleted store back in one step. [`Error::NoStore`] where it came back or its removal began meanwhile.
    pub fn bring_back(&self, store: &DeletedStore) -> Result<()> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.bring_back(store),
            DatabaseEngine::Postgres(database) => database.bring_back(store),
        }
    }

    /// Decides in one step that a deleted store never comes back. [`Error::NoStore`] where another was first.
    pub fn condemn(&self, store: &DeletedStore) -> Result<DeletedStore> {
        let condemned = DeletedStore { name: store.name.clone(), until: None };
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.rename_deleted(store, &condemned)?,
            DatabaseEngine::Postgres(database) => database.rename_deleted(store, &condemned)?,
        }
        Ok(condemned)
    }

    /// Removes a condemned store with all that is in it, in steps that can be cut short; another removal of it at the
    /// same time does no harm.
    pub fn remove_condemned(&self, store: &DeletedStore) -> Result<()> {
        if store.until.is_some() {
            return Err(Error::Failed(format!("the deleted store {} can come back", store.name)));
        }
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.remove_condemned(store),
            DatabaseEngine::Postgres(database) => database.remove_condemned(store),
        }
    }

    /// Runs a job that reads from a deleted store on this thread. Nothing of it stays open.
    pub fn read_deleted<T, E>(
        &self,
        store: &DeletedStore,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => {
                let opened = database.deleted_store(store);
                let engine = StoreEngine::Sqlite(opened.clone());
                let read = Store { engine, times: JobTimes::default(), figures: Arc::default() }.read_blocking(job);
                opened.close();
                read
            }
            DatabaseEngine::Postgres(database) => {
                let store = database.deleted_store(store);
                job::run_here(job, |job| store.run_read(job))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DeletedStore;

    #[test]
    fn a_label_has_name_and_instant() {
        for (name, until) in [("acme", Some(1_780_000_000)), ("a-1-b", None), ("z", Some(9_999_999_999))] {
            let store = DeletedStore { name: name.to_owned(), until };
            assert_eq!(DeletedStore::parse(&store.label()), Some(store));
        }
        for bad in ["", "acme", "1780000000", "178000000-acme", "1780000000-Acme", "-170000000-acme", "1780000000-a.b"]
        {
            assert_eq!(DeletedStore::parse(bad), None, "{bad}");
        }
        // PostgreSQL cuts names off that have more than 63 bytes.
        let longest = DeletedStore { name: "z".repeat(40), until: Some(1_780_000_000) };
        assert!("plinth-".len() + longest.label().len() <= 63);
    }
}
