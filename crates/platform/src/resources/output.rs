//! Rows become JSON, straight into the answer's bytes.

use super::expand::{self, Hole};
use super::fields::{Member, Selection};
use super::request::item_missing;
use crate::error::{Error, Result};
use crate::kinds::{Context, Storage, json};
use crate::tenants::Call;
use database::{ColumnType, Row, Sql, Tx, ValueRef};

/// How many bytes an answer may have.
const MOST_BYTES: usize = 64 << 20;
/// How many expanded resources one level may refer to.
const MOST_REFERENCES: usize = 1_000_000;

/// Runs a statement that gives at most one row, and writes it.
pub(crate) fn single(
    tx: &mut Tx<'_>,
    call: &Call,
    selection: &Selection<'_>,
    statement: impl FnOnce(&mut Sql),
) -> Result<Vec<u8>> {
    let mut sql = tx.sql();
    statement(&mut sql);
    if selection.expands() {
        tx.snapshot()?;
    }
    let mut written = Written::for_rows(1);
    let context = call.context();
    tx.query(&sql, &mut |row| written.row(row, selection, &context))?;
    if written.ends.is_empty() {
        return Err(item_missing());
    }
    expand::fill(tx, call, selection, written).map(|filled| filled.bytes)
}

/// Rows that were written one after the other, with holes where expanded resources belong.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    /// Where each row ends.
    pub(crate) ends: Vec<usize>,
    /// In order of their place.
    pub(crate) holes: Vec<Hole>,
    /// How many ids are in the holes.
    references: usize,
}

impl Written {
    /// With room for so many rows of common size.
    pub(crate) fn for_rows(rows: usize) -> Self {
        let rows = rows.min(256);
        Written { bytes: Vec::with_capacity(rows * 512), ends: Vec::with_capacity(rows), ..Written::default() }
    }

    /// Whether no answer can be made of it any more: further rows are not worth writing.
    pub(crate) fn overfull(&self) -> bool {
        self.bytes.len() > MOST_BYTES || self.references > MOST_REFERENCES
    }

    /// Fails where it is overfull, or would be with so many bytes in its holes.
    pub(crate) fn check(&self, filling: usize) -> Result<()> {
        if !self.overfull() && self.bytes.len().saturating_add(filling) <= MOST_BYTES {
            return Ok(());
        }
        let megabytes = MOST_BYTES >> 20;
        let message = format!("The answer would be larger than {megabytes} MB. Ask for fewer resources or fields.");
        Err(Error::invalid("answer_too_large", message))
    }

    /// Writes a row of the selection's columns as an object.
    pub(crate) fn row(
        &mut self,
        row: &Row<'_>,
        selection: &Selection<'_>,
        context: &Context<'_>,
    ) -> database::Result<()> {
        let mut separator = b'{';
        for (index, member) in selection.members.iter().enumerate() {
            self.bytes.push(separator);
            separator = b',';
            self.bytes.push(b'"');
            // Names are made of letters, digits and underscores.
            self.bytes.extend_from_slice(member.property.name.as_bytes());
            self.bytes.extend_from_slice(b"\":");
            self.member(row, index, member, context)?;
        }
        self.bytes.extend_from_slice(if separator == b'{' { b"{}" } else { b"}" });
        self.ends.push(self.bytes.len());
        Ok(())
    }

    fn member(
        &mut self,
        row: &Row<'_>,
        index: usize,
        member: &Member<'_>,
        context: &Context<'_>,
    ) -> database::Result<()> {
        let kind = &member.property.kind;
        match kind.storage() {
            Storage::Column(column) => match row.get(index, column)? {
                ValueRef::Null => json::write_null(&mut self.bytes),
                ValueRef::Integer(id) if member.expansion.is_some() => self.hole(index, false, vec![id]),
                value => kind.write(value, context, &mut self.bytes),
            },
            Storage::Links(ColumnType::Integer) => {
                let ids: Vec<i64> = parse_links(row.text(index)?)?;
                if member.expansion.is_some() {
                    self.hole(index, true, ids);
                } else {
                    self.array(ids, |id, out| kind.write(ValueRef::Integer(id), context, out));
                }
            }
            Storage::Links(_) => {
                let texts: Vec<String> = parse_links(row.text(index)?)?;
                self.array(texts, |text, out| kind.write(ValueRef::Text(&text), context, out));
            }
        }
        Ok(())
    }

    fn hole(&mut self, member: usize, many: bool, ids: Vec<i64>) {
        self.references += ids.len();
        self.holes.push(Hole { at: self.bytes.len(), member, many, ids });
    }

    fn array<T>(&mut self, items: Vec<T>, mut write: impl FnMut(T, &mut Vec<u8>)) {
        self.bytes.push(b'[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.bytes.push(b',');
            }
            write(item, &mut self.bytes);
        }
        self.bytes.push(b']');
    }
}

fn parse_links<T: serde::de::DeserializeOwned>(text: &str) -> database::Result<Vec<T>> {
    serde_json::from_str(text).map_err(|error| database::Error::Corrupt(format!("links: {error}")))
}
