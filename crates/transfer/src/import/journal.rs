//! Journal of a group of an import, by which the group can be taken back.

use database::{ColumnType, Tx, Value};
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::types::ResourceType;
use resources::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Changes of one group.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct GroupChanges {
    /// New resources, in order.
    pub(super) created: Vec<LeftRow>,
    /// Changed resources, in order.
    pub(super) changed: Vec<ChangedRow>,
    /// Other resources of the type that were calculated anew, each of which has a version more.
    pub(super) followed: Vec<LeftRow>,
    /// Numbers that were taken: the property, the period, the last number before and after.
    pub(super) numbers: Vec<(i64, String, [i64; 2])>,
}

/// A resource as it was and as it is.
pub(super) struct RowChange {
    pub(super) old: Record,
    pub(super) new: Record,
}

/// A resource as a group left it. Where its version is another, others changed it since.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LeftRow {
    pub(super) id: i64,
    pub(super) version: i64,
}

/// A resource that a group changed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ChangedRow {
    pub(super) id: i64,
    /// The values of `updated`, `updatedBy` and `version` before.
    pub(super) stamp: Vec<JournalCell>,
    /// Its version when the group ended.
    pub(super) version: i64,
    /// Values that differ, by the property's id: before and after.
    pub(super) fields: Vec<(i64, [JournalField; 2])>,
}

/// The value of a property.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum JournalField {
    One(JournalCell),
    Many(Vec<JournalCell>),
}

/// A value of a column.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum JournalCell {
    Null,
    Boolean(bool),
    Integer(i64),
    /// The bits of a float: JSON has no infinity.
    Float(u64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid([u8; 16]),
    Date(i32),
    Timestamp(i64),
}

/// The positions of `updated`, `updatedBy` and `version`, which each change sets.
pub(super) const STAMP: [usize; 3] = [3, 5, 6];

impl GroupChanges {
    pub(crate) fn created(&mut self, ids: Vec<i64>) {
        self.created.extend(ids.into_iter().map(|id| LeftRow { id, version: 0 }));
    }

    pub(super) fn changed(&mut self, resource_type: &ResourceType, rows: &[RowChange]) -> Result<()> {
        for RowChange { old, new } in rows {
            let cell = |position: usize| match &old.values[position] {
                StoredValue::One(value) => JournalCell::from(value),
                StoredValue::Many(_) => JournalCell::Null,
            };
            let differs = resource_type
                .properties()
                .iter()
                .filter(|field| old.values[field.position] != new.values[field.position]);
            let pair = |position: usize| {
                [JournalField::from(&old.values[position]), JournalField::from(&new.values[position])]
            };
            let fields = differs.map(|field| (field.id, pair(field.position))).collect();
            self.changed.push(ChangedRow { id: old.id()?, stamp: STAMP.map(cell).to_vec(), version: 0, fields });
        }
        Ok(())
    }

    /// Notes which versions resources have at the end of the group, and which of the type were calculated anew by it.
    pub(super) fn end(
        &mut self,
        tx: &mut Tx<'_>,
        resource_type: &ResourceType,
        mut followed: BTreeSet<i64>,
    ) -> Result<()> {
        self.created.iter().for_each(|row| _ = followed.remove(&row.id));
        self.followed = followed.into_iter().map(|id| LeftRow { id, version: 0 }).collect();
        let versions = self.versions(tx, resource_type)?;
        let now = |id: i64| versions.get(&id).copied().unwrap_or_default();
        self.created.iter_mut().chain(&mut self.followed).for_each(|row| row.version = now(row.id));
        self.changed.iter_mut().for_each(|row| row.version = now(row.id));
        Ok(())
    }

    /// The resources that are as the group left them; and how many new ones others changed since.
    pub(super) fn untouched(&self, tx: &mut Tx<'_>, resource_type: &ResourceType) -> Result<(BTreeSet<i64>, usize)> {
        let versions = self.versions(tx, resource_type)?;
        let differs = |row: &&LeftRow| versions.get(&row.id).is_some_and(|version| *version != row.version);
        let others = self.created.iter().filter(differs).count();
        let left = self.created.iter().chain(&self.followed).map(|row| (row.id, row.version));
        let left = left.chain(self.changed.iter().map(|row| (row.id, row.version)));
        let untouched = left.filter(|(id, version)| versions.get(id) == Some(version));
        Ok((untouched.map(|(id, _)| id).collect(), others))
    }

    /// The versions that the resources have, by id.
    fn versions(&self, tx: &mut Tx<'_>, resource_type: &ResourceType) -> Result<BTreeMap<i64, i64>> {
        let ids = self.created.iter().chain(&self.followed).map(|row| row.id);
        let ids = ids.chain(self.changed.iter().map(|row| row.id)).map(Value::Integer);
        let mut sql = tx.sql();
        sql.push("SELECT id, version FROM ").table(&resource_type.table).push(" WHERE id");
        sql.any_of(ColumnType::Integer, ids.collect());
        let mut versions = BTreeMap::new();
        tx.query(&sql, &mut |row| {
            versions.insert(row.integer(0)?, row.integer(1)?);
            Ok(())
        })?;
        Ok(versions)
    }

    /// Notes which numbers were taken between two looks.
    pub(super) fn numbers(&mut self, before: &BTreeMap<(i64, String), i64>, after: BTreeMap<(i64, String), i64>) {
        for (key, last) in after {
            let was = before.get(&key).copied().unwrap_or(0);
            if was != last {
                self.numbers.push((key.0, key.1, [was, last]));
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty()
    }

    pub(super) fn encode(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| Error::failed(format!("the journal of an import: {error}")))
    }

    pub(super) fn decode(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::failed(format!("the journal of an import: {error}")))
    }
}

impl From<&StoredValue> for JournalField {
    fn from(stored: &StoredValue) -> Self {
        match stored {
            StoredValue::One(value) => JournalField::One(value.into()),
            StoredValue::Many(members) => JournalField::Many(members.iter().map(JournalCell::from).collect()),
        }
    }
}

impl JournalField {
    pub(super) fn stored(&self) -> StoredValue {
        match self {
            JournalField::One(cell) => StoredValue::One(cell.clone().into()),
            JournalField::Many(members) => StoredValue::Many(members.iter().cloned().map(Value::from).collect()),
        }
    }
}

impl From<&Value> for JournalCell {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => JournalCell::Null,
            Value::Boolean(value) => JournalCell::Boolean(*value),
            Value::Integer(value) => JournalCell::Integer(*value),
            Value::Float(value) => JournalCell::Float(value.to_bits()),
            Value::Text(value) => JournalCell::Text(value.clone()),
            Value::Bytes(value) => JournalCell::Bytes(value.clone()),
            Value::Uuid(value) => JournalCell::Uuid(*value),
            Value::Date(value) => JournalCell::Date(*value),
            Value::Timestamp(value) => JournalCell::Timestamp(*value),
        }
    }
}

impl From<JournalCell> for Value {
    fn from(cell: JournalCell) -> Self {
        match cell {
            JournalCell::Null => Value::Null,
            JournalCell::Boolean(value) => Value::Boolean(value),
            JournalCell::Integer(value) => Value::Integer(value),
            JournalCell::Float(bits) => Value::Float(f64::from_bits(bits)),
            JournalCell::Text(value) => Value::Text(value),
            JournalCell::Bytes(value) => Value::Bytes(value),
            JournalCell::Uuid(value) => Value::Uuid(value),
            JournalCell::Date(value) => Value::Date(value),
            JournalCell::Timestamp(value) => Value::Timestamp(value),
        }
    }
}
