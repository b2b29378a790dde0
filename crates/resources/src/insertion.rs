//! The statements that insert the row of a new resource.

use super::record::{self, Record};
use super::{tally, unique};
use context::counter;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Row, Sql, Tx, Value};
use model::error::Result;
use model::kinds::StoredValue;
use model::types::{Property, ResourceType};

/// Inserts the row and gives its id. Where it is `concluded`, the transaction ends with it.
pub(super) fn insert(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    resource_type: &ResourceType,
    record: &Record,
    concluded: bool,
) -> Result<i64> {
    if let StoredValue::One(Value::Integer(id)) = record.values[0] {
        return insert_again(tx, request, resource_type, record).map(|()| id);
    }
    let insert = statement(tx.sql(), resource_type, record);
    let mut id = 0;
    let mut take_id = |statement: usize, row: &Row<'_>| {
        if statement == 0 {
            id = row.integer(0)?;
        }
        Ok(())
    };
    if concluded {
        let count = counter::statement(tx, resource_type.id, 1);
        let tally = tally::statements(tx, resource_type, None, &record.values);
        let statements: Vec<&Sql> = std::iter::once(&insert).chain(&tally).chain([&count]).collect();
        tx.commit_with(&statements, &mut take_id)
    } else {
        tx.query_all(&[&insert], &mut take_id)
    }
    .map_err(|error| unique::explain(error, request, resource_type))?;
    Ok(id)
}

/// Inserts the row of a record that has an id already.
fn insert_again(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    resource_type: &ResourceType,
    record: &Record,
) -> Result<()> {
    let columns: Vec<(Name, ColumnType)> =
        record::columns(resource_type).map(|(property, column)| (property.column.clone(), column)).collect();
    let value = |property: &Property| match &record.values[property.position] {
        StoredValue::One(value) => value.clone(),
        StoredValue::Many(_) => Value::Null,
    };
    let row = record::columns(resource_type).map(|(property, _)| value(property)).collect();
    let inserted = tx.insert_many(&resource_type.table, &columns, &[row]);
    inserted.map(drop).map_err(|error| unique::explain(error, request, resource_type))
}

fn statement(mut sql: Sql, resource_type: &ResourceType, record: &Record) -> Sql {
    sql.push("INSERT INTO ").table(&resource_type.table).push(" (");
    // The engine gives the id, which is the first.
    for (index, (property, _)) in record::columns(resource_type).skip(1).enumerate() {
        sql.push(if index > 0 { ", " } else { "" }).name(&property.column);
    }
    sql.push(") VALUES (");
    for (index, (property, _)) in record::columns(resource_type).skip(1).enumerate() {
        if index > 0 {
            sql.push(", ");
        }
        if let StoredValue::One(value) = &record.values[property.position] {
            sql.bind(value.clone());
        }
    }
    sql.push(") RETURNING id");
    sql
}
