//! A job's transaction: begun with its first statement, and what may be tried again when something breaks.

use super::call_recorder::CallRecorder;
use super::store_lock::StoreLocks;
use super::transaction_state::{EpochBasis, JobRuns, RetryTime, TransactionKind, TransactionState};
use super::{ServerSession, catalog, epoch_check};
use crate::deadline::JobDeadline;
use crate::sql::{SqlDialect, SqlParameter};
use crate::{ColumnType, Epochs, Error, Name, Result, Row, Sql, TableDescription, ValueRef};
use std::sync::Arc;

const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A job's view of its connection.
pub(crate) struct PostgresTransaction<'c> {
    pub(in crate::postgres) session: &'c mut ServerSession,
    /// The text before a table's name: `"schema".`
    pub(super) prefix: Arc<str>,
    pub(super) kind: TransactionKind,
    pub(super) state: TransactionState,
    pub(super) basis: EpochBasis,
    pub(super) runs: JobRuns,
    /// Statements that go with the next one, or with the commit.
    pub(super) deferred: Vec<Sql>,
}

impl<'c> PostgresTransaction<'c> {
    /// Returns the transaction of a job that only reads, each statement by itself.
    pub(in crate::postgres) fn reading(session: &'c mut ServerSession, prefix: Arc<str>) -> Self {
        PostgresTransaction::new(session, prefix, TransactionKind::Read)
    }

    /// Returns the transaction of a job that writes.
    pub(in crate::postgres) fn writing(session: &'c mut ServerSession, prefix: Arc<str>) -> Self {
        PostgresTransaction::new(session, prefix, TransactionKind::Write)
    }

    /// Lets the job have the epochs that this connection saw last. They are checked along with its first statement, and
    /// the caller runs the job again where they were stale.
    pub(in crate::postgres) fn replayable(self) -> Self {
        PostgresTransaction { runs: JobRuns::Replayable, ..self }
    }

    /// Records the job's calls, or answers them from a record.
    pub(in crate::postgres) fn recorded(self, recorder: CallRecorder) -> Self {
        PostgresTransaction { runs: JobRuns::Recorded(recorder), ..self }
    }

    /// Has a job that writes keep all other writes of the store out, from its first statement on.
    pub(in crate::postgres) fn locked(self, locked: bool) -> Self {
        let kind = if locked { TransactionKind::LockedWrite } else { self.kind };
        PostgresTransaction { kind, ..self }
    }

    fn new(session: &'c mut ServerSession, prefix: Arc<str>, kind: TransactionKind) -> Self {
        PostgresTransaction {
            session,
            prefix,
            kind,
            state: TransactionState::Sound,
            basis: EpochBasis::Settled,
            runs: JobRuns::Once,
            deferred: Vec::new(),
        }
    }

    pub(crate) fn sql(&self) -> Sql {
        Sql::new(self.dialect())
    }

    pub(crate) fn slot(&self) -> i64 {
        i64::try_from(self.session.number % 16).unwrap_or_default()
    }

    pub(crate) fn deadline(&self) -> &JobDeadline {
        &self.session.deadline
    }

    pub(crate) fn spoilt(&self) -> bool {
        self.kind.writes() && (self.state.is_void() || matches!(self.state, TransactionState::Failed(_)))
    }

    pub(crate) fn execute(&mut self, sql: &Sql) -> Result<u64> {
        self.refuse_in_batch()?;
        self.run(&[sql], false, &mut |_, _| Ok(()))
    }

    pub(crate) fn query(&mut self, sql: &Sql, each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        self.run(&[sql], false, &mut |_, row| each(row)).map(|_| ())
    }

    pub(crate) fn query_all(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        if statements.is_empty() {
            return Ok(());
        }
        self.run(statements, false, each).map(|_| ())
    }

    pub(crate) fn effort(&mut self) -> Result<i64> {
        let mut sql = self.sql();
        sql.push("SELECT COALESCE(SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)), 0)::bigint");
        sql.push(" FROM pg_stat_xact_user_tables");
        let mut rows = 0;
        self.query(&sql, &mut |row| {
            rows = row.integer(0)?;
            Ok(())
        })?;
        Ok(rows)
    }

