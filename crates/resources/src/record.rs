//! A resource as it is stored, whole: what a change starts from, and what its answer is written from.

use database::{ColumnType, Name, Row, Sql, Tx, Value};
use model::error::{Error, Result};
use model::file_member::FileMember;
use model::kinds::{StoredValue, ValueStorage};
use model::table_names::ATTACHMENT;
use model::types::{Property, ResourceType};
use query::request::ItemRef;
use query::request::item_missing;

/// The values of all fields of a resource, by position.
#[derive(Clone, Debug)]
pub struct Record {
    /// The values.
    pub values: Vec<StoredValue>,
    /// For each multi-valued field that has members, by position: the place behind the last member.
    pub(super) ends: Vec<(usize, i64)>,
}

/// Resources that are read.
#[derive(Clone, Copy)]
enum RowChoice<'i> {
    One(&'i ItemRef),
    Ids(&'i [i64]),
}

/// Purpose for which a resource is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is only looked at.
    Look,
    /// It is referred to: it must not be deleted.
    Reference,
    /// It decides about a write: it must not change.
    Rule,
    /// It is changed. Others may refer to it meanwhile.
    Change,
    /// It is deleted. Others may not refer to it.
    Deletion,
}

impl Purpose {
    /// Returns the lock on a row of a type that rules of the written type read.
    pub(crate) fn to_read(written: &ResourceType, target: i64) -> Self {
        let changes = written.id == target || written.rules().changes.contains(&target);
        if changes { Purpose::Change } else { Purpose::Rule }
    }

    /// Returns the lock on a row that the written one is to refer to. `decides`: whether it is asked what it is like.
    pub(super) fn to_refer(written: &ResourceType, target: i64, decides: bool) -> Self {
        let rules = written.rules();
        let ruled = rules.read_others && (rules.reads.contains(&target) || rules.changes.contains(&target));
        if decides || ruled { Purpose::to_read(written, target) } else { Purpose::Reference }
    }

    /// Appends the lock to a SELECT.
    pub fn push(self, sql: &mut Sql) {
        match self {
            Purpose::Look => {}
            Purpose::Reference => _ = sql.for_share(),
            Purpose::Rule => _ = sql.for_read(),
            Purpose::Change => _ = sql.for_change(),
            Purpose::Deletion => _ = sql.for_update(),
        }
    }
}

impl Record {
    /// Reads a resource and locks it against other changes to the end of the transaction.
    pub fn lock(tx: &mut Tx<'_>, resource_type: &ResourceType, item: &ItemRef) -> Result<Self> {
        lock(tx, resource_type, RowChoice::One(item), Purpose::Change)?.pop().ok_or_else(item_missing)
    }

    /// Reads a resource and locks it, also against new references to it.
    pub(super) fn lock_to_delete(tx: &mut Tx<'_>, resource_type: &ResourceType, item: &ItemRef) -> Result<Self> {
        lock(tx, resource_type, RowChoice::One(item), Purpose::Deletion)?.pop().ok_or_else(item_missing)
    }

    /// Reads a resource as it is.
    pub(super) fn look(tx: &mut Tx<'_>, resource_type: &ResourceType, item: &ItemRef) -> Result<Self> {
        lock(tx, resource_type, RowChoice::One(item), Purpose::Look)?.pop().ok_or_else(item_missing)
    }

    /// Reads the resources with those ids that there are, by id, and locks them against other changes to the end of
    /// the transaction, in one statement for all.
    pub fn lock_all(tx: &mut Tx<'_>, resource_type: &ResourceType, ids: &[i64]) -> Result<Vec<Self>> {
        lock(tx, resource_type, RowChoice::Ids(ids), Purpose::Change)
    }

    /// The place behind the last member of a multi-valued field. Places have gaps where members were taken out.
    pub fn end(&self, position: usize) -> i64 {
        self.ends.iter().find(|(of, _)| *of == position).map_or(0, |(_, end)| *end)
    }

