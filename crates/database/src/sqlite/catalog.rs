//! Descriptions of a file's contents.

use crate::{Name, TableDescription, ddl};
use rusqlite::Connection;

/// Returns true if the table has a column `id` that the engine fills.
pub(super) fn has_id(connection: &Connection, table: &Name) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT count(*) FROM pragma_table_info(?1) WHERE name = 'id' AND pk = 1 AND type = 'INTEGER'")?
        .query_row([table.as_str()], |row| row.get::<_, i64>(0))
        .map(|count| count > 0)
}

/// All tables and views but our own, sorted by name.
pub(super) fn tables(connection: &Connection) -> rusqlite::Result<Vec<TableDescription>> {
    let mut statement = connection.prepare(
        "SELECT name, type FROM sqlite_schema
         WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ?1
         AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY name",
    )?;
    let found = statement
        .query_map([ddl::STATE.as_str()], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)? == "view")))?;
    found
        .map(|table| {
            let (name, view) = table?;
            let columns = columns(connection, &name)?;
            let indexes = indexes(connection, &name)?;
            Ok(TableDescription { name, columns, indexes, view })
        })
        .collect()
}

/// Returns true if there is such a table.
pub(super) fn has_table(connection: &Connection, table: &Name) -> rusqlite::Result<bool> {
    // A statement, since what SQLite remembers of tables may be older than the transaction.
    let mut statement = connection.prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1")?;
    statement.exists([table.as_str()])
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
    connection
        .prepare(
            "SELECT c.name, c.type, k.\"table\" FROM pragma_table_info(?1) AS c
             LEFT JOIN pragma_foreign_key_list(?1) AS k ON k.\"from\" = c.name ORDER BY c.name",
        )?
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}

fn indexes(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare("SELECT name FROM pragma_index_list(?1) WHERE origin = 'c' ORDER BY name")?
        .query_map([table], |row| row.get(0))?
        .collect()
}
