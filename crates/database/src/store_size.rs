//! The size of a store, as its engine tells it.

use crate::sql::SqlDialect;
use crate::{Result, Store};

impl Store {
    /// Returns the bytes of the store's tables and indexes. For SQLite that is its file without the log; for PostgreSQL,
    /// what its tables take on the disk of the server. It blocks.
    pub fn size_blocking(&self) -> Result<u64> {
        self.read_blocking(|tx| {
            let mut sql = tx.sql();
            match sql.dialect.clone() {
                SqlDialect::Sqlite => {
                    sql.push("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
                }
                SqlDialect::Postgres { prefix } => {
                    let schema = prefix.trim_end_matches('.').trim_matches('"').to_owned();
                    sql.push("SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c ");
                    sql.push("JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = ");
                    sql.bind(schema);
                }
            }
            let mut bytes = 0;
            tx.query(&sql, &mut |row| {
                bytes = row.integer(0)?;
                Ok(())
            })?;
            Ok(u64::try_from(bytes).unwrap_or_default())
        })
    }
}
