//! A live connection: statements that it knows, and exchanges of one round trip each.

use super::encode::bind;
use super::errors::{Problem, ServerError};
use super::messages::{self, Incoming, Places};
use super::socket::{Canceller, Socket};
use crate::deadline::Deadline;
use crate::row::Source;
use crate::{Result, Row, Sql};
use bytes::BytesMut;
use postgres_protocol::message::frontend;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_postgres::types::Type;

/// The most prepared statements that a connection keeps: each costs the server some kilobytes.
const STATEMENTS: usize = 500;
/// The most bytes that are sent before answers are read. The sockets hold as much in any case: where both sides wrote
/// and neither read, they would wait for each other.
const UNANSWERED: usize = 16 * 1024;
/// After which time of rest a connection is looked at before it is used.
const REST: Duration = Duration::from_millis(200);

/// The time for which a server may take to stop a statement.
const STOPPING: Duration = Duration::from_secs(5);

/// The function that takes the rows of a run of statements; told which statement it was.
pub(super) type Each<'e> = &'e mut dyn FnMut(usize, &Row<'_>) -> Result<()>;

/// A connection.
pub(super) struct Link {
    socket: Socket,
    incoming: Incoming,
    outgoing: BytesMut,
    places: Places,
    statements: HashMap<String, Known>,
    uses: u64,
    made: u64,
    /// Names of statements that the server may forget.
    forgotten: Vec<String>,
    /// True if a transaction is open, failed or not.
    open: bool,
    /// True if answers are missing.
    busy: bool,
    /// True if the server has answered anything in this exchange but an error.
    answered: bool,
    used: Instant,
    /// True if answers that take longer than [`super::socket::LATE`] are not waited for.
    pub(super) hasty: bool,
    /// When the job has to end.
    pub(super) deadline: Deadline,
    canceller: Canceller,
    /// When the server was asked to stop. Such a connection is not used again: the request may come late.
    cancelled: Option<Instant>,
}

struct Known {
    statement: Arc<Statement>,
    used: u64,
}

/// A statement that the server knows by name.
pub(super) struct Statement {
    pub(super) name: String,
    pub(super) parameters: Vec<Type>,
    columns: Vec<Type>,
}

impl Link {
    pub(super) fn new(socket: Socket, canceller: Canceller) -> Self {
        Link {
            socket,
            incoming: Incoming::new(),
            outgoing: BytesMut::new(),
            places: Vec::new(),
            statements: HashMap::new(),
            uses: 0,
            made: 0,
            forgotten: Vec::new(),
            open: false,
            busy: false,
            answered: false,
            used: Instant::now(),
            hasty: false,
            deadline: Deadline::default(),
            canceller,
            cancelled: None,
        }
    }

    /// Returns true if it can be used, as far as is known.
    pub(super) fn healthy(&self) -> bool {
        !self.busy && self.cancelled.is_none() && (self.used.elapsed() < REST || !self.socket.stirs())
    }

    /// Returns true if a transaction is open.
    pub(super) fn open(&self) -> bool {
        self.open
    }

    /// Forgets all statements.
    pub(super) fn forget_statements(&mut self) {
        self.forgotten.extend(self.statements.drain().map(|(_, known)| known.statement.name.clone()));
    }

    /// Runs text in which several statements may stand.
    pub(super) fn command(&mut self, text: &str) -> Result<(), Problem> {
        self.begin()?;
        frontend::query(text, &mut self.outgoing).map_err(|error| refused(&error))?;
        self.send()?;
        self.finish(None)
    }

    /// The statements by the names that the server knows. Those that are new are prepared in one round trip.
    pub(super) fn prepare(&mut self, texts: &[&Sql], reused: &mut bool) -> Result<Vec<Arc<Statement>>, Problem> {
        self.uses += 1;
        let mut missing: Vec<(&str, String)> = Vec::new();
        for sql in texts {
            if let Some(known) = self.statements.get_mut(&sql.text) {
                known.used = self.uses;
                *reused = true;
            } else if !missing.iter().any(|(text, _)| *text == sql.text) {
                self.made += 1;
                missing.push((&sql.text, format!("s{}", self.made)));
            }
        }
        if !missing.is_empty() {
            self.make(missing)?;
        }
        let found = texts.iter().map(|sql| self.statements.get(&sql.text).map(|known| Arc::clone(&known.statement)));
        found.collect::<Option<_>>().ok_or_else(|| Problem::Refused("too many statements at once".into()))
    }

    fn make(&mut self, missing: Vec<(&str, String)>) -> Result<(), Problem> {
        self.begin()?;
        for (text, name) in &missing {
            let out = &mut self.outgoing;
            frontend::parse(name, text, [], out)
                .and_then(|()| frontend::describe(b'S', name, out))
                .map_err(|error| refused(&error))?;
        }
        frontend::sync(&mut self.outgoing);
        self.send()?;
        for (text, name) in missing {
            match self.described(name) {
                Ok(statement) => self.remember(text.to_owned(), statement),
                Err(problem) => return self.finish(Some(problem)),
            }
        }
        self.finish(None)
    }

    fn described(&mut self, name: String) -> Result<Statement, Problem> {
        let mut parameters = Vec::new();
        loop {
            let (kind, body) = self.receive()?;
            match kind {
                b't' => parameters = messages::parameters(body).map_err(lost)?,
                b'T' => {
                    let columns = messages::columns(body).map_err(lost)?;
                    return Ok(Statement { name, parameters, columns });
                }
                b'n' => return Ok(Statement { name, parameters, columns: Vec::new() }),
                b'1' => {}
                _ => return Err(lost(messages::broken())),
            }
        }
    }

    fn remember(&mut self, text: String, statement: Statement) {
        if self.statements.len() >= STATEMENTS {
            let mut uses: Vec<u64> = self.statements.values().map(|known| known.used).collect();
            // A tenth at once, so that this is rare.
            let (_, old, _) = uses.select_nth_unstable(STATEMENTS / 10);
            let old = *old;
            let outdated = self.statements.extract_if(|_, known| known.used <= old);
            self.forgotten.extend(outdated.map(|(_, known)| known.statement.name.clone()));
        }
        self.statements.insert(text, Known { statement: Arc::new(statement), used: self.uses });
    }

    /// Runs prepared statements, all or none of which the server begins to run where their values cannot be sent,
    /// unless they are long. Gives how many rows the one numbered `counted` changed.
    pub(super) fn exchange(
        &mut self,
        prepared: &[Arc<Statement>],
        statements: &[&Sql],
        counted: usize,
        each: Each<'_>,
    ) -> Result<u64, Problem> {
        self.begin()?;
        let start = self.outgoing.len();
        let (mut answered, mut changed, mut outcome) = (0, 0, Ok(()));
        for (index, (statement, sql)) in prepared.iter().zip(statements).enumerate() {
            let before = self.outgoing.len();
            if let Err(problem) = bind(statement, sql, &mut self.outgoing) {
                if !self.busy {
                    self.outgoing.truncate(start);
                    return Err(problem);
                }
                self.outgoing.clear();
                outcome = Err(problem);
                break;
            }
            if before > 0 && self.outgoing.len() > UNANSWERED {
                // What stands before this one is answered first.
                let rest = self.outgoing.split_off(before);
                frontend::flush(&mut self.outgoing);
                self.send()?;
                self.outgoing = rest;
                outcome = self.answers(&prepared[..index], &mut answered, (counted, &mut changed), each);
                if outcome.is_err() {
                    self.outgoing.clear();
                    break;
                }
            }
        }
        frontend::sync(&mut self.outgoing);
        self.send()?;
        if outcome.is_ok() {
            outcome = self.answers(prepared, &mut answered, (counted, &mut changed), each);
        }
        self.finish(outcome.err())?;
        Ok(changed)
    }

    /// Reads the answers of those statements that have none yet. What `each` refuses is an error in the end.
    fn answers(
        &mut self,
        prepared: &[Arc<Statement>],
        answered: &mut usize,
        (counted, changed): (usize, &mut u64),
        each: Each<'_>,
    ) -> Result<(), Problem> {
        let mut refused = Ok(());
        let mut places = std::mem::take(&mut self.places);
        while let Some(statement) = prepared.get(*answered) {
            let (kind, body) = self.receive()?;
            match kind {
                b'D' if refused.is_ok() => {
                    let fields = messages::row(body, &statement.columns, &mut places).map_err(lost)?;
                    refused = each(*answered, &Row { source: Source::Postgres(&fields) });
                }
                b'D' | b'1' | b'2' => {}
                b'C' | b'I' => {
                    if *answered == counted {
                        *changed = messages::count(body);
                    }
                    *answered += 1;
                }
                _ => return Err(lost(messages::broken())),
            }
        }
        self.places = places;
        refused.map_err(Problem::Ours)
    }

    /// The next message that belongs to the exchange; an error of the server is one here.
    fn receive(&mut self) -> Result<(u8, &[u8]), Problem> {
        loop {
            // Twice the same, since a message that is skipped must not stay borrowed.
            let (kind, body) = match self.incoming.next(&mut self.socket) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !self.hasty => {
                    stop_late(&self.deadline, &self.canceller, &mut self.cancelled)?;
                    continue;
                }
                next => next.map_err(lost)?,
            };
            match kind {
                b'E' => return Err(failed(messages::error(body), !self.answered)),
                b'N' => tracing::debug!(notice = messages::error(body).message, "PostgreSQL has something to say"),
                b'S' | b'A' | b'K' | b'3' => {}
                _ => {
                    self.answered = true;
                    break;
                }
            }
        }
        Ok(self.incoming.last())
    }

    /// Reads until the server is ready for the next exchange. The first problem is the one that counts.
    fn finish(&mut self, mut problem: Option<Problem>) -> Result<(), Problem> {
        while problem.as_ref().is_none_or(|problem| !problem.lost()) {
            match self.receive() {
                Ok((b'Z', body)) => {
                    self.open = body != b"I";
                    self.busy = false;
                    self.used = Instant::now();
                    self.incoming.settle();
                    break;
                }
                Ok(_) => {}
                Err(other) if other.lost() || problem.is_none() => problem = Some(other),
                Err(_) => {}
            }
        }
        problem.map_or(Ok(()), Err)
    }

    /// Begins an exchange.
    fn begin(&mut self) -> Result<(), Problem> {
        if self.busy {
            return Err(Problem::Lost { reason: "an exchange was cut short".into(), untouched: true });
        }
        self.answered = false;
        for name in self.forgotten.drain(..) {
            frontend::close(b'S', &name, &mut self.outgoing).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    fn send(&mut self) -> Result<(), Problem> {
        let first = !self.busy;
        self.busy = true;
        let sent = self.socket.write_all(&self.outgoing);
        self.outgoing.clear();
        // Nobody is there who could have read a part of it.
        let gone = |error: &io::Error| first && error.kind() == io::ErrorKind::BrokenPipe;
        sent.map_err(|error| Problem::Lost { untouched: gone(&error), reason: error.to_string() })
    }
}

/// Has the server stop what it runs for a job that has to end. A server that does not listen loses the connection.
fn stop_late(deadline: &Deadline, canceller: &Canceller, cancelled: &mut Option<Instant>) -> Result<(), Problem> {
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

impl Drop for Link {
    fn drop(&mut self) {
        // A server that is in the middle of something notices when the socket closes.
        if !self.busy {
            frontend::terminate(&mut self.outgoing);
            let _ = self.socket.write_all(&self.outgoing);
        }
    }
}

fn refused(error: &io::Error) -> Problem {
    Problem::Refused(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn lost(error: io::Error) -> Problem {
    Problem::Lost { reason: error.to_string(), untouched: false }
}

fn failed(error: ServerError, untouched: bool) -> Problem {
    Problem::Server { error: Box::new(error), untouched }
}
