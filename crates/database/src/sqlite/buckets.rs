//! SQLite's functions of intervals and of sums of floats: see [`crate::Sql::bucket`].

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;

/// Makes the functions known to a connection.
pub(super) fn register(connection: &Connection, flags: FunctionFlags) -> rusqlite::Result<()> {
    connection.create_scalar_function("plinth_bucket", 2, flags, |context| {
        let place = place(context)?;
        Ok(place.and_then(|place| i64::try_from(place).ok()))
    })?;
    connection.create_scalar_function("plinth_step", 3, flags, |context| {
        let numbers = context.get_or_create_aux(2, numbers)?;
        Ok(place(context)?.and_then(|place| numbers.get(place).copied()))
    })?;
    connection.create_aggregate_function("plinth_float_sum", 1, flags, FloatSum)
}

/// Returns the number of edges that are not above a value. They are unpacked once for a statement.
fn place(context: &Context<'_>) -> rusqlite::Result<Option<usize>> {
    let ValueRef::Integer(value) = context.get_raw(0) else { return Ok(None) };
    let edges = context.get_or_create_aux(1, numbers)?;
    Ok(Some(edges.partition_point(|edge| *edge <= value)))
}

fn numbers(packed: ValueRef<'_>) -> Result<Vec<i64>, rusqlite::types::FromSqlError> {
    let (numbers, _) = packed.as_blob()?.as_chunks::<8>();
    Ok(numbers.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
}

/// A sum in the order in which numbers come.
struct FloatSum;

impl Aggregate<Option<f64>, Option<f64>> for FloatSum {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Option<f64>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, sum: &mut Option<f64>) -> rusqlite::Result<()> {
        let number = match context.get_raw(0) {
            ValueRef::Real(number) => number,
            ValueRef::Integer(number) => number as f64,
            _ => return Ok(()),
        };
        *sum = Some(sum.unwrap_or(0.0) + number);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sum: Option<Option<f64>>) -> rusqlite::Result<Option<f64>> {
        Ok(sum.flatten())
    }
}
