//! Restoring of a backup: read whole first, prepared where nobody sees it, and put in place in one step.

use super::clone;
use super::create::{COPY, named_files, scratch_database};
use super::history;
use super::scratch::{Scratch, unusable};
use super::scrub;
use crate::tenants::{Platform, check_name, master_key, refuse_existing};
use backups::{Identities, Manifest, MemberName};
use bytes::Bytes;
use configuration::UPGRADES;
use context::vault::rotation;
use context::{freeze, tables, vault};
use database::{Store, Tx};
use model::error::{Error, Result};
use model::table_names::META;
use resources::files;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use tenant::storage::{BLOCK, Files, Key};
use tokio::runtime::Handle;

/// The code of the error where files of another tenant lie in their place.
const FILES_EXIST: &str = "files_exist";
/// The reason for which automations of a copy are switched off.
const REASON: &str = "This tenant was restored from a backup, to be quiet.";

/// The choices of a restoration.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestoreOptions<'o> {
    /// Another name for the tenant.
    pub name: Option<&'o str>,
    /// The identities that open an encrypted backup.
    pub identities: Option<&'o Identities>,
    /// True if automations are to be switched off, and waiting mails and SMS are not to be sent. A tenant of another
    /// name is always quiet.
    pub quiet: bool,
    /// True if it is to send nothing at all until it is enabled.
    pub silent: bool,
    /// True if it is to have no personal data; see the module `scrub`.
    pub scrub: bool,
}

/// A tenant that was restored.
#[derive(Debug)]
pub struct Restored {
    /// The name of the tenant.
    pub tenant: String,
    /// True if its automations are switched off.
    pub quiet: bool,
    /// The description of the backup.
    pub manifest: Manifest,
}

