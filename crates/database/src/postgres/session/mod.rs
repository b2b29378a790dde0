//! Sessions: a connection that is made when it is needed, and the transactions of jobs on it.

mod call_recorder;
mod catalog;
mod commit;
mod connection;
mod epoch_check;
mod exchange;
mod insert_rows;
mod problem;
mod run_statements;
mod statement_cache;
mod store_lock;
mod transaction;
mod transaction_state;

use super::server_target::{OpenConnection, ServerTarget};
use super::wire;
use crate::deadline::JobDeadline;
use crate::sql::SqlDialect;
use crate::{Epochs, Sql};
use connection::{AnswerPatience, ServerConnection};
use exchange::RowVisitor;
use problem::StatementProblem;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) use call_recorder::{CallRecorder, RecordedCall, exchange_calls};
pub(super) use commit::TransactionEnd;
pub(super) use store_lock::add_rows;
pub(crate) use transaction::PostgresTransaction;

/// The most stores whose epochs a connection remembers.
const EPOCHS: usize = 4096;
/// The most tables of which a session remembers if the server numbers their rows.
const IDENTITIES: usize = 4096;

/// A session with the server. The thread that calls reads and writes the socket itself, and waits for it.
pub(super) struct ServerSession {
    pub(super) target: Arc<ServerTarget>,
    connection: Option<ServerConnection>,
    /// There while the connection is.
    open: Option<OpenConnection>,
    /// True if the last run used a statement that was prepared before it.
    pub(super) reused: bool,
    /// The number of the connection.
    pub(super) number: usize,
    /// The end of the job that runs on it.
    pub(super) deadline: JobDeadline,
    /// The epochs that were last seen, by the text before the store's tables.
    epochs: HashMap<Arc<str>, Epochs>,
    /// True for tables whose rows the server numbers, by their whole names.
    identities: HashMap<String, bool>,
}

/// The statements of one round trip.
#[derive(Clone, Copy)]
struct RoundTrip<'s> {
    /// Those that begin a transaction.
    begin: &'s [Sql],
    statements: &'s [&'s Sql],
    /// The one of `statements` whose changed rows count.
    counted: usize,
    /// The one that commits.
    commit: Option<&'s Sql>,
}

impl<'s> RoundTrip<'s> {
    /// Statements of which each stands for itself.
    fn of(statements: &'s [&'s Sql]) -> Self {
        let counted = statements.len().saturating_sub(1);
        RoundTrip { begin: &[], statements, counted, commit: None }
    }
}

impl ServerSession {
    pub(super) fn new(target: Arc<ServerTarget>, number: usize) -> Self {
        ServerSession {
            target,
            connection: None,
            open: None,
            reused: false,
            number,
            deadline: JobDeadline::default(),
            epochs: HashMap::new(),
            identities: HashMap::new(),
        }
    }

    /// Returns true if it is connected, as far as is known.
    pub(super) fn is_healthy(&self) -> bool {
        self.connection.as_ref().is_some_and(ServerConnection::is_healthy)
    }

    /// Returns true if the server has a transaction open.
    pub(super) fn in_transaction(&self) -> bool {
        self.connection.as_ref().is_some_and(ServerConnection::in_transaction)
    }

    pub(super) fn disconnect(&mut self) {
        self.connection = None;
        self.open = None;
    }

    /// Forgets all statements, since their tables have changed.
    pub(super) fn forget_statements(&mut self) {
        self.identities.clear();
        if let Some(connection) = &mut self.connection {
            connection.forget_statements();
        }
    }

    /// Returns true if the server numbers the rows of a table, as far as this connection knows.
    pub(super) fn identity(&self, table: &str) -> Option<bool> {
        self.identities.get(table).copied()
    }

    pub(super) fn remember_identity(&mut self, table: String, identity: bool) {
        if self.identities.len() >= IDENTITIES {
            self.identities.clear();
        }
        self.identities.insert(table, identity);
    }

