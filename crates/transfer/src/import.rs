//! Writing many resources from a file: rows are read, references found, and batches written in one transaction.
//!
//! What reads files hands over cells or objects, one row at a time, and never holds more than a batch.

mod columns;
mod held_runs;
mod journal;
mod lookups;
mod ready;
mod recovery;
mod report;
mod rows;
mod takeover;
mod undo;
mod uuids;
mod write;

pub use recovery::next;
pub use recovery::recover_imports;

pub use report::{ImportReport, RowProblem};

use columns::ImportColumn;
use context::request_context::RequestContext;
use database::Tx;
use journal::GroupChanges;
use lookups::ImportLookups;
use model::error::{Error, InputProblem, Result};
use model::kinds;
use model::kinds::StoredValue;
use model::types::{FIRST_PROPERTY, Property, ResourceAction, ResourceType};
use query::relation_filter;
use resources::ripple::WritePropagation;
use resources::{accept, turns};
use rows::WaitingRow;
use serde_json::{Map, Value as Json};
use std::collections::HashSet;
use std::sync::Arc;
use takeover::ImportTakeover;
use tenant::Tenant;
use uuids::RowUuids;

/// Hands all rows of a file to an import.
type RowFeed<'f> = &'f mut dyn FnMut(&mut Import<'_, '_>) -> Result<()>;

/// Number of rows that are written at once.
const BATCH: usize = 1_000;
/// An import of at most so many rows holds nobody up, and goes into one transaction.
const SHORT: u64 = 500;
/// The code of the error that ends a pass before its file ends.
const STOPPED: &str = "import_stopped";

/// Options of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// True if rows are new, or found by a key.
    pub mode: ImportMode,
    /// The property that finds existing rows; the type's `codeProperty` where none is named.
    pub key: Option<String>,
    /// True if rows without problems are kept where others have some.
    pub keep_going: bool,
    /// True if nothing is kept in the end.
    pub dry_run: bool,
    /// True if others may have to wait until it ends: one transaction, and each row is read once.
    pub exclusive: bool,
    /// Names of columns that stand for other names: column, name.
    pub renamed: Vec<(String, String)>,
}

/// True if rows are new or old.
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

/// Destination of the rows.
enum RowSink<'t, 'c> {
    /// Nowhere: they are counted, until there are too many for a short transaction.
    Count,
    /// Into one transaction.
    Whole(&'t mut Tx<'c>),
    /// Into short transactions, between which others write.
    Groups(&'t ImportTakeover<'t>),
}

