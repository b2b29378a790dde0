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
    /// Whether a statement did not fit the tables.
    outdated: bool,
    /// Whether the epochs may be guessed: whoever runs the job can run it once more.
    guesses: bool,
    /// The epochs that the job was told, to be verified with its first statement.
    guessed: Option<Epochs>,
    /// Whether a guess was wrong. Then nothing of the job stands.
    misled: bool,
    /// Statements that go with the next one, or with the commit.
    deferred: Vec<Sql>,
}

/// How a transaction ended.
pub(super) enum End {
    /// Committed, or undone as the job wanted.
    Done,
    /// Undone, and worth another try.
    Again,
    /// Undone because the epochs were not what the job was told: to be run again at once.
    Misled,
    /// Undone because a statement did not fit the tables: to be run again at once. Where that does not help, the
    /// job's own error tells why.
    Outdated,
    /// Undone against the job's will, or nobody knows.
    Failed(Error),
}

impl<'c> Transaction<'c> {
    /// For a job that only reads, each statement by itself.
    pub(super) fn reading(session: &'c mut Session, prefix: Arc<str>) -> Self {
        Transaction::new(session, prefix, None)
    }

    /// For a job that writes.
    pub(super) fn writing(session: &'c mut Session, prefix: Arc<str>) -> Self {
        Transaction::new(session, prefix, Some(BEGIN_WRITE))
    }

    /// Lets the job have the epochs that this connection saw last; whether they still hold is asked along with its
    /// first statement. Whoever says this runs the job again where it was misled.
    pub(super) fn guessing(mut self) -> Self {
        self.guesses = true;
        self
    }

