//! The SQL functions that SQLite lacks.

use super::buckets;
use crate::{calendar, text};
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

/// Makes the functions known to a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("plinth_lower", 1, flags, |context| Ok(argument(context, 0).map(text::lower)))?;
    connection.create_scalar_function("plinth_words_lower", 1, flags, |context| {
        Ok(argument(context, 0).map(str::to_lowercase))
    })?;
    connection
        .create_scalar_function("plinth_upper", 1, flags, |context| Ok(argument(context, 0).map(str::to_uppercase)))?;
    connection.create_scalar_function("plinth_decimal_text", 2, flags, |context| {
        let (units, scale): (Option<i64>, u8) = (context.get(0)?, context.get(1)?);
        Ok(units.map(|units| decimal_text(units, scale.into())))
    })?;
    connection.create_scalar_function("plinth_months_on", 2, flags, |context| {
        Ok(match (context.get_raw(0), context.get_raw(1)) {
            (ValueRef::Integer(day), ValueRef::Integer(months)) => Some(calendar::months_on(day, months)),
            (ValueRef::Null, _) | (_, ValueRef::Null) => None,
            // A number of more than 64 bits became a float.
            _ => Some(calendar::BEYOND),
        })
    })?;
    connection.create_scalar_function("plinth_fold", 1, flags, |context| Ok(argument(context, 0).map(text::fold)))?;
    connection.create_scalar_function("plinth_starts_with", 2, flags, |context| {
        Ok(both(context).map(|(text, part)| text.starts_with(part)))
    })?;
    connection.create_scalar_function("plinth_ends_with", 2, flags, |context| {
        Ok(both(context).map(|(text, part)| text.ends_with(part)))
    })?;
    connection.create_scalar_function("plinth_like", 2, flags, |context| {
        Ok(both(context).map(|(text, pattern)| text::like(text, pattern)))
    })?;
    buckets::register(connection, flags)
}

/// Units of the last digit behind the point, as a number with so many of these.
fn decimal_text(units: i64, scale: usize) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", units.unsigned_abs(), width = scale + 1);
    match digits.split_at(digits.len() - scale) {
        (whole, "") => format!("{sign}{whole}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}

fn both<'c>(context: &'c Context<'_>) -> Option<(&'c str, &'c str)> {
    Some((argument(context, 0)?, argument(context, 1)?))
}

fn argument<'c>(context: &'c Context<'_>, index: usize) -> Option<&'c str> {
    match context.get_raw(index) {
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}
