//! Values on their way into SQLite and out of it.

use super::errors;
use crate::sql::SqlParameter;
use crate::{ColumnType, Error, Result, Value, ValueRef};
use rusqlite::types::{ToSql, ToSqlOutput, Value as Stored, ValueRef as Lying};
use std::rc::Rc;

/// Fails where a parameter cannot be stored.
pub(super) fn check(parameter: &SqlParameter) -> Result<()> {
    match parameter {
        SqlParameter::One(value) => check_value(value),
        SqlParameter::List(_, values) => values.iter().try_for_each(check_value),
    }
}

/// Fails where a value cannot be stored.
pub(super) fn check_value(value: &Value) -> Result<()> {
    value.check().map_err(|reason| Error::Failed(reason.into()))
}

/// A parameter, as rusqlite binds it.
pub(super) struct SqliteParameter<'a>(pub(super) &'a SqlParameter);
/// A value, as rusqlite binds it.
pub(super) struct SqliteValue<'a>(pub(super) &'a Value);

impl ToSql for SqliteParameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self.0 {
            SqlParameter::One(value) => Ok(borrowed(value)),
            SqlParameter::List(_, values) => {
                let stored: Rc<Vec<Stored>> = Rc::new(values.iter().map(owned).collect());
                Ok(ToSqlOutput::from_rc(stored, c"rarray"))
            }
        }
    }
}

impl ToSql for SqliteValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(borrowed(self.0))
    }
}

fn borrowed(value: &Value) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(match value {
        Value::Null => Lying::Null,
        Value::Boolean(value) => Lying::Integer(i64::from(*value)),
        Value::Integer(value) | Value::Timestamp(value) => Lying::Integer(*value),
        Value::Float(value) => Lying::Real(*value),
        Value::Text(value) => Lying::Text(value.as_bytes()),
        Value::Bytes(value) => Lying::Blob(value),
        Value::Uuid(value) => Lying::Blob(value),
        Value::Date(value) => Lying::Integer(i64::from(*value)),
    })
}

fn owned(value: &Value) -> Stored {
    match value {
        Value::Null => Stored::Null,
        Value::Boolean(value) => Stored::Integer(i64::from(*value)),
        Value::Integer(value) | Value::Timestamp(value) => Stored::Integer(*value),
        Value::Float(value) => Stored::Real(*value),
        Value::Text(value) => Stored::Text(value.clone()),
        Value::Bytes(value) => Stored::Blob(value.clone()),
        Value::Uuid(value) => Stored::Blob(value.to_vec()),
        Value::Date(value) => Stored::Integer(i64::from(*value)),
    }
}

/// The value in a column of a row.
pub(crate) fn value<'r>(row: &'r rusqlite::Row<'_>, index: usize, column: ColumnType) -> Result<ValueRef<'r>> {
    let stored = row.get_ref(index).map_err(errors::error)?;
    Ok(match (column, stored) {
        (_, Lying::Null) => ValueRef::Null,
        (ColumnType::Integer, Lying::Integer(value)) => ValueRef::Integer(value),
        (ColumnType::Text | ColumnType::Json, Lying::Text(bytes)) => ValueRef::Text(
            std::str::from_utf8(bytes).map_err(|_| Error::Corrupt(format!("column {index} is not UTF-8")))?,
        ),
        (ColumnType::Boolean, Lying::Integer(value)) => ValueRef::Boolean(value != 0),
        (ColumnType::Float, Lying::Real(value)) => ValueRef::Float(value),
        // A sum of floats that are all whole, or a counted column, comes as an integer.
        #[expect(clippy::cast_precision_loss, reason = "a float was asked for")]
        (ColumnType::Float, Lying::Integer(value)) => ValueRef::Float(value as f64),
        (ColumnType::Timestamp, Lying::Integer(value)) => ValueRef::Timestamp(value),
        (ColumnType::Date, Lying::Integer(value)) => ValueRef::Date(
            i32::try_from(value).map_err(|_| Error::Corrupt(format!("column {index} holds {value} for a date")))?,
        ),
        (ColumnType::Bytes, Lying::Blob(bytes)) => ValueRef::Bytes(bytes),
        (ColumnType::Uuid, Lying::Blob(bytes)) => {
            ValueRef::Uuid(bytes.try_into().map_err(|_| Error::Corrupt(format!("column {index} is no UUID")))?)
        }
        (_, stored) => {
            return Err(Error::Corrupt(format!("column {index} holds {} for {column:?}", stored.data_type())));
        }
    })
}

/// Returns true if a column of a row is null.
pub(crate) fn is_null(row: &rusqlite::Row<'_>, index: usize) -> Result<bool> {
    Ok(matches!(row.get_ref(index).map_err(errors::error)?, Lying::Null))
}
