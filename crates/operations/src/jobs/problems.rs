//! Rows with problems, as they were sent.

use super::job_row::{JobKind, JobRow};
use super::parts::{self, PartKind};
use super::view;
use crate::bulk::{RefusalProblem, RefusedRow};
use context::request_context::RequestContext;
use context::spool::{ReadBody, SpoolWriter};
use database::Tx;
use model::error::{Error, InputProblem, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, HashSet};
use transfer::guarded_cell;
use transfer::import::{CallerRows, ImportReport};
use transfer::source::SourceRow;

/// The most problems that are kept of a job, and their bytes.
const MOST: u64 = 10_000;
const BYTES: i64 = 32 << 20;
/// The most bytes of a value and of a row that are kept.
const VALUE: usize = 1_000;
const ROW: usize = 16 << 10;
/// Problems of a part.
const TOGETHER: usize = 100;
/// The most columns that are told.
const COLUMNS: usize = 1_000;
/// The most problems that the answer of one job has.
const TOLD: usize = 1_000;

/// Problems with their rows, each of which is there once.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RowProblems {
    problems: Vec<StoredProblem>,
    /// The rows by their lines, as they were sent.
    rows: BTreeMap<u64, Map<String, Json>>,
}

/// A problem as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredProblem {
    /// The row's place in the file; of a bulk change, the id of the resource.
    line: u64,
    column: String,
    code: String,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

/// A part without its rows.
#[derive(Deserialize)]
struct ProblemsAlone {
    problems: Vec<StoredProblem>,
}

impl RowProblems {
    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.problems.len()
    }

    /// The problems as the answer of a job has them.
    pub(crate) fn told(&self, kind: JobKind) -> impl Iterator<Item = Json> {
        self.problems.iter().map(move |problem| problem.told(kind))
    }
}

impl StoredProblem {
    fn told(&self, kind: JobKind) -> Json {
        let StoredProblem { line, column, code, message, value } = self;
        if kind != JobKind::Bulk {
            let mut told = json!({"line": line, "column": column, "code": code, "message": message});
            if let Some(value) = value {
                told["value"] = value.as_str().into();
            }
            return told;
        }
        let mut told = json!({"id": line, "code": code});
        let texts = [("property", Some(column)), ("message", Some(message)), ("value", value.as_ref())];
        for (name, text) in texts {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                told[name] = text.as_str().into();
            }
        }
        told
    }
}

/// The problems of resources that refused a bulk change.
pub(crate) fn of_refused(refused: &[RefusedRow]) -> RowProblems {
    let mut told = RowProblems::default();
    for row in refused {
        let stored = |column: Option<&String>, code: &str, message: Option<&String>, value| StoredProblem {
            line: row.id.unsigned_abs(),
            column: column.cloned().unwrap_or_default(),
            code: code.to_owned(),
            message: message.cloned().unwrap_or_default(),
            value,
        };
        let of =
            |one: &RefusalProblem| stored(one.property.as_ref(), one.code, one.message.as_ref(), one.value.clone());
        told.problems.extend(row.problems.iter().map(of));
        if row.problems.is_empty() {
            told.problems.push(stored(None, row.code, None, None));
        }
    }
    told
}

/// The problems of a batch, with its rows.
pub(crate) fn of(report: &ImportReport, rows: &CallerRows) -> RowProblems {
    let mut told = RowProblems::default();
    for row in &report.problems {
        let InputProblem { property, code, message } = row.problem.clone();
        let (line, code, value) = (row.line, code.to_owned(), row.value.clone());
        told.problems.push(StoredProblem { line, column: property, code, message, value });
        told.rows.entry(row.line).or_insert_with(|| {
            let found = rows.rows.binary_search_by_key(&row.line, |(line, _)| *line).ok();
            found.map(|index| as_object(&rows.rows[index].1, rows.header.as_ref())).unwrap_or_default()
        });
    }
    told
}

/// A row as an object of texts, by the names of its columns.
fn as_object(row: &SourceRow, header: Option<&csv::StringRecord>) -> Map<String, Json> {
    let (mut object, mut left) = (Map::new(), ROW);
    let mut put = |name: &str, value: &str| {
        let value = &value[..value.floor_char_boundary(VALUE)];
        let fits = name.len() + value.len() <= left;
        if fits {
            left -= name.len() + value.len();
            object.insert(name.to_owned(), value.into());
        }
        fits
    };
    match row {
        SourceRow::Cells(cells, _) => {
            let mut named = header.into_iter().flatten().zip(cells).filter(|(name, _)| !name.is_empty());
            _ = named.all(|(name, cell)| put(name, cell));
        }
        SourceRow::Object(members, _) => {
            _ = members.iter().all(|(name, member)| match member.as_str() {
                Some(text) => put(name, text),
                None => put(name, &member.to_string()),
            });
        }
        SourceRow::Unreadable(_) => {}
    }
    object
}

