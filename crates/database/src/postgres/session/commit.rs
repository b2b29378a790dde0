//! The end of a transaction.

use super::RoundTrip;
use super::epoch_check::{self, EpochCheck};
use super::problem::StatementProblem;
use super::run_statements::{is_lost_on_the_way, unknown_outcome};
use super::transaction::PostgresTransaction;
use super::transaction_state::{EpochBasis, RetryTime, TransactionState};
use crate::{Error, Sql};

/// The outcome of a transaction.
pub(in crate::postgres) enum TransactionEnd {
    /// Committed, or undone as the job wanted.
    Done,
    /// Undone, and worth another try.
    Again,
    /// Undone because the epochs were not those that the job was told: to be run again at once.
    StaleEpochs,
    /// Undone because the job needs the store to itself: to be run again so.
    NeedsStore,
    /// Undone because a statement did not fit the tables: to be run again at once. Where that does not help, the
    /// job's own error tells why.
    Outdated,
    /// Undone against the job's will, or nobody knows.
    Failed(Error),
}

impl PostgresTransaction<'_> {
    /// Commits the changes of the job, or undoes them.
    pub(in crate::postgres) fn end(mut self, content: bool) -> TransactionEnd {
        if self.state == TransactionState::Committed {
            self.session.target.figures.committed(1);
            return TransactionEnd::Done;
        }
        if !self.state.is_void() {
            if content && self.kind.writes() && (self.begun() || !self.deferred.is_empty()) {
                return self.commit();
            }
            // The check may find out that the epochs were stale, which is an end of its own.
            if !self.check_at_end() && !self.state.is_void() {
                // Nobody can vouch for the basis of the job's own outcome.
                self.undo();
                return TransactionEnd::Failed(Error::Busy);
            }
        }
        let end = match (self.state, self.state.retry()) {
            (TransactionState::StaleEpochs, _) => TransactionEnd::StaleEpochs,
            (TransactionState::NeedsStore, _) => TransactionEnd::NeedsStore,
            (_, RetryTime::AtOnce) if !content => TransactionEnd::Outdated,
            (_, RetryTime::Later) if !content => TransactionEnd::Again,
            _ => TransactionEnd::Done,
        };
        self.undo();
        end
    }

    /// Returns true if the epochs that a job rests on held until now, as far as that was not found out on the way.
    fn check_at_end(&mut self) -> bool {
        let asked = match self.basis {
            EpochBasis::Assumed(_) => false,
            EpochBasis::Unchecked(_) => self.begun(),
            EpochBasis::Settled | EpochBasis::Checked(_) => true,
        };
        if !asked && self.run(&[], false, &mut |_, _| Ok(())).is_err() {
            return false;
        }
        let failed = matches!(self.state, TransactionState::Failed(_));
        match self.basis {
            EpochBasis::Checked(configuration) | EpochBasis::Unchecked(configuration) if self.begun() && !failed => {
                self.check_snapshot(configuration)
            }
            _ => true,
        }
    }

    /// Ends a snapshot and returns true if the configuration is still the same: a snapshot of tables that were changed
    /// meanwhile does not show what they held.
    fn check_snapshot(&mut self, configuration: i64) -> bool {
        let rollback = self.command_statement("ROLLBACK");
        let select = epoch_check::select_epochs(self.sql());
        let mut stored = None;
        let statements = [&select];
        let trip = RoundTrip { begin: &[rollback], ..RoundTrip::of(&statements) };
        let outcome = self.session.run(&trip, &mut |_, row| {
            stored = Some(epoch_check::read_epochs(row)?);
            Ok(())
        });
        if outcome.is_err() {
            self.session.disconnect();
            return false;
        }
        let holds = stored.is_some_and(|stored| EpochCheck::Configuration(configuration).holds(stored));
        if !holds {
            self.set_stale(stored);
        }
        holds
    }

    fn commit(mut self) -> TransactionEnd {
        let check = self.epoch_check();
        let required = check.map(|check| epoch_check::require_epochs(self.sql(), check));
        let statements: Vec<&Sql> = required.iter().chain(&self.deferred).collect();
        let begin = if self.begun() { Vec::new() } else { self.begin_statements() };
        let commit = self.command_statement("COMMIT");
        let mut holds = check.is_none();
        let trip = RoundTrip { begin: &begin, commit: Some(&commit), ..RoundTrip::of(&statements) };
        // The first row is that of the check, without which nothing else runs.
        let outcome = self.session.run(&trip, &mut |_, _| {
            holds = true;
            Ok(())
        });
        let end = match outcome {
            Ok(_) => {
                self.session.target.figures.committed(1);
                return TransactionEnd::Done;
            }
            Err(problem) if !holds && problem.is_refused_check() => {
                self.set_stale(None);
                TransactionEnd::StaleEpochs
            }
            Err(problem) => self.explain_commit(problem),
        };
        self.undo();
        end
    }

    /// Returns the end of a transaction whose commit failed.
    fn explain_commit(&mut self, problem: StatementProblem) -> TransactionEnd {
        if problem.is_passing() || problem.is_outdated() || (problem.is_mismatch() && self.session.reused) {
            self.note_deadlock(&problem);
            self.session.forget_statements();
            self.session.forget_epochs(&self.prefix);
            TransactionEnd::Again
        } else if is_lost_on_the_way(&problem) {
            TransactionEnd::Failed(unknown_outcome())
        } else if problem.is_lost() {
            TransactionEnd::Again
        } else {
            TransactionEnd::Failed(problem.into_error())
        }
    }

    fn undo(self) {
        if self.session.in_transaction() && self.session.command("ROLLBACK").is_err() {
            self.session.disconnect();
        }
    }
}