    pub(crate) fn snapshot(&mut self) -> Result<()> {
        if self.kind == TransactionKind::Read && !self.begun() {
            self.kind = TransactionKind::Snapshot;
        }
        Ok(())
    }

    /// Waits until nobody else writes to the store, and has others wait until this ends.
    pub(crate) fn lock_store(&mut self) -> Result<()> {
        if !self.kind.writes() {
            return Err(Error::Failed("a read never has a store to itself".into()));
        }
        if self.begun() {
            let waits = self.locks().lock_store(|| self.sql());
            return self.query_all(&waits.iter().collect::<Vec<_>>(), &mut |_, _| Ok(()));
        }
        self.kind = TransactionKind::LockedWrite;
        Ok(())
    }

    /// Returns true if the job had the store to itself from its start. If not, a replayable job runs again so. One that
    /// runs once waits for the store here: then nobody else writes, and what it read has to be read again.
    pub(crate) fn require_store(&mut self) -> Result<bool> {
        match (self.kind, &self.runs) {
            (TransactionKind::LockedWrite, _) => Ok(true),
            (TransactionKind::Write, JobRuns::Replayable) => {
                self.state = TransactionState::NeedsStore;
                Err(Error::Busy)
            }
            // Behind a failed statement it can read nothing again.
            (TransactionKind::Write, _) if self.spoilt() => Ok(true),
            _ => {
                self.lock_store()?;
                self.kind = TransactionKind::LockedWrite;
                Ok(false)
            }
        }
    }

    /// Takes the write lock along with the next statement; exclusively, too, where writes of the store met in a
    /// deadlock lately.
    pub(crate) fn write_lock(&mut self, exclusive: bool) -> Result<()> {
        let exclusive = exclusive || self.session.target.deadlocks.is_recent(&self.prefix);
        let locks = self.locks().write_lock(|| self.sql(), exclusive);
        locks.into_iter().try_for_each(|lock| self.defer(lock))
    }

    /// Takes the lock of a name, unless another write has it.
    pub(crate) fn try_lock(&mut self, name: &str) -> Result<bool> {
        let lock = self.locks().try_lock(self.sql(), name);
        let mut taken = false;
        self.query(&lock, &mut |row| {
            taken = matches!(row.get(0, ColumnType::Boolean)?, ValueRef::Boolean(true));
            Ok(())
        })?;
        Ok(taken)
    }

    /// Sends a statement with the next one, or with the commit.
    pub(crate) fn defer(&mut self, sql: Sql) -> Result<()> {
        sql.parameters.iter().try_for_each(check)?;
        self.deferred.push(sql);
        Ok(())
    }

    pub(crate) fn epochs(&mut self) -> Result<Epochs> {
        if !matches!(self.runs, JobRuns::Once)
            && !self.begun()
            && let Some(epochs) = self.session.epochs(&self.prefix)
        {
            self.basis = EpochBasis::Assumed(epochs);
            return Ok(epochs);
        }
        let sql = epoch_check::select_epochs(self.sql());
        let mut epochs = None;
        self.query(&sql, &mut |row| {
            epochs = Some(epoch_check::read_epochs(row)?);
            Ok(())
        })?;
        let epochs = epochs.ok_or_else(|| Error::Unusable("the epochs are missing".into()))?;
        self.session.remember_epochs(&self.prefix, epochs);
        self.basis = if self.kind.writes() { EpochBasis::Settled } else { EpochBasis::Checked(epochs.configuration) };
        Ok(epochs)
    }

    /// Returns the epochs that the job was told and that no statement confirmed yet.
    pub(super) fn assumed_epochs(&self) -> Option<Epochs> {
        match self.basis {
            EpochBasis::Assumed(epochs) => Some(epochs),
            _ => None,
        }
    }

    /// Has the schema tell its configuration's epoch in the server's own catalogue, where one statement finds those
    /// of all schemas. A role that changes rows alone may not: what it switches changes no hosts, which nodes look for.
    pub(crate) fn mark(&mut self) -> Result<()> {
        let configuration = self.epochs()?.configuration;
        let schema = self.prefix.trim_end_matches('.').to_owned();
        let mut sql = self.sql();
        sql.push("SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = ")
            .bind(schema.trim_matches('"'));
        let mut owns = false;
        self.query(&sql, &mut |row| {
            owns = matches!(row.get(0, ColumnType::Boolean)?, ValueRef::Boolean(true));
            Ok(())
        })?;
        if !owns {
            return Ok(());
        }
        self.command(&format!("COMMENT ON SCHEMA {schema} IS 'configuration {configuration}'"))
    }

