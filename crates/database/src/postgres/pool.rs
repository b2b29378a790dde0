//! The threads that hold the connections, and the jobs that wait for them.

use super::ending::End;
use super::queue::{Orders, Queue};
use super::session::Session;
use super::target::Target;
use super::together;
use super::transaction::Transaction;
use crate::deadline::Deadline;
use crate::tx::Engine;
use crate::work::{Queued, Work};
use crate::{Error, Result, Tx};
use std::sync::Arc;
use std::time::Duration;

/// The most times that a write is run, in all.
const TRIES: u64 = 5;

/// The kind of transaction that a job wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    /// A read that may take long.
    Scan,
    Write,
}

/// A job on its way.
pub(super) struct Order {
    pub(super) access: Access,
    pub(super) prefix: Arc<str>,
    pub(super) job: Queued,
    /// True if it is run by itself, whatever else waits.
    pub(super) alone: bool,
}

impl Order {
    /// The same, unless nobody waits for it or it waited too long.
    pub(super) fn due(self) -> Option<Self> {
        Some(Order { job: self.job.due()?, ..self })
    }
}

/// Starts the threads, which end when the orders are dropped.
pub(super) fn start(target: &Arc<Target>, connections: usize) -> Result<Orders> {
    let queue = Arc::new(Queue::new(connections));
    for number in 0..connections.max(1) {
        let (target, queue) = (Arc::clone(target), Arc::clone(&queue));
        let failed = |error: std::io::Error| Error::Failed(format!("no thread for a connection: {error}"));
        std::thread::Builder::new()
            .name(format!("postgres {number}"))
            .spawn(move || serve(Session::new(target, number), &queue))
            .map_err(failed)?;
    }
    Ok(Orders(queue))
}

fn serve(mut session: Session, queue: &Arc<Queue>) {
    while let Some(mut orders) = queue.take(|first| session.epochs(&first.prefix).is_some()) {
        let Some((store, access)) = orders.first().map(|first| (Arc::clone(&first.prefix), first.access)) else {
            continue;
        };
        match (orders.len(), session.epochs(&store)) {
            (2.., Some(epochs)) => queue.give_back(together::read(&mut session, epochs, orders)),
            _ => orders.drain(..).for_each(|order| perform(&mut session, order)),
        }
        queue.end(&store, access);
    }
}

fn perform(session: &mut Session, order: Order) {
    let Some(work) = order.job.take() else { return };
    session.deadline = work.deadline().clone();
    match order.access {
        Access::Read | Access::Scan => read(session, &order.prefix, work),
        Access::Write => write(session, &order.prefix, work),
    }
    session.deadline = Deadline::default();
}

fn read(session: &mut Session, prefix: &Arc<str>, mut work: Box<dyn Work>) {
    for attempt in 1..=TRIES {
        let (_, end) = run(Transaction::reading(session, Arc::clone(prefix)).guessing(), &mut *work);
        match end {
            End::Misled => {}
            End::Outdated if attempt < TRIES => {}
            End::Failed(error) => return work.answer(Some(error)),
            End::Done | End::Again | End::Outdated => return work.answer(None),
        }
    }
    work.answer(Some(Error::Busy));
}

fn write(session: &mut Session, prefix: &Arc<str>, mut work: Box<dyn Work>) {
    for attempt in 1..=TRIES {
        let (_, end) = run(Transaction::writing(session, Arc::clone(prefix)).guessing(), &mut *work);
        match end {
            End::Outdated if attempt < TRIES => {}
            End::Done | End::Outdated => return work.answer(None),
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