    /// The resource's id.
    pub fn id(&self) -> Result<i64> {
        match self.values.first() {
            Some(StoredValue::One(Value::Integer(id))) => Ok(*id),
            _ => Err(Error::failed("a row without an id")),
        }
    }
}

/// The values of all fields of a resource, by position; it is locked against other changes.
pub fn stored(tx: &mut Tx<'_>, resource_type: &ResourceType, id: i64) -> Result<Vec<StoredValue>> {
    Record::lock(tx, resource_type, &ItemRef::Id(id)).map(|record| record.values)
}

/// The resources with those ids that there are, by id, each with the values of all fields; locked for a purpose to the
/// end of the transaction.
pub fn rows_of(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    ids: &[i64],
    purpose: Purpose,
) -> Result<Vec<(i64, Vec<StoredValue>)>> {
    let records = match ids {
        // PostgreSQL keeps the plan for one, and makes that for a list anew each time.
        [id] => lock(tx, resource_type, RowChoice::One(&ItemRef::Id(*id)), purpose)?,
        ids => lock(tx, resource_type, RowChoice::Ids(ids), purpose)?,
    };
    records.into_iter().map(|record| Ok((record.id()?, record.values))).collect()
}

/// Locks the resources of a type that are there, in the order of their ids, for a purpose to the end of the transaction.
pub fn lock_rows(tx: &mut Tx<'_>, resource_type: &ResourceType, items: &[ItemRef], purpose: Purpose) -> Result<()> {
    let id = |item: &ItemRef| if let ItemRef::Id(id) = item { Some(Value::Integer(*id)) } else { None };
    let uuid = |item: &ItemRef| if let ItemRef::Uuid(uuid) = item { Some(Value::Uuid(*uuid)) } else { None };
    let (ids, uuids): (Vec<_>, Vec<_>) =
        (items.iter().filter_map(id).collect(), items.iter().filter_map(uuid).collect());
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&resource_type.table).push(" WHERE ");
    if !ids.is_empty() {
        sql.push("id").any_of(ColumnType::Integer, ids);
    }
    if !uuids.is_empty() {
        sql.push(if uuids.len() < items.len() { " OR uuid" } else { "uuid" }).any_of(ColumnType::Uuid, uuids);
    }
    sql.push(" ORDER BY id");
    purpose.push(&mut sql);
    if items.is_empty() { Ok(()) } else { Ok(tx.query(&sql, &mut |_| Ok(()))?) }
}

/// Reads and locks resources, by id. Links are read after the locks are held, so that what another transaction just
/// wrote is not lost.
fn lock(tx: &mut Tx<'_>, resource_type: &ResourceType, which: RowChoice<'_>, purpose: Purpose) -> Result<Vec<Record>> {
    let mut statements = vec![rows(tx.sql(), resource_type, which, purpose)];
    let linked: Vec<&Property> = resource_type.properties().iter().filter(|of| links(of)).collect();
    for property in &linked {
        statements.push(members(tx.sql(), resource_type, property, which));
    }
    let mut ids: Vec<i64> = Vec::new();
    let mut records: Vec<Record> = Vec::new();
    tx.query_all(&statements.iter().collect::<Vec<_>>(), &mut |statement, row| {
        if statement > 0 {
            // What came between the statements has no lock.
            if let Ok(place) = ids.binary_search(&row.integer(0)?) {
                add_member(&mut records[place], linked[statement - 1], row)?;
            }
            return Ok(());
        }
        let mut values: Vec<StoredValue> = resource_type.fields.iter().map(empty).collect();
        for (index, (property, column)) in columns(resource_type).enumerate() {
            values[property.position] = StoredValue::One(row.get(index, column)?.to_value());
        }
        // The id is the first of all fields.
        ids.push(row.integer(0)?);
        records.push(Record { values, ends: Vec::new() });
        Ok(())
    })?;
    Ok(records)
}

