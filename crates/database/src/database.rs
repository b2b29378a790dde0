//! Databases: places with stores in them.

use crate::facts::ServerFacts;
use crate::figures::{DatabaseReport, JobFigures};
use crate::job::JobTimes;
use crate::store::StoreEngine;
use crate::{ChangeMark, Error, Name, PostgresOptions, Result, SqliteOptions, Store, TimeLimit, postgres, sqlite};
use metrics::Histogram;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A place with stores in it.
#[derive(Clone)]
pub struct Database {
    pub(crate) engine: DatabaseEngine,
    times: JobTimes,
    figures: Arc<JobFigures>,
}

#[derive(Clone)]
pub(crate) enum DatabaseEngine {
    Sqlite(sqlite::SqliteFolder),
    Postgres(postgres::PostgresDatabase),
}

/// A folder in which a store's file is made, and what belongs beside it. Dropped before [`Database::adopt`], or left by a
/// process that was killed, nothing stays of it.
pub struct StoreWorkshop(sqlite::StoreCopy);

impl StoreWorkshop {
    /// Returns the path that the file must have. Its maker writes it to the disk.
    pub fn file(&self) -> &Path {
        &self.0.path
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }
}

impl Database {
    /// SQLite files in a folder. Fails where the library is older than it must be.
    pub fn sqlite(options: SqliteOptions) -> Result<Self> {
        Ok(Database {
            engine: DatabaseEngine::Sqlite(sqlite::SqliteFolder::open(options)?),
            times: JobTimes::default(),
            figures: Arc::default(),
        })
    }

    /// Schemas of a PostgreSQL database. Fails where the server is not to be reached or too old.
    pub fn postgres(options: PostgresOptions) -> Result<Self> {
        Ok(Database {
            engine: DatabaseEngine::Postgres(postgres::PostgresDatabase::open(&options)?),
            times: JobTimes::default(),
            figures: Arc::default(),
        })
    }

    /// The same where a job waits this long for a thread or a connection, instead of 2 s, before its caller is told to
    /// come again.
    pub fn waiting(self, wait: Duration) -> Self {
        Database { times: JobTimes { patience: wait, ..self.times }, ..self }
    }

    /// The same where a job has this time limit, instead of 20 s. What it did is undone then, and its statement
    /// stopped.
    pub fn limited(self, limit: TimeLimit) -> Self {
        Database { times: JobTimes { limit, ..self.times }, ..self }
    }

    /// The names of the stores, sorted.
    pub fn stores(&self) -> Result<Vec<String>> {
        Ok(self.marks()?.into_keys().collect())
    }

