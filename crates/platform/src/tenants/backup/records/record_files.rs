//! Files of records: compared by their bytes, and brought from the archive where the tenant lacks them.

use super::comparison::{Comparison, RecordWrite};
use super::former::FormerRecords;
use super::properties::Treatment;
use super::today::Today;
use database::Value;
use model::error::Result;
use model::file_member::FileMember;
use model::kinds::StoredValue;
use model::types::Property;
use resources::files::{self, Attachment};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use tenant::Tenant;
use tokio::runtime::Handle;

/// The promises of files of the archive, by their ids there, or the reasons why there are none.
#[derive(Debug, Default)]
pub(super) struct FilePromises {
    /// True if files are only compared.
    pub compared: bool,
    pub brought: HashMap<i64, std::result::Result<String, String>>,
}

/// The value of a property of files in a body.
pub(super) struct FilesValue {
    /// None where nothing is to be given.
    pub value: Option<Json>,
    /// The files that do not come back.
    pub notes: Vec<String>,
}

/// A file of the archive that a record lacks.
pub(super) struct LackingFile {
    id: i64,
    name: String,
    type_id: i64,
    property: i64,
}

/// Returns true if two values hold the same bytes.
pub(super) fn same(then: &StoredValue, now: &StoredValue) -> bool {
    let hashes = |value| members(value).into_iter().map(|file| file.5).collect::<Vec<_>>();
    hashes(then) == hashes(now)
}

/// The names of files.
pub(super) fn names(value: &StoredValue) -> Json {
    members(value).into_iter().map(|file| file.1).collect()
}

/// The value that gives a property the files of the archive: those that it has stay, and others are promised.
pub(super) fn value(
    property: &Property,
    then: &StoredValue,
    now: Option<&StoredValue>,
    promises: &FilePromises,
) -> FilesValue {
    let mut old = now.map(members).unwrap_or_default();
    let (mut given, mut notes) = (Vec::new(), Vec::new());
    for file in members(then) {
        if let Some(place) = old.iter().position(|old| old.5 == file.5) {
            let kept = old.swap_remove(place);
            given.push(json!({"name": kept.1, "hash": kept.5}));
            continue;
        }
        match promises.brought.get(&file.0) {
            Some(Ok(promise)) => given.push(json!(promise)),
            Some(Err(reason)) => notes.push(format!("{}: the file {:?} is refused: {reason}", property.name, file.1)),
            None if promises.compared => {}
            None => notes.push(format!("{}: the file {:?} is missing", property.name, file.1)),
        }
    }
    let value = match property.kind.holds_several() {
        _ if given.is_empty() && now.is_none() => None,
        true => Some(Json::from(given)),
        false => Some(given.pop().unwrap_or(Json::Null)),
    };
    FilesValue { value, notes }
}

/// The files that records lack which are to be written.
pub(super) fn lacking(former: &FormerRecords, today: &Today<'_>, compared: &[Comparison]) -> Vec<LackingFile> {
    let mut lacking = Vec::new();
    for shared in today.properties.shared.iter().filter(|shared| shared.treatment == Treatment::Files) {
        let property = &today.of.fields[shared.now];
        for (record, comparison) in former.records.iter().zip(compared) {
            if matches!(comparison.write, RecordWrite::Nothing) {
                continue;
            }
            let mut old = today.rows.get(&record.id).map(|row| members(&row[shared.now])).unwrap_or_default();
            for file in members(&record.values[shared.then]) {
                match old.iter().position(|old| old.5 == file.5) {
                    Some(place) => drop(old.swap_remove(place)),
                    None => lacking.push(LackingFile {
                        id: file.0,
                        name: file.1,
                        type_id: today.of.id,
                        property: property.id,
                    }),
                }
            }
        }
    }
    lacking
}

/// Brings files from the archive into the tenant, as an upload does.
pub(super) fn bring(archive: &Tenant, tenant: &Arc<Tenant>, lacking: Vec<LackingFile>) -> Result<FilePromises> {
    let mut promises = FilePromises::default();
    for file in lacking {
        let found = archive.read_as_administrator(|tx, _| Attachment::find(tx, file.id))?;
        let Some(found) = found else { continue };
        let brought = Handle::current().block_on(async {
            let content = archive.files().read(&found.key, 0..found.size).await?;
            files::store_again(tenant, [file.type_id, file.property], &file.name, content).await
        });
        promises.brought.insert(file.id, brought.map_err(|error| error.message));
    }
    Ok(promises)
}

fn members(value: &StoredValue) -> Vec<FileMember> {
    match value {
        StoredValue::Many(members) => members.iter().filter_map(FileMember::of).collect(),
        StoredValue::One(Value::Null | _) => Vec::new(),
    }
}
