//! Report of an import: its changes, and the rows that it could not take.

use model::error::InputProblem;

/// So many problems are kept in full.
const KEPT: usize = 20;

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Rows of the file.
    pub rows: u64,
    /// New resources.
    pub created: u64,
    /// Changed resources.
    pub updated: u64,
    /// Resources that were found as the file has them.
    pub unchanged: u64,
    /// Rows with problems.
    pub failed: u64,
    /// All problems.
    pub problem_count: u64,
    /// The first of them.
    pub problems: Vec<RowProblem>,
    /// True if it was committed.
    pub kept: bool,
    pub(super) last_failed: Option<u64>,
}

/// Problem of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// Place of the row in the file: its line, or its number in a JSON array.
    pub line: u64,
    /// The problem.
    pub problem: InputProblem,
}

impl ImportReport {
    /// Notes a problem. Those of one row come one after another.
    pub(super) fn add(&mut self, line: u64, problem: InputProblem) {
        self.problem_count += 1;
        if self.last_failed != Some(line) {
            self.failed += 1;
            self.last_failed = Some(line);
        }
        if self.problems.len() < KEPT {
            self.problems.push(RowProblem { line, problem });
        }
    }
}
