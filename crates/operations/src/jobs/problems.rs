//! Rows with problems, as they were sent.

use super::job_row::JobRow;
use super::parts::{self, PartKind};
use super::view;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, InputProblem, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use transfer::import::{CallerRows, ImportReport};
use transfer::source::SourceRow;

/// The most problems that are kept of a job.
const MOST: u64 = 10_000;
/// Characters of a value that are kept.
const LENGTH: usize = 1_000;

/// A problem with its row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ProblemRow {
    line: u64,
    column: String,
    code: String,
    message: String,
    row: Map<String, Json>,
}

/// The problems of a batch, with its rows.
pub(crate) fn of(report: &ImportReport, rows: &CallerRows) -> Vec<ProblemRow> {
    let row_of = |line: u64| {
        let found = rows.rows.binary_search_by_key(&line, |(line, _)| *line).ok();
        found.map(|index| as_object(&rows.rows[index].1, rows.header.as_ref())).unwrap_or_default()
    };
    let problem = |row: &transfer::import::RowProblem| {
        let InputProblem { property, code, message } = row.problem.clone();
        ProblemRow { line: row.line, column: property, code: code.to_owned(), message, row: row_of(row.line) }
    };
    report.problems.iter().map(problem).collect()
}

/// A row as an object of texts, by the names of its columns.
fn as_object(row: &SourceRow, header: Option<&csv::StringRecord>) -> Map<String, Json> {
    let short = |text: &str| Json::from(text.chars().take(LENGTH).collect::<String>());
    match row {
        SourceRow::Cells(cells) => {
            let names = header.into_iter().flatten();
            names.zip(cells).map(|(name, cell)| (name.to_owned(), short(cell))).collect()
        }
        SourceRow::Object(object) => {
            let value = |value: &Json| value.as_str().map_or_else(|| short(&value.to_string()), short);
            object.iter().map(|(name, member)| (name.clone(), value(member))).collect()
        }
        SourceRow::Unreadable(_) => Map::new(),
    }
}

/// Keeps problems behind so many that are there.
pub(crate) fn put(tx: &mut Tx<'_>, job: i64, before: u64, problems: &[ProblemRow]) -> Result<()> {
    let left = usize::try_from(MOST.saturating_sub(before)).unwrap_or(usize::MAX);
    let some = &problems[..problems.len().min(left)];
    if some.is_empty() {
        return Ok(());
    }
    let content = serde_json::to_vec(some).map_err(|error| Error::failed(error.to_string()))?;
    parts::put(tx, job, PartKind::Problems, content)
}

/// The problems of a job of the caller as CSV: the columns of the file behind line, column, code and message.
pub fn problems_csv(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<Vec<u8>> {
    let job: JobRow = view::own(tx, context, id)?;
    let (mut last, mut names, mut all) = (0, Vec::<String>::new(), Vec::new());
    while let Some((number, content)) = parts::after(tx, job.id, PartKind::Problems, last)? {
        let some: Vec<ProblemRow> =
            serde_json::from_slice(&content).map_err(|error| Error::failed(error.to_string()))?;
        for name in some.iter().flat_map(|problem| problem.row.keys()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        all.extend(some);
        last = number;
    }
    let failed = |error: csv::Error| Error::failed(error.to_string());
    let mut csv = csv::Writer::from_writer(Vec::new());
    let own = ["line", "column", "code", "message"].map(str::to_owned);
    csv.write_record(own.iter().chain(&names)).map_err(failed)?;
    for problem in &all {
        let own = [problem.line.to_string(), problem.column.clone(), problem.code.clone(), problem.message.clone()];
        let value = |name: &String| problem.row.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        csv.write_record(own.into_iter().chain(names.iter().map(value))).map_err(failed)?;
    }
    csv.into_inner().map_err(|error| Error::failed(error.to_string()))
}
