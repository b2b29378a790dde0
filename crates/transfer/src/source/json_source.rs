//! Rows of JSON: the members of an array, or a line each.

use super::row_limit::RowLimit;
use super::{RowTaker, SourceRow, unreadable};
use model::error::{Error, Result};
use serde::de::{self, Deserializer as _, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};
use std::cell::Cell;
use std::fmt;
use std::io::{BufRead, Read as _};
use std::rc::Rc;

pub(super) fn lines(mut reader: impl BufRead, most: u64, taker: &mut dyn RowTaker) -> Result<()> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = reader.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        if length as u64 == most {
            return Err(unreadable(format!("line {number} is longer than {most} bytes")));
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let row = match serde_json::from_slice::<Map<String, Json>>(&bytes) {
            Ok(object) => SourceRow::Object(object),
            Err(error) => SourceRow::Unreadable(format!("The line is not a JSON object: {error}.")),
        };
        taker.row(number, &row)?;
    }
    Ok(())
}

pub(super) fn array(reader: impl BufRead, most: u64, taker: &mut dyn RowTaker) -> Result<()> {
    let mut failed = None;
    let (reader, left) = RowLimit::new(reader, most);
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let rows = ArrayRows { taker, most, left, failed: &mut failed };
    let read = deserializer.deserialize_seq(rows).and_then(|()| deserializer.end());
    match (failed, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(unreadable(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Takes the members of an array as they come.
struct ArrayRows<'v> {
    taker: &'v mut dyn RowTaker,
    /// The bytes that a row may have.
    most: u64,
    /// The bytes that the row may still have.
    left: Rc<Cell<u64>>,
    failed: &'v mut Option<Error>,
}

impl<'de> Visitor<'de> for ArrayRows<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(row) = rows.next_element::<Map<String, Json>>()? {
            number += 1;
            self.left.set(self.most);
            if let Err(error) = self.taker.row(number, &SourceRow::Object(row)) {
                *self.failed = Some(error);
                return Err(de::Error::custom("the rows were not taken"));
            }
        }
        Ok(())
    }
}
