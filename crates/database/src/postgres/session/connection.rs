//! A live connection: statements that the server knows, and exchanges of one round trip each.

use super::problem::StatementProblem;
use super::statement_cache::{NewStatement, StatementCache};
use crate::Sql;
use crate::deadline::JobDeadline;
use crate::postgres::wire::{
    self, FieldPlaces, MessageReader, PreparedStatement, ServerError, ServerSocket, StatementCanceller,
};
use bytes::BytesMut;
use postgres_protocol::message::frontend;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time of rest after which a connection is checked before it is used.
const REST: Duration = Duration::from_millis(200);
/// The looks at a silent server after which work without a deadline is given up: a machine may stand still for seconds.
const MISSED: u32 = 8;
/// The time for which a server may take to stop a statement.
const STOPPING: Duration = Duration::from_secs(5);

/// A connection to the server.
pub(super) struct ServerConnection {
    socket: ServerSocket,
    incoming: MessageReader,
    pub(super) outgoing: BytesMut,
    pub(super) places: FieldPlaces,
    statements: StatementCache,
    state: ConnectionState,
    used: Instant,
    patience: AnswerPatience,
    /// The end of the job that uses the connection.
    pub(super) deadline: JobDeadline,
    canceller: StatementCanceller,
    /// The time at which the server was asked to stop. Such a connection is not used again: the request may come late.
    cancelled: Option<Instant>,
}

/// The state of a connection, as the server told it last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConnectionState {
    /// No transaction is open.
    Idle,
    /// A transaction is open, failed or not.
    InTransaction,
    /// Answers are missing.
    Exchanging {
        /// True if a transaction was open as the exchange began.
        in_transaction: bool,
        /// True if the server has answered anything in this exchange but an error.
        answered: bool,
    },
}

/// The wait for answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerPatience {
    /// Until the job has to end.
    UntilDeadline,
    /// Short: several jobs wait together.
    Short,
}

impl ServerConnection {
    /// A connection that was just made. `names_statements` is false behind a pooler.
    pub(super) fn new(socket: ServerSocket, canceller: StatementCanceller, names_statements: bool) -> Self {
        ServerConnection {
            socket,
            incoming: MessageReader::new(),
            outgoing: BytesMut::new(),
            places: Vec::new(),
            statements: StatementCache::new(names_statements),
            state: ConnectionState::Idle,
            used: Instant::now(),
            patience: AnswerPatience::UntilDeadline,
            deadline: JobDeadline::default(),
            canceller,
            cancelled: None,
        }
    }

    /// Returns true if the connection can be used, as far as is known.
    pub(super) fn is_healthy(&self) -> bool {
        self.is_at_rest() && self.cancelled.is_none() && (self.used.elapsed() < REST || !self.socket.stirs())
    }

    /// Returns true if a transaction is open.
    pub(super) fn in_transaction(&self) -> bool {
        matches!(self.state, ConnectionState::InTransaction | ConnectionState::Exchanging { in_transaction: true, .. })
    }

    /// Sets how long answers are waited for.
    pub(super) fn set_patience(&mut self, patience: AnswerPatience) {
        self.patience = patience;
    }

    /// Forgets all statements.
    pub(super) fn forget_statements(&mut self) {
        self.statements.clear();
    }

    /// Runs text in which several statements may stand.
    pub(super) fn command(&mut self, text: &str) -> Result<(), StatementProblem> {
        self.begin()?;
        frontend::query(text, &mut self.outgoing).map_err(|error| refused(&error))?;
        self.send()?;
        self.finish(None)
    }

    /// Returns the statements by the names that the server knows. Those that are new are prepared in one round trip.
    pub(super) fn prepare(
        &mut self,
        statements: &[&Sql],
        reused: &mut bool,
    ) -> Result<Vec<Arc<PreparedStatement>>, StatementProblem> {
        let missing = self.statements.begin_use(statements, reused);
        if !missing.is_empty() {
            self.prepare_new(missing)?;
        }
        let found = self.statements.find(statements);
        found.ok_or_else(|| StatementProblem::Refused("too many statements at once".into()))
    }

    fn prepare_new(&mut self, missing: Vec<NewStatement<'_>>) -> Result<(), StatementProblem> {
        self.begin()?;
        for NewStatement { text, name } in &missing {
            let out = &mut self.outgoing;
            frontend::parse(name, text, [], out)
                .and_then(|()| frontend::describe(b'S', name, out))
                .map_err(|error| refused(&error))?;
        }
        frontend::sync(&mut self.outgoing);
        self.send()?;
        for NewStatement { text, name } in missing {
            match self.described(name) {
                Ok(statement) => self.statements.insert(text.to_owned(), statement),
                Err(problem) => return self.finish(Some(problem)),
            }
        }
        self.finish(None)
    }

    fn described(&mut self, name: String) -> Result<PreparedStatement, StatementProblem> {
        let mut parameters = Vec::new();
        loop {
            let (kind, body) = self.receive()?;
            match kind {
                b't' => parameters = wire::parameters(body).map_err(lost)?,
                b'T' => {
                    let columns = wire::columns(body).map_err(lost)?;
                    return Ok(PreparedStatement { name, parameters, columns });
                }
                b'n' => return Ok(PreparedStatement { name, parameters, columns: Vec::new() }),
                b'1' => {}
                _ => return Err(lost(wire::broken())),
            }
        }
    }

