//! Writing many resources from a file: rows are read, references found, and batches written in one transaction.
//!
//! What reads files hands over cells or objects, one row at a time, and never holds more than a batch.

mod columns;
mod lookups;
mod ready;
mod report;
mod rows;
mod write;

pub use report::{ImportReport, RowProblem};

use crate::error::{Error, Problem, Result};
use crate::kinds::{self, Stored};
use crate::resources::ripple::Ripple;
use crate::resources::{accept, relation_filter, turns};
use crate::tenants::{Call, Tenant};
use crate::types::{Action, FIRST_PROPERTY, Property, Type};
use columns::Column;
use database::Tx;
use lookups::Lookups;
use rows::Row;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// How many rows are written at once.
const BATCH: usize = 1_000;

/// What an import is to do.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Whether rows are new, or found by a key.
    pub mode: ImportMode,
    /// The property that finds existing rows; the type's `codeProperty` where none is named.
    pub key: Option<String>,
    /// Whether rows without problems are kept where others have some.
    pub keep_going: bool,
    /// Whether nothing is kept in the end.
    pub dry_run: bool,
    /// Names of columns that stand for other names: column, name.
    pub renamed: Vec<(String, String)>,
}

/// Whether rows are new or old.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportMode {
    /// Each row is a new resource.
    #[default]
    Create,
    /// Each row changes the resource that its key finds.
    Update,
    /// Each row changes the resource that its key finds, or is a new one.
    Upsert,
}

/// An import that goes on. Rows are handed to it in the order of the file.
pub struct Import<'t, 'c> {
    tx: &'t mut Tx<'c>,
    call: &'t Call,
    resource_type: &'t Arc<Type>,
    options: ImportOptions,
    /// The property that finds rows, and its place among the lookups; none where all rows are new.
    key: Option<(&'t Property, usize)>,
    /// What new rows have where the file is silent, by position.
    defaults: Vec<Option<Stored>>,
    header: Vec<Column<'t>>,
    lookups: Lookups<'t>,
    pending: Vec<Row>,
    uuids: write::Uuids,
    ripple: Ripple,
    report: ImportReport,
}

impl Tenant {
    /// Imports what `feed` hands over, with all rights and in one transaction: all rows, or none where one has
    /// a problem and the options do not say otherwise. It blocks: for commands.
    pub fn import(
        &self,
        collection: &str,
        options: ImportOptions,
        feed: impl FnOnce(&mut Import<'_, '_>) -> Result<()>,
    ) -> Result<ImportReport> {
        const UNDONE: &str = "import_undone";
        let mut ended = None;
        let written = self.write_as_administrator(|tx, call| {
            let mut import = Import::begin(tx, call, collection, options)?;
            feed(&mut import)?;
            let report = import.finish()?;
            let kept = report.kept;
            ended = Some(report);
            if kept { Ok(()) } else { Err(Error::invalid(UNDONE, "The import was undone.")) }
        });
        match (written, ended) {
            (Err(error), _) if error.code != UNDONE => Err(error),
            (_, Some(report)) => Ok(report),
            (_, None) => Err(Error::failed("an import ended without a report")),
        }
    }
}

impl<'t, 'c> Import<'t, 'c> {
    fn begin(tx: &'t mut Tx<'c>, call: &'t Call, collection: &str, options: ImportOptions) -> Result<Self> {
        let resource_type = call.actor.allowed(&call.model, collection, Action::Edit)?.resource_type;
        turns::to_change_many(tx, resource_type)?;
        let mut lookups = Lookups::default();
        let key = match options.mode {
            ImportMode::Create => None,
            ImportMode::Update | ImportMode::Upsert => {
                let property = columns::key(resource_type, options.key.as_deref())?;
                Some((property, lookups.by(resource_type, property)?))
            }
        };
        for property in resource_type.properties() {
            let Some(relation) = property.kind.relation() else { continue };
            if let Some(filter) = relation_filter::condition(&call.model, &call.actor, relation, call.now)? {
                lookups.filter(relation.type_id, property.position, filter);
            }
        }
        let defaults = defaults(resource_type, call)?;
        Ok(Import {
            tx,
            call,
            resource_type,
            options,
            key,
            defaults,
            header: Vec::new(),
            lookups,
            pending: Vec::with_capacity(BATCH),
            uuids: write::Uuids::default(),
            ripple: Ripple::default(),
            report: ImportReport::default(),
        })
    }