/// An import that goes on. Rows are handed to it in the order of the file.
pub struct Import<'t, 'c> {
    sink: RowSink<'t, 'c>,
    call: &'t RequestContext,
    resource_type: &'t Arc<ResourceType>,
    options: ImportOptions,
    /// The property that finds rows, and its place among the lookups; none where all rows are new.
    key: Option<(&'t Property, usize)>,
    /// Values of new rows where the file is silent, by position.
    defaults: Vec<Option<StoredValue>>,
    header: Vec<ImportColumn<'t>>,
    lookups: ImportLookups<'t>,
    pending: Vec<WaitingRow>,
    uuids: RowUuids,
    ripple: WritePropagation,
    /// Changes since the last group, for whoever takes them back.
    done: GroupChanges,
    report: ImportReport,
}

/// Imports what `feed` hands over, with all rights: all rows, or none where one has a problem and the options do
/// not say otherwise. `feed` is called up to three times, and begins at the first row each time. It blocks: for
/// commands.
///
/// Where a long write would keep all others waiting, the rows are checked on a copy of the store first, and then
/// written in short transactions, which are taken back where a later one fails.
pub fn import(
    tenant: &Tenant,
    collection: &str,
    options: ImportOptions,
    mut feed: impl FnMut(&mut Import<'_, '_>) -> Result<()>,
) -> Result<ImportReport> {
    recovery::wait_for_dead_imports(tenant)?;
    let at_once = options.exclusive || !tenant.store().writes_alone();
    if at_once || is_short(tenant, collection, &options, &mut feed)? {
        return import_at_once(tenant, collection, options, &mut feed);
    }
    let checked = tenant.rehearse_as_administrator(|tx, call| {
        let mut import = Import::begin(RowSink::Whole(tx), call, collection, options.clone())?;
        feed(&mut import)?;
        import.finish()
    })?;
    if checked.kept { takeover::take_over(tenant, collection, &options, &mut feed) } else { Ok(checked) }
}

/// Returns true if the rows fit into one short transaction.
fn is_short(tenant: &Tenant, collection: &str, options: &ImportOptions, feed: RowFeed<'_>) -> Result<bool> {
    tenant.read_as_administrator(|_, call| {
        match feed(&mut Import::begin(RowSink::Count, call, collection, options.clone())?) {
            Ok(()) => Ok(true),
            Err(error) if error.code == STOPPED => Ok(false),
            Err(error) => Err(error),
        }
    })
}

fn import_at_once(
    tenant: &Tenant,
    collection: &str,
    options: ImportOptions,
    feed: RowFeed<'_>,
) -> Result<ImportReport> {
    const UNDONE: &str = "import_undone";
    let mut ended = None;
    let written = tenant.write_as_administrator(|tx, call| {
        let mut import = Import::begin(RowSink::Whole(tx), call, collection, options)?;
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

impl<'t, 'c> Import<'t, 'c> {
    fn begin(
        mut sink: RowSink<'t, 'c>,
        call: &'t RequestContext,
        collection: &str,
        options: ImportOptions,
    ) -> Result<Self> {
        let resource_type = call.actor.allowed(&call.model, collection, ResourceAction::Edit)?.resource_type;
        if let RowSink::Whole(tx) = &mut sink {
            turns::to_change_many(tx, resource_type)?;
        }
        let mut lookups = ImportLookups::default();
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
            sink,
            call,
            resource_type,
            options,
            key,
            defaults,
            header: Vec::new(),
            lookups,
            pending: Vec::with_capacity(BATCH),
            uuids: RowUuids::default(),
            ripple: WritePropagation::default(),
            done: GroupChanges::default(),
            report: ImportReport::default(),
        })
    }

    /// Takes the names of the columns that the cells of all rows are in.
    pub fn header<'h>(&mut self, names: impl Iterator<Item = &'h str>) -> Result<()> {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name) {
                return Err(Error::invalid("column_twice", format!("The column {name:?} is given twice.")));
            }
            let column = self.column(name)?;
            self.header.push(column);
        }
        self.key_given(seen.into_iter())
    }

    /// Takes the cells of a row; an empty one is null.
    pub fn cells<'r>(&mut self, line: u64, cells: impl Iterator<Item = &'r str> + Clone) -> Result<()> {
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
        for (index, cell) in cells.enumerate() {
            let column = self.header[index];
            let read = rows::read_cell(&mut self.lookups, column, cell, &self.call.context());
            self.put(&mut row, column, read);
        }
        self.add(row)
    }

    /// Takes a row as an object of values in wire form.
    pub fn object(&mut self, line: u64, object: &Map<String, Json>) -> Result<()> {
        if self.count()? {
            return Ok(());
        }
        let mut row = WaitingRow::new(line, self.resource_type.fields.len());
        for (name, value) in object {
            let column = match self.column(name) {
                Ok(column) => column,
                Err(error) => {
                    let problem = InputProblem { property: name.clone(), code: error.code, message: error.message };
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
            RowSink::Groups(takeover) => takeover.stay_alive().map(|()| false),
            RowSink::Whole(_) => Ok(false),
        }
    }

    fn column(&mut self, name: &str) -> Result<ImportColumn<'t>> {
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

    fn put(
        &mut self,
        row: &mut WaitingRow,
        column: ImportColumn<'t>,
        read: Result<Option<rows::GivenValue>, kinds::ValueFault>,
    ) {
        let Some(property) = column.property() else { return };
        let read = read.and_then(|given| match &given {
            Some(rows::GivenValue::Value(stored)) => accept::check_zone(property, stored).map(|()| given),
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

    fn add(&mut self, row: WaitingRow) -> Result<()> {
        if !row.faulty {
            self.pending.push(row);
        }
        let enough = match self.sink {
            RowSink::Groups(takeover) => takeover.size(),
            RowSink::Count | RowSink::Whole(_) => BATCH,
        };
        if self.pending.len() >= enough { self.flush() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<ImportReport> {
        self.close()?;
        Ok(self.report())
    }

    fn report(self) -> ImportReport {
        let mut report = self.report;
        report.kept = !self.options.dry_run && (report.problem_count == 0 || self.options.keep_going);
        report
    }
}

fn stopped() -> Error {
    Error::invalid(STOPPED, "The import stopped before the end of the file.")
}

/// The name that a column's name stands for.
fn renamed<'n>(options: &'n ImportOptions, name: &'n str) -> &'n str {
    options.renamed.iter().find(|(column, _)| column == name).map_or(name, |(_, name)| name)
}

fn defaults(resource_type: &ResourceType, call: &RequestContext) -> Result<Vec<Option<StoredValue>>> {
    let default = |property: &Property| {
        let wire = property.default.as_ref().filter(|_| property.position >= FIRST_PROPERTY);
        wire.map(|wire| kinds::accept(property.kind.as_ref(), wire, &call.context())).transpose()
    };
    let read = resource_type.fields.iter().map(default).collect::<Result<Vec<_>, _>>();
    read.map_err(|fault| Error::failed(format!("a default of {}: {}", resource_type.name, fault.text())))
}
