//! The threads that hold the connections, and the jobs that wait for them.

use super::session::{Executor, Session};
use super::transaction::{End, Transaction};
use crate::tx::Engine;
use crate::work::{Queued, Work};
use crate::{Error, Result, Tx};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;

/// How many jobs may wait for a connection.
const QUEUE: usize = 4096;
/// How often a write is run in all.
const TRIES: u64 = 5;

/// Which kind of transaction a job wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// A job on its way.
pub(super) struct Order {
    pub(super) access: Access,
    pub(super) prefix: Arc<str>,
    pub(super) job: Queued,
}

/// Starts the threads, which end when the sender is dropped.
pub(super) fn start(config: &Arc<Config>, connections: usize) -> Result<flume::Sender<Order>> {
    let (orders, queue) = flume::bounded(QUEUE);
    for number in 0..connections.max(1) {
        let (config, queue) = (Arc::clone(config), queue.clone());
        let failed = |error: std::io::Error| Error::Failed(format!("no thread for a connection: {error}"));
        let executor = Executor::here().map_err(failed)?;
        std::thread::Builder::new()
            .name(format!("postgres {number}"))
            .spawn(move || serve(Session::new(config, executor, number), &queue))
            .map_err(failed)?;
    }
    Ok(orders)
}

fn serve(mut session: Session, queue: &flume::Receiver<Order>) {
    for order in queue.iter() {
        let Some(work) = order.job.take() else { continue };
        match order.access {
            Access::Read => read(&mut session, &order.prefix, work),
            Access::Write => write(&mut session, &order.prefix, work),
        }
    }
}

fn read(session: &mut Session, prefix: &Arc<str>, mut work: Box<dyn Work>) {
    for _ in 1..=TRIES {
        let (_, end) = run(Transaction::reading(session, Arc::clone(prefix)).guessing(), &mut *work);
        match end {
            End::Misled => {}
            End::Failed(error) => return work.answer(Some(error)),
            End::Done | End::Again => return work.answer(None),
        }
    }
    work.answer(Some(Error::Busy));
}

fn write(session: &mut Session, prefix: &Arc<str>, mut work: Box<dyn Work>) {
    for attempt in 1..=TRIES {
        let (_, end) = run(Transaction::writing(session, Arc::clone(prefix)).guessing(), &mut *work);
        match end {
            End::Done => return work.answer(None),
            End::Failed(error) => return work.answer(Some(error)),
            End::Misled => {}
            // Those that met must not meet again at the next try.
            End::Again => {
                let number = u64::try_from(session.number % 7).unwrap_or_default();
                std::thread::sleep(Duration::from_millis(attempt * (3 + number)));
            }
        }
    }
    work.answer(Some(Error::Busy));
}

fn run(transaction: Transaction<'_>, work: &mut dyn Work) -> (bool, End) {
    let mut tx = Tx { engine: Engine::Postgres(transaction) };
    let content = work.run(&mut tx);
    let end = match tx.engine {
        Engine::Postgres(transaction) => transaction.end(content),
        Engine::Sqlite(_) => End::Done,
    };
    (content, end)
}