impl Platform {
    /// Restores a backup's file as a tenant that does not exist yet; `scratch` is a folder with room for it. What is
    /// damaged leaves nothing behind. `progress` is told the bytes that were read. A tenant that has its name again counts as
    /// the proof of its backup.
    pub fn restore(
        &self,
        path: &Path,
        options: RestoreOptions<'_>,
        scratch: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Restored> {
        let none = Identities::default();
        let identities = options.identities.unwrap_or(&none);
        let open = || backups::unseal(File::open(path).map_err(|error| unusable(path, &error))?, identities);
        // A name first: what lies in a bucket begins with it.
        let manifest = backups::read(open()?, &mut |_, _, content| {
            io::copy(content, &mut io::sink()).map(drop).map_err(|error| unusable(path, &error))
        })?;
        let name = options.name.unwrap_or(&manifest.tenant);
        check_name(name)?;
        let is_renamed = name != manifest.tenant;
        let quiet = options.quiet || is_renamed;
        // Two that restore one name would take each other's files for leftovers.
        let aside = Scratch::alone(scratch)?;
        refuse_existing(self, name)?;
        let workshop = self.database.workshop(name)?;
        let beside = workshop.as_ref().and_then(|workshop| self.settings.files.within(workshop.folder()));
        let is_beside = beside.is_some();
        let files = beside.unwrap_or_else(|| self.settings.files.of(name));
        let target = if workshop.is_none() { Some(self.empty_store(name)?) } else { None };
        let done = (|| {
            if !is_beside {
                self.clear(&files, name, target.as_ref())?;
            }
            let within = workshop.as_ref().map_or(aside.path(), |workshop| workshop.folder()).join("scratch");
            let unpacking = Unpacking { scratch: &within, files: &files };
            let store = unpacking.rows(open()?, &|_| !options.scrub, progress)?;
            self.prepare(&store, &manifest.tenant, name, RestoreOptions { quiet, ..options })?;
            complete(&store, &manifest)?;
            if options.scrub {
                self.recalculate(name, &store)?;
                // The bytes of other files never come near the clone.
                let named = named_files(&store)?;
                unpacking.files(open()?, &|key| named.contains_key(key), progress)?;
            }
            self.keep_default()?;
            match (workshop, &target) {
                (Some(workshop), _) => {
                    store.copy_file_blocking(workshop.file())?;
                    drop(store);
                    fs::remove_dir_all(&within).map_err(|error| unusable(&within, &error))?;
                    self.database.adopt(workshop, name).map(drop)?;
                    Ok(())
                }
                (None, Some((target, _))) => self.fill(&store, target, name),
                (None, None) => Err(Error::failed("there is no store to fill")),
            }
        })();
        if let Err(error) = done {
            // Files within a workshop went with it; elsewhere none lay before.
            if !is_beside && error.code != FILES_EXIST {
                remove_all(&files)?;
            }
            if target.is_some() {
                self.database.delete(name)?;
            }
            return Err(error);
        }
        self.directory.put(name, &[]);
        let tenant = self.open(name)?;
        if let (true, Some(keys)) = (is_renamed, &self.settings.key) {
            rotation::rotate(tenant.as_ref(), &keys.newest(), &mut |_| {})?;
        }
        if !is_renamed {
            self.note_proof(&manifest);
        }
        Ok(Restored { tenant: name.to_owned(), quiet, manifest })
    }

    /// Makes the rows those of the tenant that they are to be.
    fn prepare(&self, store: &Store, former: &str, name: &str, options: RestoreOptions<'_>) -> Result<()> {
        let random = self.environment().random.as_ref();
        tables::upgrade(store, random, UPGRADES)?;
        store.write_blocking(|tx| {
            if vault::fits(tx, self.settings.key.as_ref(), former)? == Some(false) {
                return Err(master_key::foreign_backup(tx, self.settings.key.as_ref(), former)?);
            }
            if name != former {
                if let Some(keys) = &self.settings.key {
                    rotation::rename(tx, keys, [former, name], random)?;
                }
                configuration::rename(tx, name)?;
                // Addresses that one of them signed are not the other's.
                tables::renew_secrets(tx, random)?;
            }
            files::release_all(tx)?;
            history::forget(tx)?;
            freeze::forget(tx)?;
            let reason = if options.silent { clone::REASON } else { REASON };
            if options.silent {
                clone::silence(tx)?;
            }
            if options.quiet {
                let now = self.environment().clock.now();
                if let Some(model) = configuration::stored_types(tx)? {
                    automation::rest_all(tx, &model, now, reason)?;
                }
                messages::outbox::cancel_all(tx, now)?;
            }
            if options.scrub {
                scrub::scrub(tx, self.environment().clock.now())?;
            }
            tables::begin_epochs(tx, random)
        })
    }

    /// Calculates all that rests on values which were replaced, in a store that is not served yet.
    fn recalculate(&self, name: &str, store: &Store) -> Result<()> {
        let tenant = self.tenant_over(name, store.clone());
        tenant.write_as_administrator(configuration::recalculate_all)
    }

    /// Returns an empty store to fill, and whether a process that was killed had left it.
    fn empty_store(&self, name: &str) -> Result<(Store, bool)> {
        match self.database.store(name) {
            Ok(store) => Ok((store, true)),
            Err(database::Error::NoStore) => Ok((self.database.create(name)?, false)),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes files that a restoration left which was killed. Others belong to somebody.
    fn clear(&self, files: &Files, name: &str, target: Option<&(Store, bool)>) -> Result<()> {
        if Handle::current().block_on(files.list())?.is_empty() {
            return Ok(());
        }
        if target.is_some_and(|(_, is_left)| *is_left) {
            return remove_all(files);
        }
        let message = format!(
            "There are uploaded files of a tenant {name} already, of another database perhaps. Restore with another \
             data folder or bucket, or under another name."
        );
        Err(Error::conflict(FILES_EXIST, message))
    }

    /// Copies rows into a schema of PostgreSQL, in one transaction.
    fn fill(&self, from: &Store, to: &Store, name: &str) -> Result<()> {
        from.read_blocking(|from| {
            from.snapshot()?;
            let files = configuration::stored_files(from)?;
            to.write_blocking(|to| {
                backups::build(to, self.environment(), name, &files)?;
                backups::copy(from, to, &mut |_| {}).map(drop)
            })
        })
    }
}

/// Returns true if a store has nothing in it: a process ended before it filled it.
pub(crate) fn is_empty(store: &Store) -> Result<bool> {
    store.read_blocking(|tx: &mut Tx<'_>| Ok(!tx.has_table(&META)?))
}

/// Removes all files of a tenant.
pub(crate) fn remove_all(files: &Files) -> Result<()> {
    let runtime = Handle::current();
    for stored in runtime.block_on(files.list())? {
        runtime.block_on(files.remove(&stored))?;
    }
    files.remove_folder()
}

/// Fails where rows name files that the archive does not have.
fn complete(store: &Store, manifest: &Manifest) -> Result<()> {
    let has = |key: &str, size: u64| {
        let name = format!("files/{key}");
        manifest.members.iter().any(|member| member.name == name && member.bytes == size)
    };
    match named_files(store)?.into_iter().find(|(key, size)| !has(key, *size)) {
        None => Ok(()),
        Some((key, _)) => {
            let message = format!("The backup lacks the bytes of the file {key}, which a row names. Take another one.");
            Err(Error::invalid("backup_broken", message))
        }
    }
}

/// The places of what is in an archive: rows go into a scratch folder, bytes of files to their own.
struct Unpacking<'u> {
    scratch: &'u Path,
    files: &'u Files,
}

/// Returns true for the key of a file that is to be put in its place.
type FileChoice<'c> = &'c dyn Fn(&str) -> bool;

impl Unpacking<'_> {
    /// Unpacks the rows, and the files that are taken.
    fn rows(&self, from: impl Read, takes: FileChoice<'_>, progress: &mut dyn FnMut(u64)) -> Result<Store> {
        let folder = self.scratch.join("rows");
        fs::create_dir_all(folder.join(COPY)).map_err(|error| unusable(&folder, &error))?;
        let path = folder.join(COPY).join("tenant.db");
        self.read(from, takes, progress, &mut |content| {
            let copied = File::create_new(&path).and_then(|mut file| io::copy(content, &mut file));
            copied.map(drop).map_err(|error| unusable(&path, &error))
        })?;
        Ok(scratch_database(&folder)?.store(COPY)?)
    }

    /// Unpacks the files that are taken.
    fn files(&self, from: impl Read, takes: FileChoice<'_>, progress: &mut dyn FnMut(u64)) -> Result<()> {
        self.read(from, takes, progress, &mut |content| self.skip(content))
    }

    fn skip(&self, content: &mut dyn Read) -> Result<()> {
        io::copy(content, &mut io::sink()).map(drop).map_err(|error| unusable(self.scratch, &error))
    }

    fn read(
        &self,
        from: impl Read,
        takes: FileChoice<'_>,
        progress: &mut dyn FnMut(u64),
        rows: &mut dyn FnMut(&mut dyn Read) -> Result<()>,
    ) -> Result<()> {
        backups::read(from, &mut |member, size, content| {
            progress(size);
            match member {
                MemberName::Rows => rows(content),
                MemberName::File(key) if takes(key) => {
                    let key =
                        Key::parse(key).ok_or_else(|| Error::failed(format!("{key:?} is not a key of a file")))?;
                    place(self.files, &key, content)
                }
                MemberName::File(_) => self.skip(content),
            }
        })
        .map(drop)
    }
}

/// Puts the bytes of a file in their place.
fn place(files: &Files, key: &Key, content: &mut dyn Read) -> Result<()> {
    let runtime = Handle::current();
    let mut draft = runtime.block_on(files.create(key.clone()))?;
    loop {
        let mut block = vec![0; BLOCK];
        let mut length = 0;
        while length < block.len() {
            match content.read(&mut block[length..]).map_err(|error| Error::failed(error.to_string()))? {
                0 => break,
                read => length += read,
            }
        }
        if length == 0 {
            break;
        }
        block.truncate(length);
        runtime.block_on(draft.write(Bytes::from(block)))?;
    }
    runtime.block_on(draft.finish()).map(drop)
}
