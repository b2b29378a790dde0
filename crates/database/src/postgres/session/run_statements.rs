//! Running a transaction's statements, and running them again where something broke before anything was done.

use super::epoch_check::{self, EpochCheck};
use super::problem::StatementProblem;
use super::transaction::{PostgresTransaction, check};
use super::transaction_state::{EpochBasis, JobRuns, RetryTime, TransactionKind, TransactionState};
use super::{RoundTrip, catalog};
use crate::{Epochs, Error, Result, Row, Sql};
use std::cell::Cell;

impl PostgresTransaction<'_> {
    /// Runs statements, with those that were deferred and the check of the epochs, and commits where they are the last.
    pub(super) fn run(
        &mut self,
        statements: &[&Sql],
        last: bool,
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<u64> {
        for value in statements.iter().flat_map(|sql| &sql.parameters) {
            check(value)?;
        }
        match self.state {
            TransactionState::StaleEpochs | TransactionState::NeedsStore => return Err(Error::Busy),
            TransactionState::Committed => return Err(Error::Failed("the transaction was committed".into())),
            _ => {}
        }
        self.check_time()?;
        if matches!(self.runs, JobRuns::Recorded(_)) {
            return self.record(statements, each).map(|()| 0);
        }
        let (epoch_check, deferred) = (self.epoch_check(), std::mem::take(&mut self.deferred));
        let refuses = last && self.kind.writes();
        let select = epoch_check.map(|check| match refuses {
            true => epoch_check::require_epochs(self.sql(), check),
            false => epoch_check::select_epochs(self.sql()),
        });
        let count = statements.len();
        // A write asks first, and under its lock. What a read was given holds where the epochs are the same afterwards.
        let (first, behind) = if self.kind.writes() { (select.as_ref(), None) } else { (None, select.as_ref()) };
        let ours = usize::from(first.is_some()) + deferred.len();
        let check_at = epoch_check.map(|_| if first.is_some() { 0 } else { ours + count });
        let single = count + deferred.len() == 1;
        let together: Vec<&Sql>;
        let statements = if select.is_none() && deferred.is_empty() {
            statements
        } else {
            together = first.into_iter().chain(&deferred).chain(statements.iter().copied()).chain(behind).collect();
            &together
        };
        let commit = last.then(|| self.command_statement("COMMIT"));
        let mut delivered = false;
        for attempt in 0.. {
            let begun = self.begun();
            let begin = if begun { Vec::new() } else { self.begin_statements() };
            let (stored, holds) = (Cell::new(None), Cell::new(epoch_check.is_none()));
            let counted = (ours + count).saturating_sub(1);
            let trip = RoundTrip { begin: &begin, statements, counted, commit: commit.as_ref() };
            let outcome = self.session.run(&trip, &mut |index, row| {
                if check_at == Some(index) {
                    let epochs = epoch_check::read_epochs(row)?;
                    stored.set(Some(epochs));
                    holds.set(epoch_check.is_some_and(|check| check.holds(epochs)));
                    return Ok(());
                }
                match index.checked_sub(ours) {
                    Some(index) if index < count => {
                        delivered = true;
                        each(index, row)
                    }
                    _ => Ok(()),
                }
            });
            if !holds.get() && self.is_stale(&outcome, stored.get(), refuses) {
                self.set_stale(stored.get());
                return Err(Error::Busy);
            }
            match outcome {
                Ok(changed) => {
                    self.basis = self.basis.checked(self.kind);
                    self.set_committed(last);
                    return Ok(changed);
                }
                Err(StatementProblem::Ours(error)) => {
                    self.set_committed(last);
                    self.basis =
                        if self.kind.writes() { self.basis.checked(self.kind) } else { self.basis.cut_short() };
                    // A column of another type than the job expects is damage, unless it was changed just now.
                    if matches!(error, Error::Corrupt(_)) {
                        self.set_misfit();
                    }
                    return Err(error);
                }
                // The value was not sent, but what stood before it may have been.
                Err(problem)
                    if problem.is_mismatch()
                        && self.session.reused
                        && (single || !self.kind.writes())
                        && !delivered =>
                {
                    self.session.forget_statements();
                }
                Err(problem) if last && is_lost_on_the_way(&problem) => {
                    self.basis = self.basis.failed();
                    self.state.fail(RetryTime::Never);
                    self.session.disconnect();
                    return Err(unknown_outcome());
                }
                // Nothing was done yet that would be lost or done twice.
                Err(problem) if !begun && !delivered && attempt < 2 && self.repair(&problem) => {}
                Err(problem) => {
                    self.basis = self.basis.failed();
                    return Err(self.fail(problem));
                }
            }
        }
        Err(Error::Busy)
    }

    /// Returns true if statements ran on other epochs than the job was told, where their check does not hold. A read
    /// that was cut short does not know. `refuses` tells that the check is one that fails by itself.
    fn is_stale(&self, outcome: &Result<u64, StatementProblem>, stored: Option<Epochs>, refuses: bool) -> bool {
        match outcome {
            Ok(_) => true,
            Err(StatementProblem::Ours(_)) => stored.is_some() || self.kind.writes(),
            Err(problem) => stored.is_some() || (refuses && problem.is_refused_check()),
        }
    }

    /// Notes that the last statements were committed, where they were.
    fn set_committed(&mut self, last: bool) {
        if last && !self.begun() {
            self.state = TransactionState::Committed;
        }
    }

    /// Notes that the epochs are others than the job was told.
    pub(super) fn set_stale(&mut self, stored: Option<Epochs>) {
        self.state = TransactionState::StaleEpochs;
        self.basis = EpochBasis::Settled;
        match stored {
            Some(epochs) => self.session.remember_epochs(&self.prefix, epochs),
            None => self.session.forget_epochs(&self.prefix),
        }
    }

    /// Makes the connection fit for another try, where there is one to make.
    fn repair(&mut self, problem: &StatementProblem) -> bool {
        if problem.is_lost() || problem.is_standby() {
            self.session.disconnect();
            return !problem.is_full_pooler();
        }
        if !problem.is_stale_plan() || !self.session.reused {
            return false;
        }
        self.session.forget_statements();
        !self.begun() || self.session.command("ROLLBACK").is_ok()
    }

    /// Remembers that a statement failed, and whether all may be tried again.
    pub(super) fn fail(&mut self, problem: StatementProblem) -> Error {
        self.state.fail(RetryTime::Never);
        if problem.is_lost() || problem.is_standby() {
            self.session.disconnect();
            self.state.fail(if problem.is_full_pooler() { RetryTime::Never } else { RetryTime::Later });
        } else if problem.is_passing() {
            self.note_deadlock(&problem);
            self.state.fail(RetryTime::Later);
        } else if problem.is_missing() && self.without_store() {
            return Error::NoStore;
        } else if problem.is_outdated() || (problem.is_mismatch() && self.session.reused) {
            self.set_misfit();
        }
        problem.into_error()
    }

    /// Has writes of the store go one by one for a while, where two of them met.
    pub(super) fn note_deadlock(&self, problem: &StatementProblem) {
        if problem.is_deadlock() {
            self.session.target.deadlocks.note(&self.prefix);
        }
    }

    /// Forgets the known forms of tables, and has the job run again where it fails.
    pub(super) fn set_misfit(&mut self) {
        self.session.forget_statements();
        self.session.forget_epochs(&self.prefix);
        self.state.set_misfit();
    }

    /// Returns true if the schema is gone. Ends the transaction, which has failed anyway.
    fn without_store(&mut self) -> bool {
        if self.begun() && self.session.command("ROLLBACK").is_err() {
            return false;
        }
        let mut sql = self.sql();
        sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(catalog::schema(self.prefix()));
        let mut found = false;
        let asked = self.session.run(&RoundTrip::of(&[&sql]), &mut |_, _| {
            found = true;
            Ok(())
        });
        asked.is_ok() && !found
    }

    /// Returns the check that goes with the next statement.
    pub(super) fn epoch_check(&self) -> Option<EpochCheck> {
        match self.basis {
            EpochBasis::Assumed(epochs) => Some(EpochCheck::Both(epochs)),
            // Within a snapshot it is asked once, at its end.
            EpochBasis::Checked(configuration) | EpochBasis::Unchecked(configuration)
                if self.kind == TransactionKind::Read =>
            {
                Some(EpochCheck::Configuration(configuration))
            }
            _ => None,
        }
    }

    /// Returns a statement that controls the transaction.
    pub(super) fn command_statement(&self, text: &'static str) -> Sql {
        let mut sql = self.sql();
        sql.push(text);
        sql
    }
}

/// Returns true if the connection broke when the server may have had something to do.
pub(super) fn is_lost_on_the_way(problem: &StatementProblem) -> bool {
    problem.is_lost() && !problem.is_untouched()
}

/// Returns the error of a commit without an answer.
pub(super) fn unknown_outcome() -> Error {
    Error::Failed("the connection broke while committing: nobody knows whether it did".into())
}