    /// The stores and the marks of their configurations. No store is opened: it costs a look at the folder, or one
    /// statement.
    pub fn marks(&self) -> Result<BTreeMap<String, ChangeMark>> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.marks(),
            DatabaseEngine::Postgres(database) => database.marks(),
        }
    }

    /// The stores, and marks that differ once rows were added to the table of that name, whose rows the engine numbers.
    /// They may differ before the rows are committed: whoever looks at once, and finds nothing, looks once more later.
    /// No store is opened: it costs a look at the folder, or a statement for some hundred stores.
    pub fn growth(&self, table: &Name) -> Result<BTreeMap<String, ChangeMark>> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.marks(),
            DatabaseEngine::Postgres(database) => database.growth(table),
        }
    }

    /// Makes an empty store. The name is `[a-z][a-z0-9-]{0,39}`. Fails where it exists.
    pub fn create(&self, name: &str) -> Result<Store> {
        if !well_formed(name) {
            return Err(Error::Failed(format!("{name:?} is not a name for a store")));
        }
        Ok(Store {
            engine: match &self.engine {
                DatabaseEngine::Sqlite(database) => StoreEngine::Sqlite(database.create(name)?),
                DatabaseEngine::Postgres(database) => StoreEngine::Postgres(database.create(name)?),
            },
            times: self.times,
            figures: Arc::clone(&self.figures),
        })
    }

    /// Makes a folder for a store of that name, where stores are files; none elsewhere. Fails where the store exists.
    pub fn workshop(&self, name: &str) -> Result<Option<StoreWorkshop>> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) if well_formed(name) => Ok(Some(StoreWorkshop(database.workshop(name)?))),
            DatabaseEngine::Sqlite(_) => Err(Error::Failed(format!("{name:?} is not a name for a store"))),
            DatabaseEngine::Postgres(_) => Ok(None),
        }
    }

    /// Makes a store of such a folder, in one step that a loss of power does not tear.
    pub fn adopt(&self, workshop: StoreWorkshop, name: &str) -> Result<Store> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => {
                let engine = StoreEngine::Sqlite(database.adopt(workshop.0, name)?);
                Ok(Store { engine, times: self.times, figures: Arc::clone(&self.figures) })
            }
            DatabaseEngine::Postgres(_) => Err(Error::Failed("a schema is made of no folder".into())),
        }
    }

    /// An existing store, or [`Error::NoStore`].
    pub fn store(&self, name: &str) -> Result<Store> {
        if !well_formed(name) {
            return Err(Error::NoStore);
        }
        Ok(Store {
            engine: match &self.engine {
                DatabaseEngine::Sqlite(database) => StoreEngine::Sqlite(database.store(name)?),
                DatabaseEngine::Postgres(database) => StoreEngine::Postgres(database.store(name)?),
            },
            times: self.times,
            figures: Arc::clone(&self.figures),
        })
    }

    /// Closes the files of stores that another process deleted, unless they are there again.
    pub fn close_deleted(&self, is_known: impl Fn(&str) -> bool) {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.close_deleted(is_known),
            DatabaseEngine::Postgres(_) => {}
        }
    }

    /// Deletes a store and all that is in it.
    pub fn delete(&self, name: &str) -> Result<()> {
        if !well_formed(name) {
            return Err(Error::NoStore);
        }
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.delete(name),
            DatabaseEngine::Postgres(database) => database.delete(name),
        }
    }

    /// The present by the database server's clock, in microseconds since 1970; none where all processes that use the
    /// database are on one machine, and share its clock. It blocks.
    pub fn present(&self) -> Result<Option<i64>> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => Ok(None),
            DatabaseEngine::Postgres(database) => database.present().map(Some),
        }
    }

    /// Returns the number of connections to the database server that were made so far: where there is another one, it
    /// may lead to another server.
    pub fn connections_made(&self) -> u64 {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => 0,
            DatabaseEngine::Postgres(database) => database.connections_made(),
        }
    }

    /// Returns the times of the jobs of all stores.
    pub fn job_figures(&self) -> &JobFigures {
        &self.figures
    }

    /// Returns the times of commits, with the disk. PostgreSQL's have none: a commit shares its round trip.
    pub fn commit_times(&self) -> Option<&Histogram> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => Some(database.commit_times()),
            DatabaseEngine::Postgres(_) => None,
        }
    }

    /// Returns the figures of the engine. Nothing is asked of the database.
    pub fn report(&self) -> DatabaseReport {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.report(),
            DatabaseEngine::Postgres(database) => database.report(),
        }
    }

    /// Asks for facts about the server. It blocks.
    pub fn facts(&self) -> Result<ServerFacts> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => Ok(ServerFacts::Sqlite { version: rusqlite::version().to_owned() }),
            DatabaseEngine::Postgres(database) => database.facts().map(|facts| ServerFacts::Postgres(Box::new(facts))),
        }
    }

    /// Says that this node is there; returns the names of nodes that said so lately and do not any more. Where all
    /// processes are on one machine nobody says anything, and none is missed.
    pub async fn beat(&self, node: &str) -> Result<Vec<String>> {
        match &self.engine {
            DatabaseEngine::Sqlite(_) => Ok(Vec::new()),
            DatabaseEngine::Postgres(database) => database.beat(node).await,
        }
    }

    /// Returns true if the database answers, for readiness checks.
    pub async fn ping(&self) -> Result<()> {
        match &self.engine {
            DatabaseEngine::Sqlite(database) => database.ping(),
            DatabaseEngine::Postgres(database) => database.ping().await,
        }
    }
}

/// Returns true if a text can be the name of a store.
pub(crate) fn well_formed(name: &str) -> bool {
    let bytes = name.as_bytes();
    (1..=40).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}