    /// Takes the names of the columns that the cells of all rows are in.
    pub fn header<'h>(&mut self, names: impl Iterator<Item = &'h str>) -> Result<()> {
        let mut seen: Vec<&str> = Vec::new();
        for name in names {
            if seen.contains(&name) {
                return Err(Error::invalid("column_twice", format!("The column {name:?} is there twice.")));
            }
            seen.push(name);
            let column = self.column(name)?;
            self.header.push(column);
        }
        self.key_given(seen.into_iter())
    }

    /// Takes the cells of a row; an empty one is null.
    pub fn cells<'r>(&mut self, line: u64, cells: impl Iterator<Item = &'r str> + Clone) -> Result<()> {
        self.report.rows += 1;
        let (count, expected) = (cells.clone().count(), self.header.len());
        if count != expected {
            let message = format!("The row has {count} cells, the header {expected}.");
            self.report.add(line, Problem { property: String::new(), code: "cells", message });
            return Ok(());
        }
        let mut row = Row::new(line, self.resource_type.fields.len());
        for (index, cell) in cells.enumerate() {
            let column = self.header[index];
            let read = rows::read_cell(&mut self.lookups, column, cell, &self.call.context());
            self.put(&mut row, column, read);
        }
        self.add(row)
    }

    /// Takes a row as an object of values in wire form.
    pub fn object(&mut self, line: u64, object: &Map<String, Json>) -> Result<()> {
        self.report.rows += 1;
        let mut row = Row::new(line, self.resource_type.fields.len());
        for (name, value) in object {
            let column = match self.column(name) {
                Ok(column) => column,
                Err(error) => {
                    let problem = Problem { property: name.clone(), code: error.code, message: error.message };
                    self.report.add(line, problem);
                    row.faulty = true;
                    continue;
                }
            };
            let read = rows::read_json(&mut self.lookups, column, value, &self.call.context());
            self.put(&mut row, column, read);
        }
        self.add(row)
    }

    /// Notes a row that could not be read.
    pub fn unreadable(&mut self, line: u64, message: &str) {
        self.report.rows += 1;
        self.report.add(line, Problem { property: String::new(), code: "unreadable", message: message.to_owned() });
    }

    fn column(&mut self, name: &str) -> Result<Column<'t>> {
        let name = renamed(&self.options, name);
        let key = self.key.map(|(property, _)| property);
        columns::resolve(name, self.resource_type, &self.call.model, key, &mut self.lookups)
    }

    fn key_given<'h>(&self, mut names: impl Iterator<Item = &'h str>) -> Result<()> {
        match self.key {
            Some((key, _)) if !names.any(|name| renamed(&self.options, name) == key.name) => {
                Err(Error::invalid("key_missing", format!("The file has no column {:?}, which is the key.", key.name)))
            }
            _ => Ok(()),
        }
    }

    fn put(&mut self, row: &mut Row, column: Column<'t>, read: Result<Option<rows::Given>, kinds::Fault>) {
        let Some(property) = column.property() else { return };
        let read = read.and_then(|given| match &given {
            Some(rows::Given::Value(stored)) => accept::check_zone(property, stored).map(|()| given),
            _ => Ok(given),
        });
        match read {
            Ok(Some(given)) => row.given[property.position] = Some(given),
            Ok(None) => {}
            Err(fault) => {
                self.report.add(row.line, fault.of(&property.name, &property.title));
                row.faulty = true;
            }
        }
    }

    fn add(&mut self, row: Row) -> Result<()> {
        if !row.faulty {
            self.pending.push(row);
        }
        if self.pending.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<ImportReport> {
        self.close()?;
        let mut report = self.report;
        report.kept = !self.options.dry_run && (report.problem_count == 0 || self.options.keep_going);
        Ok(report)
    }
}

/// The name that a column's name stands for.
fn renamed<'n>(options: &'n ImportOptions, name: &'n str) -> &'n str {
    options.renamed.iter().find(|(column, _)| column == name).map_or(name, |(_, name)| name)
}

fn defaults(resource_type: &Type, call: &Call) -> Result<Vec<Option<Stored>>> {
    let default = |property: &Property| {
        let wire = property.default.as_ref().filter(|_| property.position >= FIRST_PROPERTY);
        wire.map(|wire| kinds::accept(property.kind.as_ref(), wire, &call.context())).transpose()
    };
    let read = resource_type.fields.iter().map(default).collect::<Result<Vec<_>, _>>();
    read.map_err(|fault| Error::failed(format!("a default of {}: {}", resource_type.name, fault.message)))
}
