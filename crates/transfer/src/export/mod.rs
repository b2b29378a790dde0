//! All rows of a list in a file's form: CSV, JSON, lines of JSON, or a sheet of a workbook.
//!
//! The rows are read at one moment and written as they are read. A request's export is spooled: the database never
//! waits for a client.

mod archive;
mod cells;
mod csv_rows;
mod json_rows;
mod request;
mod sheet;
mod spooled;

pub use request::{ExportFormat, ExportRequest};
pub use spooled::{SpooledExport, export_spooled, joined};

use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use query::request::ListRequest;
use resources::fields::Selection;
use resources::list::WholeList;
use std::io;
use std::io::Write;
use tenant::Tenant;

/// Writes rows in one form.
trait RowWriter {
    /// Writes a row, given as JSON in wire form.
    fn row(&mut self, row: &[u8]) -> Result<()>;

    /// Writes what comes behind the last row.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Exports all resources of a type, by id, with all rights; returns their number. It blocks: for commands.
pub fn export_all(tenant: &Tenant, collection: &str, request: &ExportRequest, out: &mut dyn Write) -> Result<u64> {
    tenant.read_as_administrator(|tx, context| {
        let by_id = ListRequest { descending: Some(false), ..request.list.clone() };
        // Bytes are no part of an export, and addresses of files end soon. What is calculated when it is shown is
        // none either.
        let list = WholeList::new(context, collection, &by_id)?
            .only(|member| member.property.kind.files().is_none() && !member.property.is_virtual());
        written(tx, context, &list, request, out)
    })
}

/// Refuses a request that no export of the caller can answer: names, filters, or an order that are none.
pub fn check(context: &RequestContext, collection: &str, request: &ExportRequest) -> Result<()> {
    WholeList::new(context, collection, &request.list).map(drop)
}

/// Exports the rows of a list for the caller; returns their number.
fn export(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    collection: &str,
    request: &ExportRequest,
    out: &mut dyn Write,
) -> Result<u64> {
    written(tx, context, &WholeList::new(context, collection, &request.list)?, request, out)
}

fn written(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    list: &WholeList<'_>,
    request: &ExportRequest,
    out: &mut dyn Write,
) -> Result<u64> {
    let mut writer = writer(request, list.selection(), out)?;
    let rows = list.read(tx, context, &mut |row| writer.row(row))?;
    writer.finish()?;
    Ok(rows)
}

fn writer<'w>(
    request: &ExportRequest,
    selection: &Selection<'_>,
    out: &'w mut dyn Write,
) -> Result<Box<dyn RowWriter + 'w>> {
    Ok(match request.format {
        ExportFormat::Csv => Box::new(csv_rows::CsvRows::begin(selection, request.safe, out)?),
        ExportFormat::Json => Box::new(json_rows::JsonRows::array(out)),
        ExportFormat::Jsonl => Box::new(json_rows::JsonRows::lines(out)),
        ExportFormat::Xlsx => Box::new(sheet::Sheet::begin(selection, out)?),
    })
}

/// The error of a file that cannot be written: that of its writer, where it has one.
fn unwritable(error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) => Error::invalid("file_unwritable", format!("The file cannot be written: {error}.")),
    }
}