    fn new(session: &'c mut Session, prefix: Arc<str>, begin: Option<&'static str>) -> Self {
        Transaction {
            session,
            prefix,
            writing: begin.is_some(),
            begin,
            begun: false,
            failed: false,
            again: false,
            outdated: false,
            guesses: false,
            guessed: None,
            misled: false,
            deferred: Vec::new(),
        }
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

    /// Sends a statement with the next one, or with the commit.
    pub(crate) fn defer(&mut self, sql: Sql) -> Result<()> {
        sql.parameters.iter().try_for_each(check)?;
        self.deferred.push(sql);
        Ok(())
    }

    pub(crate) fn epochs(&mut self) -> Result<Epochs> {
        if self.guesses
            && !self.begun
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
        Ok(epochs)
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(crate) fn command(&mut self, text: &str) -> Result<()> {
        if self.guessed.is_some() || !self.deferred.is_empty() {
            self.run(&[], &mut |_, _| Ok(()))?;
        }
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

    /// What stands before a table's name: `"schema".`
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Commits what the job did, or undoes it.
    pub(super) fn end(mut self, content: bool) -> End {
        if !self.misled && content && self.writing && (self.begun || !self.deferred.is_empty()) {
            return self.commit();
        }
        if self.guessed.is_some() && !self.misled {
            let verified = self.run(&[], &mut |_, _| Ok(())).is_ok();
            if !verified && !self.misled {
                // Nobody can vouch for what the job's own outcome rests on.
                self.undo();
                return End::Failed(Error::Busy);
            }
        }
        let (misled, outdated, again) = (self.misled, self.outdated && !content, self.again && !content);
        self.undo();
        match (misled, outdated, again) {
            (true, ..) => End::Misled,
            (_, true, _) => End::Outdated,
            (.., true) => End::Again,
            _ => End::Done,
        }
    }

    fn commit(mut self) -> End {
        let verification = self.verification();
        let statements: Vec<&Sql> = verification.iter().chain(&self.deferred).collect();
        let begin = self.begin.filter(|_| !self.begun);
        let outcome = self.session.run(begin, &statements, Some("COMMIT"), &mut |_, _| Ok(()));
        self.begun = true;
        let Err(problem) = outcome else { return End::Done };
        let end = if self.is_misled(&problem) {
            End::Misled
        } else if problem.passing() || problem.outdated() || (problem.mismatched() && self.session.reused) {
            self.session.forget_statements();
            self.session.forget_epochs(&self.prefix);
            End::Again
        } else if problem.lost() {
            End::Failed(Error::Failed("the connection broke while committing: nobody knows whether it did".into()))
        } else {
            End::Failed(problem.into_error())
        };
        self.undo();
        end
    }

    fn undo(self) {
        if self.begun && self.session.command("ROLLBACK").is_err() {
            self.session.disconnect();
        }
    }

    /// A statement that fails, and with it the transaction, unless the epochs are what the job was told.
    fn verification(&self) -> Option<Sql> {
        let epochs = self.guessed?;
        let mut sql = self.sql();
        sql.push("SELECT 1 / (CASE WHEN access = ").bind(epochs.access);
        sql.push(" AND configuration = ").bind(epochs.configuration);
        sql.push(" THEN 1 ELSE 0 END) FROM ").table(&ddl::STATE).push(" WHERE id = 1");
        Some(sql)
    }

    /// Whether that statement failed.
    fn is_misled(&mut self, problem: &Problem) -> bool {
        let misled = self.guessed.is_some() && problem.division_by_zero();
        if misled {
            self.session.forget_epochs(&self.prefix);
        }
        misled
    }

    fn dialect(&self) -> Dialect {
        Dialect::Postgres { prefix: Arc::clone(&self.prefix) }
    }

    fn run(&mut self, statements: &[&Sql], each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>) -> Result<u64> {
        for value in statements.iter().flat_map(|sql| &sql.parameters) {
            check(value)?;
        }
        if self.misled {
            return Err(Error::Busy);
        }
        let (verification, deferred) = (self.verification(), std::mem::take(&mut self.deferred));
        let ours = usize::from(verification.is_some()) + deferred.len();
        let single = statements.len() + deferred.len() == 1;
        let together: Vec<&Sql>;
        let statements = if ours == 0 {
            statements
        } else {
            together = verification.iter().chain(&deferred).chain(statements.iter().copied()).collect();
            &together
        };
        let mut delivered = false;
        for attempt in 0.. {
            let begin = self.begin.filter(|_| !self.begun);
            let outcome = self.session.run(begin, statements, None, &mut |index, row| match index.checked_sub(ours) {
                Some(index) => {
                    delivered = true;
                    each(index, row)
                }
                None => Ok(()),
            });
            match outcome {
                Ok(changed) => {
                    self.begun |= begin.is_some();
                    self.guessed = None;
                    return Ok(changed);
                }
                Err(Problem::Ours(error)) => {
                    self.begun |= begin.is_some();
                    self.guessed = None;
                    // A column of another type than the job expects is damage, unless it was changed just now.
                    if matches!(error, Error::Corrupt(_)) {
                        self.outdate();
                    }
                    return Err(error);
                }
                Err(problem) if self.is_misled(&problem) => {
                    self.begun |= begin.is_some();
                    self.misled = true;
                    self.failed = true;
                    return Err(Error::Busy);
                }
                // The value was not sent, but what stood before it may have been.
                Err(problem)
                    if problem.mismatched() && self.session.reused && (single || !self.writing) && !delivered =>
                {
                    self.begun |= begin.is_some();
                    self.session.forget_statements();
                }
                // Nothing was done yet that would be lost or done twice.
                Err(problem) if !self.begun && !delivered && attempt < 2 && self.repair(&problem, begin.is_some()) => {}
                Err(problem) => {
                    self.begun |= begin.is_some();
                    self.guessed = None;
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
        } else if problem.missing() && self.without_store() {
            return Error::NoStore;
        } else if problem.outdated() || (problem.mismatched() && self.session.reused) {
            self.outdate();
        }
        problem.into_error()
    }

    /// Forgets what is known of the tables, and has the job run again.
    fn outdate(&mut self) {
        self.session.forget_statements();
        self.session.forget_epochs(&self.prefix);
        self.outdated = true;
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
        let asked = self.session.run(None, &[&sql], None, &mut |_, _| {
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
