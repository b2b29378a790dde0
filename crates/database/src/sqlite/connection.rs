//! One open connection to a file: its settings, its clock, what it remembers.

use super::locks::lock;
use super::{catalog, errors, functions};
use crate::deadline::JobDeadline;
use crate::{Epochs, Error, Result, ddl};
use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use rusqlite::{CachedStatement, OpenFlags, ffi};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_int;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time for which a statement may run.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time for which a statement waits for another process's lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// The same for commands, which nobody waits for over a network.
const COMMAND_LOCK_TIMEOUT: Duration = Duration::from_secs(60);
/// The pause between two tries for another process's lock. SQLite's own pauses grow to 100 ms, which misses the moments
/// between the short writes of a command.
const LOCK_PAUSE: Duration = Duration::from_millis(1);
/// The clock is read once in so many instructions of SQLite's machine: some ten microseconds, unless they are dear
/// ones.
const INSTRUCTIONS: i32 = 1_000;
/// The time after which a statement that reads lets others on the processor go first: whoever is answered by key,
/// writes, or waits for a short list would else wait for the rest of its slice, some milliseconds. Where nobody wants
/// the processor this costs nothing; where all do, each such pause is a slice long, so a statement has some sixth of it
/// then.
const STRETCH: Duration = Duration::from_micros(500);

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionPurpose {
    Read,
    Write,
    /// Copies of the log into the file, beside its writer.
    CopyLog,
    /// Writes of a command, with all the time they want.
    Command,
    /// Writes of a command, in a file that is not there yet.
    Create,
}

/// The time for which a job's statements may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementPatience {
    /// A few seconds each, and no longer than the job.
    Short,
    /// All the time that they take.
    Endless,
}

/// The patience of a writer with readers that need its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogPatience {
    /// Writes that wait notice it hardly.
    Short,
    /// For a log that is too long.
    Long,
}

/// An open connection.
pub(super) struct SqliteConnection {
    pub(super) raw: rusqlite::Connection,
    purpose: ConnectionPurpose,
    watch: Arc<StatementWatch>,
    patience: Cell<StatementPatience>,
    /// The epochs as they stood at a `data_version`, which changes with each commit of anybody else.
    pub(super) epochs: Cell<Option<(i64, Epochs)>>,
    /// Numbers by name, which a read took out of the file at a `data_version`.
    pub(super) numbers: RefCell<(i64, HashMap<i64, i64>)>,
    /// The length of the log after the last commit of a writer, in pages.
    log_pages: Arc<AtomicU32>,
    damage: RefCell<Option<String>>,
}

/// The times by which a statement is watched, also while SQLite runs it.
struct StatementWatch {
    /// The time at which it began.
    begun: AtomicU64,
    /// The end of the job.
    deadline: Mutex<JobDeadline>,
}

/// Values of [`StatementWatch::begun`]: the statement began after the clock was last read; no statement is watched.
const JUST_BEGUN: u64 = 0;
const UNWATCHED: u64 = u64::MAX;

impl SqliteConnection {
    pub(super) fn open(path: &Path, purpose: ConnectionPurpose) -> Result<Self> {
        open(path, purpose).map_err(|error| told(errors::of_file(error, path), purpose))
    }

    /// Returns the meaning of an error of the library. Damage of the file is kept for the end of the job.
    pub(super) fn failure(&self, error: rusqlite::Error) -> Error {
        let path = self.raw.path().unwrap_or_default();
        let error = told(errors::of_file(error, Path::new(path)), self.purpose);
        if let Error::Damaged(detail) = &error {
            self.damage.borrow_mut().get_or_insert_with(|| detail.clone());
        }
        error
    }

    /// Returns the first damage that statements met since the last call, in the engine's words.
    pub(super) fn take_damage(&self) -> Option<String> {
        self.damage.take()
    }

    pub(super) fn set_patience(&self, patience: StatementPatience) {
        self.patience.set(patience);
    }

    /// Sets when the job that begins now has to end.
    pub(super) fn set_deadline(&self, deadline: JobDeadline) {
        *lock(&self.watch.deadline) = deadline;
    }

    pub(super) fn deadline(&self) -> JobDeadline {
        lock(&self.watch.deadline).clone()
    }

