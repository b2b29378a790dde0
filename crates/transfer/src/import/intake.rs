//! Takes the rows of a file, one at a time: cells or objects.

use super::columns::{self, ImportColumn};
use super::faults::CellFault;
use super::problem_texts;
use super::rows::{self, CellReading, GivenValue, WaitingRow};
use super::state::{BATCH, Import, RowSink, STOPPED};
use crate::source::{RowTaker, SourceRow, TypedCells};
use model::error::{Error, InputProblem, Result};
use model::json;
use model::json::LongNumber;
use model::kinds;
use model::types::Property;
use resources::accept;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// An import of at most so many rows holds nobody up, and goes into one transaction.
const SHORT: u64 = 500;

impl RowTaker for Import<'_, '_> {
    fn header(&mut self, names: &csv::StringRecord) -> Result<()> {
        Import::header(self, names.iter())
    }

    fn row(&mut self, line: u64, row: &SourceRow) -> Result<()> {
        match row {
            SourceRow::Cells(cells, typed) => self.cells_with(line, cells.iter(), typed),
            SourceRow::Object(object, numbers) => self.object_with(line, object, numbers),
            SourceRow::Unreadable(message) => self.unreadable(line, message),
        }
    }
}

impl<'t> Import<'t, '_> {
    /// Takes the names of the columns that the cells of all rows are in.
    pub fn header<'h>(&mut self, names: impl Iterator<Item = &'h str>) -> Result<()> {
        let mut seen = HashSet::new();
        let mut filled: HashMap<usize, &str> = HashMap::new();
        for name in names {
            // Spreadsheets have columns that are empty.
            let named = !name.is_empty() || self.options.meaning(name) != name;
            if named && !seen.insert(name) {
                return Err(Error::invalid(
                    "column_twice",
                    format!("The column {:?} is given twice.", problem_texts::value(name)),
                ));
            }
            let column = if named { self.column(name)? } else { ImportColumn::Ignored };
            let other = column.property().and_then(|property| filled.insert(property.position, name));
            if let (Some(property), Some(other)) = (column.property(), other) {
                let [other, name] = [other, name].map(problem_texts::value);
                let message =
                    format!("The columns {other:?} and {name:?} both give {:?}. Leave one of them out.", property.name);
                return Err(Error::invalid("column_twice", message));
            }
            self.header.push(column);
        }
        self.key_given(seen.into_iter())
    }

    /// Takes the cells of a row, which are texts; an empty one is null.
    pub fn cells<'r>(&mut self, line: u64, cells: impl Iterator<Item = &'r str> + Clone) -> Result<()> {
        self.cells_with(line, cells, &TypedCells::default())
    }

    /// Takes the cells of a row, of which some have a type.
    fn cells_with<'r>(
        &mut self,
        line: u64,
        cells: impl Iterator<Item = &'r str> + Clone,
        typed: &TypedCells,
    ) -> Result<()> {
        if self.count()? {
            return Ok(());
        }
        let (count, expected) = (cells.clone().count(), self.header.len());
        if count != expected {
            let message = format!("The row has {count} cells, the header {expected}.");
            self.report.add(line, InputProblem { property: String::new(), code: "cells", message });
            return Ok(());
        }
        let mut row = WaitingRow::new(line, self.resource_type.fields.len());
        let (context, decimal, dates) = (self.context.value_context(), self.options.decimal, self.options.dates);
        for (index, cell) in cells.enumerate() {
            let column = self.header[index];
            let reading = CellReading { context, decimal, dates, is_typed: typed.has(index) };
            let read = rows::read_cell(&mut self.lookups, column, cell, &reading);
            put(&mut row, column, read);
        }
        self.add(row)
    }

    /// Takes a row as an object of values in wire form.
    pub fn object(&mut self, line: u64, object: &Map<String, Json>) -> Result<()> {
        self.object_with(line, object, &[])
    }

    /// Takes a row as an object with its numbers of many digits, which it may have lost.
    fn object_with(&mut self, line: u64, object: &Map<String, Json>, numbers: &[LongNumber]) -> Result<()> {
        if self.count()? {
            return Ok(());
        }
        let mut row = WaitingRow::new(line, self.resource_type.fields.len());
        for (name, value) in object {
            let column = match self.column(name) {
                Ok(column) => column,
                Err(error) => {
                    let problem = InputProblem { property: name.clone(), code: error.code, message: error.message };
                    row.faults.push(problem.into());
                    continue;
                }
            };
            if column.property().is_some_and(|property| row.given[property.position].is_some()) {
                let message = "Another member of the row gives the same property. Leave one of them out.".to_owned();
                row.faults.push(InputProblem { property: name.clone(), code: "column_twice", message }.into());
                continue;
            }
            let value =
                column.property().map_or(Ok(Cow::Borrowed(value)), |property| exact(property, name, value, numbers));
            let read = value
                .map_err(CellFault::from)
                .and_then(|value| rows::read_json(&mut self.lookups, column, &value, &self.context.value_context()));
            put(&mut row, column, read);
        }
        self.add(row)
    }

    /// Notes a row that could not be read.
    pub fn unreadable(&mut self, line: u64, message: &str) -> Result<()> {
        if self.count()? {
            return Ok(());
        }
        self.report
            .add(line, InputProblem { property: String::new(), code: "unreadable", message: message.to_owned() });
        Ok(())
    }

    /// Counts a row; tells whether that is all that is done with it.
    fn count(&mut self) -> Result<bool> {
        self.report.rows += 1;
        match self.sink {
            RowSink::Count if self.report.rows > SHORT => Err(stopped()),
            RowSink::Count => Ok(true),
            RowSink::Groups(_) if self.report.problem_count > 0 && !self.options.keep_going => Err(stopped()),
            RowSink::Groups(lease) => lease.stay_alive().map(|()| false),
            RowSink::Whole(_) | RowSink::Check(_) => Ok(false),
        }
    }

    pub(super) fn column(&mut self, name: &str) -> Result<ImportColumn<'t>> {
        if self.options.omitted.iter().any(|omitted| omitted == name) {
            return Ok(ImportColumn::Ignored);
        }
        let name = self.options.meaning(name);
        let key = self.key.map(|(property, _)| property);
        let (rights, context) = (&self.rights, self.context);
        let may = |property: &Property| rights.check(context, property, key);
        columns::resolve(name, self.resource_type, &context.model, key, &mut self.lookups, &may)
    }

    fn key_given<'h>(&self, mut names: impl Iterator<Item = &'h str>) -> Result<()> {
        match self.key {
            Some((key, _)) if !names.any(|name| self.options.meaning(name) == key.name) => {
                Err(Error::invalid("key_missing", format!("The file has no column {:?}, which is the key.", key.name)))
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, row: WaitingRow) -> Result<()> {
        // One with faults waits, too: what else is wrong with it is told together.
        self.pending.push(row);
        let enough = match self.sink {
            RowSink::Groups(lease) => lease.size(),
            RowSink::Count | RowSink::Whole(_) | RowSink::Check(_) => BATCH,
        };
        if self.pending.len() >= enough { self.flush() } else { Ok(()) }
    }
}

/// Notes what a row gives for the property of a column.
fn put(row: &mut WaitingRow, column: ImportColumn<'_>, read: Result<Option<GivenValue>, CellFault>) {
    let Some(property) = column.property() else { return };
    let read = read.and_then(|given| match &given {
        Some(GivenValue::Value(stored)) => Ok(accept::check_zone(property, stored).map(|()| given)?),
        _ => Ok(given),
    });
    match read {
        Ok(Some(given)) => row.given[property.position] = Some(given),
        Ok(None) => {}
        Err(fault) => {
            row.faults.push(fault.of(property));
            row.given[property.position] = Some(GivenValue::Faulty);
        }
    }
}

/// The value as it is written: a decimal with all its digits. Fails for a document that lost some.
fn exact<'v>(
    property: &Property,
    name: &str,
    value: &'v Json,
    numbers: &[LongNumber],
) -> Result<Cow<'v, Json>, kinds::ValueFault> {
    let mut own = numbers.iter().filter(|number| number.member == name);
    if property.kind.is_document() && own.clone().any(|number| number.lost) {
        return Err(kinds::lost_digits());
    }
    let number = value.as_number().filter(|number| property.kind.scale().is_some() && number.is_f64());
    let number = number.and_then(serde_json::Number::as_f64);
    let literal = number.and_then(|number| own.find(|long| long.literal.parse() == Ok(number)));
    let text = literal.and_then(|long| json::plain(&long.literal));
    Ok(text.map_or(Cow::Borrowed(value), |text| Cow::Owned(Json::String(text))))
}

fn stopped() -> Error {
    Error::invalid(STOPPED, "The import stopped before the end of the file.")
}
