//! Rows of a file for a caller, some at a time, each some in a transaction of its own: checked, or written.

use super::file_keys::FileKeys;
use super::options::{ImportMode, ImportOptions};
use super::report::ImportReport;
use super::state::{Import, RowSink};
use crate::source::{RowTaker, SourceRow};
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use std::collections::HashSet;

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
/// are known, and those of these are noted as fresh ones.
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

/// Fails where the caller may not import so: for the rights on the type, or the key.
pub fn check_options(context: &RequestContext, collection: &str, options: &ImportOptions) -> Result<()> {
    Import::begin_for_caller(RowSink::Count, context, collection, options.clone()).map(drop)
}

/// The property that each column seems to be, for a caller who may create or change resources; and whether that is sure.
pub fn propose(context: &RequestContext, collection: &str, names: &[String]) -> Result<Vec<Option<(String, bool)>>> {
    let begin = |mode| {
        let options = ImportOptions { mode, key: Some("id".to_owned()), ..ImportOptions::default() };
        Import::begin_for_caller(RowSink::Count, context, collection, options)
    };
    let mut import = begin(ImportMode::Create).or_else(|_| begin(ImportMode::Update))?;
    let properties: Vec<(String, String)> = import
        .resource_type
        .properties()
        .iter()
        .map(|property| (property.name.clone(), property.title.clone()))
        .filter(|(name, _)| import.column(name).is_ok_and(|column| column.property().is_some()))
        .collect();
    let mut taken = HashSet::new();
    let mut propose = |name: &String| {
        let (proposed, sure) = match import.column(name.trim()) {
            Ok(column) if column.property().is_some() => (name.trim().to_owned(), true),
            Ok(_) => return None,
            Err(_) => {
                let plain = plain(name);
                let like = |(own, title): &&(String, String)| plain == self::plain(own) || plain == self::plain(title);
                (properties.iter().find(like)?.0.clone(), false)
            }
        };
        // Two columns cannot give one property.
        let property = import.column(&proposed).ok()?.property()?;
        taken.insert(property.position).then_some((proposed, sure))
    };
    Ok(names.iter().map(&mut propose).collect())
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
