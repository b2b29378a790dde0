//! The end of a transaction.

use super::guard;
use super::run::{lost_on_the_way, nobody_knows};
use super::transaction::Transaction;
use crate::{Error, Sql};

/// The outcome of a transaction.
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

impl Transaction<'_> {
    /// Commits what the job did, or undoes it.
    pub(super) fn end(mut self, content: bool) -> End {
        if self.concluded {
            return End::Done;
        }
        if !self.misled && content && self.writing && (self.begun() || !self.deferred.is_empty()) {
            return self.commit();
        }
        // Asking may find out that the job was misled, which is an end of its own.
        let vouched = self.misled || self.verified_at_end();
        if !vouched && !self.misled {
            // Nobody can vouch for what the job's own outcome rests on.
            self.undo();
            return End::Failed(Error::Busy);
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

    /// Returns true if all that a job rests on held until now, as far as that was not found out on the way.
    fn verified_at_end(&mut self) -> bool {
        let asked = self.guessed.is_none() && (self.begun() || !self.unverified);
        if !asked && self.run(&[], false, &mut |_, _| Ok(())).is_err() {
            return false;
        }
        let Some(configuration) = self.rests_on.filter(|_| self.begun() && !self.writing && !self.failed) else {
            return true;
        };
        // What a snapshot saw of tables that were changed meanwhile is not what they held.
        let sql = guard::verify_configuration(self.sql(), configuration);
        let rollback = self.command_statement("ROLLBACK");
        let outcome = self.session.run(&[rollback], &[&sql], None, &mut |_, _| Ok(()));
        let Err(problem) = outcome else { return true };
        self.misled = self.is_misled(&problem);
        if !self.misled {
            self.session.disconnect();
        }
        false
    }

    fn commit(mut self) -> End {
        let verification = self.verification();
        let statements: Vec<&Sql> = verification.iter().chain(&self.deferred).collect();
        let begun = self.session.open();
        let begin: &[Sql] = if begun { &[] } else { &self.begin };
        let outcome = self.session.run(begin, &statements, Some(&self.commit_statement()), &mut |_, _| Ok(()));
        let Err(problem) = outcome else { return End::Done };
        let end = if self.is_misled(&problem) {
            End::Misled
        } else if problem.passing() || problem.outdated() || (problem.mismatched() && self.session.reused) {
            self.note_deadlock(&problem);
            self.session.forget_statements();
            self.session.forget_epochs(&self.prefix);
            End::Again
        } else if lost_on_the_way(&problem) {
            End::Failed(nobody_knows())
        } else if problem.lost() {
            End::Again
        } else {
            End::Failed(problem.into_error())
        };
        self.undo();
        end
    }

    /// The statement that commits.
    pub(super) fn commit_statement(&self) -> Sql {
        self.command_statement("COMMIT")
    }

    fn command_statement(&self, text: &'static str) -> Sql {
        let mut sql = self.sql();
        sql.push(text);
        sql
    }

    fn undo(self) {
        if self.session.open() && self.session.command("ROLLBACK").is_err() {
            self.session.disconnect();
        }
    }
}