/// Keeps problems behind so many that are there.
pub(crate) fn put(tx: &mut Tx<'_>, job: i64, before: u64, told: &RowProblems) -> Result<()> {
    let left = usize::try_from(MOST.saturating_sub(before)).unwrap_or(usize::MAX);
    let some = &told.problems[..told.problems.len().min(left)];
    if some.is_empty() {
        return Ok(());
    }
    let mut room = BYTES - parts::bytes(tx, job, PartKind::Problems)?;
    for some in some.chunks(TOGETHER) {
        let row = |problem: &StoredProblem| Some((problem.line, told.rows.get(&problem.line)?.clone()));
        let part = RowProblems { problems: some.to_vec(), rows: some.iter().filter_map(row).collect() };
        let content = serde_json::to_vec(&part).map_err(|error| Error::failed(error.to_string()))?;
        room -= content.len() as i64;
        if room < 0 {
            break;
        }
        parts::put(tx, job, PartKind::Problems, content)?;
    }
    Ok(())
}

/// The first problems that are kept of a job, as its answer has them.
pub(super) fn first(tx: &mut Tx<'_>, job: &JobRow) -> Result<Vec<Json>> {
    let (mut told, mut last) = (Vec::new(), 0);
    while told.len() < TOLD
        && let Some((number, content)) = parts::after(tx, job.id, PartKind::Problems, last)?
    {
        let part: ProblemsAlone = read(&content)?;
        told.extend(part.problems.iter().take(TOLD - told.len()).map(|problem| problem.told(job.kind)));
        last = number;
    }
    Ok(told)
}

fn read<'c, T: Deserialize<'c>>(content: &'c [u8]) -> Result<T> {
    serde_json::from_slice(content).map_err(|error| Error::failed(error.to_string()))
}

/// The problems of a job of the caller as CSV: the columns of the file behind line, column, code and message; those of
/// a bulk change have the id and the property. Where it is to be safe, spreadsheets read no cell as a formula.
pub fn problems_csv(tx: &mut Tx<'_>, context: &RequestContext, id: i64, safe: bool) -> Result<ReadBody> {
    let job: JobRow = view::own(tx, context, id)?;
    let (mut names, mut known) = (Vec::<String>::new(), HashSet::new());
    each_part(tx, job.id, &mut |some| {
        for name in some.rows.into_values().flatten().map(|(name, _)| name) {
            if names.len() < COLUMNS && known.insert(name.clone()) {
                names.push(name);
            }
        }
        Ok(())
    })?;
    let mut spool = SpoolWriter::new(context.spools.as_ref());
    let own = match job.kind {
        JobKind::Bulk => ["id", "property", "code", "message"],
        JobKind::Import | JobKind::Export => ["line", "column", "code", "message"],
    };
    spool.write(&csv_lines([own.into_iter().chain(names.iter().map(String::as_str))], safe)?)?;
    each_part(tx, job.id, &mut |some| {
        let lines: Vec<String> = some.problems.iter().map(|problem| problem.line.to_string()).collect();
        let records = some.problems.iter().zip(&lines).map(|(problem, line)| {
            let own = [line.as_str(), &problem.column, &problem.code, &problem.message];
            let row = some.rows.get(&problem.line);
            let value = move |name: &String| row.and_then(|row| row.get(name)?.as_str()).unwrap_or_default();
            own.into_iter().chain(names.iter().map(value))
        });
        spool.write(&csv_lines(records, safe)?)
    })?;
    spool.finish(b"", b"")
}

/// Hands the problems of a job over, some at a time.
fn each_part(tx: &mut Tx<'_>, job: i64, each: &mut dyn FnMut(RowProblems) -> Result<()>) -> Result<()> {
    let mut last = 0;
    while let Some((number, content)) = parts::after(tx, job, PartKind::Problems, last)? {
        tx.check_deadline()?;
        each(read(&content)?)?;
        last = number;
    }
    Ok(())
}

/// Records as lines of CSV.
fn csv_lines<'t, R: Iterator<Item = &'t str>>(records: impl IntoIterator<Item = R>, safe: bool) -> Result<Vec<u8>> {
    let failed = |error: csv::Error| Error::failed(error.to_string());
    let mut csv = csv::Writer::from_writer(Vec::new());
    for record in records {
        for cell in record {
            match safe {
                true => csv.write_field(guarded_cell(cell.into()).as_bytes()).map_err(failed)?,
                false => csv.write_field(cell).map_err(failed)?,
            }
        }
        csv.write_record(None::<&[u8]>).map_err(failed)?;
    }
    csv.into_inner().map_err(|error| Error::failed(error.to_string()))
}
