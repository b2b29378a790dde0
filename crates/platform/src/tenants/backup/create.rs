//! Making of a backup: the rows of one moment first, then the bytes that they name.

use super::archives::ArchiveName;
use super::scratch::{Scratch, unusable};
use crate::tenants::Platform;
use backups::{ArchiveWriter, Manifest, MemberName, Recipients, SealedWriter};
use bytes::{Buf, Bytes};
use database::{Database, SqliteOptions, Store, Tx};
use jiff::{SignedDuration, Timestamp};
use model::error::{Error, Result};
use model::table_names::ATTACHMENT;
use resources::files;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tenant::Tenant;
use tenant::storage::{Content, Key};
use tokio::runtime::Handle;

/// The name of the store in a scratch folder.
pub(super) const COPY: &str = "copy";

/// The place of backups, and who can open them.
#[derive(Clone, Debug)]
pub struct BackupPlace {
    /// The folder of the archives.
    pub folder: PathBuf,
    /// The recipients to whom they are encrypted; without any, they are not.
    pub recipients: Recipients,
    /// The folder for rows on their way into an encrypted archive, which are not encrypted yet.
    pub scratch: PathBuf,
}

/// A backup that lies in its place.
#[derive(Debug)]
pub struct MadeBackup {
    /// The path of its file.
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

/// Returns a path that no archive has: names have seconds, and of several in one second each later one has the next.
fn free_path(folder: &Path, name: &str, now: Timestamp, is_encrypted: bool) -> Result<PathBuf> {
    let seconds = (0..60).filter_map(|later| now.checked_add(SignedDuration::from_secs(later)).ok());
    let mut paths = seconds.map(|instant| folder.join(ArchiveName::new(name, instant, is_encrypted).text()));
    paths.find(|path| !path.exists()).ok_or_else(|| {
        let message = format!("{} has an archive of each second of the last minute.", folder.display());
        Error::conflict("backup_exists", message)
    })
}

impl Platform {
    /// Backs a tenant up into a folder, as `NAME-INSTANT.tar.gz`, with `.age` behind it where it is encrypted; nobody
    /// waits for it. The file has its name once it is whole and on the disk. `progress` is told the bytes that were
    /// archived.
    pub fn back_up(&self, name: &str, place: &BackupPlace, progress: &mut dyn FnMut(u64)) -> Result<MadeBackup> {
        let tenant = self.open(name)?;
        let folder = place.folder.as_path();
        make_private(folder)?;
        let scratch = Scratch::within(folder)?;
        let aside = if place.recipients.is_empty() {
            None
        } else {
            make_private(&place.scratch)?;
            Some(Scratch::within(&place.scratch)?)
        };
        let rows = aside.as_ref().unwrap_or(&scratch).path();
        let now = self.environment().clock.now();
        // Files whose rows go meanwhile stay until their bytes are in the archive.
        let random = self.environment().random.as_ref();
        let held = tenant.store().write_blocking(|tx| files::hold(tx, now.as_millisecond(), random))?;
        let made = self.archive(&tenant, [rows, scratch.path()], &place.recipients, now, progress);
        let released = tenant.store().write_blocking(|tx| files::release(tx, &held));
        let (archive, manifest) = made?;
        released?;
        let path = free_path(folder, name, now, !place.recipients.is_empty())?;
        let bytes = fs::metadata(&archive).map_err(|error| unusable(&archive, &error))?.len();
        fs::rename(&archive, &path).map_err(|error| unusable(&path, &error))?;
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| unusable(folder, &error))?;
        Ok(MadeBackup { path, bytes, manifest })
    }

    fn archive(
        &self,
        tenant: &Tenant,
        [rows, scratch]: [&Path; 2],
        recipients: &Recipients,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(PathBuf, Manifest)> {
        let engine = if tenant.store().writes_alone() { "sqlite" } else { "postgres" };
        let snapshot = self.snapshot(tenant, rows)?;
        let path = scratch.join("archive");
        let failed = |error: io::Error| unusable(&path, &error);
        let mut options = File::options();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.write(true).create_new(true).open(&path).map_err(failed)?;
        let sealed = SealedWriter::new(BufWriter::with_capacity(1 << 18, file), recipients)?;
        let mut archive = ArchiveWriter::new(sealed);
        let mut rows = File::open(&snapshot.file).map_err(failed)?;
        let length = rows.metadata().map_err(failed)?.len();
        archive.add(&MemberName::Rows, length, &mut Told { inner: &mut rows, progress })?;
        for (key, size) in snapshot.files {
            let known = Key::parse(&key).ok_or_else(|| Error::failed(format!("{key:?} is not a key of a file")))?;
            let content = Handle::current().block_on(tenant.files().read(&known, 0..size)).map_err(|error| {
                Error::failed(format!(
                    "the file {key} of {} cannot be read: {}",
                    tenant.name(),
                    error.detail.unwrap_or(error.message)
                ))
            })?;
            let mut content = ContentReader { content, rest: Bytes::new() };
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
        let mut buffer = sealed.finish().map_err(failed)?;
        buffer.flush().and_then(|()| buffer.get_ref().sync_all()).map_err(failed)?;
        drop(buffer);
        Ok((path, manifest))
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
