//! Rows of JSON: the members of an array, or a line each.

use super::row_limit::RowLimit;
use super::{RowTaker, SourceRow, unreadable};
use model::error::{Error, Result};
use model::json::long_numbers;
use serde::de::{self, Deserializer as _, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::cell::Cell;
use std::fmt;
use std::io::{BufRead, Read as _};
use std::rc::Rc;

/// The most values of a row: each takes some 100 bytes, and the text of one takes two.
const VALUES: usize = 200_000;

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
        taker.row(number, &object(&bytes))?;
    }
    Ok(())
}

/// The row that a text is, which is JSON or not.
fn object(text: &[u8]) -> SourceRow {
    if values(text) > VALUES {
        return SourceRow::Unreadable(format!("The row has more than {VALUES} values."));
    }
    match serde_json::from_slice::<Map<String, Json>>(text) {
        Ok(object) => SourceRow::Object(object, long_numbers(text)),
        Err(error) => SourceRow::Unreadable(format!("The row is not a JSON object: {error}.")),
    }
}

/// At least as many values as JSON has: there is one behind each comma and each bracket.
fn values(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' | b'[' | b'{' => count += usize::from(!quoted),
            _ => {}
        }
    }
    count
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
        while let Some(row) = rows.next_element::<Box<RawValue>>()? {
            number += 1;
            self.left.set(self.most);
            if let Err(error) = self.taker.row(number, &object(row.get().as_bytes())) {
                *self.failed = Some(error);
                return Err(de::Error::custom("the rows were not taken"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{object, values};
    use crate::source::SourceRow;

    #[test]
    fn values_are_counted_outside_of_texts() {
        assert_eq!(values(br#"{"a, [": "\"[,{", "b": [1, 2, {}]}"#), 6);
    }

    #[test]
    fn a_row_of_many_values_is_not_made() {
        let wide = format!("{{\"a\": [{}0]}}", "0,".repeat(200_000));
        assert!(matches!(object(wide.as_bytes()), SourceRow::Unreadable(message) if message.contains("200000 values")));
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(matches!(object(deep.as_bytes()), SourceRow::Unreadable(_)));
    }
}
