//! The record of a run: what became of each step, and when.

use database::{ColumnType, Name, Tx, Value};
use model::error::Result;
use model::table_names::RUN_STEP;
use serde_json::Value as Json;

/// The most steps of a run that are all written down; after that, only those that fail are.
pub(super) const MOST: i64 = 1_000;
/// The most characters of a result, or of an error, that are kept.
const LONGEST: usize = 2_000;

const COLUMNS: [(Name, ColumnType); 8] = [
    (Name::fixed("run"), ColumnType::Integer),
    (Name::fixed("position"), ColumnType::Text),
    (Name::fixed("kind"), ColumnType::Text),
    (Name::fixed("name"), ColumnType::Text),
    (Name::fixed("result"), ColumnType::Text),
    (Name::fixed("error"), ColumnType::Text),
    (Name::fixed("started"), ColumnType::Timestamp),
    (Name::fixed("ended"), ColumnType::Timestamp),
];

/// Outcome of a step.
#[derive(Clone, Debug)]
pub(super) struct StepEntry {
    pub position: String,
    pub kind: &'static str,
    pub name: Option<String>,
    /// The result, or why it failed.
    pub(super) outcome: Result<Json, String>,
    /// From when to when, in milliseconds.
    pub(super) time: (i64, i64),
}

/// Writes entries down.
pub(super) fn write(tx: &mut Tx<'_>, run: i64, entries: Vec<StepEntry>) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let row = |entry: StepEntry| {
        let (result, error) = match entry.outcome {
            Ok(Json::Null) => (None, None),
            Ok(result) => (Some(cut(&result.to_string())), None),
            Err(error) => (None, Some(cut(&error))),
        };
        vec![
            run.into(),
            entry.position.into(),
            entry.kind.into(),
            entry.name.into(),
            result.into(),
            error.into(),
            Value::Timestamp(entry.time.0),
            Value::Timestamp(entry.time.1),
        ]
    };
    Ok(tx.defer_many(&RUN_STEP, &COLUMNS, &entries.into_iter().map(row).collect::<Vec<_>>())?)
}

/// Returns the part of a text that is kept. NUL is left out: PostgreSQL cannot hold it.
pub(super) fn cut(text: &str) -> String {
    let text = text.replace('\0', "");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
