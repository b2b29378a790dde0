//! Rows become JSON, straight into the answer's bytes.

use super::fields::{Member, RowInput, Selection};
use super::sparing::{LARGE_ROW, LargeRows};
use database::{ColumnType, Row, Value, ValueRef};
use model::error::{Error, Result};
use model::kinds::{ValueContext, ValueStorage, json};
use query::row_access as rows;
use serde_json::value::RawValue;
use std::ops::Range;

/// The most bytes of an answer.
const MOST_BYTES: usize = 64 << 20;
/// The code of the error of an answer with more.
pub(crate) const TOO_LARGE: &str = "answer_too_large";
/// The most expanded resources that one level may refer to.
const MOST_REFERENCES: usize = 1_000_000;

/// A place in written rows where expanded resources belong.
pub(crate) struct RowPlaceholder {
    /// Offset in the bytes.
    pub(crate) at: usize,
    /// Index of the member in the selection.
    pub(crate) member: usize,
    /// True if an array belongs there, or one object or null.
    pub(crate) many: bool,
    /// The number of the row.
    pub(crate) row: usize,
    /// The ids of the resources.
    pub(crate) ids: Vec<i64>,
}

/// A member of a row, with its name and the separator before it, which is left out where it does not apply.
pub(crate) struct OmittedField {
    /// Range in the bytes.
    pub(crate) range: Range<usize>,
    /// Index of the member in the selection.
    pub(crate) member: usize,
    /// The number of the row.
    pub(crate) row: usize,
}

/// Rows that were written one after the other, with holes where expanded resources belong.
#[derive(Default)]
pub struct WrittenRows {
    /// The JSON of all rows.
    pub bytes: Vec<u8>,
    /// The end of each row.
    pub ends: Vec<usize>,
    /// In order of their place.
    pub(crate) holes: Vec<RowPlaceholder>,
    /// Members that are left out of rows that they do not apply to, in order of their place.
    pub(crate) gaps: Vec<OmittedField>,
    /// For what is calculated: of each row its id, and the values that are carried along.
    pub(super) carried: Vec<Value>,
    /// Number of ids in the holes.
    references: usize,
    /// The large rows, where those that are too large for a list are left out.
    pub(super) sparing: Option<LargeRows>,
    /// Bytes of rows that were moved elsewhere: places count from the first row on.
    pub(super) moved: usize,
    /// True if rows are to be read anew for what is calculated, since there would be too much to carry.
    pub(super) anew: bool,
    /// Bytes of texts that are carried along.
    carried_bytes: usize,
}

impl WrittenRows {
    /// With room for so many rows of common size.
    pub(crate) fn for_rows(rows: usize) -> Self {
        let rows = rows.min(256);
        WrittenRows { bytes: Vec::with_capacity(rows * 512), ends: Vec::with_capacity(rows), ..WrittenRows::default() }
    }

    /// The same, for a list that has these large rows so far: one that is too large for it is left out.
    pub(super) fn sparing(self, sparing: Option<LargeRows>) -> Self {
        WrittenRows { sparing, ..self }
    }

    /// Returns true if no answer can be made of it any more: further rows are not worth writing.
    pub(crate) fn overfull(&self) -> bool {
        self.end() > MOST_BYTES || self.references > MOST_REFERENCES
    }

    /// The place behind the last byte.
    pub(super) fn end(&self) -> usize {
        self.moved + self.bytes.len()
    }

    /// Fails where it is overfull, or would be with so many bytes in its holes.
    pub fn check(&self, filling: usize) -> Result<()> {
        if self.overfull() { Err(too_large()) } else { refuse_more(self.end().saturating_add(filling)) }
    }

    /// Writes a row, behind those that are there; returns whether it is not left out.
    pub fn row(
        &mut self,
        row: &Row<'_>,
        selection: &Selection<'_>,
        context: &ValueContext<'_>,
    ) -> database::Result<bool> {
        let before = (self.bytes.len(), self.holes.len(), self.gaps.len(), self.references);
        self.object(row, selection, context)?;
        let bytes = self.bytes.len() - before.0;
        let Some(sparing) = self.sparing.as_mut().filter(|_| bytes > LARGE_ROW) else {
            return self.end_row(row, selection).map(|()| true);
        };
        if sparing.takes(row.integer(selection.id_column())?, bytes, &selection.resource_type.name) {
            return self.end_row(row, selection).map(|()| true);
        }
        self.bytes.truncate(before.0);
        self.bytes.shrink_to(before.0 + LARGE_ROW);
        self.holes.truncate(before.1);
        self.gaps.truncate(before.2);
        self.references = before.3;
        Ok(false)
    }

    fn end_row(&mut self, row: &Row<'_>, selection: &Selection<'_>) -> database::Result<()> {
        self.ends.push(self.end());
        if selection.calculates() { self.carry(row, selection) } else { Ok(()) }
    }

