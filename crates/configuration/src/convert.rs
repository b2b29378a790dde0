//! Changes the values of a property in all rows: conversions to another kind, defaults filled in.

use super::examine::{RowAgainst, RowConflict};
use super::run::{add_property, drop_property};
use super::steps::{KindChange, is_multiple, kind_change};
use database::{ColumnSpec, ColumnType, Name, TableSpec, Tx, Value};
use jiff::{Timestamp, tz::TimeZone};
use model::error::{Error, Result};
use model::kinds;
use model::kinds::{Kind, StoredValue, ValueContext, ValueFault, ValueStorage, convert, convertible, write_plain};
use model::table_names::ATTACHMENT;
use model::types::{Property, ResourceType, tables};

/// Rows that are in memory at a time.
const BATCH: i64 = 5_000;
/// A table of new values that lives within one transaction.
const CONVERTED: Name = Name::fixed("plinth_converted");

/// A property before and after.
#[derive(Clone, Copy)]
pub(super) struct PropertyChange<'p> {
    pub(super) old: &'p Property,
    pub(super) new: &'p Property,
}

/// A resource's id and what it holds.
type HeldValue = (i64, StoredValue);

/// Converts every value. Values that cannot be converted are given back, and nothing counts then.
pub(super) fn convert_all(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    PropertyChange { old, new }: PropertyChange<'_>,
    context: &ValueContext<'_>,
) -> Result<RowConflict> {
    let rebuild = kind_change(old.kind.as_ref(), new.kind.as_ref()) == KindChange::Rebuild;
    let moves_in = is_multiple(new) && rebuild;
    if moves_in {
        add_property(tx, resource_type, new)?;
    } else if !is_multiple(new) {
        create_converted(tx, new)?;
    }
    let mut against = RowConflict::default();
    let mut after = i64::MIN;
    loop {
        let rows = batch(tx, resource_type, old, after)?;
        let Some((last, _)) = rows.last() else { break };
        after = *last;
        let mut converted = Vec::new();
        for (id, held) in rows {
            match convert(old.kind.as_ref(), new.kind.as_ref(), &held, context) {
                Ok(value) if rebuild || value != held => converted.push((id, value)),
                Ok(_) => {}
                Err(fault) => against.add(row_against(id, old.kind.as_ref(), &held, fault)),
            }
        }
        if is_multiple(new) {
            put_members(tx, new, &converted, !rebuild)?;
        } else {
            put_converted(tx, new, converted)?;
        }
    }
    if !is_multiple(new) {
        take_converted(tx, resource_type, PropertyChange { old, new }, rebuild)?;
    }
    if moves_in {
        drop_property(tx, resource_type, old)?;
    }
    Ok(described(against, new))
}

/// The values that cannot be converted, and how many can but not back to what they were. Changes nothing.
pub(super) fn faults(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    PropertyChange { old, new }: PropertyChange<'_>,
    context: &ValueContext<'_>,
) -> Result<(RowConflict, u64)> {
    let (old_kind, new_kind) = (old.kind.as_ref(), new.kind.as_ref());
    let mut against = RowConflict::default();
    let mut lost = 0;
    let mut after = i64::MIN;
    loop {
        let rows = batch(tx, resource_type, old, after)?;
        let Some((last, _)) = rows.last() else { return Ok((described(against, new), lost)) };
        after = *last;
        for (id, held) in rows {
            match convert(old_kind, new_kind, &held, context) {
                Ok(value) => lost += u64::from(loses(old_kind, new_kind, &held, &value, context)),
                Err(fault) => against.add(row_against(id, old_kind, &held, fault)),
            }
        }
    }
}

/// Returns true if the old value cannot be had back from the new one: a time of day that a date drops.
fn loses(old: &dyn Kind, new: &dyn Kind, held: &StoredValue, value: &StoredValue, context: &ValueContext<'_>) -> bool {
    convertible(new, old) && convert(new, old, value, context).ok().as_ref() != Some(held)
}

