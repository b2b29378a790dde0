//! Rows of a tenant from one store to another, whatever their engines are.

use configuration::{ApplyFailure, Files, UPGRADES};
use context::tables;
use database::{ColumnType, Name, TableSpec, Tx, Value};
use model::environment::Environment;
use model::error::{Error, Result};
use model::types::tables::{ID, tables_of};
use std::collections::BTreeMap;

/// The most rows, and the most bytes of long values, that are written together.
const BATCH: (usize, usize) = (500, 1 << 20);
/// The name of a row in statements.
const ROW: Name = Name::fixed("r");

/// Returns all tables of a store with the tenant's and the platform's rows.
pub fn tables(tx: &mut Tx<'_>) -> Result<Vec<TableSpec>> {
    let model = configuration::stored_types(tx)?;
    let own = model.iter().flat_map(|model| &model.types).flat_map(|of| tables_of(of));
    Ok(tables::specs().into_iter().chain(own).collect())
}

/// Makes an empty store one with the tables of these files.
pub fn build(tx: &mut Tx<'_>, environment: &Environment, name: &str, files: &Files) -> Result<()> {
    tables::create(tx, environment.random.as_ref(), UPGRADES)?;
    configuration::create(tx, name, environment.clock.now())?;
    configuration::apply_within(tx, environment, files).map_err(|failure| match failure {
        ApplyFailure::Other(error) => error,
        ApplyFailure::Files(problems) => refused(problems.first().map(ToString::to_string).unwrap_or_default()),
        ApplyFailure::Refused(_) => Error::failed("rows stand against an empty store"),
    })
}

fn refused(problem: String) -> Error {
    let message = format!("This version of Plinth refuses the configuration of the backup: {problem}.");
    Error::invalid("backup_configuration", message)
}

/// Replaces all rows of a store by those of another, of one moment; returns their numbers, by table. What follows from
/// rows, such as full text, is built anew.
pub fn copy(from: &mut Tx<'_>, to: &mut Tx<'_>, progress: &mut dyn FnMut(u64)) -> Result<BTreeMap<String, u64>> {
    from.snapshot()?;
    let all = tables(from)?;
    let mut rows = BTreeMap::new();
    to.without_references(&all, |to| -> Result<()> {
        for table in &all {
            let mut sql = to.sql();
            sql.push("DELETE FROM ").table(&table.name);
            to.execute(&sql)?;
            rows.insert(table.name.as_str().to_owned(), copy_table(from, to, table, progress)?);
            if table.identity {
                let last = from.last_number(&table.name)?;
                to.number_behind(&table.name, last)?;
            }
        }
        Ok(())
    })?;
    tables::renew(to, UPGRADES)?;
    Ok(rows)
}

fn copy_table(from: &mut Tx<'_>, to: &mut Tx<'_>, table: &TableSpec, progress: &mut dyn FnMut(u64)) -> Result<u64> {
    let own = table.columns.iter().map(|column| (column.name.clone(), column.column));
    let id = table.identity.then_some((ID, ColumnType::Integer));
    let columns: Vec<(Name, ColumnType)> = id.into_iter().chain(own).collect();
    let mut sql = from.sql();
    sql.push("SELECT ");
    for (place, (name, _)) in columns.iter().enumerate() {
        sql.push(if place > 0 { ", " } else { "" }).column(&ROW, name);
    }
    sql.push(" FROM ").table(&table.name).push(" r");
    let (mut count, mut bytes, mut batch) = (0, 0, Vec::new());
    from.query(&sql, &mut |row| {
        let mut values = Vec::with_capacity(columns.len());
        for (place, (_, column)) in columns.iter().enumerate() {
            let value = row.get(place, *column)?.to_value();
            bytes += match &value {
                Value::Text(text) => text.len(),
                Value::Bytes(bytes) => bytes.len(),
                _ => 0,
            };
            values.push(value);
        }
        batch.push(values);
        count += 1;
        if batch.len() >= BATCH.0 || bytes >= BATCH.1 {
            to.insert_many(&table.name, &columns, &batch)?;
            progress(batch.len() as u64);
            batch.clear();
            bytes = 0;
        }
        Ok(())
    })?;
    to.insert_many(&table.name, &columns, &batch)?;
    progress(batch.len() as u64);
    Ok(count)
}
