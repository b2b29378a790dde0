//! Exchanges: prepared statements and their values go to the server, and their rows come back.

use super::connection::{ServerConnection, lost};
use super::problem::StatementProblem;
use crate::postgres::wire::{self, PreparedStatement};
use crate::row::RowSource;
use crate::{Error, Result, Row, Sql};
use postgres_protocol::message::frontend;
use std::cell::Cell;
use std::sync::Arc;

/// The most bytes that are sent before answers are read. The sockets hold as much in any case: where both sides wrote
/// and neither read, they would wait for each other.
const UNANSWERED: usize = 16 * 1024;

/// The function that takes the rows of a run of statements; told which statement it was.
pub(crate) type RowVisitor<'e> = &'e mut dyn FnMut(usize, &Row<'_>) -> Result<()>;

/// A row that must come before the last of the statements is sent, which commits.
#[derive(Clone, Copy)]
pub(crate) struct CommitGate<'g> {
    /// The statement that gives the row.
    pub(crate) statement: usize,
    /// True once the row came, and is the right one.
    pub(crate) open: &'g Cell<bool>,
}

/// The answers of an exchange, as far as they came.
struct AnswerProgress {
    /// The number of statements with an answer.
    answered: usize,
    /// The statement whose changed rows count.
    counted: usize,
    /// The number of rows that it changed.
    changed: u64,
}

impl ServerConnection {
    /// Runs prepared statements; returns the number of rows that the one numbered `counted` changed.
    ///
    /// Where a value cannot be sent, the server begins to run none of them, unless they are long. Where there is a
    /// gate, the last statement is sent only once it is open.
    pub(super) fn exchange(
        &mut self,
        prepared: &[Arc<PreparedStatement>],
        statements: &[&Sql],
        counted: usize,
        gate: Option<CommitGate<'_>>,
        each: RowVisitor<'_>,
    ) -> Result<u64, StatementProblem> {
        self.begin()?;
        let start = self.outgoing.len();
        let mut progress = AnswerProgress { answered: 0, counted, changed: 0 };
        let mut outcome = Ok(());
        for (index, (statement, sql)) in prepared.iter().zip(statements).enumerate() {
            if let Some(gate) = gate.filter(|_| index + 1 == statements.len()) {
                outcome = self.pass(gate, prepared, &mut progress, each);
                if outcome.is_err() {
                    break;
                }
            }
            let before = self.outgoing.len();
            if let Err(problem) = wire::bind(statement, sql, &mut self.outgoing) {
                if self.is_at_rest() {
                    self.outgoing.truncate(start);
                    return Err(problem.into());
                }
                self.outgoing.clear();
                outcome = Err(problem.into());
                break;
            }
            if before > 0 && self.outgoing.len() > UNANSWERED {
                // What stands before this one is answered first.
                let rest = self.outgoing.split_off(before);
                frontend::flush(&mut self.outgoing);
                self.send()?;
                self.outgoing = rest;
                outcome = self.read_answers(&prepared[..index], &mut progress, each);
                if outcome.is_err() {
                    self.outgoing.clear();
                    break;
                }
            }
            if gate.is_some_and(|gate| gate.statement == index) {
                // Its row is sent while the statements behind it run.
                frontend::flush(&mut self.outgoing);
            }
        }
        if let Err(problem) = &outcome
            && problem.is_lost()
        {
            return outcome.map(|()| 0);
        }
        frontend::sync(&mut self.outgoing);
        self.send()?;
        if outcome.is_ok() {
            outcome = self.read_answers(prepared, &mut progress, each);
        }
        self.finish(outcome.err())?;
        Ok(progress.changed)
    }

    /// Waits for the row that lets the last statement pass.
    fn pass(
        &mut self,
        gate: CommitGate<'_>,
        prepared: &[Arc<PreparedStatement>],
        progress: &mut AnswerProgress,
        each: RowVisitor<'_>,
    ) -> Result<(), StatementProblem> {
        self.send()?;
        self.read_answers(&prepared[..=gate.statement], progress, each)?;
        if gate.open.get() { Ok(()) } else { Err(StatementProblem::Ours(Error::Busy)) }
    }

    /// Reads the answers of those statements that have none yet. What `each` refuses is an error in the end.
    fn read_answers(
        &mut self,
        prepared: &[Arc<PreparedStatement>],
        progress: &mut AnswerProgress,
        each: RowVisitor<'_>,
    ) -> Result<(), StatementProblem> {
        let mut refused = Ok(());
        let mut places = std::mem::take(&mut self.places);
        while let Some(statement) = prepared.get(progress.answered) {
            let (kind, body) = self.receive()?;
            match kind {
                b'D' if refused.is_ok() => {
                    let fields = wire::row(body, &statement.columns, &mut places).map_err(lost)?;
                    refused = each(progress.answered, &Row { source: RowSource::Postgres(&fields) });
                }
                b'D' | b'1' | b'2' => {}
                b'C' | b'I' => {
                    if progress.answered == progress.counted {
                        progress.changed = wire::count(body);
                    }
                    progress.answered += 1;
                }
                _ => return Err(lost(wire::broken())),
            }
        }
        self.places = places;
        refused.map_err(StatementProblem::Ours)
    }
}
