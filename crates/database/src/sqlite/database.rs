//! The folder of files, the files that are in use, and the threads that read them.

use super::connection::{ConnectionPurpose, SqliteConnection, StatementPatience};
use super::file::{StoreFile, absent};
use super::idle_readers::JobBounds;
use super::locks::lock;
use super::log_copies::LogCopier;
use super::lost_files::LostFiles;
use super::marks::ClosedFolders;
use super::pool::FilePool;
use super::store::{SqliteStore, end};
use super::transaction::SqliteTransaction;
use super::{idle_readers, leftover_files};
use crate::fair_queue::FairQueue;
use crate::figures::DatabaseReport;
use crate::job::QueuedJob;
use crate::tx::TransactionEngine;
use crate::{Error, Result, SqliteOptions, Tx, ddl};
use metrics::Histogram;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Earlier versions have a defect that can damage a file in WAL mode.
const OLDEST_LIBRARY: i32 = 3_051_003;

/// The folder.
#[derive(Clone)]
pub(crate) struct SqliteFolder {
    pub(super) shared: Arc<SharedFolder>,
}

/// The parts that a database's stores have in common.
pub(super) struct SharedFolder {
    pub(super) folder: PathBuf,
    /// The files that were asked for; deleted ones are taken out.
    pub(super) files: Mutex<HashMap<String, Arc<StoreFile>>>,
    /// Reads on their way to a thread, by the file's id.
    pub(super) scans: Arc<FairQueue<u64, QueuedScan>>,
    pub(super) pool: Arc<FilePool>,
    turn: AtomicU64,
    pub(super) closed_folders: ClosedFolders,
    pub(super) lost_files: LostFiles,
}

/// A read on its way to a thread.
pub(super) struct QueuedScan {
    pub(super) file: Arc<StoreFile>,
    pub(super) job: QueuedJob,
}

/// A folder for a copy of a file, or for a file that is being made. A process that is killed leaves it, and the next one
/// that opens the folder of all removes it.
pub(crate) struct StoreCopy {
    /// The path of the file.
    pub(crate) path: PathBuf,
    pub(crate) folder: PathBuf,
    /// Keeps other processes from taking the folder for one that was left behind.
    _held: std::fs::File,
}

impl Drop for StoreCopy {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder)
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(folder = %self.folder.display(), %error, "a copy of a tenant's file stays");
        }
    }
}

impl SqliteFolder {
    pub(crate) fn open(options: SqliteOptions) -> Result<Self> {
        if rusqlite::version_number() < OLDEST_LIBRARY {
            return Err(Error::Failed(format!("SQLite {} is too old: 3.51.3 is needed", rusqlite::version())));
        }
        private_folders(&options.folder).map_err(|error| failed(&options.folder, &error))?;
        match leftover_files::sweep(&options.folder) {
            Ok(removed) => removed.iter().for_each(|path| {
                tracing::info!(folder = %path.display(), "removed what was left of a tenant half made or deleted");
            }),
            // It is in nobody's way.
            Err(error) => tracing::warn!(%error, "what was left of tenants half made or deleted stays"),
        }
        let callers = std::thread::available_parallelism().map_or(1, usize::from);
        let readers = options.readers.max(1);
        // Half of the threads is left to the others, so that a processor is, too.
        let scans = Arc::new(FairQueue::new(readers, readers / 2));
        for number in 0..readers {
            let queue = Arc::clone(&scans);
            std::thread::Builder::new()
                .name(format!("read {number}"))
                .spawn(move || serve(&queue))
                .map_err(|error| Error::Failed(format!("no thread to read with: {error}")))?;
        }
        let log_copier =
            LogCopier::start().map_err(|error| Error::Failed(format!("no thread to copy logs with: {error}")))?;
        let pool = FilePool::start(options.descriptors, readers + callers, log_copier)
            .map_err(|error| Error::Failed(format!("no thread to close files with: {error}")))?;
        let shared = SharedFolder {
            folder: options.folder,
            files: Mutex::default(),
            scans,
            pool,
            turn: AtomicU64::new(1),
            closed_folders: ClosedFolders::default(),
            lost_files: LostFiles::default(),
        };
        Ok(SqliteFolder { shared: Arc::new(shared) })
    }

