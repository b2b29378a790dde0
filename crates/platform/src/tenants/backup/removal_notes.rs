//! Archives of tenants that were removed: a note beside them tells which the schedule made, and when they go.
//!
//! The store that knew its archives is gone with the tenant. The note lies in the place of the archives, so that each node
//! finds it, and names them one by one: archives of others, and those that commands made, are in no note.

use super::history::BackupHistory;
use super::place::{ArchivePlace, wait};
use super::scratch::unusable;
use crate::tenants::Platform;
use crate::tenants::runtimes::within_runtime;
use bytes::Bytes;
use database::DeletedStore;
use jiff::{SignedDuration, Timestamp};
use model::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use tenant::storage::{Bucket, BucketOptions, Content};
use tokio::runtime::Handle;

/// The beginning and the end of the names of notes, which no archive has.
const NAME: [&str; 2] = [".removed-", ".json"];

/// The place of the archives of tenants that are removed, and for how long they are kept.
#[derive(Clone, Debug)]
pub struct RemovedBackups {
    /// The folder, or the address of the bucket.
    pub to: PathBuf,
    /// The way to the bucket.
    pub bucket: BucketOptions,
    /// The time from the removal of the tenant on; none where they stay.
    pub keep: Option<Duration>,
}

/// The archives of a tenant that was removed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RemovalNote {
    tenant: String,
    removed: Timestamp,
    archives: Vec<NotedArchive>,
}

/// An archive, by the name of its file. One of another length is not the tenant's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct NotedArchive {
    name: String,
    bytes: u64,
}

impl RemovalNote {
    /// The name of its own file.
    fn name(&self) -> String {
        format!("{}{}-{}{}", NAME[0], self.tenant, self.removed.as_millisecond(), NAME[1])
    }
}

impl Platform {
    /// Notes the archives of a tenant before its store is removed. A place that cannot be written keeps no tenant: its
    /// archives stay then, and a line in the log says so.
    pub(in crate::tenants) fn note_archives(&self, condemned: &DeletedStore) {
        let Some(removed) = self.settings.removed_backups.clone().filter(|removed| removed.keep.is_some()) else {
            return;
        };
        // Of one whose removal was cut short, the history may be gone: then it was noted.
        let Ok(history) = self.database.read_deleted(condemned, BackupHistory::read) else { return };
        if history.archives.is_empty() {
            return;
        }
        let now = self.environment().clock.now();
        let noted = within_runtime(|| {
            let place = removed.place()?;
            let archive = |archive: &super::history::OwnArchive| {
                let name = place.name_of(&archive.path)?;
                Some(NotedArchive { name: name.to_owned(), bytes: archive.bytes })
            };
            let archives: Vec<NotedArchive> = history.archives.iter().filter_map(archive).collect();
            // An earlier try of this removal, which failed, has noted them.
            let is_known = |note: &RemovalNote| note.tenant == condemned.name && note.archives == archives;
            match archives.is_empty() || place.notes().unwrap_or_default().iter().any(is_known) {
                true => Ok(()),
                false => place.put_note(&RemovalNote { tenant: condemned.name.clone(), removed: now, archives }),
            }
        });
        if let Err(error) = noted {
            let why = error.detail.as_deref().unwrap_or(&error.message);
            tracing::warn!(
                tenant = condemned.name,
                error = why,
                "the backups of the removed tenant stay: delete them by hand"
            );
        }
    }

    /// Removes the archives of tenants that were removed, once their time is over; returns their number. Where there is a
    /// tenant of that name again, or where someone backs one up into this place, all of them stay. It blocks.
    pub fn remove_old_archives(&self) -> Result<u64> {
        let Some(removed) = &self.settings.removed_backups else { return Ok(0) };
        let Some(keep) = removed.keep.map(|keep| SignedDuration::try_from(keep).unwrap_or(SignedDuration::MAX)) else {
            return Ok(0);
        };
        within_runtime(|| {
            let (place, now) = (removed.place()?, self.environment().clock.now());
            let is_over = |note: &RemovalNote| now.duration_since(note.removed) >= keep;
            let notes: Vec<RemovalNote> = place.notes()?.into_iter().filter(is_over).collect();
            if notes.is_empty() {
                return Ok(0);
            }
            let names = self.database.names()?;
            let living: BTreeSet<&str> = names
                .there
                .iter()
                .map(String::as_str)
                .chain(names.deleted.iter().map(|store| store.name.as_str()))
                .collect();
            let listed = place.list()?;
            let mut count = 0;
            for note in notes {
                // One of a clock that was ahead may be the tenant's own.
                let is_noted = |archive: &super::StoredArchive| {
                    note.archives
                        .iter()
                        .any(|noted| archive.path.file_name().is_some_and(|name| name == noted.name.as_str()))
                };
                let is_younger = |archive: &super::StoredArchive| {
                    archive.tenant == note.tenant && archive.made > note.removed && !is_noted(archive)
                };
                if living.contains(note.tenant.as_str()) || listed.iter().any(is_younger) {
                    tracing::debug!(tenant = note.tenant, "backups of a removed tenant stay: there is one of its name");
                    continue;
                }
                count += place.remove_noted(&note)?;
            }
            Ok(count)
        })
    }
}

