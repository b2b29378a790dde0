//! Reads by key of several requests in one exchange.
//!
//! Each job runs until its first call, which is recorded; an error that nobody sees ends it. All recorded calls go to
//! the server at once, with one check of the epochs behind them. Then each job runs from its start, and its first call
//! gets the rows that were kept for it. A job that does not fit in runs by itself, and so do all of them where anything
//! fails: with errors, stale epochs and timeouts as if this were not there.

use super::transaction::PostgresTransaction;
use super::transaction_state::{JobRuns, TransactionKind};
use super::{ServerSession, TransactionEnd, epoch_check};
use crate::postgres::pool::StoreJob;
use crate::postgres::wire::{FieldPlaces, RowFields};
use crate::row::RowSource;
use crate::sql::SqlDialect;
use crate::tx::TransactionEngine;
use crate::{Epochs, Error, Result, Row, Sql, Tx};
use std::sync::Arc;
use tokio_postgres::types::Type;

/// The most bytes of rows that are kept for all jobs together.
const KEPT: usize = 1 << 20;

/// The call that a job makes, and the answer that it is given.
#[derive(Default)]
pub(crate) struct CallRecorder {
    /// The answer to its first call.
    answer: Option<RecordedCall>,
    /// The first call without an answer.
    asked: Option<Vec<Sql>>,
    /// True if the job can only run by itself.
    unfit: bool,
}

/// A call and its rows.
struct RecordedCall {
    asked: Vec<Sql>,
    epochs: Epochs,
    rows: Vec<RecordedRow>,
}

struct RecordedRow {
    statement: usize,
    columns: Vec<Type>,
    places: FieldPlaces,
    body: Vec<u8>,
}

impl PostgresTransaction<'_> {
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

/// Runs reads of one store, whose epochs the connection remembers; returns those that have to run by themselves.
pub(in crate::postgres) fn read_batch(
    session: &mut ServerSession,
    epochs: Epochs,
    jobs: Vec<StoreJob>,
) -> Vec<StoreJob> {
    let (mut together, mut asked, mut single) = (Vec::new(), Vec::new(), Vec::new());
    for mut job in jobs.into_iter().filter_map(StoreJob::due) {
        let (recorder, _) = run(session, &mut job, None);
        if recorder.unfit {
            single.push(job);
        } else {
            asked.push(recorder.asked.unwrap_or_default());
            together.push(job);
        }
    }
    let Some(prefix) = together.first().map(|job| Arc::clone(&job.prefix)) else { return single };
    let Some(answers) = exchange(session, &prefix, epochs, &asked) else {
        single.extend(together);
        return single;
    };
    for ((job, asked), rows) in together.into_iter().zip(asked).zip(answers) {
        if asked.is_empty() {
            // It came to its end without a statement, on epochs that held.
            job.queued.job.answer(None);
        } else {
            single.extend(answer(session, job, RecordedCall { asked, epochs, rows }));
        }
    }
    single
}

/// Runs a job with its answer; returns it where it has to run by itself.
fn answer(session: &mut ServerSession, mut job: StoreJob, call: RecordedCall) -> Option<StoreJob> {
    match run(session, &mut job, Some(call)) {
        (CallRecorder { asked: None, unfit: false, .. }, TransactionEnd::Done) => job.queued.job.answer(None),
        _ => return Some(job),
    }
    None
}

/// Runs a job as far as it goes without an exchange of its own.
fn run(
    session: &mut ServerSession,
    job: &mut StoreJob,
    answer: Option<RecordedCall>,
) -> (CallRecorder, TransactionEnd) {
    let answered = answer.is_some();
    let recorder = CallRecorder { answer, ..CallRecorder::default() };
    let transaction = PostgresTransaction::reading(session, Arc::clone(&job.prefix)).recorded(recorder);
    let mut tx = Tx { engine: TransactionEngine::Postgres(transaction) };
    let content = job.queued.job.run(&mut tx);
    let TransactionEngine::Postgres(mut transaction) = tx.engine else {
        return (CallRecorder::default(), TransactionEnd::Done);
    };
    let recorder = match std::mem::replace(&mut transaction.runs, JobRuns::Replayable) {
        JobRuns::Recorded(recorder) => recorder,
        JobRuns::Once | JobRuns::Replayable => CallRecorder::default(),
    };
    let ends = answered && recorder.asked.is_none() && !recorder.unfit && recorder.answer.is_none();
    (recorder, if ends { transaction.end(content) } else { TransactionEnd::Again })
}

/// Sends the calls of all jobs; returns the rows of each, unless anything failed.
fn exchange(
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
