//! Calls of jobs, recorded and sent in one exchange.

use super::transaction::PostgresTransaction;
use super::transaction_state::{JobRuns, TransactionKind};
use super::{ServerSession, epoch_check};
use crate::postgres::wire::{FieldPlaces, RowFields};
use crate::row::RowSource;
use crate::sql::SqlDialect;
use crate::{Epochs, Error, Result, Row, Sql};
use std::sync::Arc;
use tokio_postgres::types::Type;

/// The most bytes of rows that are kept for all jobs together.
const KEPT: usize = 1 << 20;

/// The call that a job makes, and the answer that it is given.
#[derive(Default)]
pub(crate) struct CallRecorder {
    /// The answer to its first call.
    pub(in crate::postgres) answer: Option<RecordedCall>,
    /// The first call without an answer.
    pub(in crate::postgres) asked: Option<Vec<Sql>>,
    /// True if the job can only run by itself.
    pub(in crate::postgres) unfit: bool,
}

/// A call and its rows.
pub(crate) struct RecordedCall {
    pub(in crate::postgres) asked: Vec<Sql>,
    pub(in crate::postgres) epochs: Epochs,
    pub(in crate::postgres) rows: Vec<RecordedRow>,
}

/// A row that is kept for a job.
pub(crate) struct RecordedRow {
    statement: usize,
    columns: Vec<Type>,
    places: FieldPlaces,
    body: Vec<u8>,
}

impl PostgresTransaction<'_> {
    /// Returns true if its calls are recorded: none waits for the server.
    pub(crate) fn is_recorded(&self) -> bool {
        matches!(self.runs, JobRuns::Recorded(_))
    }

    /// Takes out the record of the job's calls; an empty one where they are not recorded.
    pub(in crate::postgres) fn take_recorder(&mut self) -> CallRecorder {
        match std::mem::replace(&mut self.runs, JobRuns::Replayable) {
            JobRuns::Recorded(recorder) => recorder,
            JobRuns::Once | JobRuns::Replayable => CallRecorder::default(),
        }
    }

    /// Answers a call of a job in a batch, or records it.
    pub(super) fn record(
        &mut self,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let plain = self.kind == TransactionKind::Read && self.deferred.is_empty();
        let assumed = self.assumed_epochs();
        let JobRuns::Recorded(recorder) = &mut self.runs else { return Err(Error::Busy) };
        let answer = recorder.answer.take().filter(|answer| plain && answer.fits(assumed, statements));
        if plain && answer.is_none() && recorder.asked.is_none() {
            recorder.asked = Some(statements.iter().map(|sql| (*sql).clone()).collect());
        } else {
            recorder.unfit |= answer.is_none();
        }
        let Some(answer) = answer else { return Err(Error::Busy) };
        // The epochs were checked behind the rows.
        self.basis = self.basis.checked(self.kind);
        let given = answer.rows.iter().try_for_each(|row| row.give(each));
        if matches!(given, Err(Error::Corrupt(_))) {
            self.set_misfit();
        }
        given
    }
}

impl CallRecorder {
    /// Notes that the job can only run by itself.
    pub(super) fn set_unfit(&mut self) {
        self.unfit = true;
    }
}

impl RecordedCall {
    /// Returns true if a call is the one that was recorded, on the epochs that were checked.
    fn fits(&self, assumed: Option<Epochs>, statements: &[&Sql]) -> bool {
        let asked = self.asked.iter().map(|sql| (&sql.text, &sql.parameters));
        assumed.is_none_or(|assumed| assumed == self.epochs)
            && asked.eq(statements.iter().map(|sql| (&sql.text, &sql.parameters)))
    }
}

impl RecordedRow {
    fn new(statement: usize, fields: &RowFields<'_>) -> Self {
        let (columns, places) = (fields.columns.to_vec(), fields.places.to_vec());
        RecordedRow { statement, columns, places, body: fields.body.to_vec() }
    }

    fn give(&self, each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>) -> Result<()> {
        let fields = RowFields { columns: &self.columns, places: &self.places, body: &self.body };
        each(self.statement, &Row { source: RowSource::Postgres(&fields) })
    }
}

/// Sends the calls of all jobs; returns the rows of each, unless anything failed.
pub(in crate::postgres) fn exchange_calls(
    session: &mut ServerSession,
    prefix: &Arc<str>,
    epochs: Epochs,
    asked: &[Vec<Sql>],
) -> Option<Vec<Vec<RecordedRow>>> {
    let select = epoch_check::select_epochs(Sql::new(SqlDialect::Postgres { prefix: Arc::clone(prefix) }));
    let statements: Vec<&Sql> = asked.iter().flatten().chain([&select]).collect();
    let places: Vec<(usize, usize)> = places(asked).collect();
    let mut rows: Vec<Vec<RecordedRow>> = asked.iter().map(|_| Vec::new()).collect();
    let (mut size, mut stored) = (0, None);
    let outcome = session.run_hastily(&statements, &mut |index, row| {
        let RowSource::Postgres(fields) = row.source else { return Ok(()) };
        let Some((job, statement)) = places.get(index) else {
            stored = Some(epoch_check::read_epochs(row)?);
            return Ok(());
        };
        size += fields.body.len();
        if size > KEPT {
            return Err(Error::Busy);
        }
        rows[*job].push(RecordedRow::new(*statement, fields));
        Ok(())
    });
    match outcome {
        Ok(_) if stored == Some(epochs) => Some(rows),
        Ok(_) => {
            match stored {
                Some(stored) => session.remember_epochs(prefix, stored),
                None => session.forget_epochs(prefix),
            }
            None
        }
        Err(problem) => {
            if problem.is_lost() {
                session.disconnect();
            }
            None
        }
    }
}

/// Returns for each statement its job, and its number there.
fn places(asked: &[Vec<Sql>]) -> impl Iterator<Item = (usize, usize)> {
    asked.iter().enumerate().flat_map(|(job, asked)| (0..asked.len()).map(move |statement| (job, statement)))
}
