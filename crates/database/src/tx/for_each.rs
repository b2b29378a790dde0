//! One statement for each of some rows, in the way that is quickest on each engine.

use super::{TransactionEngine, Tx};
use crate::sql::SqlDialect;
use crate::{ColumnType, Result, Row, Sql, Value};

/// A statement that reads what belongs to a row; it gets what appends the row's id.
pub type OwnedStatement<'s> = &'s dyn Fn(&mut Sql, &mut dyn FnMut(&mut Sql));

impl Sql {
    /// Returns true where [`Tx::query_for_each`] runs a statement again for each id.
    pub fn repeats_for_each(&self) -> bool {
        matches!(self.dialect, SqlDialect::Sqlite)
    }
}

impl Tx<'_> {
    /// Runs a statement, which selects so many columns, for each of some ids. The rows of one id come in the order of the
    /// statement. SQLite runs it again and again; PostgreSQL joins it to the ids, in one round trip.
    pub fn query_for_each(
        &mut self,
        ids: &[i64],
        width: usize,
        statement: OwnedStatement<'_>,
        take: &mut dyn FnMut(i64, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        if let TransactionEngine::Sqlite(transaction) = &mut self.engine {
            let (mut sql, mut places) = (transaction.sql(), Vec::new());
            statement(&mut sql, &mut |sql| {
                places.push(sql.parameters.len());
                sql.bind(0);
            });
            return transaction.query_for_each(&sql, &places, ids, take);
        }
        let mut sql = self.sql();
        sql.push("SELECT m.*, o.id FROM unnest(");
        sql.list(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
        sql.push("::bigint[]) AS o(id) CROSS JOIN LATERAL (");
        statement(&mut sql, &mut |sql| _ = sql.push("o.id"));
        sql.push(") AS m");
        self.query(&sql, &mut |row| take(row.integer(width)?, row))
    }
}
