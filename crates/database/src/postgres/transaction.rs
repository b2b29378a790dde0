//! A job's transaction: begun with its first statement, and what may be tried again when something breaks.

use super::describe;
use super::errors::Problem;
use super::session::Session;
use crate::sql::{Dialect, Parameter};
use crate::{Epochs, Error, Result, Row, Sql, TableDescription, ddl};
use std::sync::Arc;

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A job's view of its connection.
pub(crate) struct Transaction<'c> {
    session: &'c mut Session,
    prefix: Arc<str>,
    writing: bool,
    /// What to send before the first statement.
    begin: Option<&'static str>,
    /// Whether the server has a transaction open.
    begun: bool,
    failed: bool,
    again: bool,
}

/// How a transaction ended.
pub(super) enum End {
    /// Committed, or undone as the job wanted.
    Done,
    /// Undone, and worth another try.
    Again,
    /// Undone against the job's will, or nobody knows.
    Failed(Error),
}

impl<'c> Transaction<'c> {
    /// For a job that only reads, each statement by itself.
    pub(super) fn reading(session: &'c mut Session, prefix: Arc<str>) -> Self {
        Transaction { session, prefix, writing: false, begin: None, begun: false, failed: false, again: false }
    }

    /// For a job that writes.
    pub(super) fn writing(session: &'c mut Session, prefix: Arc<str>) -> Self {
        let begin = Some(BEGIN_WRITE);
        Transaction { session, prefix, writing: true, begin, begun: false, failed: false, again: false }
    }

    pub(crate) fn sql(&self) -> Sql {
        Sql::new(self.dialect())
    }

    pub(crate) fn slot(&self) -> i64 {
        i64::try_from(self.session.number % 16).unwrap_or_default()
    }

    pub(crate) fn spoilt(&self) -> bool {
        self.writing && self.failed
    }

    pub(crate) fn execute(&mut self, sql: &Sql) -> Result<u64> {
        self.run(&[sql], &mut |_, _| Ok(()))
    }

    pub(crate) fn query(&mut self, sql: &Sql, each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        self.run(&[sql], &mut |_, row| each(row)).map(|_| ())
    }

    pub(crate) fn query_all(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        if statements.is_empty() {
            return Ok(());
        }
        self.run(statements, each).map(|_| ())
    }

    pub(crate) fn snapshot(&mut self) -> Result<()> {
        if !self.writing && !self.begun {
            self.begin = Some(BEGIN_SNAPSHOT);
        }
        Ok(())
    }

    pub(crate) fn epochs(&mut self) -> Result<Epochs> {
        let mut sql = self.sql();
        sql.push("SELECT access, configuration FROM ").table(&ddl::STATE).push(" WHERE id = 1");
        let mut epochs = None;
        self.query(&sql, &mut |row| {
            epochs = Some(Epochs { access: row.integer(0)?, configuration: row.integer(1)? });
            Ok(())
        })?;
        epochs.ok_or_else(|| Error::Unusable("the epochs are missing".into()))
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(crate) fn command(&mut self, text: &str) -> Result<()> {
        if let Some(begin) = self.begin
            && !self.begun
        {
            self.session.command(begin).map_err(|problem| self.fail(problem))?;
            self.begun = true;
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
        if !self.begun {
            // The transaction itself was lost on the way.
            return Err(Error::Busy);
        }
        self.command("ROLLBACK TO attempt; RELEASE attempt")?;
        self.failed = false;
        self.again = false;
        Ok(())
    }

    pub(crate) fn tables(&mut self) -> Result<Vec<TableDescription>> {
        describe::tables(self)
    }

    /// What stands before a table's name: `"schema".`
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Commits what the job did, or undoes it.
    pub(super) fn end(self, content: bool) -> End {
        if !self.begun {
            return if self.again && !content { End::Again } else { End::Done };
        }
        if content && self.writing {
            return match self.session.command("COMMIT") {
                Ok(()) => End::Done,
                Err(problem) if problem.passing() => {
                    self.undo();
                    End::Again
                }
                Err(problem) => {
                    let unknown = problem.lost();
                    self.undo();
                    End::Failed(if unknown {
                        Error::Failed("the connection broke while committing: nobody knows whether it did".into())
                    } else {
                        problem.into_error()
                    })
                }
            };
        }
        let again = self.again && !content;
        self.undo();
        if again { End::Again } else { End::Done }
    }

    fn undo(self) {
        if self.session.command("ROLLBACK").is_err() {
            self.session.disconnect();
        }
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres { prefix: Arc::clone(&self.prefix) }
    }

    fn run(&mut self, statements: &[&Sql], each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>) -> Result<u64> {
        for value in statements.iter().flat_map(|sql| &sql.parameters) {
            check(value)?;
        }
        let mut delivered = false;
        for attempt in 0.. {
            let begin = self.begin.filter(|_| !self.begun);
            let outcome = self.session.run(begin, statements, &mut |index, row| {
                delivered = true;
                each(index, row)
            });
            match outcome {
                Ok(changed) => {
                    self.begun |= begin.is_some();
                    return Ok(changed);
                }
                Err(Problem::Ours(error)) => {
                    self.begun |= begin.is_some();
                    return Err(error);
                }
                // The value was not sent, but what stood before it may have been.
                Err(problem)
                    if problem.mismatched()
                        && self.session.reused
                        && (statements.len() == 1 || !self.writing)
                        && !delivered =>
                {
                    self.begun |= begin.is_some();
                    self.session.forget_statements();
                }
                // Nothing was done yet that would be lost or done twice.
                Err(problem) if !self.begun && !delivered && attempt < 2 && self.repair(&problem, begin.is_some()) => {}
                Err(problem) => {
                    self.begun |= begin.is_some();
                    return Err(self.fail(problem));
                }
            }
        }
        Err(Error::Busy)
    }

    /// Makes the connection fit for another try, where there is one to make.
    fn repair(&mut self, problem: &Problem, begun: bool) -> bool {
        if problem.lost() {
            self.session.disconnect();
            return true;
        }
        if !problem.stale() || !self.session.reused {
            return false;
        }
        self.session.forget_statements();
        !begun || self.session.command("ROLLBACK").is_ok()
    }

    /// Remembers that a statement failed, and whether all may be tried again.
    fn fail(&mut self, problem: Problem) -> Error {
        self.failed = true;
        if problem.lost() {
            self.session.disconnect();
            self.begun = false;
            self.again = true;
        } else if problem.passing() {
            self.again = true;
        } else if (problem.stale() || problem.mismatched()) && self.session.reused {
            self.session.forget_statements();
            self.again = true;
        } else if problem.missing() && self.without_store() {
            return Error::NoStore;
        }
        problem.into_error()
    }

    /// Whether the schema is gone. Ends the transaction, which has failed anyway.
    fn without_store(&mut self) -> bool {
        if self.begun || self.begin.is_some() {
            if self.session.command("ROLLBACK").is_err() {
                return false;
            }
            self.begun = false;
            self.begin = None;
        }
        let mut sql = self.sql();
        sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(describe::schema(&self.prefix));
        let mut found = false;
        let asked = self.session.run(None, &[&sql], &mut |_, _| {
            found = true;
            Ok(())
        });
        asked.is_ok() && !found
    }
}

fn check(parameter: &Parameter) -> Result<()> {
    let refuse = |reason: &'static str| Error::Failed(reason.into());
    match parameter {
        Parameter::One(value) => value.check().map_err(refuse),
        Parameter::List(_, values) => values.iter().try_for_each(|value| value.check().map_err(refuse)),
    }
}