    /// The next message that belongs to the exchange; an error of the server is one here.
    pub(super) fn receive(&mut self) -> Result<(u8, &[u8]), StatementProblem> {
        let (mut silent, mut missed, mut asks) = (0, 0, false);
        loop {
            // Twice the same, since a message that is skipped must not stay borrowed.
            let (kind, body) = match self.incoming.next(&mut self.socket) {
                Err(error)
                    if error.kind() == io::ErrorKind::WouldBlock && self.patience == AnswerPatience::UntilDeadline =>
                {
                    stop_late(&self.deadline, &self.canceller, &mut self.cancelled)?;
                    silent += 1;
                    if (asks || is_look(silent)) && self.cancelled.is_none() {
                        let found = self.canceller.finds_silent();
                        // Another connection asks already, and knows soon.
                        asks = found.is_none();
                        missed = found.map_or(missed, |silent| if silent { missed + 1 } else { 0 });
                    }
                    if missed >= if self.deadline.is_endless() { MISSED } else { 1 } {
                        return Err(lost(io::Error::new(io::ErrorKind::TimedOut, "the server does not answer")));
                    }
                    continue;
                }
                next => next.map_err(lost)?,
            };
            match kind {
                b'E' => return Err(failed(ServerError::parse(body), !self.state.is_answered())),
                b'N' => tracing::debug!(notice = ServerError::parse(body).message, "PostgreSQL has something to say"),
                b'S' | b'A' | b'K' | b'3' => {}
                _ => {
                    self.state.set_answered();
                    break;
                }
            }
        }
        Ok(self.incoming.last())
    }

    /// Reads until the server is ready for the next exchange. The first problem is the one that counts.
    pub(super) fn finish(&mut self, mut problem: Option<StatementProblem>) -> Result<(), StatementProblem> {
        while problem.as_ref().is_none_or(|problem| !problem.is_lost()) {
            match self.receive() {
                Ok((b'Z', body)) => {
                    self.state = if body == b"I" { ConnectionState::Idle } else { ConnectionState::InTransaction };
                    self.used = Instant::now();
                    self.incoming.shrink();
                    break;
                }
                Ok(_) => {}
                Err(other) if other.is_lost() || problem.is_none() => problem = Some(other),
                Err(_) => {}
            }
        }
        problem.map_or(Ok(()), Err)
    }

    /// Begins an exchange.
    pub(super) fn begin(&mut self) -> Result<(), StatementProblem> {
        if !self.is_at_rest() {
            return Err(StatementProblem::Lost { reason: "an exchange was cut short".into(), untouched: true });
        }
        for name in self.statements.take_forgotten() {
            frontend::close(b'S', &name, &mut self.outgoing).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    pub(super) fn send(&mut self) -> Result<(), StatementProblem> {
        let first = self.is_at_rest();
        if first {
            self.state = ConnectionState::Exchanging { in_transaction: self.in_transaction(), answered: false };
        }
        let sent = self.socket.write_all(&self.outgoing);
        self.outgoing.clear();
        // Nobody is there who could have read a part of it.
        let gone = |error: &io::Error| first && error.kind() == io::ErrorKind::BrokenPipe;
        sent.map_err(|error| StatementProblem::Lost { untouched: gone(&error), reason: error.to_string() })
    }

    /// Returns true if no answers are missing.
    pub(super) fn is_at_rest(&self) -> bool {
        !matches!(self.state, ConnectionState::Exchanging { .. })
    }
}

impl ConnectionState {
    /// Returns true if the server has answered anything in this exchange but an error.
    fn is_answered(self) -> bool {
        matches!(self, ConnectionState::Exchanging { answered: true, .. })
    }

    fn set_answered(&mut self) {
        if let ConnectionState::Exchanging { answered, .. } = self {
            *answered = true;
        }
    }
}

/// Returns true if it is time to look at a server's pulse, after so many reads of half a second without an answer: after
/// the first, then each two seconds, and each thirty behind the end of any request.
fn is_look(silent: u32) -> bool {
    silent % 4 == 1 && (silent < 40 || silent % 60 == 1)
}

/// Stops the statement of a job that has to end. A server that does not listen loses the connection.
fn stop_late(
    deadline: &JobDeadline,
    canceller: &StatementCanceller,
    cancelled: &mut Option<Instant>,
) -> Result<(), StatementProblem> {
    match *cancelled {
        Some(since) if since.elapsed() > STOPPING => Err(lost(io::ErrorKind::TimedOut.into())),
        None if deadline.passed() => {
            *cancelled = Some(Instant::now());
            if let Err(error) = canceller.cancel() {
                tracing::warn!(%error, "PostgreSQL could not be asked to stop a statement");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

impl Drop for ServerConnection {
    fn drop(&mut self) {
        // A server that is in the middle of something notices when the socket closes.
        if self.is_at_rest() {
            frontend::terminate(&mut self.outgoing);
            let _ = self.socket.write_all(&self.outgoing);
        }
    }
}

fn refused(error: &io::Error) -> StatementProblem {
    StatementProblem::Refused(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
pub(super) fn lost(error: io::Error) -> StatementProblem {
    StatementProblem::Lost { reason: error.to_string(), untouched: false }
}

fn failed(error: ServerError, untouched: bool) -> StatementProblem {
    // A pooler that lost the server does not know what the server did.
    let untouched = untouched && !error.is_of_lost_server();
    StatementProblem::Server { error: Box::new(error), untouched }
}
