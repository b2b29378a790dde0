//! The threads that hold SQLite's connections: one writes, and reads run inline or on readers.

use crate::table::{Answer, Read, Write, open, read, write};
use rusqlite::Connection;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use tokio::sync::oneshot;

/// The way to the connections.
pub(crate) struct Threads {
    database: PathBuf,
    reads: Option<Jobs<Read>>,
    writes: Jobs<Write>,
}

type Jobs<Job> = flume::Sender<(Job, oneshot::Sender<Answer>)>;

const READERS: usize = 2;
const GROUP: usize = 256;

thread_local! {
    static CONNECTION: OnceCell<Connection> = const { OnceCell::new() };
}

impl Threads {
    pub(crate) fn start(database: &Path, readers: bool) -> rusqlite::Result<Self> {
        let reads = if readers { Some(start_readers(database)?) } else { None };
        Ok(Threads { database: database.to_owned(), reads, writes: start_writer(open(database, false)?) })
    }

    pub(crate) async fn read(&self, job: Read) -> Answer {
        match &self.reads {
            Some(jobs) => hand_over(jobs, job).await,
            None => CONNECTION.with(|connection| match connection.get() {
                Some(connection) => read(connection, &job),
                None => {
                    let opened = open(&self.database, true)?;
                    read(connection.get_or_init(|| opened), &job)
                }
            }),
        }
    }

    pub(crate) async fn write(&self, job: Write) -> Answer {
        hand_over(&self.writes, job).await
    }
}

async fn hand_over<Job>(jobs: &Jobs<Job>, job: Job) -> Answer {
    let (sender, receiver) = oneshot::channel();
    let _ = jobs.send((job, sender));
    // A closed channel is a commit that failed.
    receiver.await.unwrap_or(Err(rusqlite::Error::QueryReturnedNoRows))
}

fn start_readers(database: &Path) -> rusqlite::Result<Jobs<Read>> {
    let (sender, receiver) = flume::unbounded::<(Read, oneshot::Sender<Answer>)>();
    for _ in 0..READERS {
        let (receiver, connection) = (receiver.clone(), open(database, true)?);
        std::thread::spawn(move || {
            while let Ok((job, answer)) = receiver.recv() {
                let _ = answer.send(read(&connection, &job));
            }
        });
    }
    Ok(sender)
}

/// What waits is written in one transaction, and answered when it is on disk.
fn start_writer(connection: Connection) -> Jobs<Write> {
    let (sender, receiver) = flume::unbounded::<(Write, oneshot::Sender<Answer>)>();
    std::thread::spawn(move || {
        let mut answers = Vec::with_capacity(GROUP);
        while let Ok(first) = receiver.recv() {
            if let Err(error) = write_group(&connection, first, &receiver, &mut answers) {
                eprintln!("{error}");
                answers.clear();
            }
            for (answer, result) in answers.drain(..) {
                let _: Result<(), Answer> = oneshot::Sender::send(answer, result);
            }
        }
    });
    sender
}

fn write_group(
    connection: &Connection,
    first: (Write, oneshot::Sender<Answer>),
    receiver: &flume::Receiver<(Write, oneshot::Sender<Answer>)>,
    answers: &mut Vec<(oneshot::Sender<Answer>, Answer)>,
) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let mut next = Some(first);
    while let Some((job, answer)) = next.take() {
        answers.push((answer, write(connection, &job)));
        if answers.len() < GROUP {
            next = receiver.try_recv().ok();
        }
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
