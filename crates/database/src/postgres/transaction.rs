//! A job's transaction: begun with its first statement, and what may be tried again when something breaks.

use super::session::Session;
use super::together::Noting;
use super::{describe, guard};
use crate::deadline::Deadline;
use crate::sql::{Dialect, Parameter};
use crate::{Epochs, Error, Name, Result, Row, Sql, TableDescription, ddl};
use std::sync::Arc;

const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A job's view of its connection.
pub(crate) struct Transaction<'c> {
    pub(super) session: &'c mut Session,
    pub(super) prefix: Arc<str>,
    pub(super) writing: bool,
    /// The statements to send before the first statement of the job.
    pub(super) begin: Vec<Sql>,
    pub(super) failed: bool,
    pub(super) again: bool,
    /// True if a statement did not fit the tables.
    pub(super) outdated: bool,
    /// True if the epochs may be guessed: whoever runs the job can run it once more.
    guesses: bool,
    /// The epochs that the job was told, to be verified with its first statement.
    pub(super) guessed: Option<Epochs>,
    /// The configuration that a read rests on. Writes keep others from changing it instead.
    pub(super) rests_on: Option<i64>,
    /// True if a read was cut short before it was told that this still holds.
    pub(super) unverified: bool,
    /// True if a guess was wrong. Then nothing of the job stands.
    pub(super) misled: bool,
    /// Statements that go with the next one, or with the commit.
    pub(super) deferred: Vec<Sql>,
    /// True if the last statement was committed along with what stood before it.
    pub(super) concluded: bool,
    /// For a job that is run together with others: nothing is sent.
    pub(super) noting: Option<Noting>,
}

impl<'c> Transaction<'c> {
    /// For a job that only reads, each statement by itself.
    pub(super) fn reading(session: &'c mut Session, prefix: Arc<str>) -> Self {
        Transaction::new(session, prefix, false)
    }

    /// For a job that writes.
    pub(super) fn writing(session: &'c mut Session, prefix: Arc<str>) -> Self {
        let mut transaction = Transaction::new(session, prefix, true);
        transaction.begin = guard::begin_write(|| transaction.sql(), &transaction.prefix);
        transaction
    }

    /// Lets the job have the epochs that this connection saw last; whether they still hold is asked along with its
    /// first statement. Whoever says this runs the job again where it was misled.
    pub(super) fn guessing(mut self) -> Self {
        self.guesses = true;
        self
    }

    fn new(session: &'c mut Session, prefix: Arc<str>, writing: bool) -> Self {
        Transaction {
            session,
            prefix,
            writing,
            begin: Vec::new(),
            failed: false,
            again: false,
            outdated: false,
            guesses: false,
            guessed: None,
            rests_on: None,
            unverified: false,
            misled: false,
            deferred: Vec::new(),
            concluded: false,
            noting: None,
        }
    }

    pub(crate) fn sql(&self) -> Sql {
        Sql::new(self.dialect())
    }

    pub(crate) fn slot(&self) -> i64 {
        i64::try_from(self.session.number % 16).unwrap_or_default()
    }

    pub(crate) fn deadline(&self) -> &Deadline {
        &self.session.deadline
    }

    pub(crate) fn spoilt(&self) -> bool {
        self.writing && self.failed
    }

    pub(crate) fn execute(&mut self, sql: &Sql) -> Result<u64> {
        self.by_itself()?;
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
        if !self.writing && !self.begun() {
            let mut begin = self.sql();
            begin.push(BEGIN_SNAPSHOT);
            self.begin = vec![begin];
        }
        Ok(())
    }

    /// Waits until nobody else writes to the store, and has others wait until this ends.
    pub(crate) fn alone(&mut self) -> Result<()> {
        if !self.writing {
            return Err(Error::Failed("a read never has a store to itself".into()));
        }
        if self.begun() {
            let wait = guard::wait_alone(self.sql(), &self.prefix);
            return self.query(&wait, &mut |_| Ok(()));
        }
        self.begin = guard::begin_alone(|| self.sql(), &self.prefix);
        Ok(())
    }

