//! Plans of statements, in the words of their engines.

use crate::sql::SqlDialect;
use crate::{Result, Sql, Store, Tx};
use std::sync::atomic::{AtomicU64, Ordering};

impl Store {
    /// Returns the lines of the plan of a statement that reads, whatever its values are. The statement does not run. It
    /// blocks, on a connection apart from those of requests.
    pub fn plan_blocking(&self, statement: &str) -> Result<Vec<String>> {
        self.read_blocking(|tx| match tx.sql().dialect {
            SqlDialect::Sqlite => sqlite_plan(tx, statement),
            SqlDialect::Postgres { .. } => postgres_plan(tx, statement),
        })
    }
}

fn sqlite_plan(tx: &mut Tx<'_>, statement: &str) -> Result<Vec<String>> {
    let mut sql = tx.sql();
    sql.text = format!("EXPLAIN QUERY PLAN {statement}");
    let (mut lines, mut depths) = (Vec::new(), Vec::<(i64, usize)>::new());
    tx.query(&sql, &mut |row| {
        let (id, parent) = (row.integer(0)?, row.integer(1)?);
        let depth = depths.iter().find(|(known, _)| *known == parent).map_or(0, |(_, depth)| depth + 1);
        depths.push((id, depth));
        lines.push(format!("{:1$}{2}", "", depth * 2, row.text(3)?));
        Ok(())
    })?;
    Ok(lines)
}

/// A prepared statement has a plan without values: servers before 16 tell no other such plan.
fn postgres_plan(tx: &mut Tx<'_>, statement: &str) -> Result<Vec<String>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    // Settings of a transaction need one: without it, the plan would be one for nulls, which finds no rows.
    tx.snapshot()?;
    // A name of its own: one whose statement fails stays until its connection ends.
    let name = format!("plinth_plan_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    tx.change(|_| format!("SET LOCAL lock_timeout = '1s'; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE {name} AS {statement}"))?;
    let mut sql: Sql = tx.sql();
    let values = vec!["NULL"; parameters(statement)].join(", ");
    let values = if values.is_empty() { values } else { format!("({values})") };
    sql.text = format!("EXPLAIN EXECUTE {name} {values}");
    let mut lines = Vec::new();
    tx.query(&sql, &mut |row| {
        lines.push(row.text(0)?.to_owned());
        Ok(())
    })?;
    tx.change(|_| format!("DEALLOCATE {name}"))?;
    Ok(lines)
}

/// Returns the greatest number of a parameter such as `$2`.
fn parameters(statement: &str) -> usize {
    let numbers = statement.split('$').skip(1).map(|rest| {
        let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        // PostgreSQL takes no more than that.
        rest[..digits].parse::<u16>().map_or(0, usize::from)
    });
    numbers.max().unwrap_or(0)
}