    /// A statement, ready to bind, whose time begins now; none is begun for a job that has to end.
    pub(super) fn prepare(&self, text: &str) -> rusqlite::Result<CachedStatement<'_>> {
        if lock(&self.watch.deadline).passed() {
            return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_INTERRUPT), None));
        }
        let watch = if self.patience.get() == StatementPatience::Short { JUST_BEGUN } else { UNWATCHED };
        self.watch.begun.store(watch, Ordering::Relaxed);
        self.raw.prepare_cached(text)
    }

    /// Runs a statement of ours that gives nothing.
    pub(super) fn run(&self, text: &str) -> Result<()> {
        self.watch.begun.store(UNWATCHED, Ordering::Relaxed);
        self.raw
            .prepare_cached(text)
            .and_then(|mut statement| statement.raw_execute())
            .map_err(|error| self.failure(error))?;
        Ok(())
    }

    /// Returns the length of the log after this connection's last commit, in pages; 0 unless it is a writer's.
    pub(super) fn log_pages(&self) -> u32 {
        self.log_pages.load(Ordering::Relaxed)
    }

    /// Copies the log into the file as far as readers allow, without a wait for others. Returns the number of pages
    /// that are left.
    pub(super) fn copy_log(&self) -> Result<u32> {
        self.raw
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
                let (log, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
                Ok(u32::try_from(log - copied).unwrap_or(0))
            })
            .map_err(|error| self.failure(error))
    }

    /// Has the log stay as it is when the connection closes.
    pub(super) fn keep_log(&self) -> Result<()> {
        self.raw
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .map(|_| ())
            .map_err(|error| self.failure(error))
    }

    /// Copies what is left of a writer's log, and waits for the readers that need it, so that the next write begins
    /// the log anew. Readers that begin meanwhile do not need it. Returns false where one took too long.
    pub(super) fn end_log(&mut self, patience: LogPatience) -> Result<bool> {
        let wait = match patience {
            LogPatience::Short => wait_briefly_for_readers,
            LogPatience::Long => wait_for_readers,
        };
        self.raw.busy_handler(Some(wait)).map_err(|error| self.failure(error))?;
        let ended = self.raw.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| Ok(row.get::<_, i64>(0)? == 0));
        self.raw.busy_handler(Some(wait_for_lock)).map_err(|error| self.failure(error))?;
        ended.map_err(|error| self.failure(error))
    }

    /// Takes all that the log has over into the file and shortens the log, as far as that is possible without waiting.
    pub(super) fn absorb(&self) -> Result<()> {
        let absorb = || {
            self.raw.busy_timeout(Duration::ZERO)?;
            self.raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        };
        absorb().map_err(|error| self.failure(error))
    }

    /// Writes the file anew, without the pages that nothing needs, and then shortens the log as far as readers allow.
    pub(super) fn compact(&self) -> Result<()> {
        self.watch.begun.store(UNWATCHED, Ordering::Relaxed);
        let compacted = self
            .raw
            .execute_batch("VACUUM")
            .and_then(|()| self.raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        compacted.map_err(|error| self.failure(error))
    }

    /// Copies the file as it stands to a path where nothing is. Others may write meanwhile.
    pub(super) fn copy_to(&self, path: &Path) -> Result<()> {
        self.watch.begun.store(UNWATCHED, Ordering::Relaxed);
        let copied = self.raw.execute("VACUUM INTO ?1", [path.to_string_lossy().as_ref()]);
        copied.map(|_| ()).map_err(|error| match self.failure(error) {
            // The copy grows, and not the file.
            Error::NoRoom(_) => Error::NoRoom(path.display().to_string()),
            error => error,
        })
    }

    /// Returns what is wrong with the file: broken pages and indexes, and rows that refer to nothing.
    pub(super) fn faults(&self) -> Result<Vec<String>> {
        self.watch.begun.store(UNWATCHED, Ordering::Relaxed);
        let mut faults = Vec::new();
        let mut check = |pragma: &str, fault: &dyn Fn(&rusqlite::Row<'_>) -> rusqlite::Result<String>| {
            let mut statement = self.raw.prepare(pragma)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                faults.push(fault(row)?);
            }
            Ok(())
        };
        check("PRAGMA integrity_check(20)", &|row| row.get(0)).map_err(|error| self.failure(error))?;
        check("PRAGMA foreign_key_check", &|row| {
            let (table, target): (String, String) = (row.get(0)?, row.get(2)?);
            Ok(format!("a row of {table} refers to a row of {target} that does not exist"))
        })
        .map_err(|error| self.failure(error))?;
        faults.retain(|fault| fault != "ok");
        Ok(faults)
    }

    /// Looks at all pages and returns what is damaged; a time-out where that takes longer than a statement may.
    pub(super) fn damaged_pages(&self) -> Result<Vec<String>> {
        let read = || {
            let mut statement = self.prepare("PRAGMA quick_check(3)")?;
            let mut rows = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(row.get::<_, String>(0)?);
            }
            found.retain(|text| text != "ok");
            if found.is_empty() && !catalog::has_table(&self.raw, &ddl::STATE)? {
                found.push("it has no tables of Plinth".to_owned());
            }
            Ok(found)
        };
        read().map_err(|error| self.failure(error))
    }

    /// Has commits not wait for the disk: for files that do not outlive their process.
    pub(super) fn hurry(&self) -> Result<()> {
        self.raw
            .execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;")
            .map_err(|error| self.failure(error))
    }

    /// Returns true if no transaction is open.
    pub(super) fn idle(&self) -> bool {
        self.raw.is_autocommit()
    }
}

