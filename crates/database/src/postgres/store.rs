//! A schema of the database: where its reads and writes run.

use super::database::SharedServer;
use super::lease;
use super::session::{PostgresTransaction, TransactionEnd};
use super::store_job::{JobAccess, StoreJob};
use crate::job::{self, DatabaseJob, JobTimes, QueuedJob};
use crate::sql::SqlDialect;
use crate::tx::TransactionEngine;
use crate::{Error, LeaseClaim, LeaseGrant, ReadCost, Result, Sql, Tx};
use std::sync::Arc;

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

    pub(crate) fn read(&self, cost: ReadCost, job: Box<dyn DatabaseJob>) -> Result<()> {
        let access = match cost {
            ReadCost::Point => JobAccess::KeyRead,
            ReadCost::Scan => JobAccess::Scan,
        };
        self.send(access, job)
    }

    pub(crate) fn write(&self, job: Box<dyn DatabaseJob>) -> Result<()> {
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
        self.run_here(JobAccess::KeyRead, job)
    }

    pub(crate) fn write_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.run_here(JobAccess::Write, job)
    }

    fn send(&self, access: JobAccess, job: Box<dyn DatabaseJob>) -> Result<()> {
        let job = StoreJob { access, prefix: Arc::clone(&self.prefix), queued: QueuedJob::new(job) };
        self.shared.jobs.0.push(job).map_err(|_| Error::Busy)
    }

    fn run_here<T, E: From<Error>>(
        &self,
        access: JobAccess,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut session = self.shared.session();
        let prefix = Arc::clone(&self.prefix);
        let transaction = match access {
            JobAccess::KeyRead | JobAccess::SingleRead | JobAccess::Scan => {
                PostgresTransaction::reading(&mut session, prefix)
            }
            JobAccess::Write => PostgresTransaction::writing(&mut session, prefix),
        };
        let (outcome, end) = {
            let mut tx = Tx { engine: TransactionEngine::Postgres(transaction) };
            let outcome = job::run(job, &mut tx);
            let end = match tx.engine {
                TransactionEngine::Postgres(transaction) => transaction.end(outcome.is_ok()),
                TransactionEngine::Sqlite(_) => TransactionEnd::Done,
            };
            (outcome, end)
        };
        self.shared.keep(session);
        match (outcome, end) {
            (Ok(_), TransactionEnd::Again | TransactionEnd::StaleEpochs | TransactionEnd::NeedsStore) => {
                Err(E::from(Error::Busy))
            }
            (Ok(_), TransactionEnd::Failed(error)) => Err(E::from(error)),
            (outcome, _) => outcome,
        }
    }
}
