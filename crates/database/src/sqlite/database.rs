//! The folder of files, the files that are in use, and the threads that read them.

use super::connection::{Connection, Patience, Purpose};
use super::transaction::Transaction;
use super::writer::Writer;
use super::{readers, sql};
use crate::tx::Engine;
use crate::work::{self, Queued, Work};
use crate::{Error, Result, SqliteOptions, Tx, ddl};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Earlier versions have a defect that can damage a file in WAL mode.
const OLDEST_LIBRARY: i32 = 3_051_003;
/// How many reads may wait for a thread.
const QUEUE: usize = 4096;

/// The folder.
#[derive(Clone)]
pub(crate) struct Database {
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    /// The files that were asked for; deleted ones are taken out.
    files: Mutex<HashMap<String, Arc<File>>>,
    scans: flume::Sender<Scan>,
    open_writers: usize,
    open_readers: usize,
    turn: AtomicU64,
}

/// One file of the folder.
pub(super) struct File {
    /// Never given twice in a process, so that a recreated file is another.
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) path: PathBuf,
    closed: AtomicBool,
    writer: Mutex<Option<Writer>>,
    /// The turn in which it was last written to.
    written: AtomicU64,
}

/// Which file of the disk it is.
pub(super) type Identity = (u64, u64);

/// A store: a file, and the folder's threads.
#[derive(Clone)]
pub(crate) struct Store {
    shared: Arc<Shared>,
    file: Arc<File>,
}

/// A read on its way to a thread.
struct Scan {
    file: Arc<File>,
    job: Queued,
}

impl Database {
    pub(crate) fn open(options: SqliteOptions) -> Result<Self> {
        if rusqlite::version_number() < OLDEST_LIBRARY {
            return Err(Error::Failed(format!("SQLite {} is too old: 3.51.3 is needed", rusqlite::version())));
        }
        std::fs::create_dir_all(&options.folder).map_err(|error| failed(&options.folder, &error))?;
        let (scans, queue) = flume::bounded(QUEUE);
        let callers = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = options.readers.max(1);
        let open_readers = (options.open_files / (readers + callers)).max(2);
        for number in 0..readers {
            let queue = queue.clone();
            std::thread::Builder::new()
                .name(format!("read {number}"))
                .spawn(move || serve(&queue, open_readers))
                .map_err(|error| Error::Failed(format!("no thread to read with: {error}")))?;
        }
        let shared = Shared {
            folder: options.folder,
            files: Mutex::default(),
            scans,
            open_writers: options.open_files.max(1),
            open_readers,
            turn: AtomicU64::new(1),
        };
        Ok(Database { shared: Arc::new(shared) })
    }

    pub(crate) fn stores(&self) -> Result<Vec<String>> {
        let folder = &self.shared.folder;
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
            let entry = entry.map_err(|error| failed(folder, &error))?;
            // What is being made or deleted has a dot in front.
            if let Some(name) = entry.file_name().to_str()
                && name.starts_with(|first: char| first.is_ascii_lowercase())
                && self.path(name).is_file()
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Makes the file elsewhere and moves it in place, so that there is never half a store.
    pub(crate) fn create(&self, name: &str) -> Result<Store> {
        let mut files = lock(&self.shared.files);
        let home = self.shared.folder.join(name);
        if home.join("tenant.db").exists() {
            return Err(Error::Failed(format!("the store {name} exists")));
        }
        let workshop = self.aside("new", name);
        private_folder(&workshop).map_err(|error| failed(&workshop, &error))?;
        let made = make(&workshop.join("tenant.db")).and_then(|()| {
            std::fs::rename(&workshop, &home).map_err(|error| failed(&home, &error))?;
            sync(&self.shared.folder)
        });
        if made.is_err() {
            let _ = std::fs::remove_dir_all(&workshop);
        }
        made?;
        let file = self.file(&mut files, name);
        Ok(Store { shared: Arc::clone(&self.shared), file })
    }

    pub(crate) fn store(&self, name: &str) -> Result<Store> {
        let mut files = lock(&self.shared.files);
        if !self.path(name).is_file() {
            if let Some(file) = files.remove(name) {
                file.close();
            }
            return Err(Error::NoStore);
        }
        let file = self.file(&mut files, name);
        Ok(Store { shared: Arc::clone(&self.shared), file })
    }

    pub(crate) fn delete(&self, name: &str) -> Result<()> {
        let mut files = lock(&self.shared.files);
        if let Some(file) = files.remove(name) {
            file.close();
        }
        if !self.path(name).is_file() {
            return Err(Error::NoStore);
        }
        let home = self.shared.folder.join(name);
        let grave = self.aside("deleted", name);
        std::fs::rename(&home, &grave).map_err(|error| failed(&home, &error))?;
        std::fs::remove_dir_all(&grave).map_err(|error| failed(&grave, &error))?;
        sync(&self.shared.folder)
    }

    pub(crate) fn ping(&self) -> Result<()> {
        std::fs::read_dir(&self.shared.folder).map(|_| ()).map_err(|error| failed(&self.shared.folder, &error))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.shared.folder.join(name).join("tenant.db")
    }

    /// A folder of another name, which no store and no other process has.
    fn aside(&self, what: &str, name: &str) -> PathBuf {
        let turn = self.shared.turn.fetch_add(1, Ordering::Relaxed);
        self.shared.folder.join(format!(".{what}-{name}-{}-{turn}", std::process::id()))
    }

    fn file(&self, files: &mut HashMap<String, Arc<File>>, name: &str) -> Arc<File> {
        let file = files.entry(name.to_owned()).or_insert_with(|| Arc::new(File::new(name, self.path(name))));
        Arc::clone(file)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for file in lock(&self.files).values() {
            file.close();
        }
    }
}

impl File {
    fn new(name: &str, path: PathBuf) -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        File {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            name: name.to_owned(),
            path,
            closed: AtomicBool::new(false),
            writer: Mutex::new(None),
            written: AtomicU64::new(0),
        }
    }