/// Gives the default to every resource without a value; where there is none, those are given back.
pub(super) fn fill(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    property: &Property,
    context: &ValueContext<'_>,
) -> Result<RowConflict> {
    let Some(default) = &property.default else {
        return lacking(tx, resource_type, Some(property), property, 0);
    };
    let default = kinds::accept(property.kind.as_ref(), default, context)
        .map_err(|fault| Error::failed(format!("the default of {} {}", property.name, fault.text())))?;
    match default {
        StoredValue::One(value) => {
            let Some(column) = tables::column_of(property) else { return Ok(RowConflict::default()) };
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&resource_type.table).push(" SET ").name(&property.column).push(" = ");
            sql.bind_as(column.column, value).push(" WHERE ").name(&property.column).push(" IS NULL");
            tx.execute(&sql)?;
        }
        StoredValue::Many(members) => {
            let ids = without(tx, resource_type, Some(property), None)?;
            let rows: Vec<HeldValue> = ids.into_iter().map(|id| (id, StoredValue::Many(members.clone()))).collect();
            put_members(tx, property, &rows, false)?;
        }
    }
    Ok(RowConflict::default())
}

/// The resources that lack a value which they must have. `total` is how many, 0 where that is not known yet.
pub(super) fn lacking(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    old: Option<&Property>,
    new: &Property,
    total: u64,
) -> Result<RowConflict> {
    let mut against = RowConflict::default();
    for id in without(tx, resource_type, old, (total > 0).then_some(20))? {
        against.add(RowAgainst { id, value: String::new(), message: "has no value".to_owned() });
    }
    against.total = against.total.max(total);
    if against.total > 0 {
        let advice = "Give it a fixed default, or give them values first.";
        against.message = format!("{} is required, but {} rows have no value. {advice}", new.title, against.total);
    }
    Ok(against)
}

/// A value as people read it.
pub(super) fn shown(kind: &dyn Kind, value: &Value) -> String {
    if value.is_null() || kind.concealed() {
        return String::new();
    }
    write_plain(
        kind,
        value.as_ref(),
        &ValueContext { zone: &TimeZone::UTC, now: Timestamp::UNIX_EPOCH, links: None, texts: false },
    )
}

fn row_against(id: i64, kind: &dyn Kind, held: &StoredValue, fault: ValueFault) -> RowAgainst {
    let value = match held {
        StoredValue::One(value) => shown(kind, value),
        StoredValue::Many(members) => members.iter().map(|member| shown(kind, member)).collect::<Vec<_>>().join(", "),
    };
    RowAgainst { id, value, message: fault.text().to_owned() }
}

fn described(mut against: RowConflict, new: &Property) -> RowConflict {
    if against.total > 0 {
        let kind = new.kind.name();
        against.message = format!("{} values of {} do not fit the {kind} that it becomes.", against.total, new.title);
    }
    against
}

