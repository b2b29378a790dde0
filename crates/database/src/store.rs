//! Databases and the stores in them: a file or a schema for each tenant.

use crate::{Claim, Error, Lease, Name, Result, Sql, Tx, postgres, sqlite, work};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// How much work a read is, which decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A few look-ups by key: run where the caller is, where the engine is in this process.
    Point,
    /// Anything else: run on a thread of the database's own.
    Scan,
}

/// Where and how SQLite keeps its files.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The folder; the store `acme` is the file `acme/tenant.db` below it.
    pub folder: PathBuf,
    /// Threads that read.
    pub readers: usize,
    /// How many files are kept open.
    pub open_files: usize,
}

/// How PostgreSQL is reached.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// `postgresql://user:password@host/database`, or a key=value list; a folder as host is a socket's.
    pub url: String,
    /// Connections, each with a thread of its own.
    pub connections: usize,
}

/// A place with stores in it.
#[derive(Clone)]
pub struct Database {
    engine: Engine,
    wait: Duration,
}

#[derive(Clone)]
enum Engine {
    Sqlite(sqlite::Database),
    Postgres(postgres::Database),
}

/// Differs from what it was wherever what it stands for changed, and perhaps where it did not: it tells whoever keeps
/// something of many stores in memory which of them to look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(pub(crate) String);

/// The data of one tenant. Cloning is cheap. There is no other way to its tables.
#[derive(Clone)]
pub struct Store {
    engine: Within,
    wait: Duration,
}

#[derive(Clone)]
enum Within {
    Sqlite(sqlite::Store),
    Postgres(postgres::Store),
}

impl Database {
    /// SQLite files in a folder. Fails where the library is older than it must be.
    pub fn sqlite(options: SqliteOptions) -> Result<Self> {
        Ok(Database { engine: Engine::Sqlite(sqlite::Database::open(options)?), wait: work::WAIT })
    }

    /// Schemas of a PostgreSQL database. Fails where the server is not to be reached or too old.
    pub fn postgres(options: PostgresOptions) -> Result<Self> {
        Ok(Database { engine: Engine::Postgres(postgres::Database::open(&options)?), wait: work::WAIT })
    }

    /// The same where a job waits this long for a thread or a connection, instead of 2 s, before its caller is told to
    /// come again.
    pub fn waiting(self, wait: Duration) -> Self {
        Database { wait, ..self }
    }

    /// The names of the stores, sorted.
    pub fn stores(&self) -> Result<Vec<String>> {
        Ok(self.marks()?.into_keys().collect())
    }

    /// The stores and the marks of their configurations. No store is opened: it costs a look at the folder, or one statement.
    pub fn marks(&self) -> Result<BTreeMap<String, Mark>> {
        match &self.engine {
            Engine::Sqlite(database) => database.marks(),
            Engine::Postgres(database) => database.marks(),
        }
    }

    /// The stores, and marks that differ once rows were added to the table of that name, whose rows the engine numbers.
    /// They may differ before the rows are committed: whoever looks at once, and finds nothing, looks once more later.
    /// No store is opened: it costs a look at the folder, or a statement for some hundred stores.
    pub fn growth(&self, table: &Name) -> Result<BTreeMap<String, Mark>> {
        match &self.engine {
            Engine::Sqlite(database) => database.marks(),
            Engine::Postgres(database) => database.growth(table),
        }
    }

    /// Makes an empty store. The name is `[a-z][a-z0-9-]{0,39}`. Fails where it exists.
    pub fn create(&self, name: &str) -> Result<Store> {
        if !well_formed(name) {
            return Err(Error::Failed(format!("{name:?} is no name for a store")));
        }
        Ok(Store {
            engine: match &self.engine {
                Engine::Sqlite(database) => Within::Sqlite(database.create(name)?),
                Engine::Postgres(database) => Within::Postgres(database.create(name)?),
            },
            wait: self.wait,
        })
    }

    /// An existing store, or [`Error::NoStore`].
    pub fn store(&self, name: &str) -> Result<Store> {
        if !well_formed(name) {
            return Err(Error::NoStore);
        }
        Ok(Store {
            engine: match &self.engine {
                Engine::Sqlite(database) => Within::Sqlite(database.store(name)?),
                Engine::Postgres(database) => Within::Postgres(database.store(name)?),
            },
            wait: self.wait,
        })
    }

    /// Deletes a store and all that is in it.
    pub fn delete(&self, name: &str) -> Result<()> {
        if !well_formed(name) {
            return Err(Error::NoStore);
        }
        match &self.engine {
            Engine::Sqlite(database) => database.delete(name),
            Engine::Postgres(database) => database.delete(name),
        }
    }

    /// Whether the database answers, for readiness checks.
    pub async fn ping(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(database) => database.ping(),
            Engine::Postgres(database) => database.ping().await,
        }
    }
}

impl Store {
    /// An empty statement for this store.
    pub fn sql(&self) -> Sql {
        match &self.engine {
            Within::Sqlite(_) => sqlite::sql(),
            Within::Postgres(store) => store.sql(),
        }
    }

    /// Runs a job that only reads. It may be run again where the database asks for it.
    pub async fn read<T, E>(
        &self,
        cost: Cost,
        job: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        if let (Within::Sqlite(store), Cost::Point) = (&self.engine, cost) {
            return store.read_here(sqlite::Patience::Short, job);
        }
        let (work, answer) = work::task(self.wait, job);
        match &self.engine {
            Within::Sqlite(store) => store.scan(work)?,
            Within::Postgres(store) => store.read(cost, work)?,
        }
        work::answer(answer).await
    }

    /// Runs a job in one transaction, committed and on disk when this returns `Ok`, undone otherwise.
    /// The job may be run again where the database asks for it; it has no other effects than on `Tx`.
    pub async fn write<T, E>(&self, job: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (work, answer) = work::task(self.wait, job);
        match &self.engine {
            Within::Sqlite(store) => store.write(work)?,
            Within::Postgres(store) => store.write(work)?,
        }
        work::answer(answer).await
    }

    /// Leases a block of an allowance. Several processes may ask for one subject: all that they get in a window
    /// together is never more than its limit. Where this process alone serves the store, it gets all of a window
    /// at once, for nothing, and asks again for the next window alone.
    pub async fn lease(&self, claim: Claim) -> Result<Lease> {
        match &self.engine {
            Within::Sqlite(_) => Ok(Lease { granted: claim.limit, rest: 0, ends_in: claim.period }),
            Within::Postgres(store) => store.lease(claim).await,
        }
    }

    /// [`Store::read`] on the calling thread, for commands. Not for async code.
    pub fn read_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.engine {
            Within::Sqlite(store) => store.read_here(sqlite::Patience::Endless, job),
            Within::Postgres(store) => store.read_here(job),
        }
    }

    /// [`Store::write`] on the calling thread, for commands and long work. It holds the store's write lock
    /// for as long as it runs; the job runs exactly once. Not for async code.
    pub fn write_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.engine {
            Within::Sqlite(store) => store.write_here(job),
            Within::Postgres(store) => store.write_here(job),
        }
    }
}

fn well_formed(name: &str) -> bool {
    let bytes = name.as_bytes();
    (1..=40).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}