    /// Runs the last statements of a write and commits it, in one round trip.
    pub(crate) fn commit_with(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        if !self.kind.writes() || self.spoilt() {
            return Err(Error::Failed("only a write that is sound is committed with its last statements".into()));
        }
        self.run(statements, true, each).map(|_| ())
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(crate) fn command(&mut self, text: &str) -> Result<()> {
        self.refuse_in_batch()?;
        self.check_time()?;
        if matches!(self.basis, EpochBasis::Assumed(_)) || !self.deferred.is_empty() {
            self.run(&[], false, &mut |_, _| Ok(()))?;
        }
        if self.kind != TransactionKind::Read && !self.begun() {
            self.run(&[], false, &mut |_, _| Ok(()))?;
        }
        self.session.command(text).map_err(|problem| self.fail(problem))
    }

    /// Runs text that changes tables.
    pub(crate) fn change(&mut self, text: &str) -> Result<()> {
        let changed = self.command(text);
        // A statement that is prepared again within this transaction would come too late.
        self.session.forget_statements();
        changed
    }

    /// Undoes what followed the savepoint `part`.
    pub(crate) fn undo_savepoint(&mut self) -> Result<()> {
        if !self.begun() {
            // The transaction itself was lost on the way.
            return Err(Error::Busy);
        }
        self.deferred.clear();
        self.command("ROLLBACK TO part; RELEASE part")?;
        // A job that may run again does so where others were in the way, whatever it makes of the savepoint's error.
        let again =
            self.state == TransactionState::Failed(RetryTime::Later) && matches!(self.runs, JobRuns::Replayable);
        if !again && !self.state.is_void() {
            self.state = TransactionState::Sound;
        }
        Ok(())
    }

    pub(crate) fn tables(&mut self) -> Result<Vec<TableDescription>> {
        catalog::tables(self)
    }

    pub(crate) fn has_table(&mut self, name: &Name) -> Result<bool> {
        catalog::has_table(self, name)
    }

    /// Returns what stands before a table's name: `"schema".`
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Refuses, to a job that is run together with others, what can only be done by itself.
    fn refuse_in_batch(&mut self) -> Result<()> {
        match &mut self.runs {
            JobRuns::Once | JobRuns::Replayable => Ok(()),
            JobRuns::Recorded(recorder) => {
                recorder.set_unfit();
                Err(Error::Busy)
            }
        }
    }

    /// Refuses statements of a job that has to end.
    pub(super) fn check_time(&mut self) -> Result<()> {
        let checked = self.session.deadline.check();
        if checked.is_err() {
            self.state.fail(RetryTime::Never);
        }
        checked
    }

    /// Returns the statements to send before the first one of the job.
    pub(super) fn begin_statements(&self) -> Vec<Sql> {
        match self.kind {
            TransactionKind::Read => Vec::new(),
            TransactionKind::Snapshot => {
                let mut begin = self.sql();
                begin.push(BEGIN_SNAPSHOT);
                vec![begin]
            }
            TransactionKind::Write => self.locks().begin_write(|| self.sql()),
            TransactionKind::LockedWrite => self.locks().begin_locked(|| self.sql()),
        }
    }

    fn locks(&self) -> StoreLocks<'_> {
        StoreLocks::new(self.session.target.guard(), &self.prefix)
    }

    /// Returns true if the server has a transaction open.
    pub(super) fn begun(&self) -> bool {
        self.session.in_transaction()
    }

    fn dialect(&self) -> SqlDialect {
        SqlDialect::Postgres { prefix: Arc::clone(&self.prefix) }
    }
}

/// Returns true if a value can be sent.
pub(super) fn check(parameter: &SqlParameter) -> Result<()> {
    let refuse = |reason: &'static str| Error::Failed(reason.into());
    match parameter {
        SqlParameter::One(value) => value.check().map_err(refuse),
        SqlParameter::List(_, values) => values.iter().try_for_each(|value| value.check().map_err(refuse)),
    }
}