    /// The epochs of a store as this connection saw them last.
    pub(super) fn epochs(&self, prefix: &str) -> Option<Epochs> {
        self.epochs.get(prefix).copied()
    }

    pub(super) fn remember_epochs(&mut self, prefix: &Arc<str>, epochs: Epochs) {
        if self.epochs.len() >= EPOCHS {
            self.epochs.clear();
        }
        self.epochs.insert(Arc::clone(prefix), epochs);
    }

    pub(super) fn forget_epochs(&mut self, prefix: &str) {
        self.epochs.remove(prefix);
    }

    /// Runs text of ours, without parameters, in which several statements may stand.
    pub(super) fn command(&mut self, text: &str) -> Result<(), StatementProblem> {
        self.connection()?.command(text)
    }

    /// Runs statements in one round trip; returns the number of rows that the last one of `statements` changed. Where
    /// one fails, those behind it do not run.
    fn run(&mut self, trip: &RoundTrip<'_>, each: RowVisitor<'_>) -> Result<u64, StatementProblem> {
        let RoundTrip { begin, statements, counted, commit } = *trip;
        let settings = self.opening(begin.is_empty());
        // A transaction that is begun by a statement of its own has its settings behind that.
        let (opening, begin) = begin.split_at(begin.len().min(1));
        let begin = || opening.iter().chain(&settings).chain(begin);
        let all: Vec<&Sql> = begin().chain(statements.iter().copied()).chain(commit).collect();
        let first = begin().count();
        let behind = first + statements.len();
        let mut reused = false;
        let connection = self.connection()?;
        let prepared = connection.prepare(&all, &mut reused).map_err(StatementProblem::before_anything);
        let outcome = prepared.and_then(|prepared| {
            connection.exchange(&prepared, &all, first + counted, &mut |index, row| {
                if (first..behind).contains(&index) { each(index - first, row) } else { Ok(()) }
            })
        });
        self.reused = reused;
        outcome
    }

    /// Runs statements in one round trip. Where the answers are late, the connection counts as lost.
    fn run_hastily(&mut self, statements: &[&Sql], each: RowVisitor<'_>) -> Result<u64, StatementProblem> {
        self.connection()?.set_patience(AnswerPatience::Short);
        let outcome = self.run(&RoundTrip::of(statements), each);
        if let Some(connection) = &mut self.connection {
            connection.set_patience(AnswerPatience::UntilDeadline);
        }
        outcome
    }

    /// Returns the statement that gives a transaction its settings, where the connection has none. Statements `alone` are
    /// a transaction by themselves.
    fn opening(&self, alone: bool) -> Option<Sql> {
        let openings = self.target.pooling.openings().filter(|_| !self.in_transaction())?;
        let mut sql = Sql::new(SqlDialect::Postgres { prefix: "".into() });
        sql.append(if alone { &openings.alone } else { &openings.begun });
        Some(sql)
    }

    /// Makes the connection where there is none; else tells why not, in words for an operator.
    pub(super) fn reach(&mut self) -> Result<(), String> {
        self.connect().map(|_| ())
    }

    fn connect(&mut self) -> Result<&mut ServerConnection, String> {
        // One that broke within a transaction must be seen to have broken.
        if !self.in_transaction() && !self.is_healthy() {
            self.disconnect();
        }
        let connection = match &mut self.connection {
            Some(connection) => connection,
            empty => {
                let (socket, canceller) = wire::connect(&self.target.address)?;
                let names_statements = self.target.pooling.names_statements();
                self.open = Some(self.target.count_connection());
                empty.insert(ServerConnection::new(socket, canceller, names_statements))
            }
        };
        connection.deadline.clone_from(&self.deadline);
        Ok(connection)
    }

    fn connection(&mut self) -> Result<&mut ServerConnection, StatementProblem> {
        self.connect().map_err(StatementProblem::Unreachable)
    }
}