    /// Takes a turn along with the next statement; alone, too, where writes of the store met in a deadlock lately.
    pub(crate) fn turn(&mut self, alone: bool) -> Result<()> {
        let alone = alone || self.session.target.deadlocks.is_recent(&self.prefix);
        let turn = guard::take_turn(self.sql(), &self.prefix, alone);
        self.defer(turn)
    }

    /// Sends a statement with the next one, or with the commit.
    pub(crate) fn defer(&mut self, sql: Sql) -> Result<()> {
        sql.parameters.iter().try_for_each(check)?;
        self.deferred.push(sql);
        Ok(())
    }

    pub(crate) fn epochs(&mut self) -> Result<Epochs> {
        if self.guesses
            && !self.begun()
            && let Some(epochs) = self.session.epochs(&self.prefix)
        {
            self.guessed = Some(epochs);
            return Ok(epochs);
        }
        let mut sql = self.sql();
        sql.push("SELECT access, configuration FROM ").table(&ddl::STATE).push(" WHERE id = 1");
        let mut epochs = None;
        self.query(&sql, &mut |row| {
            epochs = Some(Epochs { access: row.integer(0)?, configuration: row.integer(1)? });
            Ok(())
        })?;
        let epochs = epochs.ok_or_else(|| Error::Unusable("the epochs are missing".into()))?;
        self.session.remember_epochs(&self.prefix, epochs);
        self.rests_on = Some(epochs.configuration).filter(|_| !self.writing);
        Ok(epochs)
    }

    /// Has the schema tell its configuration's epoch in the server's own catalogue, where one statement finds those
    /// of all schemas.
    pub(crate) fn mark(&mut self) -> Result<()> {
        let configuration = self.epochs()?.configuration;
        let schema = self.prefix.trim_end_matches('.').to_owned();
        self.command(&format!("COMMENT ON SCHEMA {schema} IS 'configuration {configuration}'"))
    }

    /// Runs the last statements of a write and commits it, in one round trip.
    pub(crate) fn conclude(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        if !self.writing || self.failed {
            return Err(Error::Failed("only a write that is sound is concluded".into()));
        }
        self.run(statements, true, each).map(|_| ())
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(crate) fn command(&mut self, text: &str) -> Result<()> {
        self.by_itself()?;
        self.in_time()?;
        if self.guessed.is_some() || !self.deferred.is_empty() {
            self.run(&[], false, &mut |_, _| Ok(()))?;
        }
        if !self.begin.is_empty() && !self.begun() {
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

    /// Undoes what followed the savepoint `attempt`.
    pub(crate) fn undo_attempt(&mut self) -> Result<()> {
        if !self.begun() {
            // The transaction itself was lost on the way.
            return Err(Error::Busy);
        }
        self.deferred.clear();
        self.command("ROLLBACK TO attempt; RELEASE attempt")?;
        self.failed = false;
        self.again = false;
        self.outdated = false;
        Ok(())
    }

    pub(crate) fn tables(&mut self) -> Result<Vec<TableDescription>> {
        describe::tables(self)
    }

    pub(crate) fn has_table(&mut self, name: &Name) -> Result<bool> {
        describe::has_table(self, name)
    }

    /// Returns what stands before a table's name: `"schema".`
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Refuses, to a job that is run together with others, what can only be done by itself.
    fn by_itself(&mut self) -> Result<()> {
        match &mut self.noting {
            None => Ok(()),
            Some(noting) => {
                noting.unfit = true;
                Err(Error::Busy)
            }
        }
    }

    /// Refuses statements of a job that has to end.
    pub(super) fn in_time(&mut self) -> Result<()> {
        let checked = self.session.deadline.check();
        self.failed |= checked.is_err();
        checked
    }

    /// Returns true if the server has a transaction open.
    pub(super) fn begun(&self) -> bool {
        self.session.open()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres { prefix: Arc::clone(&self.prefix) }
    }
}

/// Returns true if a value can be sent.
pub(super) fn check(parameter: &Parameter) -> Result<()> {
    let refuse = |reason: &'static str| Error::Failed(reason.into());
    match parameter {
        Parameter::One(value) => value.check().map_err(refuse),
        Parameter::List(_, values) => values.iter().try_for_each(|value| value.check().map_err(refuse)),
    }
}
