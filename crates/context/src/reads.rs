//! Reads of logged types by a job, noted as it reads and written as it ends.

use crate::caller_key::CallerKey;
use database::{ColumnType, Name, Tx, Value};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::READ_LOG;
use model::types::ResourceType;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The code of the error with which a job that cannot write gives up a read that has to be logged.
const RECORDED: &str = "read_recorded";

/// Outcome of a read by a job that cannot write.
#[derive(Debug)]
pub enum ReadOutcome<T> {
    /// The read was done.
    Done(T),
    /// The read has to be logged: a job that can write does it again.
    MustBeLogged,
}

impl<T> ReadOutcome<T> {
    /// Returns the outcome of a job; other failures stay what they are.
    pub fn of(read: Result<T>) -> Result<Self> {
        match read {
            Ok(done) => Ok(ReadOutcome::Done(done)),
            Err(error) if error.code == RECORDED => Ok(ReadOutcome::MustBeLogged),
            Err(error) => Err(error),
        }
    }
}

/// Returns true where reads of the type are logged. Answers with resources of it are never kept.
pub fn logged(resource_type: &ResourceType) -> bool {
    resource_type.log_reads
}

/// The way in which resources were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReadWay {
    /// By id or uuid.
    Get,
    /// By the value of a property.
    GetBy,
    /// In a list.
    List,
    /// As one of many in a group: the id is 0, for all of them.
    Aggregate,
    /// Within another resource, by a relation that was expanded or wrapped.
    Embedded,
    /// In the answer to a change.
    Change,
    /// The bytes of a file of it.
    File,
}

impl ReadWay {
    /// All of them, with their names.
    pub const ALL: [(&'static str, ReadWay); 7] = [
        ("get", ReadWay::Get),
        ("getBy", ReadWay::GetBy),
        ("list", ReadWay::List),
        ("aggregate", ReadWay::Aggregate),
        ("embedded", ReadWay::Embedded),
        ("change", ReadWay::Change),
        ("file", ReadWay::File),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        ReadWay::ALL.iter().find(|(_, way)| *way == self).map_or("get", |(name, _)| name)
    }
}

/// The treatment of reads of logged types in a job.
#[derive(Clone, Debug, Default)]
pub struct LoggedReads(ReadMode);

#[derive(Clone, Debug, Default)]
enum ReadMode {
    /// They are refused: this job cannot write.
    #[default]
    Refused,
    /// They are noted. The way is that of what the request asks for.
    Noted(ReadWay, Arc<Mutex<Vec<ReadNote>>>),
    /// Nobody asks: the command line.
    Free,
}

/// A type's id, a resource's, and how it was read.
type ReadNote = (i64, i64, ReadWay);

/// The key with which resources are read, and the address. There is no key where a signed address or the public role
/// stands for it.
#[derive(Clone, Copy, Debug)]
pub struct ReadOrigin {
    /// The key.
    pub key: Option<i64>,
    /// The address.
    pub from: Option<IpAddr>,
}

impl ReadOrigin {
    /// Reads by a caller.
    pub fn by(caller: &CallerKey) -> Self {
        ReadOrigin { key: caller.id(), from: caller.address }
    }
}

impl LoggedReads {
    /// They are noted, to be written by [`LoggedReads::write`].
    pub fn noted(way: ReadWay) -> Self {
        LoggedReads(ReadMode::Noted(way, Arc::default()))
    }

    /// Nothing is noted.
    pub fn free() -> Self {
        LoggedReads(ReadMode::Free)
    }

    /// Returns the number of notes: where [`LoggedReads::forget`] begins.
    pub fn count(&self) -> usize {
        if let ReadMode::Noted(_, notes) = &self.0 { locked(notes).len() } else { 0 }
    }

    /// The same notes in a place of their own, for a job that may be run again.
    #[must_use]
    pub fn copied(&self) -> Self {
        match &self.0 {
            ReadMode::Noted(way, notes) => {
                LoggedReads(ReadMode::Noted(*way, Arc::new(Mutex::new(locked(notes).clone()))))
            }
            mode => LoggedReads(mode.clone()),
        }
    }

    /// Forgets all but so many, of a part of the job that was undone and told nothing.
    pub fn forget(&self, from: usize) {
        if let ReadMode::Noted(_, notes) = &self.0 {
            locked(notes).truncate(from);
        }
    }

    /// Returns true if ids of the type's resources are to be noted.
    pub fn notes(&self, resource_type: &ResourceType) -> bool {
        logged(resource_type) && matches!(self.0, ReadMode::Noted(..))
    }

    /// Gives up where this job cannot note reads of the type. Comes before anything is read.
    pub fn begin_type(&self, resource_type: &ResourceType) -> Result<()> {
        if matches!(self.0, ReadMode::Refused) && logged(resource_type) {
            return Err(Error { code: RECORDED, ..Error::failed("a read that is logged, in a job that cannot write") });
        }
        Ok(())
    }

    /// Notes resources that the request asks for.
    pub fn note(&self, resource_type: &ResourceType, ids: &[i64]) {
        if let ReadMode::Noted(way, _) = self.0 {
            self.add(resource_type, ids, way);
        }
    }

    /// Notes resources that are shown within others.
    pub fn note_embedded(&self, resource_type: &ResourceType, ids: &[i64]) {
        self.add(resource_type, ids, ReadWay::Embedded);
    }

    /// Notes that groups of resources are shown.
    pub fn note_groups(&self, resource_type: &ResourceType) {
        self.add(resource_type, &[0], ReadWay::Aggregate);
    }

    fn add(&self, resource_type: &ResourceType, ids: &[i64], way: ReadWay) {
        if let (ReadMode::Noted(_, notes), true) = (&self.0, logged(resource_type)) {
            locked(notes).extend(ids.iter().map(|id| (resource_type.id, *id, way)));
        }
    }

    /// Writes what a user was shown at that moment, in the transaction that has read it.
    pub fn write(&self, tx: &mut Tx<'_>, now: Timestamp, reader: Option<i64>, whose: ReadOrigin) -> Result<()> {
        let ReadMode::Noted(_, notes) = &self.0 else { return Ok(()) };
        let mut notes = std::mem::take(&mut *locked(notes));
        if notes.is_empty() {
            return Ok(());
        }
        notes.sort_unstable();
        notes.dedup();
        let columns = [
            (Name::fixed("moment"), ColumnType::Timestamp),
            (Name::fixed("reader"), ColumnType::Integer),
            (Name::fixed("key"), ColumnType::Integer),
            (Name::fixed("address"), ColumnType::Text),
            (Name::fixed("type"), ColumnType::Integer),
            (Name::fixed("object"), ColumnType::Integer),
            (Name::fixed("way"), ColumnType::Text),
        ];
        let address: Value = whose.from.map(|address| address.to_string()).into();
        let row = |(of, object, way): ReadNote| {
            vec![
                Value::Timestamp(now.as_millisecond()),
                reader.into(),
                whose.key.into(),
                address.clone(),
                of.into(),
                object.into(),
                way.name().into(),
            ]
        };
        let rows: Vec<Vec<Value>> = notes.into_iter().map(row).collect();
        tx.insert_many(&READ_LOG, &columns, &rows)?;
        Ok(())
    }
}

fn locked(notes: &Mutex<Vec<ReadNote>>) -> MutexGuard<'_, Vec<ReadNote>> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}