/// Adds the member of a link's row: owner, value, position.
fn add_member(record: &mut Record, property: &Property, row: &Row<'_>) -> Result<(), database::Error> {
    let StoredValue::Many(members) = &mut record.values[property.position] else { return Ok(()) };
    match property.kind.storage() {
        ValueStorage::Attachments => members.push(FileMember::read(row, 1)?.value()),
        ValueStorage::Links(column) => {
            members.push(row.get(1, column)?.to_value());
            record.ends.retain(|(position, _)| *position != property.position);
            record.ends.push((property.position, row.integer(2)? + 1));
        }
        ValueStorage::Column(_) => {}
    }
    Ok(())
}

/// No value of a property.
pub fn empty(property: &Property) -> StoredValue {
    match property.kind.storage() {
        ValueStorage::Column(_) => StoredValue::One(Value::Null),
        ValueStorage::Links(_) | ValueStorage::Attachments => StoredValue::Many(Vec::new()),
    }
}

/// The fields of a type that lie in its table, with the types of their columns.
pub fn columns(resource_type: &ResourceType) -> impl Iterator<Item = (&Property, ColumnType)> {
    resource_type.fields.iter().filter_map(|property| match property.kind.storage() {
        ValueStorage::Column(column) => Some((property, column)),
        ValueStorage::Links(_) | ValueStorage::Attachments => None,
    })
}

fn links(property: &Property) -> bool {
    matches!(property.kind.storage(), ValueStorage::Links(_) | ValueStorage::Attachments)
}

fn rows(mut sql: Sql, resource_type: &ResourceType, which: RowChoice<'_>, purpose: Purpose) -> Sql {
    sql.push("SELECT ");
    for (index, (property, _)) in columns(resource_type).enumerate() {
        sql.push(if index > 0 { ", " } else { "" }).name(&property.column);
    }
    sql.push(" FROM ").table(&resource_type.table).push(" WHERE ");
    match which {
        RowChoice::One(item) => where_item(&mut sql, item),
        // Two statements that lock the same rows take them in the same order, and never wait for each other.
        RowChoice::Ids(ids) => {
            _ = sql.name(&Name::fixed("id")).any_of(ColumnType::Integer, numbers(ids)).push(" ORDER BY id")
        }
    }
    purpose.push(&mut sql);
    sql
}

fn members(mut sql: Sql, resource_type: &ResourceType, property: &Property, which: RowChoice<'_>) -> Sql {
    let files = property.kind.files().is_some();
    if files {
        sql.push("SELECT object, ");
        model::file_member::push_columns(&mut sql);
        sql.push(" FROM ").table(&ATTACHMENT).push(" WHERE property = ").bind(property.id).push(" AND object");
    } else {
        sql.push("SELECT owner, value, position FROM ").table(&property.column).push(" WHERE owner");
    }
    let by_owner = if files { " ORDER BY object, position" } else { " ORDER BY owner, position" };
    match which {
        RowChoice::Ids(ids) => _ = sql.any_of(ColumnType::Integer, numbers(ids)).push(by_owner),
        RowChoice::One(ItemRef::Id(id)) => _ = sql.push(" = ").bind(*id).push(" ORDER BY position"),
        RowChoice::One(item) => {
            sql.push(" = (SELECT id FROM ").table(&resource_type.table).push(" WHERE ");
            where_item(&mut sql, item);
            sql.push(") ORDER BY position");
        }
    }
    sql
}

fn numbers(ids: &[i64]) -> Vec<Value> {
    ids.iter().copied().map(Value::Integer).collect()
}

fn where_item(sql: &mut Sql, item: &ItemRef) {
    match item {
        ItemRef::Id(id) => sql.name(&Name::fixed("id")).push(" = ").bind(*id),
        ItemRef::Uuid(uuid) => sql.name(&Name::fixed("uuid")).push(" = ").bind(Value::Uuid(*uuid)),
    };
}
