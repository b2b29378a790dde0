//! Reads by key of several requests in one exchange.
//!
//! Each job is run until it asks for something: what it asks for is noted, and the job ended by an error that nobody
//! sees. What all of them ask for is sent at once, with one verification of the epochs behind it. Then each job is run
//! from its start, and its first call is given the rows that were kept for it. A job that does not fit in, and all of
//! them where anything fails, are run by themselves: with errors, wrong guesses and timeouts as if this were not there.

use super::ending::End;
use super::messages::Places;
use super::pool::Order;
use super::session::Session;
use super::transaction::Transaction;
use super::{Fields, guard};
use crate::row::Source;
use crate::sql::Dialect;
use crate::tx::Engine;
use crate::{Epochs, Error, Result, Row, Sql, Tx};
use std::sync::Arc;
use tokio_postgres::types::Type;

/// The most bytes of rows that are kept for all jobs together.
const KEPT: usize = 1 << 20;

/// The call that a job makes, and the answer that it is given.
#[derive(Default)]
pub(super) struct Noting {
    /// The answer to its first call.
    kept: Option<Kept>,
    /// The first call that has no answer.
    asked: Option<Vec<Sql>>,
    /// True if it does what can only be done by itself.
    pub(super) unfit: bool,
}

/// A call and its rows.
struct Kept {
    asked: Vec<Sql>,
    epochs: Epochs,
    rows: Vec<KeptRow>,
}

struct KeptRow {
    statement: usize,
    columns: Vec<Type>,
    places: Places,
    body: Vec<u8>,
}

impl Transaction<'_> {
    /// Answers the call of a job that is run together with others, or notes it.
    pub(super) fn note(
        &mut self,
        mut noting: Noting,
        statements: &[&Sql],
        each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let plain = !self.writing && self.begin.is_empty() && self.deferred.is_empty();
        let kept = noting.kept.take().filter(|kept| plain && kept.answers(self.guessed, statements));
        if plain && kept.is_none() && noting.asked.is_none() {
            noting.asked = Some(statements.iter().map(|sql| (*sql).clone()).collect());
        } else {
            noting.unfit |= kept.is_none();
        }
        self.noting = Some(noting);
        let Some(kept) = kept else { return Err(Error::Busy) };
        // The epochs were verified behind the rows.
        self.held();
        let given = kept.rows.iter().try_for_each(|row| row.give(each));
        if matches!(given, Err(Error::Corrupt(_))) {
            self.outdate();
        }
        given
    }
}

impl Kept {
    /// Returns true if it is the answer to this call of a job that was told these epochs.
    fn answers(&self, told: Option<Epochs>, statements: &[&Sql]) -> bool {
        let asked = self.asked.iter().map(|sql| (&sql.text, &sql.parameters));
        told.is_none_or(|told| told == self.epochs)
            && asked.eq(statements.iter().map(|sql| (&sql.text, &sql.parameters)))
    }
}

impl KeptRow {
    fn of(statement: usize, fields: &Fields<'_>) -> Self {
        let (columns, places) = (fields.columns.to_vec(), fields.places.to_vec());
        KeptRow { statement, columns, places, body: fields.body.to_vec() }
    }

    fn give(&self, each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>) -> Result<()> {
        let fields = Fields { columns: &self.columns, places: &self.places, body: &self.body };
        each(self.statement, &Row { source: Source::Postgres(&fields) })
    }
}

/// Runs reads of one store, whose epochs the connection remembers; gives back those that have to be run by themselves.
pub(super) fn read(session: &mut Session, epochs: Epochs, orders: Vec<Order>) -> Vec<Order> {
    let (mut together, mut asked, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for mut order in orders.into_iter().filter_map(Order::due) {
        let (noting, _) = run(session, &mut order, None);
        if noting.unfit {
            alone.push(order);
        } else {
            asked.push(noting.asked.unwrap_or_default());
            together.push(order);
        }
    }
    let Some(prefix) = together.first().map(|order| Arc::clone(&order.prefix)) else { return alone };
    let Some(answers) = exchange(session, &prefix, epochs, &asked) else {
        alone.extend(together);
        return alone;
    };
    for ((order, asked), rows) in together.into_iter().zip(asked).zip(answers) {
        if asked.is_empty() {
            // It came to its end without a statement, on epochs that held.
            order.job.work.answer(None);
        } else {
            alone.extend(settle(session, order, Kept { asked, epochs, rows }));
        }
    }
    alone
}

/// Runs a job with its answer; gives it back where it has to be run by itself.
fn settle(session: &mut Session, mut order: Order, kept: Kept) -> Option<Order> {
    match run(session, &mut order, Some(kept)) {
        (Noting { asked: None, unfit: false, .. }, End::Done) => order.job.work.answer(None),
        _ => return Some(order),
    }
    None
}

/// Runs a job as far as it goes without an exchange of its own.
fn run(session: &mut Session, order: &mut Order, kept: Option<Kept>) -> (Noting, End) {
    let answered = kept.is_some();
    let mut transaction = Transaction::reading(session, Arc::clone(&order.prefix)).guessing();
    transaction.noting = Some(Noting { kept, ..Noting::default() });
    let mut tx = Tx { engine: Engine::Postgres(transaction) };
    let content = order.job.work.run(&mut tx);
    let Engine::Postgres(mut transaction) = tx.engine else { return (Noting::default(), End::Done) };
    let noting = transaction.noting.take().unwrap_or_default();
    let ends = answered && noting.asked.is_none() && !noting.unfit && noting.kept.is_none();
    (noting, if ends { transaction.end(content) } else { End::Again })
}

/// Sends what all ask for; gives the rows of each, unless anything failed.
fn exchange(session: &mut Session, prefix: &Arc<str>, epochs: Epochs, asked: &[Vec<Sql>]) -> Option<Vec<Vec<KeptRow>>> {
    let sql = Sql::new(Dialect::Postgres { prefix: Arc::clone(prefix) });
    let verification = guard::verify(sql, epochs);
    let statements: Vec<&Sql> = asked.iter().flatten().chain([&verification]).collect();
    let places: Vec<(usize, usize)> = places(asked).collect();
    let mut rows: Vec<Vec<KeptRow>> = asked.iter().map(|_| Vec::new()).collect();
    let mut size = 0;
    let outcome = session.run_hastily(&statements, &mut |index, row| {
        if let (Some((job, statement)), Source::Postgres(fields)) = (places.get(index), row.source) {
            size += fields.body.len();
            if size > KEPT {
                return Err(Error::Busy);
            }
            rows[*job].push(KeptRow::of(*statement, fields));
        }
        Ok(())
    });
    match outcome {
        Ok(_) => Some(rows),
        Err(problem) => {
            if problem.lost() {
                session.disconnect();
            } else if problem.division_by_zero() {
                session.forget_epochs(prefix);
            }
            None
        }
    }
}

/// For each statement its job, and its number there.
fn places(asked: &[Vec<Sql>]) -> impl Iterator<Item = (usize, usize)> {
    asked.iter().enumerate().flat_map(|(job, asked)| (0..asked.len()).map(move |statement| (job, statement)))
}
