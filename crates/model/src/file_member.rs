//! A file of a property as it is in memory: a JSON array of the columns of its row.

use crate::table_names::ATTACHMENT;
use crate::types::Property;
use database::{ColumnType, Name, Row, Sql, Value, ValueRef};
use serde::{Deserialize, Serialize};

/// The columns of a member, in its order.
const COLUMNS: [Name; 9] = [
    Name::fixed("id"),
    Name::fixed("name"),
    Name::fixed("title"),
    Name::fixed("size"),
    Name::fixed("mime"),
    Name::fixed("hash"),
    Name::fixed("created"),
    Name::fixed("width"),
    Name::fixed("height"),
];
const POSITION: Name = Name::fixed("position");

/// A file of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMember(
    /// Id.
    pub i64,
    /// Name.
    pub String,
    /// Title.
    pub String,
    /// Size in bytes.
    pub i64,
    /// Media type.
    pub String,
    /// SHA-256.
    pub String,
    /// When it was uploaded, in milliseconds.
    pub i64,
    /// Width.
    pub Option<i64>,
    /// Height.
    pub Option<i64>,
);

impl FileMember {
    /// Reads the columns of a row, from an index on.
    pub fn read(row: &Row<'_>, first: usize) -> database::Result<Self> {
        let text = |index: usize| row.text(first + index).map(str::to_owned);
        Ok(FileMember(
            row.integer(first)?,
            text(1)?,
            text(2)?,
            row.integer(first + 3)?,
            text(4)?,
            text(5)?,
            row.integer(first + 6)?,
            optional(row, first + 7)?,
            optional(row, first + 8)?,
        ))
    }

    /// The member that a value holds.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => serde_json::from_str(text).ok(),
            _ => None,
        }
    }

    /// The value that holds it.
    pub fn value(&self) -> Value {
        Value::Text(serde_json::to_string(self).unwrap_or_default())
    }
}

fn optional(row: &Row<'_>, index: usize) -> database::Result<Option<i64>> {
    Ok(match row.get(index, ColumnType::Integer)? {
        ValueRef::Integer(value) => Some(value),
        _ => None,
    })
}

/// Appends the names of a member's columns.
pub fn push_columns(sql: &mut Sql) {
    for (index, column) in COLUMNS.iter().enumerate() {
        sql.push(if index > 0 { ", " } else { "" }).name(column);
    }
}

/// Appends the members of a property of one resource, in order, as a JSON array's text.
pub fn push_members(sql: &mut Sql, property: &Property, object: impl FnOnce(&mut Sql)) {
    sql.json_rows(&ATTACHMENT, &COLUMNS, &POSITION, |sql| {
        // Written out: statements that begin so are kept as texts.
        sql.push("a.property = ").literal(property.id).push(" AND a.object = ");
        object(sql);
    });
}
