//! The folder of files, the files that are in use, and the threads that read them.

use super::connection::{Connection, Patience, Purpose};
use super::file::{File, lock};
use super::store::{Store, end};
use super::transaction::Transaction;
use super::{leftovers, readers, sql};
use crate::turns::Turns;
use crate::tx::Engine;
use crate::work::Queued;
use crate::{Error, Mark, Result, SqliteOptions, Tx, ddl};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Earlier versions have a defect that can damage a file in WAL mode.
const OLDEST_LIBRARY: i32 = 3_051_003;

/// The folder.
#[derive(Clone)]
pub(crate) struct Database {
    shared: Arc<Shared>,
}

/// What its stores have in common.
pub(super) struct Shared {
    folder: PathBuf,
    /// The files that were asked for; deleted ones are taken out.
    pub(super) files: Mutex<HashMap<String, Arc<File>>>,
    /// Reads on their way to a thread, by the file's id.
    pub(super) scans: Arc<Turns<u64, Scan>>,
    pub(super) open_writers: usize,
    pub(super) open_readers: usize,
    pub(super) turn: AtomicU64,
}

/// A read on its way to a thread.
pub(super) struct Scan {
    pub(super) file: Arc<File>,
    pub(super) job: Queued,
}

impl Database {
    pub(crate) fn open(options: SqliteOptions) -> Result<Self> {
        if rusqlite::version_number() < OLDEST_LIBRARY {
            return Err(Error::Failed(format!("SQLite {} is too old: 3.51.3 is needed", rusqlite::version())));
        }
        std::fs::create_dir_all(&options.folder).map_err(|error| failed(&options.folder, &error))?;
        match leftovers::sweep(&options.folder) {
            Ok(removed) => removed.iter().for_each(|path| {
                tracing::info!(folder = %path.display(), "removed what was left of a tenant half made or deleted");
            }),
            // It is in nobody's way.
            Err(error) => tracing::warn!(%error, "what was left of tenants half made or deleted stays"),
        }
        let callers = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = options.readers.max(1);
        let open_readers = (options.open_files / (readers + callers)).max(2);
        // Half of the threads is left to the others, so that a processor is, too.
        let scans = Arc::new(Turns::new(readers, readers / 2));
        for number in 0..readers {
            let queue = Arc::clone(&scans);
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

    /// A file's mark is when and how far it and its log were written. Neither is opened: closing a file of SQLite's
    /// would lose this process's locks on it.
    pub(crate) fn marks(&self) -> Result<BTreeMap<String, Mark>> {
        let folder = &self.shared.folder;
        let mut marks = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
            let entry = entry.map_err(|error| failed(folder, &error))?;
            // What is being made or deleted has a dot in front.
            if let Some(name) = entry.file_name().to_str()
                && name.starts_with(|first: char| first.is_ascii_lowercase())
                && let Ok(file) = std::fs::metadata(self.path(name))
                && file.is_file()
            {
                // Whoever reads makes an empty log where there is none.
                let log = std::fs::metadata(folder.join(name).join("tenant.db-wal")).ok().filter(|log| log.len() > 0);
                marks.insert(name.to_owned(), Mark(format!("{}, {}", written(Some(&file)), written(log.as_ref()))));
            }
        }
        Ok(marks)
    }

    /// Makes the file elsewhere and moves it in place, so that there is never half a store.
    pub(crate) fn create(&self, name: &str) -> Result<Store> {
        let mut files = lock(&self.shared.files);
        let home = self.shared.folder.join(name);
        if home.join("tenant.db").exists() {
            return Err(Error::Failed(format!("the store {name} exists")));
        }
        let _held = self.hold()?;
        let workshop = self.aside(leftovers::NEW, name);
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
        Ok(Store::new(Arc::clone(&self.shared), file))
    }

    pub(crate) fn store(&self, name: &str) -> Result<Store> {
        let mut files = lock(&self.shared.files);
        if !self.path(name).is_file() {
            self.shared.close(&mut files, name);
            return Err(Error::NoStore);
        }
        let opened = !files.contains_key(name);
        let file = self.file(&mut files, name);
        drop(files);
        if opened && let Err(error) = leftovers::absorb(&file.path) {
            // It costs time alone.
            tracing::warn!(%error, store = name, "the log that a process left stays as it is");
        }
        Ok(Store::new(Arc::clone(&self.shared), file))
    }

    pub(crate) fn delete(&self, name: &str) -> Result<()> {
        let mut files = lock(&self.shared.files);
        self.shared.close(&mut files, name);
        if !self.path(name).is_file() {
            return Err(Error::NoStore);
        }
        let home = self.shared.folder.join(name);
        let _held = self.hold()?;
        let grave = self.aside(leftovers::DELETED, name);
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

    fn hold(&self) -> Result<std::fs::File> {
        leftovers::hold(&self.shared.folder).map_err(|error| failed(&self.shared.folder, &error))
    }

    /// A folder of another name, which no store and no other process has.
    fn aside(&self, what: &str, name: &str) -> PathBuf {
        let turn = self.shared.turn.fetch_add(1, Ordering::Relaxed);
        self.shared.folder.join(format!("{what}{name}-{}-{turn}", std::process::id()))
    }

    fn file(&self, files: &mut HashMap<String, Arc<File>>, name: &str) -> Arc<File> {
        let file = files.entry(name.to_owned()).or_insert_with(|| Arc::new(File::new(name, self.path(name))));
        self.shared.scans.know(file.id);
        Arc::clone(file)
    }
}

impl Shared {
    /// Lets go of a file that is no more.
    fn close(&self, files: &mut HashMap<String, Arc<File>>, name: &str) {
        if let Some(file) = files.remove(name) {
            file.close();
            self.scans.forget(&file.id);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.scans.close();
        for file in lock(&self.files).values() {
            file.close();
        }
    }
}

/// When, how far and which.
fn written(metadata: Option<&std::fs::Metadata>) -> String {
    let Some(metadata) = metadata else { return "none".to_owned() };
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let number = 0;
    format!("{:?} {} {number}", metadata.modified().ok(), metadata.len())
}

/// A thread that reads.
fn serve(queue: &Turns<u64, Scan>, open_readers: usize) {
    while let Some((store, Scan { file, job })) = queue.wait() {
        if let Some(mut work) = job.take() {
            let ran = readers::with(&file, open_readers, Patience::Short, |connection| {
                work.run(&mut Tx { engine: Engine::Sqlite(Transaction::reading(connection)) });
                end(connection)
            });
            work.answer(ran.and_then(|ended| ended).err());
        }
        queue.end(&store);
    }
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
