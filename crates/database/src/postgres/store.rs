//! A schema of the database: where its reads and writes run.

use super::database::SharedServer;
use super::lease;
use super::session::{PostgresTransaction, TransactionEnd};
use super::store_job::{JobAccess, StoreJob};
use crate::deadline::{JobDeadline, TimeLimit};
use crate::job::{self, DatabaseJob, ErasedJob, JobTimes, QueuedJob};
use crate::sql::SqlDialect;
use crate::tx::TransactionEngine;
use crate::{Error, LeaseClaim, LeaseGrant, Name, ReadCost, Result, Sql, Tx};
use std::sync::Arc;
use std::time::Duration;

/// The longest vacuum after an import.
const VACUUM: TimeLimit = TimeLimit::After(Duration::from_secs(60));

/// A store: a schema's name, and the connections.
#[derive(Clone)]
pub(crate) struct PostgresStore {
    pub(super) shared: Arc<SharedServer>,
    /// The text before a table's name: `"schema".`
    pub(super) prefix: Arc<str>,
}

impl PostgresStore {
    pub(crate) fn sql(&self) -> Sql {
        Sql::new(SqlDialect::Postgres { prefix: Arc::clone(&self.prefix) })
    }

    pub(crate) fn read(&self, cost: ReadCost, job: DatabaseJob) -> Result<()> {
        let access = match cost {
            ReadCost::Point => JobAccess::KeyRead,
            ReadCost::Scan => JobAccess::Scan,
        };
        self.send(access, job)
    }

    pub(crate) fn write(&self, job: DatabaseJob) -> Result<()> {
        self.send(JobAccess::Write, job)
    }

    /// Leases a block of an allowance, in a transaction of its own. It is none of the store's writes, which wait while
    /// the configuration changes: reads need leases too, and go on.
    pub(crate) async fn lease(&self, claim: LeaseClaim) -> Result<LeaseGrant> {
        let prefix = Arc::clone(&self.prefix);
        let (job, answer) = job::create(JobTimes::default(), move |tx| lease::lease(tx, &prefix, &claim));
        PostgresStore { shared: Arc::clone(&self.shared), prefix: "".into() }.write(job)?;
        answer.wait().await
    }

    pub(crate) fn read_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        job::run_here(job, |job| self.run_read(job))
    }

    pub(crate) fn write_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        job::run_here(job, |job| self.run_write(job))
    }

    /// Runs a read on this thread.
    pub(crate) fn run_read(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        self.run_here(JobAccess::KeyRead, job)
    }

    /// Runs a write on this thread.
    pub(crate) fn run_write(&self, job: &mut ErasedJob<'_>) -> Result<()> {
        self.run_here(JobAccess::Write, job)
    }

    /// Vacuums a table and counts its values anew, outside any transaction.
    pub(crate) fn vacuum(&self, table: &Name) -> Result<()> {
        let mut session = self.shared.session();
        if !session.target.pooling.names_statements() {
            // Limits of transactions would end it.
            return Ok(());
        }
        session.deadline = JobDeadline::begin(VACUUM);
        // Without the lock that cuts off empty pages: readers would wait for it.
        let options = "ANALYZE, SKIP_LOCKED, TRUNCATE false";
        let done = session.command(&format!("VACUUM ({options}) {}{table}", self.prefix));
        session.deadline = JobDeadline::default();
        match done {
            Ok(()) => {
                self.shared.keep(session);
                Ok(())
            }
            Err(problem) => Err(problem.into_error()),
        }
    }

    fn send(&self, access: JobAccess, job: DatabaseJob) -> Result<()> {
        let job = StoreJob { access, prefix: Arc::clone(&self.prefix), queued: QueuedJob::new(job) };
        self.shared.jobs.0.push(job)
    }

    fn run_here(&self, access: JobAccess, job: &mut ErasedJob<'_>) -> Result<()> {
        let mut session = self.shared.session();
        let prefix = Arc::clone(&self.prefix);
        let transaction = match access {
            JobAccess::KeyRead | JobAccess::SingleRead | JobAccess::Scan => {
                PostgresTransaction::reading(&mut session, prefix)
            }
            JobAccess::Write => PostgresTransaction::writing(&mut session, prefix),
        };
        let (ran, end) = {
            let mut tx = Tx { engine: TransactionEngine::Postgres(transaction) };
            let ran = job::run(job, &mut tx);
            let end = match tx.engine {
                TransactionEngine::Postgres(transaction) => transaction.end(ran == Ok(true)),
                TransactionEngine::Sqlite(_) => TransactionEnd::Done,
            };
            (ran, end)
        };
        self.shared.keep(session);
        match (ran, end) {
            (Ok(true), TransactionEnd::Again | TransactionEnd::StaleEpochs | TransactionEnd::NeedsStore) => {
                Err(Error::Busy)
            }
            (Ok(true), TransactionEnd::Failed(error)) => Err(error),
            (ran, _) => ran.map(|_| ()),
        }
    }
}
