//! Numbers of intervals, and sums of floats in an order: what both engines must do alike.

use super::{Sql, SqlDialect};
use crate::{ColumnType, Value};

impl Sql {
    /// Returns true where the engine sorts all rows to group them, so that a program groups faster.
    pub fn groups_by_sorting(&self) -> bool {
        matches!(self.dialect, SqlDialect::Sqlite)
    }

    /// Appends the number of the interval in which a date or an instant lies: the number of edges, which ascend, that
    /// are not above it. Null of a null.
    pub fn bucket(&mut self, column: ColumnType, value: impl FnOnce(&mut Sql), edges: &[i64]) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => self.around("plinth_bucket(", value, ", ").bind(packed(edges)).push(")"),
            SqlDialect::Postgres { .. } => {
                self.around("CAST(width_bucket(", value, ", ").edges(column, edges).push(") AS bigint)")
            }
        }
    }

    /// Appends the number that holds from the last edge that is not above a date or an instant. There is one number
    /// more than edges: the first is for what is below all of them.
    pub fn step(
        &mut self,
        column: ColumnType,
        value: impl FnOnce(&mut Sql),
        edges: &[i64],
        numbers: &[i64],
    ) -> &mut Self {
        match self.dialect {
            SqlDialect::Sqlite => {
                self.around("plinth_step(", value, ", ").bind(packed(edges)).push(", ").bind(packed(numbers)).push(")")
            }
            SqlDialect::Postgres { .. } => {
                let numbers = numbers.iter().copied().map(Value::Integer).collect();
                self.push("(").list(ColumnType::Integer, numbers).push("::bigint[])[");
                self.around("width_bucket(", value, ", ").edges(column, edges).push(") + 1]")
            }
        }
    }

    /// Appends a sum of floats, added one after the other in the order of an integer, so that both engines round alike.
    /// No sum of numbers within `f64::MAX / 2^32` is too large.
    pub fn float_sum(&mut self, value: impl FnOnce(&mut Sql), order: impl FnOnce(&mut Sql)) -> &mut Self {
        let name = match self.dialect {
            SqlDialect::Sqlite => "plinth_float_sum(",
            SqlDialect::Postgres { .. } => "SUM(",
        };
        self.around(name, value, " ORDER BY ").around("", order, ")")
    }

    fn edges(&mut self, column: ColumnType, edges: &[i64]) -> &mut Self {
        let edge = |edge: &i64| match column {
            ColumnType::Date => Value::Date(i32::try_from(*edge).unwrap_or(i32::MAX)),
            _ => Value::Timestamp(*edge),
        };
        self.list(column, edges.iter().map(edge).collect()).push("::").column_type(column).push("[]")
    }
}

/// Integers as bytes, as the functions of SQLite read them.
fn packed(numbers: &[i64]) -> Value {
    Value::Bytes(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}
