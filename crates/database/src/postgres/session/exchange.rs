//! Exchanges: prepared statements and their values go to the server, and their rows come back.

use super::connection::{ServerConnection, lost};
use super::problem::StatementProblem;
use crate::postgres::wire::{self, PreparedStatement};
use crate::row::RowSource;
use crate::{Result, Row, Sql};
use postgres_protocol::message::frontend;
use std::sync::Arc;

/// The most bytes that are sent before answers are read. The sockets hold as much in any case: where both sides wrote
/// and neither read, they would wait for each other.
const UNANSWERED: usize = 16 * 1024;

/// The function that takes the rows of a run of statements; told which statement it was.
pub(crate) type RowVisitor<'e> = &'e mut dyn FnMut(usize, &Row<'_>) -> Result<()>;

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
    /// Where a value cannot be sent, the server begins to run none of them, unless they are long.
    pub(super) fn exchange(
        &mut self,
        prepared: &[Arc<PreparedStatement>],
        statements: &[&Sql],
        counted: usize,
        each: RowVisitor<'_>,
    ) -> Result<u64, StatementProblem> {
        self.begin()?;
        let start = self.outgoing.len();
        let mut progress = AnswerProgress { answered: 0, counted, changed: 0 };
        let mut outcome = Ok(());
        for (index, (statement, sql)) in prepared.iter().zip(statements).enumerate() {
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

    /// Reads the answers of those statements that have none yet. What `each` refuses is an error in the end.
    fn read_answers(
        &mut self,
        prepared: &[Arc<PreparedStatement>],
        progress: &mut AnswerProgress,
        each: RowVisitor<'_>,
    ) -> Result<(), StatementProblem> {
        let mut refused = Ok(());
        let mut places = std::mem::take(&mut self.places);
        // Statements without a name tell their columns each time.
        let mut told = None;
        while let Some(statement) = prepared.get(progress.answered) {
            let (kind, body) = self.receive()?;
            match kind {
                b'D' if refused.is_ok() => {
                    let columns = told.as_ref().unwrap_or(&statement.columns);
                    let fields = wire::row(body, columns, &mut places).map_err(lost)?;
                    refused = each(progress.answered, &Row { source: RowSource::Postgres(&fields) });
                }
                b'T' => told = Some(wire::columns(body).map_err(lost)?),
                b'D' | b'1' | b'2' | b'n' => {}
                b'C' | b'I' => {
                    if progress.answered == progress.counted {
                        progress.changed = wire::count(body);
                    }
                    progress.answered += 1;
                    told = None;
                }
                _ => return Err(lost(wire::broken())),
            }
        }
        self.places = places;
        refused.map_err(StatementProblem::Ours)
    }
}