/// Logs a full disk where a server's writes meet it: commands and copies tell it themselves, with the place.
fn told(error: Error, purpose: ConnectionPurpose) -> Error {
    let is_write = matches!(purpose, ConnectionPurpose::Write | ConnectionPurpose::CopyLog);
    if is_write && matches!(error, Error::NoRoom(_)) {
        errors::tell_of_full_disk();
    }
    error
}

fn open(path: &Path, purpose: ConnectionPurpose) -> rusqlite::Result<SqliteConnection> {
    let access = match purpose {
        ConnectionPurpose::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        ConnectionPurpose::Write | ConnectionPurpose::CopyLog | ConnectionPurpose::Command => {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        }
        ConnectionPurpose::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    };
    let mut raw = rusqlite::Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    let patient = matches!(purpose, ConnectionPurpose::Command | ConnectionPurpose::Create);
    raw.busy_handler(Some(if patient { wait_long_for_lock } else { wait_for_lock }))?;
    raw.set_prepared_statement_cache_capacity(256);
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    raw.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456;")?;
    match purpose {
        // Only writers checkpoint: a reader that closes leaves the log alone.
        ConnectionPurpose::Read => {
            raw.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            raw.execute_batch("PRAGMA cache_size = -8192; PRAGMA query_only = ON;")?;
            // Opens the log, too: a file that is moved later stays readable.
            raw.pragma_query_value(None, "schema_version", |_| Ok(()))?;
        }
        ConnectionPurpose::CopyLog => {
            raw.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            raw.execute_batch("PRAGMA synchronous = FULL;")?;
        }
        ConnectionPurpose::Write | ConnectionPurpose::Command | ConnectionPurpose::Create => raw.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;
             PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;",
        )?,
    }
    let log_pages = Arc::new(AtomicU32::new(0));
    if purpose == ConnectionPurpose::Write {
        // In place of SQLite's own copies, which run inside of a commit ([`super::log_copies`]).
        let length = Arc::clone(&log_pages);
        raw.wal_hook(Some(move |_: &mut Wal, pages: c_int| {
            length.store(u32::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))?;
    }
    rusqlite::vtab::array::load_module(&raw)?;
    functions::register(&raw)?;

    let watch = Arc::new(StatementWatch { begun: AtomicU64::new(UNWATCHED), deadline: Mutex::default() });
    raw.progress_handler(
        INSTRUCTIONS,
        Some(look_at_the_clock(Arc::clone(&watch), purpose == ConnectionPurpose::Read)),
    )?;
    let patience = if patient { StatementPatience::Endless } else { StatementPatience::Short };
    Ok(SqliteConnection {
        raw,
        purpose,
        watch,
        patience: Cell::new(patience),
        epochs: Cell::new(None),
        numbers: RefCell::default(),
        log_pages,
        damage: RefCell::default(),
    })
}

fn wait_for_lock(tries: i32) -> bool {
    pause_for_lock(tries, LOCK_TIMEOUT)
}

fn wait_briefly_for_readers(tries: i32) -> bool {
    pause_for_lock(tries, Duration::from_millis(3))
}

fn wait_for_readers(tries: i32) -> bool {
    pause_for_lock(tries, Duration::from_millis(100))
}

fn wait_long_for_lock(tries: i32) -> bool {
    pause_for_lock(tries, COMMAND_LOCK_TIMEOUT)
}

/// Waits a little for a lock, unless that many pauses took as long as is allowed.
fn pause_for_lock(tries: i32, most: Duration) -> bool {
    let waits = LOCK_PAUSE.saturating_mul(u32::try_from(tries).unwrap_or(u32::MAX)) < most;
    if waits {
        std::thread::sleep(LOCK_PAUSE);
    }
    waits
}

/// Returns the function that SQLite calls once in a while: it says whether the statement is to be stopped.
fn look_at_the_clock(watch: Arc<StatementWatch>, gives_way: bool) -> impl FnMut() -> bool {
    let origin = Instant::now();
    let mut gave_way = Duration::ZERO;
    move || {
        let now = origin.elapsed();
        if gives_way && now.saturating_sub(gave_way) > STRETCH {
            std::thread::yield_now();
            gave_way = origin.elapsed();
        }
        let now = u64::try_from(now.as_millis()).unwrap_or(UNWATCHED - 1) + 1;
        match watch.begun.load(Ordering::Relaxed) {
            UNWATCHED => false,
            JUST_BEGUN => {
                watch.begun.store(now, Ordering::Relaxed);
                lock(&watch.deadline).passed()
            }
            begun => {
                u128::from(now.saturating_sub(begun)) > STATEMENT_TIMEOUT.as_millis() || lock(&watch.deadline).passed()
            }
        }
    }
}
