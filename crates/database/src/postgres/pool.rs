//! The threads that hold the connections, and the jobs that wait for them.

use super::session::{Executor, Session};
use super::transaction::{End, Transaction};
use crate::tx::Engine;
use crate::work::{Queued, Work};
use crate::{Error, Result, Tx};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// A read that may take long.
    Scan,
    Write,
}

/// A job on its way.
pub(super) struct Order {
    pub(super) access: Access,
    pub(super) prefix: Arc<str>,
    pub(super) job: Queued,
}

/// The reads that may take long. They never have all connections: a quarter is left to what is quick, so that
/// slow lists of one tenant do not keep all others waiting.
struct Scans {
    most: usize,
    state: Mutex<ScanState>,
}

#[derive(Default)]
struct ScanState {
    running: usize,
    waiting: VecDeque<Order>,
}

impl Scans {
    fn new(connections: usize) -> Self {
        let most = connections.saturating_sub((connections / 4).max(1)).max(1);
        Scans { most, state: Mutex::default() }
    }

    /// The order again where it may begin; it waits here otherwise.
    fn admit(&self, order: Order) -> Option<Order> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.running < self.most {
            state.running += 1;
            return Some(order);
        }
        if state.waiting.len() < QUEUE {
            state.waiting.push_back(order);
        } else {
            order.job.work.answer(Some(Error::Busy));
        }
        None
    }

    /// Notes that one has ended; gives the one that begins in its place.
    fn end(&self) -> Option<Order> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let next = state.waiting.pop_front();
        if next.is_none() {
            state.running -= 1;
        }
        next
    }
}

/// Starts the threads, which end when the sender is dropped.
pub(super) fn start(config: &Arc<Config>, connections: usize) -> Result<flume::Sender<Order>> {
    let (orders, queue) = flume::bounded(QUEUE);
    let scans = Arc::new(Scans::new(connections));
    for number in 0..connections.max(1) {
        let (config, queue, scans) = (Arc::clone(config), queue.clone(), Arc::clone(&scans));
        let failed = |error: std::io::Error| Error::Failed(format!("no thread for a connection: {error}"));
        let executor = Executor::here().map_err(failed)?;
        std::thread::Builder::new()
            .name(format!("postgres {number}"))
            .spawn(move || serve(Session::new(config, executor, number), &queue, &scans))
            .map_err(failed)?;
    }
    Ok(orders)
}

fn serve(mut session: Session, queue: &flume::Receiver<Order>, scans: &Scans) {
    for order in queue.iter() {
        let mut next = match order.access {
            Access::Scan => scans.admit(order),
            Access::Read | Access::Write => Some(order),
        };
        while let Some(order) = next.take() {
            let scan = order.access == Access::Scan;
            perform(&mut session, order);
            next = if scan { scans.end() } else { None };
        }
    }
}

fn perform(session: &mut Session, order: Order) {
    let Some(work) = order.job.take() else { return };
    match order.access {
        Access::Read | Access::Scan => read(session, &order.prefix, work),
        Access::Write => write(session, &order.prefix, work),
    }
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
