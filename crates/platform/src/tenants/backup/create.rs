//! Making of a backup: the rows of one moment first, then the bytes that they name.

use super::place::ArchivePlace;
use super::scratch::{Scratch, unusable};
use super::sink::{ArchiveSink, DraftName};
use crate::tenants::Platform;
use backups::{ArchiveWriter, Manifest, MemberName, Recipients, SealedWriter};
use bytes::{Buf, Bytes};
use database::{Database, SqliteOptions, Store, Tx};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::ATTACHMENT;
use resources::files;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};
use tenant::Tenant;
use tenant::storage::{Content, Key};
use tokio::runtime::Handle;

/// The name of the store in a scratch folder.
pub(super) const COPY: &str = "copy";

/// The place of backups, and who can open them.
#[derive(Clone, Debug)]
pub struct BackupPlace {
    /// The place of the archives.
    pub archives: ArchivePlace,
    /// The recipients to whom they are encrypted; without any, they are not.
    pub recipients: Recipients,
    /// The folder for rows on their way into an archive that is encrypted or goes into a bucket.
    pub scratch: PathBuf,
}

/// A backup that lies in its place.
#[derive(Debug)]
pub struct MadeBackup {
    /// The path of its file, or its address in a bucket.
    pub path: PathBuf,
    /// The length of its file.
    pub bytes: u64,
    /// The description of what is in it.
    pub manifest: Manifest,
}

/// The rows of a tenant at a moment.
struct Snapshot {
    file: PathBuf,
    rows: BTreeMap<String, u64>,
    /// The keys and lengths of uploaded files.
    files: BTreeMap<String, u64>,
}

/// The folders of a backup while it is made.
struct Workplace {
    /// The one on the disk of the archives, where these are in a folder.
    beside: Option<Scratch>,
    /// The one for rows that must not lie there, or cannot.
    aside: Option<Scratch>,
}

impl Workplace {
    fn make(place: &BackupPlace) -> Result<Self> {
        let scratch = |folder: &Path| {
            make_private(folder)?;
            Scratch::within(folder)
        };
        let beside = match &place.archives {
            ArchivePlace::Folder(folder) => Some(scratch(folder)?),
            ArchivePlace::Bucket(..) => None,
        };
        let is_aside = beside.is_none() || !place.recipients.is_empty();
        let aside = if is_aside { Some(scratch(&place.scratch)?) } else { None };
        Ok(Workplace { beside, aside })
    }

    /// Returns the folder for the rows.
    fn rows(&self) -> &Path {
        self.aside.as_ref().or(self.beside.as_ref()).map_or(Path::new(""), Scratch::path)
    }

    /// Returns the folder for the archive.
    fn archive(&self) -> &Path {
        self.beside.as_ref().map_or(self.rows(), Scratch::path)
    }
}

impl Platform {
    /// Backs a tenant up, as `NAME-INSTANT.tar.gz`, with `.age` behind it where it is encrypted; nobody waits for it. The
    /// archive has its name once it is whole and lasts. `progress` is told the bytes that were archived.
    pub fn back_up(&self, name: &str, place: &BackupPlace, progress: &mut dyn FnMut(u64)) -> Result<MadeBackup> {
        self.refuse_lost(name)?;
        let tenant = self.open(name)?;
        let workplace = Workplace::make(place)?;
        let now = self.environment().clock.now();
        // Files whose rows go meanwhile stay until their bytes are in the archive.
        let random = self.environment().random.as_ref();
        let held = tenant.store().write_blocking(|tx| files::hold(tx, now.as_millisecond(), random))?;
        let made = self.archive(&tenant, &workplace, place, now, progress);
        // Where this fails, the hold ends by itself after a day.
        let _ = tenant.store().write_blocking(|tx| files::release(tx, &held));
        made
    }

    fn archive(
        &self,
        tenant: &Tenant,
        workplace: &Workplace,
        place: &BackupPlace,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
    ) -> Result<MadeBackup> {
        let engine = if tenant.store().writes_alone() { "sqlite" } else { "postgres" };
        let snapshot = self.snapshot(tenant, workplace.rows())?;
        let mut rows = File::open(&snapshot.file).map_err(|error| unusable(&snapshot.file, &error))?;
        let length = rows.metadata().map_err(|error| unusable(&snapshot.file, &error))?.len();
        let name = DraftName { tenant: tenant.name(), made: now, encrypted: !place.recipients.is_empty() };
        let sink = ArchiveSink::begin(&place.archives, workplace.archive(), name, most_bytes(length, &snapshot.files))?;
        let sealed = SealedWriter::new(BufWriter::with_capacity(1 << 18, sink), &place.recipients)?;
        let mut archive = ArchiveWriter::new(sealed);
        archive.add(&MemberName::Rows, length, &mut Told { inner: &mut rows, progress })?;
        for (key, size) in snapshot.files {
            let mut content = open_file(tenant, &key, size)?;
            archive.add(&MemberName::File(key), size, &mut Told { inner: &mut content, progress })?;
        }
        let manifest = Manifest {
            format: Manifest::FORMAT,
            plinth: env!("CARGO_PKG_VERSION").to_owned(),
            tenant: tenant.name().to_owned(),
            engine: engine.to_owned(),
            made: now,
            rows: snapshot.rows,
            members: Vec::new(),
        };
        let (sealed, manifest) = archive.finish(manifest)?;
        let failed = |error: io::Error| Error::failed(error.to_string());
        let sink = sealed.finish().and_then(|buffer| Ok(buffer.into_inner()?)).map_err(failed)?;
        let (path, bytes) = sink.finish(name)?;
        Ok(MadeBackup { path, bytes, manifest })
    }

