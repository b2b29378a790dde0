//! The threads that hold the connections, and the jobs that wait for them.

use super::ending::End;
use super::queue::{Orders, Queue};
use super::session::Session;
use super::target::Target;
use super::together;
use super::transaction::Transaction;
use crate::turns::Turns;
use crate::tx::Engine;
use crate::work::{Queued, Work};
use crate::{Error, Result, Tx};
use std::sync::Arc;
use std::time::Duration;

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
    /// Whether it is run by itself, whatever else waits.
    pub(super) alone: bool,
}

impl Order {
    /// The same, unless nobody waits for it or it waited too long.
    pub(super) fn due(self) -> Option<Self> {
        Some(Order { job: self.job.due()?, ..self })
    }
}

/// The reads that may take long, by what stands before their store's tables. They never have all connections: a
/// quarter is left to what is quick. Of several stores, none has more than a quarter for its long reads.
pub(super) type Scans = Turns<Arc<str>, Order>;

/// The order that begins now, where one may; this one waits for its turn otherwise.
fn admit(scans: &Scans, order: Order) -> Option<Order> {
    let store = Arc::clone(&order.prefix);
    if let Err(order) = scans.push(&store, order) {
        order.job.work.answer(Some(Error::Busy));
    }
    scans.begin().map(|(_, order)| order)
}

/// Starts the threads, which end when the orders are dropped.
pub(super) fn start(target: &Arc<Target>, connections: usize) -> Result<(Orders, Arc<Scans>)> {
    let queue = Arc::new(Queue::default());
    let quarter = (connections / 4).max(1);
    let scans = Arc::new(Scans::new(connections.saturating_sub(quarter), quarter));
    for number in 0..connections.max(1) {
        let (target, queue, scans) = (Arc::clone(target), Arc::clone(&queue), Arc::clone(&scans));
        let failed = |error: std::io::Error| Error::Failed(format!("no thread for a connection: {error}"));
        std::thread::Builder::new()
            .name(format!("postgres {number}"))
            .spawn(move || serve(Session::new(target, number), &queue, &scans))
            .map_err(failed)?;
    }
    Ok((Orders(queue), scans))
}

fn serve(mut session: Session, queue: &Arc<Queue>, scans: &Scans) {
    while let Some(mut orders) = queue.take(|first| session.epochs(&first.prefix).is_some()) {
        match (orders.len(), session.epochs(&orders[0].prefix)) {
            (2.., Some(epochs)) => queue.give_back(together::read(&mut session, epochs, orders)),
            _ => orders.drain(..).for_each(|order| serve_one(&mut session, order, scans)),
        }
    }
}

fn serve_one(session: &mut Session, order: Order, scans: &Scans) {
    let mut next = match order.access {
        Access::Scan => admit(scans, order),
        Access::Read | Access::Write => Some(order),
    };
    while let Some(order) = next.take() {
        let scan = (order.access == Access::Scan).then(|| Arc::clone(&order.prefix));
        perform(session, order);
        if let Some(store) = scan {
            scans.end(&store);
            next = scans.begin().map(|(_, order)| order);
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
