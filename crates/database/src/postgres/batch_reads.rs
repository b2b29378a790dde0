//! Reads by key of several requests in one exchange.
//!
//! Each job runs until its first call, which is recorded; an error that nobody sees ends it. All recorded calls go to
//! the server at once, with one check of the epochs behind them. Then each job runs from its start, and its first call
//! gets the rows that were kept for it. A job that does not fit in runs by itself, and so do all of them where anything
//! fails: with errors, stale epochs and timeouts as if this were not there.

use super::session::{CallRecorder, PostgresTransaction, RecordedCall, ServerSession, TransactionEnd, exchange_calls};
use super::store_job::StoreJob;
use crate::tx::TransactionEngine;
use crate::{Epochs, Tx};
use std::sync::Arc;

/// Runs reads of one store, whose epochs the connection remembers; returns those that have to run by themselves.
pub(super) fn read_batch(session: &mut ServerSession, epochs: Epochs, jobs: Vec<StoreJob>) -> Vec<StoreJob> {
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
    let Some(answers) = exchange_calls(session, &prefix, epochs, &asked) else {
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
    let recorder = transaction.take_recorder();
    let ends = answered && recorder.asked.is_none() && !recorder.unfit && recorder.answer.is_none();
    (recorder, if ends { transaction.end(content) } else { TransactionEnd::Again })
}