    /// Copies the tenant's rows into a file of SQLite.
    fn snapshot(&self, tenant: &Tenant, scratch: &Path) -> Result<Snapshot> {
        let folder = scratch.join("rows");
        let database = scratch_database(&folder)?;
        let workshop = database.workshop(COPY)?.ok_or_else(|| Error::failed("a scratch folder has no files"))?;
        let (store, file) = if tenant.store().copy_file_blocking(workshop.file())? {
            (database.adopt(workshop, COPY)?, folder.join(COPY).join("tenant.db"))
        } else {
            drop(workshop);
            let store = database.create(COPY)?;
            tenant.store().read_blocking(|from| {
                from.snapshot()?;
                let files = configuration::stored_files(from)?;
                store.write_blocking(|to| {
                    backups::build(to, self.environment(), tenant.name(), &files)?;
                    backups::copy(from, to, &mut |_| {}).map(drop)
                })
            })?;
            // The file without its log.
            let file = scratch.join("tenant.db");
            store.copy_file_blocking(&file)?;
            (store, file)
        };
        let rows = store.read_blocking(row_counts)?;
        Ok(Snapshot { file, rows, files: named_files(&store)? })
    }
}

/// Makes a folder for our user alone, unless it is there.
pub(super) fn make_private(folder: &Path) -> Result<()> {
    let mut private = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
    private.recursive(true).create(folder).map_err(|error| unusable(folder, &error))
}

/// A database of SQLite in a scratch folder.
pub(super) fn scratch_database(folder: &Path) -> Result<Database> {
    Ok(Database::sqlite(SqliteOptions { folder: folder.to_owned(), readers: 1, descriptors: 64 })?)
}

/// Returns the number of rows of each table.
pub(super) fn row_counts(tx: &mut Tx<'_>) -> Result<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    for table in backups::tables(tx)? {
        let mut sql = tx.sql();
        sql.push("SELECT COUNT(*) FROM ").table(&table.name);
        tx.query(&sql, &mut |row| {
            counts.insert(table.name.as_str().to_owned(), u64::try_from(row.integer(0)?).unwrap_or_default());
            Ok(())
        })?;
    }
    Ok(counts)
}

/// Returns the keys and lengths of the files that rows name.
pub(super) fn named_files(store: &Store) -> Result<BTreeMap<String, u64>> {
    store.read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT key, size FROM ").table(&ATTACHMENT);
        let mut files = BTreeMap::new();
        tx.query(&sql, &mut |row| {
            files.insert(row.text(0)?.to_owned(), u64::try_from(row.integer(1)?).unwrap_or_default());
            Ok(())
        })?;
        Ok(files)
    })
}

/// The bytes that an archive has at most: those of its members, and what describes, compresses and encrypts them.
fn most_bytes(rows: u64, files: &BTreeMap<String, u64>) -> u64 {
    let bytes: u64 = files.values().sum::<u64>() + rows;
    bytes + bytes / 512 + (files.len() as u64 + 2) * 2_048 + (1 << 20)
}

/// Begins to read an uploaded file.
fn open_file(tenant: &Tenant, key: &str, size: u64) -> Result<ContentReader> {
    let known = Key::parse(key).ok_or_else(|| Error::failed(format!("{key:?} is not a key of a file")))?;
    let content = Handle::current().block_on(tenant.files().read(&known, 0..size)).map_err(|error| {
        let why = error.detail.unwrap_or(error.message);
        Error::failed(format!("the file {key} of {} cannot be read: {why}", tenant.name()))
    })?;
    Ok(ContentReader { content, rest: Bytes::new() })
}

/// A file's bytes, for a caller that blocks.
struct ContentReader {
    content: Content,
    rest: Bytes,
}

impl Read for ContentReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let next = Handle::current().block_on(self.content.next());
            let next = next.map_err(|error| io::Error::other(error.detail.unwrap_or(error.message)))?;
            self.rest = next.unwrap_or_default();
        }
        let length = into.len().min(self.rest.len());
        self.rest.copy_to_slice(&mut into[..length]);
        Ok(length)
    }
}

/// A reader that tells how far it is.
struct Told<'r, 'p> {
    inner: &'r mut dyn Read,
    progress: &'r mut (dyn FnMut(u64) + 'p),
}

impl Read for Told<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        (self.progress)(read as u64);
        Ok(read)
    }
}
