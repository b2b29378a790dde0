//! The bodies of the server's messages.

use super::decode_values::RowFields;
use std::io;
use std::ops::Range;
use tokio_postgres::types::{Kind, Type};

/// The places of a row's values in its message.
pub(crate) type FieldPlaces = Vec<Option<Range<usize>>>;

/// The values of a row.
pub(crate) fn row<'r>(body: &'r [u8], columns: &'r [Type], places: &'r mut FieldPlaces) -> io::Result<RowFields<'r>> {
    places.clear();
    let mut at = 2;
    for _ in columns {
        let length = word(body, at)?;
        at += 4;
        match usize::try_from(length) {
            Ok(length) => {
                places.push(Some(at..at + length));
                at += length;
            }
            Err(_) => places.push(None),
        }
    }
    if at > body.len() {
        return Err(broken());
    }
    Ok(RowFields { columns, places, body })
}

/// The types of a statement's parameters.
pub(crate) fn parameters(body: &[u8]) -> io::Result<Vec<Type>> {
    (2..body.len()).step_by(4).map(|at| word(body, at).map(type_of)).collect()
}

/// The types of a statement's columns.
pub(crate) fn columns(body: &[u8]) -> io::Result<Vec<Type>> {
    let mut types = Vec::new();
    let mut at = 2;
    while at < body.len() {
        let name = body[at..].iter().position(|byte| *byte == 0).ok_or_else(broken)?;
        // The name, its table, the column there; behind the type are its size, its modifier and a format.
        types.push(type_of(word(body, at + name + 7)?));
        at += name + 19;
    }
    Ok(types)
}

/// Returns the number of rows that a statement changed or gave: the last word of `INSERT 0 1`.
pub(crate) fn count(body: &[u8]) -> u64 {
    let tag = body.strip_suffix(&[0]).unwrap_or(body);
    let number = tag.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn type_of(number: i32) -> Type {
    let number = number.cast_unsigned();
    // Our statements speak of none but the server's own.
    Type::from_oid(number).unwrap_or_else(|| Type::new(format!("type {number}"), number, Kind::Simple, String::new()))
}

fn word(body: &[u8], at: usize) -> io::Result<i32> {
    let bytes = body.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map(i32::from_be_bytes).ok_or_else(broken)
}

/// Returns the error of a message that no server sends.
pub(crate) fn broken() -> io::Error {
    io::Error::other("the server does not keep to the protocol")
}
