//! Rows of a file for a caller, some at a time, each some in a transaction of its own: checked, or written.

use super::file_keys::FileKeys;
use super::options::ImportOptions;
use super::report::ImportReport;
use super::state::{Import, RowSink};
use crate::source::{RowTaker, SourceRow};
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;

/// Rows of a file that follow one another.
#[derive(Clone, Debug, Default)]
pub struct CallerRows {
    /// The names of the columns, where the rows are cells.
    pub header: Option<csv::StringRecord>,
    /// The rows, each with its place in the file.
    pub rows: Vec<(u64, SourceRow)>,
}

impl CallerRows {
    fn feed(&self, import: &mut Import<'_, '_>) -> Result<()> {
        if let Some(header) = &self.header {
            RowTaker::header(import, header)?;
        }
        self.rows.iter().try_for_each(|(line, row)| import.row(*line, row))
    }
}

/// Reads rows with the rights of the caller, and finds what they refer to, without writing. The keys of rows before them
/// are known, and those of these are noted.
pub fn check_rows(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    collection: &str,
    options: &ImportOptions,
    rows: &CallerRows,
    keys: &mut FileKeys,
) -> Result<ImportReport> {
    let mut import = Import::begin_for_caller(RowSink::Check(tx), context, collection, options.clone())?;
    import.file_keys = std::mem::take(keys);
    let fed = rows.feed(&mut import).and_then(|()| import.flush());
    *keys = std::mem::take(&mut import.file_keys);
    keys.end();
    fed.map(|()| import.report())
}

/// Writes rows with the rights of the caller, with all that follows from them. Rows with problems are left out, and told.
pub fn write_rows(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    collection: &str,
    options: &ImportOptions,
    rows: &CallerRows,
) -> Result<ImportReport> {
    let mut import = Import::begin_for_caller(RowSink::Whole(tx), context, collection, options.clone())?;
    rows.feed(&mut import)?;
    import.finish()
}
