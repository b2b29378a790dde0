//! Restoring of a backup: read whole first, prepared where nobody sees it, and put in place in one step.

use super::create::{COPY, scratch_database};
use super::scratch::{Scratch, unusable};
use crate::tenants::{Platform, check_name, refuse_existing};
use backups::{Manifest, MemberName};
use bytes::Bytes;
use configuration::UPGRADES;
use context::vault::rotation;
use context::{tables, vault};
use database::{Store, Tx};
use model::error::{Error, Result};
use model::table_names::META;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use tenant::storage::{BLOCK, Files, Key};
use tokio::runtime::Handle;

/// The reason for which automations of a copy are switched off.
const REASON: &str = "This tenant was restored from a backup, to be quiet.";

/// The choices of a restoration.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestoreOptions<'o> {
    /// Another name for the tenant.
    pub name: Option<&'o str>,
    /// True if automations are to be switched off, and waiting mails and SMS are not to be sent. A tenant of another
    /// name is always quiet.
    pub quiet: bool,
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
    /// damaged leaves nothing behind. `progress` is told the bytes that were read.
    pub fn restore(
        &self,
        path: &Path,
        options: RestoreOptions<'_>,
        scratch: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Restored> {
        let open = || File::open(path).map_err(|error| unusable(path, &error));
        // A name first: what lies in a bucket begins with it.
        let manifest = backups::read(open()?, &mut |_, _, content| {
            io::copy(content, &mut io::sink()).map(drop).map_err(|error| unusable(path, &error))
        })?;
        let name = options.name.unwrap_or(&manifest.tenant);
        check_name(name)?;
        let is_renamed = name != manifest.tenant;
        let quiet = options.quiet || is_renamed;
        refuse_existing(self, name)?;
        let workshop = self.database.workshop(name)?;
        let scratch = Scratch::within(workshop.as_ref().map_or(scratch, |workshop| workshop.folder()))?;
        let beside = workshop.as_ref().and_then(|workshop| self.settings.files.within(workshop.folder()));
        let files = beside.unwrap_or_else(|| self.settings.files.of(name));
        if workshop.is_none() {
            // What lies there was left by a restoration that was killed: there is no such tenant.
            files.remove_folder()?;
        }
        let mut placed = Vec::new();
        let done = (|| {
            let store = unpack(open()?, scratch.path(), &files, &mut placed, progress)?;
            self.prepare(&store, &manifest.tenant, name, quiet)?;
            match workshop {
                Some(workshop) => {
                    store.copy_file_blocking(workshop.file())?;
                    drop(scratch);
                    self.database.adopt(workshop, name)?;
                    Ok(())
                }
                None => self.fill(&store, name),
            }
        })();
        if let Err(error) = done {
            // What lies within a workshop went with it.
            placed.iter().for_each(|key| _ = Handle::current().block_on(files.delete(key)));
            return Err(error);
        }
        self.directory.put(name, &[]);
        let tenant = self.open(name)?;
        if let (true, Some(keys)) = (is_renamed, &self.settings.key) {
            rotation::rotate(tenant.as_ref(), &keys.newest(), &mut |_| {})?;
        }
        Ok(Restored { tenant: name.to_owned(), quiet, manifest })
    }

    /// Makes the rows those of the tenant that they are to be.
    fn prepare(&self, store: &Store, former: &str, name: &str, quiet: bool) -> Result<()> {
        let random = self.environment().random.as_ref();
        tables::upgrade(store, random, UPGRADES)?;
        store.write_blocking(|tx| {
            if vault::fits(tx, self.settings.key.as_ref(), former)? == Some(false) {
                let message = format!(
                    "The backup of {former} was made with another master key. Put that key's file in place, or name it \
                     as security.key_file."
                );
                return Err(Error::conflict("master_key_foreign", message));
            }
            if name != former {
                if let Some(keys) = &self.settings.key {
                    rotation::rename(tx, keys, [former, name], random)?;
                }
                configuration::rename(tx, name)?;
            }
            if quiet {
                let now = self.environment().clock.now();
                if let Some(model) = configuration::stored_types(tx)? {
                    automation::rest_all(tx, &model, now, REASON)?;
                }
                messages::outbox::cancel_all(tx, now)?;
            }
            tables::begin_epochs(tx, random)
        })
    }

    /// Copies rows into a schema of PostgreSQL, in one transaction. One that a process left empty is filled.
    fn fill(&self, from: &Store, name: &str) -> Result<()> {
        let store = match self.database.store(name) {
            Ok(store) => store,
            Err(database::Error::NoStore) => self.database.create(name)?,
            Err(error) => return Err(error.into()),
        };
        from.read_blocking(|from| {
            from.snapshot()?;
            let files = configuration::stored_files(from)?;
            store.write_blocking(|to| {
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

/// Unpacks an archive: rows into a scratch folder, bytes of files to their place, whose keys are noted.
fn unpack(
    from: File,
    scratch: &Path,
    files: &Files,
    placed: &mut Vec<Key>,
    progress: &mut dyn FnMut(u64),
) -> Result<Store> {
    let folder = scratch.join("rows");
    fs::create_dir_all(folder.join(COPY)).map_err(|error| unusable(&folder, &error))?;
    let path = folder.join(COPY).join("tenant.db");
    backups::read(from, &mut |member, size, content| {
        progress(size);
        match member {
            MemberName::Rows => {
                let copied = File::create_new(&path).and_then(|mut file| io::copy(content, &mut file));
                copied.map(drop).map_err(|error| unusable(&path, &error))
            }
            MemberName::File(key) => {
                let key = Key::parse(key).ok_or_else(|| Error::failed(format!("{key:?} is no key of a file")))?;
                place(files, &key, content)?;
                placed.push(key);
                Ok(())
            }
        }
    })?;
    Ok(scratch_database(&folder)?.store(COPY)?)
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