    /// Whether the store was deleted, or its database closed.
    pub(super) fn closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Which file of the disk stands at the path now, if any.
    pub(super) fn identity(&self) -> Option<Identity> {
        let metadata = std::fs::metadata(&self.path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Some((0, 0))
        }
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.rest();
    }

    /// Lets the writer end once it has done what waits for it.
    fn rest(&self) {
        lock(&self.writer).take();
    }
}

impl Store {
    /// Runs a read on this thread.
    pub(crate) fn read_here<T, E: From<Error>>(
        &self,
        patience: Patience,
        job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        readers::with(&self.file, self.shared.open_readers, patience, |connection| {
            let mut tx = Tx { engine: Engine::Sqlite(Transaction::reading(connection)) };
            let outcome = work::run(job, &mut tx);
            end(connection)?;
            outcome
        })?
    }

    /// Hands a read to one of the threads.
    pub(crate) fn scan(&self, work: Box<dyn Work>) -> Result<()> {
        let scan = Scan { file: Arc::clone(&self.file), job: Queued::new(work) };
        self.shared.scans.try_send(scan).map_err(|_| Error::Busy)
    }

    /// Hands a write to the file's thread, which is started where there is none.
    pub(crate) fn write(&self, work: Box<dyn Work>) -> Result<()> {
        let turn = self.shared.turn.fetch_add(1, Ordering::Relaxed);
        self.file.written.store(turn, Ordering::Relaxed);
        let mut job = Queued::new(work);
        let mut writer = lock(&self.file.writer);
        if let Some(running) = &*writer {
            match running.send(job)? {
                None => return Ok(()),
                Some(back) => job = back,
            }
        }
        if self.file.closed() {
            return Err(Error::NoStore);
        }
        let started = Writer::start(Arc::clone(&self.file))?;
        started.send(job)?;
        *writer = Some(started);
        drop(writer);
        self.rest_others();
        Ok(())
    }

    /// Runs a write on this thread; other writers wait for it.
    pub(crate) fn write_here<T, E: From<Error>>(&self, job: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        if self.file.closed() || !self.file.path.is_file() {
            return Err(E::from(Error::NoStore));
        }
        let connection = Connection::open(&self.file.path, Purpose::Command)?;
        connection.run("BEGIN IMMEDIATE")?;
        let mut tx = Tx { engine: Engine::Sqlite(Transaction::writing(&connection)) };
        let outcome = work::run(job, &mut tx);
        if connection.idle() {
            // An error of the engine undid everything already.
            return outcome.and_then(|_| Err(E::from(Error::Failed("the transaction was undone".into()))));
        }
        connection.run(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        outcome
    }

    /// Lets the writer rest that was used longest ago, while there are too many.
    fn rest_others(&self) {
        let files: Vec<_> = lock(&self.shared.files).values().cloned().collect();
        let mut writing: Vec<_> = files.iter().filter(|file| lock(&file.writer).is_some()).collect();
        writing.sort_by_key(|file| file.written.load(Ordering::Relaxed));
        let excess = writing.len().saturating_sub(self.shared.open_writers);
        writing[..excess].iter().for_each(|file| file.rest());
    }
}

/// A thread that reads.
fn serve(queue: &flume::Receiver<Scan>, open_readers: usize) {
    for Scan { file, job } in queue.iter() {
        let Some(mut work) = job.take() else { continue };
        let ran = readers::with(&file, open_readers, Patience::Short, |connection| {
            work.run(&mut Tx { engine: Engine::Sqlite(Transaction::reading(connection)) });
            end(connection)
        });
        work.answer(ran.and_then(|ended| ended).err());
    }
}

/// Ends the snapshot that a read may have taken.
fn end(connection: &Connection) -> Result<()> {
    if connection.idle() { Ok(()) } else { connection.run("COMMIT") }
}

fn make(path: &Path) -> Result<()> {
    let connection = Connection::open(path, Purpose::Create)?;
    let mut transaction = Transaction::writing(&connection);
    transaction.command(&format!("BEGIN; {} COMMIT", ddl::create_state(&sql().dialect)))
}

/// Makes a folder that nobody else on the machine may look into.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes changes of a folder last through a loss of power.
fn sync(folder: &Path) -> Result<()> {
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| failed(folder, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::Failed(format!("{}: {error}", path.display()))
}

/// Nothing that holds these locks can leave a half-made state behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