impl RemovedBackups {
    fn place(&self) -> Result<ArchivePlace> {
        ArchivePlace::parse(&self.to, &self.bucket).map_err(|error| Error::invalid("backup_place", error))
    }
}

impl ArchivePlace {
    /// Removes the archives of a note, then the note. One that cannot be removed, since it is locked, is tried again.
    fn remove_noted(&self, note: &RemovalNote) -> Result<u64> {
        let (mut count, mut is_done) = (0, true);
        for archive in &note.archives {
            if self.length(&archive.name)? != Some(archive.bytes) {
                continue;
            }
            match self.remove(&archive.name) {
                Ok(()) => count += 1,
                Err(error) => {
                    is_done = false;
                    let why = error.detail.as_deref().unwrap_or(&error.message);
                    tracing::warn!(file = archive.name, error = why, "a backup of a removed tenant cannot be deleted");
                }
            }
        }
        if count > 0 {
            tracing::info!(tenant = note.tenant, count, "backups of the removed tenant were deleted");
        }
        if is_done {
            self.remove(&note.name())?;
        }
        Ok(count)
    }

    /// Returns all notes. One that cannot be read is passed over.
    fn notes(&self) -> Result<Vec<RemovalNote>> {
        let names: Vec<String> = match self {
            ArchivePlace::Folder(folder) => match fs::read_dir(folder) {
                Ok(entries) => entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect(),
                Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(unusable(folder, &error)),
            },
            ArchivePlace::Bucket(bucket, _) => {
                let listed = Handle::current().block_on(bucket.list()).map_err(|error| self.failed(error))?;
                listed.into_iter().map(|object| object.name).collect()
            }
        };
        let names = names.into_iter().filter(|name| name.starts_with(NAME[0]) && name.ends_with(NAME[1]));
        let read = |name: String| {
            let note = self.note(&name);
            let sound = note
                .ok()
                .filter(|note| note.name() == name && note.archives.iter().all(|noted| is_of(noted, &note.tenant)));
            if sound.is_none() {
                tracing::warn!(file = name, "the note about backups of a removed tenant cannot be read");
            }
            sound
        };
        Ok(names.filter_map(read).collect())
    }

    fn note(&self, name: &str) -> Result<RemovalNote> {
        let text = match self {
            ArchivePlace::Folder(folder) => fs::read(folder.join(name)).map_err(|error| unusable(folder, &error))?,
            ArchivePlace::Bucket(bucket, _) => read_object(bucket, name).map_err(|error| self.failed(error))?,
        };
        serde_json::from_slice(&text).map_err(|error| unusable(&self.path().join(name), &error))
    }

    fn put_note(&self, note: &RemovalNote) -> Result<()> {
        let text = serde_json::to_vec(note).map_err(|error| Error::failed(error.to_string()))?;
        match self {
            ArchivePlace::Folder(folder) => {
                let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| unusable(folder, &error))?;
                let written = file.write_all(&text).and_then(|()| file.as_file().sync_all());
                let placed = written.and_then(|()| Ok(file.persist(folder.join(note.name()))?));
                let lasting = placed.and_then(|_| File::open(folder)?.sync_all());
                lasting.map_err(|error| unusable(folder, &error))
            }
            ArchivePlace::Bucket(bucket, _) => {
                let (bucket, name) = (bucket.clone(), note.name());
                let sent = wait(async move {
                    let mut upload = bucket.create(&name, text.len() as u64);
                    upload.put(Bytes::from(text)).await?;
                    upload.finish().await
                });
                sent.map_err(|error| self.failed(error))
            }
        }
    }
}

fn read_object(bucket: &Bucket, name: &str) -> Result<Vec<u8>> {
    let runtime = Handle::current();
    let mut content = runtime.block_on(Content::of_object(bucket, name))?;
    let mut text = Vec::new();
    while let Some(piece) = runtime.block_on(content.next())? {
        text.extend_from_slice(&piece);
    }
    Ok(text)
}

/// Returns true if a name leads to nothing but an archive of that tenant in the place. Others may write notes, too.
fn is_of(archive: &NotedArchive, tenant: &str) -> bool {
    super::archives::ArchiveName::parse(&archive.name).is_some_and(|name| name.is_of(tenant))
        && !archive.name.contains('/')
}
