//! Running a transaction's statements, and running them again where something broke before anything was done.

use super::errors::Problem;
use super::transaction::{Transaction, check};
use super::{describe, guard};
use crate::{Error, Result, Row, Sql};

impl Transaction<'_> {
    /// Runs statements, with what was deferred and what verifies the epochs, and commits where they are the last.
    pub(super) fn run(
        &mut self,
        statements: &[&Sql],
        last: bool,
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<u64> {
        for value in statements.iter().flat_map(|sql| &sql.parameters) {
            check(value)?;
        }
        if self.misled {
            return Err(Error::Busy);
        }
        if self.concluded {
            return Err(Error::Failed("the transaction was concluded".into()));
        }
        self.in_time()?;
        if let Some(noting) = self.noting.take() {
            return self.note(noting, statements, each).map(|()| 0);
        }
        let (verification, deferred) = (self.verification(), std::mem::take(&mut self.deferred));
        let count = statements.len();
        let asked_first = verification.iter().filter(|_| self.writing);
        // What a read was given holds where the configuration is the same afterwards.
        let asked_last = verification.iter().filter(|_| !self.writing);
        let ours = asked_first.clone().count() + deferred.len();
        let single = statements.len() + deferred.len() == 1;
        let together: Vec<&Sql>;
        let statements = if verification.is_none() && deferred.is_empty() {
            statements
        } else {
            together = asked_first.chain(&deferred).chain(statements.iter().copied()).chain(asked_last).collect();
            &together
        };
        let commit = last.then(|| self.commit_statement());
        let mut delivered = false;
        for attempt in 0.. {
            let begun = self.begun();
            let begin: &[Sql] = if begun { &[] } else { &self.begin };
            let outcome =
                self.session.run(begin, statements, commit.as_ref(), &mut |index, row| match index.checked_sub(ours) {
                    Some(index) if index < count => {
                        delivered = true;
                        each(index, row)
                    }
                    _ => Ok(()),
                });
            match outcome {
                Ok(changed) => {
                    self.held();
                    self.concluded = last;
                    return Ok(changed);
                }
                Err(Problem::Ours(error)) => {
                    self.concluded = last;
                    if self.writing {
                        self.held();
                    } else {
                        self.unverified = self.rests_on.is_some();
                    }
                    // A column of another type than the job expects is damage, unless it was changed just now.
                    if matches!(error, Error::Corrupt(_)) {
                        self.outdate();
                    }
                    return Err(error);
                }
                Err(problem) if self.is_misled(&problem) => {
                    self.misled = true;
                    self.failed = true;
                    return Err(Error::Busy);
                }
                // The value was not sent, but what stood before it may have been.
                Err(problem)
                    if problem.mismatched() && self.session.reused && (single || !self.writing) && !delivered =>
                {
                    self.session.forget_statements();
                }
                Err(problem) if last && lost_on_the_way(&problem) => {
                    self.guessed = None;
                    self.failed = true;
                    self.session.disconnect();
                    return Err(nobody_knows());
                }
                // Nothing was done yet that would be lost or done twice.
                Err(problem) if !begun && !delivered && attempt < 2 && self.repair(&problem) => {}
                Err(problem) => {
                    self.guessed = None;
                    return Err(self.fail(problem));
                }
            }
        }
        Err(Error::Busy)
    }

    /// Notes that the epochs were what the job was told.
    pub(super) fn held(&mut self) {
        self.unverified = false;
        if let Some(epochs) = self.guessed.take()
            && !self.writing
        {
            self.rests_on = Some(epochs.configuration);
        }
    }

    /// Makes the connection fit for another try, where there is one to make.
    fn repair(&mut self, problem: &Problem) -> bool {
        if problem.lost() {
            self.session.disconnect();
            return true;
        }
        if !problem.stale() || !self.session.reused {
            return false;
        }
        self.session.forget_statements();
        !self.begun() || self.session.command("ROLLBACK").is_ok()
    }

    /// Remembers that a statement failed, and whether all may be tried again.
    pub(super) fn fail(&mut self, problem: Problem) -> Error {
        self.failed = true;
        if problem.lost() {
            self.session.disconnect();
            self.again = true;
        } else if problem.passing() {
            self.note_deadlock(&problem);
            self.again = true;
        } else if problem.missing() && self.without_store() {
            return Error::NoStore;
        } else if problem.outdated() || (problem.mismatched() && self.session.reused) {
            self.outdate();
        }
        problem.into_error()
    }

    /// Has writes of the store go one by one for a while, where two of them met.
    pub(super) fn note_deadlock(&self, problem: &Problem) {
        if problem.deadlocked() {
            self.session.target.deadlocks.note(&self.prefix);
        }
    }

    /// Forgets what is known of the tables, and has the job run again.
    pub(super) fn outdate(&mut self) {
        self.session.forget_statements();
        self.session.forget_epochs(&self.prefix);
        self.outdated = true;
    }

    /// Returns true if the schema is gone. Ends the transaction, which has failed anyway.
    fn without_store(&mut self) -> bool {
        if self.begun() && self.session.command("ROLLBACK").is_err() {
            return false;
        }
        self.begin.clear();
        let mut sql = self.sql();
        sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(describe::schema(self.prefix()));
        let mut found = false;
        let asked = self.session.run(&[], &[&sql], None, &mut |_, _| {
            found = true;
            Ok(())
        });
        asked.is_ok() && !found
    }

    /// A statement that fails unless the epochs are what the job was told.
    pub(super) fn verification(&self) -> Option<Sql> {
        match (self.guessed, self.rests_on) {
            (Some(epochs), _) => Some(guard::verify(self.sql(), epochs)),
            // Within a snapshot it is asked once, at its end.
            (None, Some(configuration)) if self.begin.is_empty() => {
                Some(guard::verify_configuration(self.sql(), configuration))
            }
            _ => None,
        }
    }

    /// Returns true if that statement failed.
    pub(super) fn is_misled(&mut self, problem: &Problem) -> bool {
        let misled = (self.guessed.is_some() || self.rests_on.is_some()) && problem.division_by_zero();
        if misled {
            self.session.forget_epochs(&self.prefix);
        }
        misled
    }
}

/// Returns true if the connection broke when the server may have had something to do.
pub(super) fn lost_on_the_way(problem: &Problem) -> bool {
    problem.lost() && !problem.untouched()
}

/// Returns the error of such a commit.
pub(super) fn nobody_knows() -> Error {
    Error::Failed("the connection broke while committing: nobody knows whether it did".into())
}
