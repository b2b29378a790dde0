//! One connection: made when it is needed, made again when it broke, with the statements it knows.

use super::encode::Bound;
use super::errors::{Problem, chain};
use crate::tx::Source;
use crate::{Epochs, Result, Row, Sql};
use futures_util::TryStreamExt;
use futures_util::future::{join, maybe_done};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;
use tokio_postgres::{Client, Config, NoTls, RowStream, Statement};

/// How many prepared statements a connection keeps: each costs the server some kilobytes.
const STATEMENTS: usize = 500;

/// How many stores' epochs a connection remembers.
const EPOCHS: usize = 4096;

/// A connection.
pub(super) struct Session {
    config: Arc<Config>,
    executor: Executor,
    link: Option<Link>,
    /// Whether the last run used a statement that was prepared before it.
    pub(super) reused: bool,
    /// Which of the connections it is.
    pub(super) number: usize,
    /// The epochs that were last seen, by what stands before the store's tables.
    epochs: HashMap<Arc<str>, Epochs>,
}

/// Who moves the bytes while this thread waits for an answer.
pub(super) enum Executor {
    /// This thread itself: no other has to be woken.
    Here(Option<Runtime>),
    /// A thread of the database's own, so that the calling thread may belong to anybody, a runtime too.
    There(Handle),
}

struct Link {
    client: Client,
    statements: HashMap<String, Known>,
    uses: u64,
}

struct Known {
    statement: Statement,
    used: u64,
}

