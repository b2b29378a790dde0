//! The SQL functions that SQLite lacks.

use crate::text;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

/// Makes the functions known to a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("plinth_lower", 1, flags, |context| Ok(argument(context, 0).map(text::lower)))?;
    connection.create_scalar_function("plinth_fold", 1, flags, |context| Ok(argument(context, 0).map(text::fold)))?;
    connection.create_scalar_function("plinth_starts_with", 2, flags, |context| {
        Ok(both(context).map(|(text, part)| text.starts_with(part)))
    })?;
    connection.create_scalar_function("plinth_ends_with", 2, flags, |context| {
        Ok(both(context).map(|(text, part)| text.ends_with(part)))
    })?;
    connection.create_scalar_function("plinth_like", 2, flags, |context| {
        Ok(both(context).map(|(text, pattern)| text::like(text, pattern)))
    })
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
