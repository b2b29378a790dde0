//! Descriptions of a schema's contents.

use super::PostgresTransaction;
use crate::{ColumnType, Name, Result, Sql, TableDescription, ValueRef, ddl};
use std::collections::BTreeMap;

/// The schema's name in what stands before a table's name.
pub(crate) fn schema(prefix: &str) -> &str {
    prefix.trim_end_matches('.').trim_matches('"')
}

/// Returns true if the table has a column `id` that the server fills.
pub(crate) fn is_identity(transaction: &mut PostgresTransaction<'_>, table: &Name) -> Result<bool> {
    let mut sql = transaction.sql();
    sql.push("SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(");
    sql.bind(format!("{}{table}", transaction.prefix())).push(") AND attname = 'id' AND attidentity <> ''");
    any(transaction, &sql)
}

/// Returns true if there is such a table.
pub(crate) fn has_table(transaction: &mut PostgresTransaction<'_>, table: &Name) -> Result<bool> {
    let mut sql = transaction.sql();
    sql.push("SELECT 1 FROM pg_class WHERE relkind = 'r' AND oid = to_regclass(");
    sql.bind(format!("{}{table}", transaction.prefix())).push(")");
    any(transaction, &sql)
}

fn any(transaction: &mut PostgresTransaction<'_>, sql: &Sql) -> Result<bool> {
    let mut found = false;
    transaction.query(sql, &mut |_| {
        found = true;
        Ok(())
    })?;
    Ok(found)
}

/// All tables and views but our own, sorted by name.
pub(crate) fn tables(transaction: &mut PostgresTransaction<'_>) -> Result<Vec<TableDescription>> {
    let schema = schema(transaction.prefix()).to_owned();
    let mut tables: BTreeMap<String, TableDescription> = BTreeMap::new();

    let mut sql = transaction.sql();
    sql.push(
        "SELECT c.relname, c.relkind = 'v' FROM pg_class AS c WHERE c.relkind IN ('r', 'v') AND c.relname NOT IN (",
    );
    sql.bind(ddl::STATE.as_str())
        .push(", ")
        .bind(ddl::ALLOWANCE.as_str())
        .push(") AND c.relnamespace = ")
        .bind(schema.as_str())
        .push("::text::regnamespace");
    transaction.query(&sql, &mut |row| {
        let name = row.text(0)?.to_owned();
        let view = row.get(1, ColumnType::Boolean)? == ValueRef::Boolean(true);
        tables.insert(name.clone(), TableDescription { name, columns: Vec::new(), indexes: Vec::new(), view });
        Ok(())
    })?;

    let mut sql = transaction.sql();
    sql.push(
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), t.relname
         FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
         LEFT JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum]
         LEFT JOIN pg_class AS t ON t.oid = k.confrelid
         WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v') AND c.relnamespace = ",
    );
    sql.bind(schema.as_str()).push("::text::regnamespace ORDER BY c.relname, a.attname COLLATE \"C\"");
    transaction.query(&sql, &mut |row| {
        let target = match row.get(3, ColumnType::Text)? {
            ValueRef::Text(target) => Some(target.to_owned()),
            _ => None,
        };
        if let Some(table) = tables.get_mut(row.text(0)?) {
            table.columns.push((row.text(1)?.to_owned(), row.text(2)?.to_owned(), target));
        }
        Ok(())
    })?;

    let mut sql = transaction.sql();
    sql.push(
        "SELECT t.relname, i.relname FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid
         JOIN pg_class AS t ON t.oid = x.indrelid WHERE NOT x.indisprimary AND t.relnamespace = ",
    );
    sql.bind(schema.as_str()).push("::text::regnamespace ORDER BY i.relname COLLATE \"C\"");
    transaction.query(&sql, &mut |row| {
        if let Some(table) = tables.get_mut(row.text(0)?) {
            table.indexes.push(row.text(1)?.to_owned());
        }
        Ok(())
    })?;
    Ok(tables.into_values().collect())
}