    /// Makes the file elsewhere and moves it in place, so that there is never half a store.
    pub(crate) fn create(&self, name: &str) -> Result<SqliteStore> {
        let workshop = self.workshop(name)?;
        make(&workshop.path)?;
        self.adopt(workshop, name)
    }

    /// Makes a folder for a store of that name, which goes with what this returns unless it is adopted.
    pub(crate) fn workshop(&self, name: &str) -> Result<StoreCopy> {
        self.refuse_existing(name)?;
        self.shared.workshop(name)
    }

    /// Makes a store of a folder in one step, with all that lies in it.
    pub(crate) fn adopt(&self, workshop: StoreCopy, name: &str) -> Result<SqliteStore> {
        let mut files = lock(&self.shared.files);
        self.refuse_existing(name)?;
        keep(&workshop.path).map_err(|error| failed(&workshop.path, &error))?;
        sync(&workshop.folder)?;
        let home = self.shared.folder.join(name);
        super::deleted::remove_empty(&home);
        std::fs::rename(&workshop.folder, &home).map_err(|error| failed(&home, &error))?;
        sync(&self.shared.folder)?;
        await_readers();
        let file = self.file(&mut files, name);
        Ok(SqliteStore::new(Arc::clone(&self.shared), file))
    }

    fn refuse_existing(&self, name: &str) -> Result<()> {
        match self.path(name).exists() {
            true => Err(Error::Failed(format!("the store {name} exists"))),
            false => Ok(()),
        }
    }

    pub(crate) fn store(&self, name: &str) -> Result<SqliteStore> {
        let mut files = lock(&self.shared.files);
        if !self.path(name).is_file() {
            let error = absent(&self.path(name));
            if error == Error::NoStore {
                self.shared.close(&mut files, name);
            }
            return Err(error);
        }
        let opened = !files.contains_key(name);
        let file = self.file(&mut files, name);
        drop(files);
        if opened && let Err(error) = leftover_files::absorb(&file) {
            // It costs time alone.
            tracing::warn!(%error, store = name, "the log that a process left stays as it is");
        }
        Ok(SqliteStore::new(Arc::clone(&self.shared), file))
    }

    pub(crate) fn delete(&self, name: &str) -> Result<()> {
        let mut files = lock(&self.shared.files);
        self.shared.close(&mut files, name);
        if !self.path(name).is_file() {
            return Err(Error::NoStore);
        }
        let home = self.shared.folder.join(name);
        let _held = self.shared.hold()?;
        let grave = self.shared.aside(leftover_files::DELETED, name);
        std::fs::rename(&home, &grave).map_err(|error| failed(&home, &error))?;
        await_readers();
        std::fs::remove_dir_all(&grave).map_err(|error| failed(&grave, &error))?;
        sync(&self.shared.folder)
    }

    /// Closes files that another process deleted. Their room on the disk is free once no descriptor holds them.
    pub(crate) fn close_deleted(&self, is_known: impl Fn(&str) -> bool) {
        let mut files = lock(&self.shared.files);
        let gone: Vec<String> =
            files.keys().filter(|name| !is_known(name) && !self.path(name).is_file()).cloned().collect();
        gone.iter().for_each(|name| self.shared.close(&mut files, name));
    }

    /// Fails where no file can be made in the folder.
    pub(crate) fn ping(&self) -> Result<()> {
        let probe = self.shared.aside(leftover_files::NEW, "probe");
        let written = private_folder(&probe)
            .map_err(|error| Error::Unusable(format!("{} cannot be written: {error}", self.shared.folder.display())));
        // Another process may have swept it away.
        let _ = std::fs::remove_dir(&probe);
        written
    }

    /// Returns the times of commits so far.
    pub(crate) fn commit_times(&self) -> &Histogram {
        &self.shared.pool.figures.commit_times
    }

    /// Returns the figures so far.
    pub(crate) fn report(&self) -> DatabaseReport {
        let mut report = DatabaseReport::new("sqlite", self.shared.pool.counts());
        self.shared.pool.figures.add_to(&mut report);
        report.damaged_stores = lock(&self.shared.files).values().filter(|file| file.damage().is_some()).count() as u64;
        report
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.shared.folder.join(name).join("tenant.db")
    }

    fn file(&self, files: &mut HashMap<String, Arc<StoreFile>>, name: &str) -> Arc<StoreFile> {
        let file = files
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(StoreFile::new(name, self.path(name), Arc::clone(&self.shared.pool))));
        self.shared.scans.know(file.id);
        Arc::clone(file)
    }
}

