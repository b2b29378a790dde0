//! Rows in bulk: a column of each, as an array.

use super::{PostgresTransaction, catalog};
use crate::{ColumnType, Error, Name, Result, Sql, Value};

/// Rows of one INSERT.
const BATCH: usize = 4000;

impl PostgresTransaction<'_> {
    pub(crate) fn insert_many(
        &mut self,
        table: &Name,
        columns: &[(Name, ColumnType)],
        rows: &[Vec<Value>],
    ) -> Result<Vec<i64>> {
        fitting(columns, rows)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        // No table changes in that; but one that is not there looks like one without.
        let name = format!("{}{table}", self.prefix());
        let known = self.session.identity(&name);
        let identity = known.map_or_else(|| catalog::is_identity(self, table), Ok)?;
        let given = columns.iter().any(|(name, _)| name.as_str() == "id");
        let mut ids = Vec::with_capacity(if identity && !given { rows.len() } else { 0 });
        for batch in rows.chunks(if columns.is_empty() { 1 } else { BATCH }) {
            let sql = insert(self.sql(), table, columns, batch, identity && !given);
            self.query(&sql, &mut |row| {
                ids.push(row.integer(0)?);
                Ok(())
            })?;
        }
        if known.is_none() {
            self.session.remember_identity(name, identity);
        }
        if identity && given {
            self.skip_ids(table)?;
        }
        Ok(ids)
    }

    /// The same for rows whose ids nobody asks for: they go with the next statement, or with the commit.
    pub(crate) fn defer_many(
        &mut self,
        table: &Name,
        columns: &[(Name, ColumnType)],
        rows: &[Vec<Value>],
    ) -> Result<()> {
        fitting(columns, rows)?;
        for batch in rows.chunks(if columns.is_empty() { 1 } else { BATCH }) {
            self.defer(insert(self.sql(), table, columns, batch, false))?;
        }
        Ok(())
    }

    /// Takes a number that no row gets.
    pub(crate) fn grow(&mut self, table: &Name) -> Result<()> {
        let mut sql = self.sql();
        sql.push("SELECT nextval(pg_get_serial_sequence(").bind(format!("{}{table}", self.prefix())).push(", 'id'))");
        self.query(&sql, &mut |_| Ok(()))
    }

    /// Lets the ids that the server gives go on behind those that a table has.
    fn skip_ids(&mut self, table: &Name) -> Result<()> {
        let mut sql = self.sql();
        sql.push("SELECT setval(s.sequence, greatest(s.highest, nextval(s.sequence) - 1)) FROM (SELECT ");
        sql.push("pg_get_serial_sequence(")
            .bind(format!("{}{table}", self.prefix()))
            .push(", 'id')::regclass AS sequence, ");
        sql.push("(SELECT max(id) FROM ").table(table).push(") AS highest) AS s WHERE s.highest IS NOT NULL");
        self.query(&sql, &mut |_| Ok(()))
    }
}

fn fitting(columns: &[(Name, ColumnType)], rows: &[Vec<Value>]) -> Result<()> {
    match rows.iter().find(|row| row.len() != columns.len()) {
        Some(row) => Err(Error::Failed(format!("a row of {} values for {} columns", row.len(), columns.len()))),
        None => Ok(()),
    }
}

fn insert(mut sql: Sql, table: &Name, columns: &[(Name, ColumnType)], rows: &[Vec<Value>], ids: bool) -> Sql {
    sql.push("INSERT INTO ").table(table);
    if columns.is_empty() {
        sql.push(" DEFAULT VALUES");
    } else {
        sql.push(" (").names(columns.iter().map(|(name, _)| name)).push(") ");
        if let [row] = rows {
            values(&mut sql, columns, row);
        } else {
            many(&mut sql, columns, rows);
        }
    }
    if ids {
        sql.push(" RETURNING id");
    }
    sql
}

/// One row as it is: that takes the server half the time of a list of one.
fn values(sql: &mut Sql, columns: &[(Name, ColumnType)], row: &[Value]) {
    for (index, ((_, column), value)) in columns.iter().zip(row).enumerate() {
        sql.push(if index == 0 { "VALUES (" } else { ", " }).bind_as(*column, value.clone());
    }
    sql.push(")");
}

fn many(sql: &mut Sql, columns: &[(Name, ColumnType)], rows: &[Vec<Value>]) {
    let names = || columns.iter().map(|(name, _)| name);
    sql.push("SELECT ").names(names()).push(" FROM unnest(");
    for (index, (_, column)) in columns.iter().enumerate() {
        let values = rows.iter().map(|row| row[index].clone()).collect();
        sql.push(if index == 0 { "" } else { ", " }).list(*column, values).push("::").column_type(*column).push("[]");
    }
    sql.push(") WITH ORDINALITY AS given (").names(names()).push(", ordinality) ORDER BY ordinality");
}