    /// Writes a row of the selection's columns as an object.
    fn object(&mut self, row: &Row<'_>, selection: &Selection<'_>, context: &ValueContext<'_>) -> database::Result<()> {
        let mut separator = b'{';
        let calculates = selection.calculates();
        for (index, member) in selection.members.iter().enumerate() {
            if let Some(guard) = &member.guard
                && !rows::shows(row, selection.grant_column(), guard)?
            {
                continue;
            }
            let from = self.end();
            let conditional = calculates && selection.condition(member.property).is_some();
            self.bytes.push(separator);
            separator = b',';
            self.bytes.push(b'"');
            // Names are made of letters, digits and underscores.
            self.bytes.extend_from_slice(member.property.name.as_bytes());
            self.bytes.extend_from_slice(b"\":");
            if member.property.is_virtual() {
                self.hole(index, false, Vec::new());
            } else {
                match member.wrapping {
                    None => self.member(row, index, member, context)?,
                    Some(wrapping) => self.wrapped(row, index, member, wrapping, context)?,
                }
            }
            if conditional {
                self.gaps.push(OmittedField { range: from..self.end(), member: index, row: self.ends.len() });
            }
        }
        if !selection.related.is_empty() {
            self.related(row.integer(selection.id_column())?, selection, &mut separator);
        }
        self.bytes.extend_from_slice(if separator == b'{' { b"{}" } else { b"}" });
        Ok(())
    }

    /// Leaves holes for the members behind the fields, which are read by the row's id.
    fn related(&mut self, id: i64, selection: &Selection<'_>, separator: &mut u8) {
        for (index, name) in selection.related.names().enumerate() {
            self.bytes.push(std::mem::replace(separator, b','));
            self.bytes.push(b'"');
            // Names of inverses are made like those of properties; those of totals have points and a dollar sign, too.
            self.bytes.extend_from_slice(name.as_bytes());
            self.bytes.extend_from_slice(b"\":");
            self.hole(selection.members.len() + index, true, vec![id]);
        }
    }

    fn carry(&mut self, row: &Row<'_>, selection: &Selection<'_>) -> database::Result<()> {
        self.carried.push(Value::Integer(row.integer(selection.id_column())?));
        if self.anew {
            return Ok(());
        }
        let mut behind = selection.carried_column()..;
        for RowInput { position, member } in selection.carried.iter().flat_map(|carried| carried.iter()) {
            let index = member.or_else(|| behind.next());
            let storage = selection.resource_type.fields[*position].kind.storage();
            if let (Some(index), ValueStorage::Column(column)) = (index, storage) {
                let value = row.get(index, column)?.to_value();
                if let Value::Text(text) = &value {
                    self.carried_bytes += text.len();
                }
                self.carried.push(value);
            }
        }
        Ok(())
    }

    /// Keeps nothing but the ids of what was carried, where that has come to so many bytes.
    pub(super) fn carry_less(&mut self, most: usize, selection: &Selection<'_>) {
        if self.carried_bytes <= most || self.anew {
            return;
        }
        let width = self.carried_by_row(selection);
        let mut values = std::mem::take(&mut self.carried).into_iter();
        while let Some(id) = values.next() {
            self.carried.push(id);
            values.by_ref().take(width - 1).for_each(drop);
        }
        (self.anew, self.carried_bytes) = (true, 0);
    }

    /// The number of values that are carried along for each row.
    pub(super) fn carried_by_row(&self, selection: &Selection<'_>) -> usize {
        let beside = selection.carried.as_ref().filter(|_| !self.anew).map_or(0, |carried| carried.len());
        if selection.calculates() { 1 + beside } else { 0 }
    }

    fn member(
        &mut self,
        row: &Row<'_>,
        index: usize,
        member: &Member<'_>,
        context: &ValueContext<'_>,
    ) -> database::Result<()> {
        let kind = &member.property.kind;
        match kind.storage() {
            ValueStorage::Column(column) => match row.get(index, column)? {
                ValueRef::Null => json::write_null(&mut self.bytes),
                ValueRef::Integer(id) if member.expansion.is_some() => self.hole(index, false, vec![id]),
                value => kind.write(value, context, &mut self.bytes),
            },
            ValueStorage::Attachments => {
                let files = parse_files(row.text(index)?)?;
                let write = |file: &RawValue, out: &mut Vec<u8>| kind.write(ValueRef::Text(file.get()), context, out);
                match files.first() {
                    _ if kind.holds_several() => self.array(files, write),
                    Some(file) => write(file, &mut self.bytes),
                    None => json::write_null(&mut self.bytes),
                }
            }
            ValueStorage::Links(ColumnType::Integer) => {
                let ids: Vec<i64> = parse_links(row.text(index)?)?;
                if member.expansion.is_some() {
                    self.hole(index, true, ids);
                } else {
                    self.array(ids, |id, out| kind.write(ValueRef::Integer(id), context, out));
                }
            }
            ValueStorage::Links(_) => {
                let texts: Vec<String> = parse_links(row.text(index)?)?;
                self.array(texts, |text, out| kind.write(ValueRef::Text(&text), context, out));
            }
        }
        Ok(())
    }

    pub(super) fn hole(&mut self, member: usize, many: bool, ids: Vec<i64>) {
        self.references += ids.len();
        self.holes.push(RowPlaceholder { at: self.end(), member, many, row: self.ends.len(), ids });
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

/// Fails where so many bytes are more than an answer may have.
pub(super) fn refuse_more(bytes: usize) -> Result<()> {
    if bytes > MOST_BYTES { Err(too_large()) } else { Ok(()) }
}

fn too_large() -> Error {
    let megabytes = MOST_BYTES >> 20;
    let message = format!("The answer would be larger than {megabytes} MB. Ask for fewer resources or fields.");
    Error::invalid(TOO_LARGE, message)
}

pub(super) fn parse_files(text: &str) -> database::Result<Vec<&RawValue>> {
    serde_json::from_str(text).map_err(|error| database::Error::Corrupt(format!("files: {error}")))
}

pub(super) fn parse_links<T: serde::de::DeserializeOwned>(text: &str) -> database::Result<Vec<T>> {
    serde_json::from_str(text).map_err(|error| database::Error::Corrupt(format!("links: {error}")))
}