impl SharedFolder {
    pub(super) fn hold(&self) -> Result<std::fs::File> {
        leftover_files::hold(&self.folder).map_err(|error| failed(&self.folder, &error))
    }

    /// A folder of another name, which no store and no other process has.
    pub(super) fn aside(&self, what: &str, name: &str) -> PathBuf {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{what}{name}-{}-{turn}", std::process::id()))
    }

    /// Makes a folder for a file, which goes with what this returns.
    fn workshop(&self, name: &str) -> Result<StoreCopy> {
        let held = self.hold()?;
        let folder = self.aside(leftover_files::NEW, name);
        private_folder(&folder).map_err(|error| failed(&folder, &error))?;
        Ok(StoreCopy { path: folder.join("tenant.db"), folder, _held: held })
    }

    /// Copies a file as it stands into a folder of its own, which goes with what this returns.
    pub(super) fn copy(&self, file: &StoreFile) -> Result<StoreCopy> {
        let copy = self.workshop(&file.name)?;
        SqliteConnection::open(&file.path, ConnectionPurpose::Command)?.copy_to(&copy.path)?;
        Ok(copy)
    }

    /// Lets go of a file that is no more.
    pub(super) fn close(&self, files: &mut HashMap<String, Arc<StoreFile>>, name: &str) {
        if let Some(file) = files.remove(name) {
            file.close();
            self.scans.forget(&file.id);
        }
    }
}

impl Drop for SharedFolder {
    fn drop(&mut self) {
        self.scans.close();
        // A file takes over its log as it closes, which waits for the disk: all of them wait at a time.
        let closing: Vec<_> = lock(&self.files).values().filter_map(close_beside).collect();
        for closed in closing {
            // A panic was told by its own thread.
            let _ = closed.join();
        }
    }
}

/// Closes a file, beside this thread where that waits for the disk.
fn close_beside(file: &Arc<StoreFile>) -> Option<JoinHandle<()>> {
    let own = Arc::clone(file);
    let closing = || std::thread::Builder::new().name("close".into()).spawn(move || own.close());
    let closing = file.is_closable().then(closing).and_then(std::io::Result::ok);
    if closing.is_none() {
        file.close();
    }
    closing
}

/// A thread that reads.
fn serve(queue: &FairQueue<u64, QueuedScan>) {
    while let Some((store, QueuedScan { file, job })) = queue.wait() {
        if let Some(mut work) = job.take() {
            let deadline = work.deadline().clone();
            let ran =
                idle_readers::with(&file, JobBounds { patience: StatementPatience::Short, deadline }, |connection| {
                    work.run(&mut Tx { engine: TransactionEngine::Sqlite(SqliteTransaction::reading(connection)) });
                    end(connection)
                });
            work.answer(ran.and_then(|ended| ended).err());
        }
        queue.end(&store);
    }
}

/// Waits until each reader of any process has looked at the paths anew ([`idle_readers::TRUST`]).
pub(super) fn await_readers() {
    std::thread::sleep(idle_readers::TRUST);
}

fn make(path: &Path) -> Result<()> {
    private_file(path).map_err(|error| failed(path, &error))?;
    let connection = SqliteConnection::open(path, ConnectionPurpose::Create)?;
    let mut transaction = SqliteTransaction::writing(&connection);
    transaction.command(&format!("BEGIN; {} COMMIT", ddl::create_state(&transaction.sql().dialect)))
}

/// Makes a folder that nobody else on the machine may look into.
fn private_folder(path: &Path) -> std::io::Result<()> {
    private().create(path)
}

/// The same where it is missing, with those above it that are missing.
fn private_folders(path: &Path) -> std::io::Result<()> {
    private().recursive(true).create(path)
}

fn private() -> std::fs::DirBuilder {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Makes a file survive a loss of power, and nobody else on the machine read it.
fn keep(path: &Path) -> std::io::Result<()> {
    let file = std::fs::File::open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    file.sync_all()
}

/// Makes an empty file that nobody else on the machine may read. SQLite gives its log and the log's index the same
/// mode.
fn private_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Makes changes of a folder last through a loss of power.
pub(super) fn sync(folder: &Path) -> Result<()> {
    std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| failed(folder, &error))
}

pub(super) fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::Failed(format!("{}: {error}", path.display()))
}