/// What a run of statements gives its rows to; told which statement it was.
pub(super) type Each<'e> = &'e mut dyn FnMut(usize, &Row<'_>) -> Result<()>;

impl Session {
    pub(super) fn new(config: Arc<Config>, executor: Executor, number: usize) -> Self {
        Session { config, executor, link: None, reused: false, number, epochs: HashMap::new() }
    }

    /// Whether it is connected, as far as is known.
    pub(super) fn healthy(&self) -> bool {
        self.link.as_ref().is_some_and(|link| !link.client.is_closed())
    }

    pub(super) fn disconnect(&mut self) {
        self.link = None;
    }

    /// Forgets all statements, since their tables have changed.
    pub(super) fn forget_statements(&mut self) {
        if let Some(link) = &mut self.link {
            link.statements.clear();
        }
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
    pub(super) fn command(&mut self, text: &str) -> Result<(), Problem> {
        self.connect()?;
        let Session { executor, link: Some(link), .. } = self else { return Err(unreachable()) };
        Ok(executor.wait(link.client.batch_execute(text))?)
    }

    /// Runs statements in one round trip, `begin` before them and `finish` behind them; gives how many rows the last
    /// one changed.
    pub(super) fn run(
        &mut self,
        begin: Option<&str>,
        statements: &[&Sql],
        finish: Option<&str>,
        each: Each<'_>,
    ) -> Result<u64, Problem> {
        self.connect()?;
        let Session { executor, link: Some(link), reused, .. } = self else { return Err(unreachable()) };
        *reused = false;
        if let ([sql], None) = (statements, finish) {
            let statement = link.statement(executor, sql, reused)?;
            let client = &link.client;
            return executor.wait(async {
                let sent = client.query_raw(&statement, sql.parameters.iter().map(Bound));
                let (begun, stream) = join(command(client, begin), sent).await;
                begun?;
                read(stream?, 0, each).await
            });
        }
        let prepared =
            statements.iter().map(|sql| link.statement(executor, sql, reused)).collect::<Result<Vec<_>, _>>()?;
        executor.wait(exchange(&link.client, begin, &prepared, statements, finish, each))
    }

    /// Makes the connection where there is none; else tells why not, in words for an operator.
    pub(super) fn reach(&mut self) -> Result<(), String> {
        if !self.healthy() {
            let client = self.executor.connect(Arc::clone(&self.config))?;
            self.link = Some(Link { client, statements: HashMap::new(), uses: 0 });
        }
        Ok(())
    }

    fn connect(&mut self) -> Result<(), Problem> {
        self.reach().map_err(Problem::Unreachable)
    }
}

/// Sends all, then reads the answers.
async fn exchange(
    client: &Client,
    begin: Option<&str>,
    prepared: &[Statement],
    statements: &[&Sql],
    finish: Option<&str>,
    each: Each<'_>,
) -> Result<u64, Problem> {
    let mut begun = pin!(maybe_done(command(client, begin)));
    begin_sending(begun.as_mut()).await;
    let mut sent = Vec::with_capacity(statements.len());
    let mut refused = false;
    for (statement, sql) in prepared.iter().zip(statements) {
        let mut one = Box::pin(maybe_done(client.query_raw(statement, sql.parameters.iter().map(Bound))));
        begin_sending(one.as_mut()).await;
        refused |= matches!(one.as_mut().output_mut(), Some(Err(_)));
        sent.push(one);
    }
    // What could not even be sent must not be missing from what is committed.
    let finished = command(client, finish.filter(|_| !refused)).await;
    begun.as_mut().await;
    begun.take_output().unwrap_or(Ok(()))?;
    let mut changed = 0;
    // The first that fails tells why; those behind it fail only because it did.
    for (index, mut one) in sent.into_iter().enumerate() {
        one.as_mut().await;
        let Some(stream) = one.as_mut().take_output() else { continue };
        changed = read(stream?, index, each).await?;
    }
    finished?;
    Ok(changed)
}

/// Polls once, which puts a request on its way.
async fn begin_sending<F: Future>(mut future: Pin<&mut F>) {
    poll_fn(|context| {
        let _ = future.as_mut().poll(context);
        Poll::Ready(())
    })
    .await;
}

/// Sends text, where there is some.
async fn command(client: &Client, text: Option<&str>) -> Result<(), tokio_postgres::Error> {
    match text {
        Some(text) => client.batch_execute(text).await,
        None => Ok(()),
    }
}

async fn read(stream: RowStream, index: usize, each: Each<'_>) -> Result<u64, Problem> {
    let mut stream = pin!(stream);
    while let Some(row) = stream.try_next().await? {
        each(index, &Row { source: Source::Postgres(&row) }).map_err(Problem::Ours)?;
    }
    Ok(stream.rows_affected().unwrap_or(0))
}

fn unreachable() -> Problem {
    Problem::Unreachable("the connection went away".into())
}

impl Link {
    fn statement(&mut self, executor: &Executor, sql: &Sql, reused: &mut bool) -> Result<Statement, Problem> {
        self.uses += 1;
        if let Some(known) = self.statements.get_mut(&sql.text) {
            known.used = self.uses;
            *reused = true;
            return Ok(known.statement.clone());
        }
        let statement = executor.wait(self.client.prepare(&sql.text))?;
        if self.statements.len() >= STATEMENTS {
            let mut uses: Vec<u64> = self.statements.values().map(|known| known.used).collect();
            // A tenth at once, so that this is rare.
            let (_, old, _) = uses.select_nth_unstable(STATEMENTS / 10);
            let old = *old;
            self.statements.retain(|_, known| known.used > old);
        }
        self.statements.insert(sql.text.clone(), Known { statement: statement.clone(), used: self.uses });
        Ok(statement)
    }
}

impl Executor {
    /// For a thread of the database's own.
    pub(super) fn here() -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Executor::Here(Some(runtime)))
    }

    fn wait<F: Future>(&self, future: F) -> F::Output {
        match self {
            Executor::Here(Some(runtime)) => runtime.block_on(future),
            Executor::Here(None) | Executor::There(_) => park_on(future),
        }
    }

    fn connect(&self, config: Arc<Config>) -> Result<Client, String> {
        let connecting = async move {
            let (client, connection) = config.connect(NoTls).await.map_err(|error| chain(&error))?;
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(error = chain(&error), "a connection to PostgreSQL ended");
                }
            });
            Ok(client)
        };
        match self {
            Executor::There(handle) => {
                let (sender, receiver) = oneshot::channel();
                handle.spawn(async move { sender.send(connecting.await) });
                park_on(receiver).unwrap_or_else(|_| Err("the database is closing".into()))
            }
            Executor::Here(_) => self.wait(connecting),
        }
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        // A runtime that is dropped plainly panics where the last owner lets go of it within another one.
        if let Executor::Here(runtime) = self
            && let Some(runtime) = runtime.take()
        {
            runtime.shutdown_background();
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future that others drive. Works on any thread; on one of a runtime it blocks that thread.
fn park_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}