/// Resources that have no value, by id; all where the property is not there yet.
fn without(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    property: Option<&Property>,
    limit: Option<i64>,
) -> Result<Vec<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&resource_type.table).push(" AS r");
    match property {
        Some(property) if is_multiple(property) => {
            sql.push(" WHERE NOT EXISTS (SELECT 1 FROM ").table(&property.column).push(" AS l WHERE l.owner = r.id)");
        }
        Some(property) if property.kind.files().is_some() => {
            sql.push(" WHERE NOT EXISTS (SELECT 1 FROM ").table(&ATTACHMENT).push(" AS a WHERE a.property = ");
            sql.bind(property.id).push(" AND a.object = r.id)");
        }
        Some(property) => {
            sql.push(" WHERE ").name(&property.column).push(" IS NULL");
        }
        None => {}
    }
    sql.push(" ORDER BY id");
    if let Some(limit) = limit {
        sql.limit(limit, 0);
    }
    let mut ids = Vec::new();
    tx.query(&sql, &mut |row| {
        ids.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(ids)
}

/// The next resources, after an id, that have a value.
fn batch(tx: &mut Tx<'_>, resource_type: &ResourceType, property: &Property, after: i64) -> Result<Vec<HeldValue>> {
    let mut rows: Vec<HeldValue> = Vec::new();
    let mut sql = tx.sql();
    match property.kind.storage() {
        ValueStorage::Column(column) => {
            sql.push("SELECT id, ").name(&property.column).push(" FROM ").table(&resource_type.table);
            sql.push(" WHERE id > ").bind(after).push(" AND ").name(&property.column).push(" IS NOT NULL ORDER BY id");
            sql.limit(BATCH, 0);
            tx.query(&sql, &mut |row| {
                rows.push((row.integer(0)?, StoredValue::One(row.get(1, column)?.to_value())));
                Ok(())
            })?;
        }
        ValueStorage::Links(column) => {
            sql.push("SELECT owner, value FROM ").table(&property.column);
            sql.push(" WHERE owner IN (SELECT DISTINCT owner FROM ").table(&property.column);
            sql.push(" WHERE owner > ").bind(after).push(" ORDER BY owner").limit(BATCH, 0);
            sql.push(") ORDER BY owner, position");
            tx.query(&sql, &mut |row| {
                let (owner, member) = (row.integer(0)?, row.get(1, column)?.to_value());
                match rows.last_mut() {
                    Some((last, StoredValue::Many(members))) if *last == owner => members.push(member),
                    _ => rows.push((owner, StoredValue::Many(vec![member]))),
                }
                Ok(())
            })?;
        }
        // Files are never converted.
        ValueStorage::Attachments => {}
    }
    Ok(rows)
}

/// Writes members into a link table; with `replace`, instead of those that are there.
fn put_members(tx: &mut Tx<'_>, property: &Property, rows: &[HeldValue], replace: bool) -> Result<()> {
    let ValueStorage::Links(column) = property.kind.storage() else { return Ok(()) };
    if rows.is_empty() {
        return Ok(());
    }
    if replace {
        let owners = rows.iter().map(|(id, _)| Value::Integer(*id)).collect();
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&property.column).push(" WHERE owner").any_of(ColumnType::Integer, owners);
        tx.execute(&sql)?;
    }
    let mut links = Vec::new();
    for (id, held) in rows {
        let StoredValue::Many(members) = held else { continue };
        for (position, member) in (0_i64..).zip(members) {
            links.push(vec![Value::Integer(*id), Value::Integer(position), member.clone()]);
        }
    }
    let integer = ColumnType::Integer;
    let columns = [(tables::OWNER, integer), (tables::POSITION, integer), (tables::VALUE, column)];
    tx.insert_many(&property.column, &columns, &links)?;
    Ok(())
}

fn create_converted(tx: &mut Tx<'_>, property: &Property) -> Result<()> {
    let Some(column) = tables::column_of(property) else { return Ok(()) };
    let spec = |name, column| ColumnSpec { name, column, references: None };
    Ok(tx.create_table(&TableSpec {
        name: CONVERTED,
        identity: false,
        columns: vec![spec(tables::OWNER, ColumnType::Integer), spec(tables::VALUE, column.column)],
        primary_key: vec![tables::OWNER],
    })?)
}

fn put_converted(tx: &mut Tx<'_>, property: &Property, rows: Vec<HeldValue>) -> Result<()> {
    let Some(column) = tables::column_of(property) else { return Ok(()) };
    let values = rows.into_iter().filter_map(|(id, held)| match held {
        StoredValue::One(value) => Some(vec![Value::Integer(id), value]),
        StoredValue::Many(_) => None,
    });
    let columns = [(tables::OWNER, ColumnType::Integer), (tables::VALUE, column.column)];
    tx.insert_many(&CONVERTED, &columns, &values.collect::<Vec<_>>())?;
    Ok(())
}

/// Brings the new values into the type's table, and drops the table that held them.
fn take_converted(
    tx: &mut Tx<'_>,
    resource_type: &ResourceType,
    PropertyChange { old, new }: PropertyChange<'_>,
    rebuild: bool,
) -> Result<()> {
    let Some(column) = tables::column_of(new) else { return Ok(()) };
    let table = &resource_type.table;
    // A column of another type cannot take the old one's place at once.
    let replaces = rebuild && !is_multiple(old);
    let target = if replaces { Name::numbered("c", new.id) } else { new.column.clone() };
    if rebuild {
        tx.add_column(table, &ColumnSpec { name: target.clone(), ..column })?;
    }
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(table).push(" SET ").name(&target).push(" = (SELECT value FROM ").table(&CONVERTED);
    sql.push(" AS n WHERE n.owner = id) WHERE id IN (SELECT owner FROM ").table(&CONVERTED).push(")");
    tx.execute(&sql)?;
    if rebuild {
        drop_property(tx, resource_type, old)?;
    }
    if replaces {
        tx.rename_column(table, &target, &new.column)?;
    }
    Ok(tx.drop_table(&CONVERTED)?)
}
