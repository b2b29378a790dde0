//! Databases and the stores in them: a file or a schema for each tenant.

use crate::deadline::Deadline;
use crate::work::{self, Times};
use crate::{Claim, Error, Lease, Name, Result, Sql, TimeLimit, Tx, postgres, sqlite};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The amount of work of a read, which decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A few look-ups by key: run where the caller is, where the engine is in this process.
    Point,
    /// Anything else: run on a thread of the database's own.
    Scan,
}

/// The options for SQLite and its files.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The folder; the store `acme` is the file `acme/tenant.db` below it.
    pub folder: PathBuf,
    /// Threads that read.
    pub readers: usize,
    /// The most descriptors that the files may take together.
    pub descriptors: usize,
}

/// The options for connections to PostgreSQL.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// `postgresql://user:password@host/database`, or a key=value list; a folder as host is a socket's.
    pub url: String,
    /// Connections for the stores, each with a thread of its own. There is one more, for the process itself.
    pub connections: usize,
}

/// A place with stores in it.
#[derive(Clone)]
pub struct Database {
    engine: Engine,
    times: Times,
}

#[derive(Clone)]
enum Engine {
    Sqlite(sqlite::Database),
    Postgres(postgres::Database),
}

/// Two changes that are further apart have different times, in milliseconds.
const CLOCK_OF_FILES: i64 = 2_000;

/// Differs from what it was wherever what it stands for changed, and perhaps where it did not: it tells whoever keeps
/// something of many stores in memory which of them to look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub(crate) text: String,
    /// When what it stands for was last written, in milliseconds, where the mark is made of times.
    pub(crate) written: Option<i64>,
}

impl Mark {
    /// Returns whether all that came before that moment is in the mark: a clock of files may stand still for some
    /// milliseconds, so that a change just after another could leave the mark as it was.
    pub fn is_final(&self, now: i64) -> bool {
        self.written.is_some_and(|written| now.saturating_sub(written) > CLOCK_OF_FILES)
    }
}

/// The data of one tenant. Cloning is cheap. There is no other way to its tables.
#[derive(Clone)]
pub struct Store {
    engine: Within,
    times: Times,
}

#[derive(Clone)]
enum Within {
    Sqlite(sqlite::Store),
    Postgres(postgres::Store),
}

impl Database {
    /// SQLite files in a folder. Fails where the library is older than it must be.
    pub fn sqlite(options: SqliteOptions) -> Result<Self> {
        Ok(Database { engine: Engine::Sqlite(sqlite::Database::open(options)?), times: Times::default() })
    }

    /// Schemas of a PostgreSQL database. Fails where the server is not to be reached or too old.
    pub fn postgres(options: PostgresOptions) -> Result<Self> {
        Ok(Database { engine: Engine::Postgres(postgres::Database::open(&options)?), times: Times::default() })
    }

    /// The same where a job waits this long for a thread or a connection, instead of 2 s, before its caller is told to
    /// come again.
    pub fn waiting(self, wait: Duration) -> Self {
        Database { times: Times { patience: wait, ..self.times }, ..self }
    }

    /// The same where a job has this time limit, instead of 20 s. What it did is undone then, and its statement
    /// stopped.
    pub fn limited(self, limit: TimeLimit) -> Self {
        Database { times: Times { limit, ..self.times }, ..self }
    }

    /// The names of the stores, sorted.
    pub fn stores(&self) -> Result<Vec<String>> {
        Ok(self.marks()?.into_keys().collect())
    }

    /// The stores and the marks of their configurations. No store is opened: it costs a look at the folder, or one
    /// statement.
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
            times: self.times,
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
            times: self.times,
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

    /// The present by the database server's clock, in microseconds since 1970; none where all processes that use the
    /// database are on one machine, and share its clock. It blocks.
    pub fn present(&self) -> Result<Option<i64>> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(None),
            Engine::Postgres(database) => database.present().map(Some),
        }
    }

    /// Returns the number of connections to the database server that were made so far: where there is another one, it
    /// may lead to another server.
    pub fn connections_made(&self) -> u64 {
        match &self.engine {
            Engine::Sqlite(_) => 0,
            Engine::Postgres(database) => database.connections_made(),
        }
    }

    /// Says that this node is there; gives the names of nodes that said so lately and do not any more. Where all
    /// processes are on one machine nobody says anything, and none is missed.
    pub async fn beat(&self, node: &str) -> Result<Vec<String>> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(Vec::new()),
            Engine::Postgres(database) => database.beat(node).await,
        }
    }

    /// Returns true if the database answers, for readiness checks.
    pub async fn ping(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(database) => database.ping(),
            Engine::Postgres(database) => database.ping().await,
        }
    }
}

