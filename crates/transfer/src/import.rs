//! Writing many resources from a file: rows are read, references found, and batches written in one transaction.
//!
//! What reads files hands over cells or objects, one row at a time, and never holds more than a batch.

mod caller;
mod caller_rows;
mod columns;
mod dates;
mod faults;
mod file_keys;
mod groups;
mod held_runs;
mod insert;
mod intake;
mod journal;
mod lease;
mod lookups;
mod numbers;
mod option_titles;
mod options;
pub mod problem_texts;
mod ready_rows;
mod recovery;
mod references;
mod report;
mod rights;
mod rows;
mod state;
mod titles;
mod undo;
mod update;
mod uuids;
mod write;

pub use caller::{CallerRows, check_options, check_rows, propose, write_rows};
pub use dates::DayOrders;
pub use file_keys::FileKeys;
pub use numbers::NumberSigns;
pub use options::{DateOrder, DecimalSign, ImportMode, ImportOptions};
pub use recovery::{next, recover_imports};
pub use report::{ImportReport, RowProblem};
pub use state::Import;

use database::Name;
use groups::import_in_groups;
use model::error::{Error, Result};
use model::types::ResourceAction;
use state::{RowFeed, RowSink, STOPPED};
use tenant::Tenant;

/// The number of rows from which on an import is followed by a vacuum.
const MANY: u64 = 10_000;

/// The rows are there in any case, and the vacuum of the database's own comes later.
const LEFT: &str = "a table was not vacuumed after an import";

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
    let report = import_rows(tenant, collection, options, &mut feed)?;
    if report.kept {
        let table = tenant.read_as_administrator(|_, context| {
            Ok(context.actor.allowed(&context.model, collection, ResourceAction::Show)?.resource_type.table.clone())
        });
        match table {
            Ok(table) => vacuum_after_many(tenant, &table, report.created + report.updated),
            Err(error) => tracing::info!(collection, %error, "{LEFT}"),
        }
    }
    Ok(report)
}

/// Makes a table quick to read again where an import wrote many of its rows. It blocks.
pub fn vacuum_after_many(tenant: &Tenant, table: &Name, rows: u64) {
    if rows < MANY {
        return;
    }
    if let Err(error) = tenant.store().vacuum_blocking(table) {
        tracing::info!(%table, %error, "{LEFT}");
    }
}

fn import_rows(
    tenant: &Tenant,
    collection: &str,
    options: ImportOptions,
    mut feed: RowFeed<'_>,
) -> Result<ImportReport> {
    recovery::wait_for_dead_imports(tenant)?;
    let at_once = options.exclusive || !tenant.store().writes_alone();
    if at_once || is_short(tenant, collection, &options, &mut feed)? {
        return import_at_once(tenant, collection, options, feed);
    }
    let checked = tenant.rehearse_as_administrator(|tx, context| {
        let mut import = Import::begin(RowSink::Whole(tx), context, collection, options.clone())?;
        feed(&mut import)?;
        import.finish()
    })?;
    if checked.kept { import_in_groups(tenant, collection, &options, feed) } else { Ok(checked) }
}

/// Returns true if the rows fit into one short transaction.
fn is_short(tenant: &Tenant, collection: &str, options: &ImportOptions, feed: RowFeed<'_>) -> Result<bool> {
    tenant.read_as_administrator(|_, context| {
        match feed(&mut Import::begin(RowSink::Count, context, collection, options.clone())?) {
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
    let written = tenant.write_as_administrator(|tx, context| {
        let mut import = Import::begin(RowSink::Whole(tx), context, collection, options)?;
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
