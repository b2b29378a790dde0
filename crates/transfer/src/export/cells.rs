//! Rows as cells: the columns of a selection, and the values of a row for them.
//!
//! A related resource in its place has a column for each of its fields, `country.code`. Documents, files, lists of
//! resources and wrapped values are JSON in one cell.

use database::ColumnType;
use model::error::{Error, Result};
use model::kinds::ValueStorage;
use resources::fields::{Member, Selection};
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The columns of an export.
pub(super) struct CellColumns {
    /// Their names.
    pub(super) names: Vec<String>,
    /// The form of the values of each.
    pub(super) forms: Vec<CellForm>,
    fields: Vec<CellField>,
}

/// Form of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellForm {
    /// One value, or the members of a list.
    Plain,
    /// A binary number, which a spreadsheet has exactly.
    Float,
    /// A calendar day.
    Date,
    /// JSON, whatever it is.
    Document,
}

/// A field of a row: a cell, or several.
struct CellField {
    name: String,
    place: FieldPlace,
}

enum FieldPlace {
    Cell(usize),
    Inner(Vec<CellField>),
}

impl CellColumns {
    /// The columns of a selection.
    pub(super) fn of(selection: &Selection<'_>) -> Self {
        let mut columns = CellColumns { names: Vec::new(), forms: Vec::new(), fields: Vec::new() };
        columns.fields = columns.add(selection, "");
        columns
    }

    fn add(&mut self, selection: &Selection<'_>, before: &str) -> Vec<CellField> {
        let field = |member: &Member<'_>| {
            let name = member.property.name.clone();
            let path = format!("{before}{name}");
            let place = match member.target() {
                Some(target) => FieldPlace::Inner(self.add(target, &format!("{path}."))),
                None => self.cell(path, form(member)),
            };
            CellField { name, place }
        };
        let mut fields: Vec<CellField> = selection.members.iter().map(field).collect();
        for (name, are_rows) in selection.related_names() {
            // A list that was cut says so beside.
            let form = if are_rows { CellForm::Document } else { CellForm::Plain };
            let more = are_rows.then(|| (format!("{name}.$more"), CellForm::Plain));
            for (name, form) in std::iter::once((name.to_owned(), form)).chain(more) {
                let place = self.cell(format!("{before}{name}"), form);
                fields.push(CellField { name, place });
            }
        }
        fields
    }

    /// Adds a column.
    fn cell(&mut self, name: String, form: CellForm) -> FieldPlace {
        self.names.push(name);
        self.forms.push(form);
        FieldPlace::Cell(self.names.len() - 1)
    }

    /// Reads the values of a row, which is JSON in wire form. A field that the row does not show has none.
    pub(super) fn read<'r>(&self, row: &'r [u8]) -> Result<Vec<Option<&'r RawValue>>> {
        let mut cells = vec![None; self.names.len()];
        let row = std::str::from_utf8(row).map_err(|error| Error::failed(format!("a row is not UTF-8: {error}")))?;
        read(&self.fields, row, &mut cells).map_err(|error| Error::failed(format!("a row is not JSON: {error}")))?;
        Ok(cells)
    }
}

fn form(member: &Member<'_>) -> CellForm {
    if member.wrapped() || member.expands() {
        return CellForm::Document;
    }
    let kind = &member.property.kind;
    match kind.storage() {
        _ if kind.is_document() || kind.files().is_some() => CellForm::Document,
        ValueStorage::Column(ColumnType::Date) => CellForm::Date,
        ValueStorage::Column(ColumnType::Float) => CellForm::Float,
        _ => CellForm::Plain,
    }
}

fn read<'r>(fields: &[CellField], row: &'r str, cells: &mut [Option<&'r RawValue>]) -> serde_json::Result<()> {
    serde_json::Deserializer::from_str(row).deserialize_map(CellVisitor { fields, cells })
}

/// Reads the members of a row.
struct CellVisitor<'f, 'c, 'r> {
    fields: &'f [CellField],
    cells: &'c mut [Option<&'r RawValue>],
}

impl<'r> Visitor<'r> for CellVisitor<'_, '_, 'r> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row")
    }

    fn visit_map<A: MapAccess<'r>>(self, mut row: A) -> Result<(), A::Error> {
        let mut next = 0;
        while let Some(name) = row.next_key::<&str>()? {
            // Members come in the order of fields; some may be missing.
            let found = self.fields[next..].iter().position(|field| field.name == name);
            let Some(found) = found else {
                row.next_value::<IgnoredAny>()?;
                continue;
            };
            next += found;
            let value = row.next_value::<&RawValue>()?;
            match &self.fields[next].place {
                FieldPlace::Cell(index) => self.cells[*index] = Some(value),
                FieldPlace::Inner(fields) if value.get().starts_with('{') => {
                    read(fields, value.get(), self.cells).map_err(serde::de::Error::custom)?;
                }
                FieldPlace::Inner(_) => {}
            }
            next += 1;
        }
        Ok(())
    }
}

/// The text of a cell: empty where there is no value.
pub(super) fn text(value: Option<&RawValue>, form: CellForm) -> Cow<'_, str> {
    let Some(value) = value.map(RawValue::get).filter(|value| *value != "null") else { return Cow::Borrowed("") };
    if form == CellForm::Document {
        return Cow::Borrowed(value);
    }
    match value.as_bytes().first() {
        Some(b'"') => unquoted(value),
        Some(b'[') => Cow::Owned(joined(value)),
        _ => Cow::Borrowed(value),
    }
}

/// The text of a JSON string.
fn unquoted(value: &str) -> Cow<'_, str> {
    let inner = &value[1..value.len() - 1];
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    serde_json::from_str(value).map_or(Cow::Borrowed(value), Cow::Owned)
}

/// The members of a JSON array between `|`; the array itself where one of them has a `|`.
fn joined(array: &str) -> String {
    let Ok(members) = serde_json::from_str::<Vec<Json>>(array) else { return array.to_owned() };
    let texts = members.iter().map(|member| member.as_str().map_or_else(|| member.to_string(), str::to_owned));
    let texts: Vec<String> = texts.collect();
    if texts.iter().any(|text| text.contains('|') || text.trim() != text || text.is_empty() || text.starts_with('[')) {
        return array.to_owned();
    }
    texts.join("|")
}