impl Store {
    /// The same store, where jobs have another time limit.
    pub fn limited(&self, limit: TimeLimit) -> Self {
        Store { times: Times { limit, ..self.times }, ..self.clone() }
    }

    /// An empty statement for this store.
    pub fn sql(&self) -> Sql {
        match &self.engine {
            Within::Sqlite(_) => sqlite::sql(),
            Within::Postgres(store) => store.sql(),
        }
    }

    /// Runs a job that only reads. It may be run again where the database asks for it. It ends with its time, with
    /// [`Error::Timeout`], and where the caller drops the future.
    pub async fn read<T, E>(
        &self,
        cost: Cost,
        job: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        if let (Within::Sqlite(store), Cost::Point) = (&self.engine, cost)
            && store.is_at_hand()
        {
            return store.read_here(sqlite::Patience::Short, Deadline::begin(self.times.limit), job);
        }
        let (work, answer) = work::task(self.times, job);
        match &self.engine {
            Within::Sqlite(store) => store.scan(work)?,
            Within::Postgres(store) => store.read(cost, work)?,
        }
        answer.wait().await
    }

    /// Runs a job in one transaction, committed and on disk when this returns `Ok`, undone otherwise. It ends as that
    /// of [`Store::read`] does. The job may be run again where the database asks for it; it has no other effects than
    /// on `Tx`.
    pub async fn write<T, E>(&self, job: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (work, answer) = work::task(self.times, job);
        match &self.engine {
            Within::Sqlite(store) => store.write(work)?,
            Within::Postgres(store) => store.write(work)?,
        }
        answer.wait().await
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

    /// [`Store::read`] on the calling thread and without a time limit, for commands. Not for async code.
    pub fn read_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.engine {
            Within::Sqlite(store) => {
                store.read_here(sqlite::Patience::Endless, Deadline::begin(TimeLimit::Endless), job)
            }
            Within::Postgres(store) => store.read_here(job),
        }
    }

    /// Returns true if a write keeps all others of the store waiting for as long as it runs, whatever it writes.
    pub fn writes_alone(&self) -> bool {
        matches!(self.engine, Within::Sqlite(_))
    }

    /// Runs a write on the calling thread whose changes are never kept, for commands. Where writes go alone it runs on
    /// a copy of the store, so that nobody waits for it. Not for async code.
    pub fn rehearse_blocking<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.engine {
            Within::Sqlite(store) => store.rehearse(job),
            Within::Postgres(store) => {
                let mut done = None;
                let undone: Result<(), E> = store.write_here(|tx| {
                    done = Some(job(tx)?);
                    Err(E::from(Error::Failed("what was rehearsed is not kept".into())))
                });
                match (done, undone) {
                    (Some(done), _) => Ok(done),
                    (None, Err(error)) => Err(error),
                    (None, Ok(())) => Err(E::from(Error::Failed("a rehearsal ended without an outcome".into()))),
                }
            }
        }
    }

    /// Gives room back to the disk that deleted rows left; gives the bytes before and after, or nothing where the
    /// engine does that of itself. Others wait meanwhile to write. It blocks: for commands.
    pub fn compact_blocking(&self) -> Result<Option<[u64; 2]>> {
        match &self.engine {
            Within::Sqlite(store) => store.compact().map(Some),
            Within::Postgres(_) => Ok(None),
        }
    }

    /// A way to write on the calling thread again and again, for commands whose work is in many short transactions.
    pub fn blocking_writer(&self) -> Result<BlockingWriter> {
        Ok(BlockingWriter(match &self.engine {
            Within::Sqlite(store) => Lines::Sqlite(Box::new(store.line()?)),
            Within::Postgres(store) => Lines::Postgres(store.clone()),
        }))
    }

    /// [`Store::write`] on the calling thread and without a time limit, for commands and long work. It holds the
    /// store's write lock for as long as it runs; the job runs exactly once. Not for async code.
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

/// Writes on the thread that has it, one transaction after another.
pub struct BlockingWriter(Lines);

enum Lines {
    Sqlite(Box<sqlite::Line>),
    Postgres(postgres::Store),
}

impl BlockingWriter {
    /// Runs a job in a transaction of its own, exactly once.
    pub fn write<T, E>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<Error>,
    {
        match &self.0 {
            Lines::Sqlite(line) => line.write(job),
            Lines::Postgres(store) => store.write_here(job),
        }
    }
}

fn well_formed(name: &str) -> bool {
    let bytes = name.as_bytes();
    (1..=40).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}
