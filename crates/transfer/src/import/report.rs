//! Report of an import: its changes, and the rows that it could not take.

use super::problem_texts;
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
    /// Their ids, where the options ask for them. They are not joined.
    pub created_ids: Vec<i64>,
    /// Changed resources.
    pub updated: u64,
    /// Resources that were found as the file has them.
    pub unchanged: u64,
    /// Rows with problems.
    pub failed: u64,
    /// All problems.
    pub problem_count: u64,
    /// The first of them, in the order of the file.
    pub problems: Vec<RowProblem>,
    /// True if it was committed.
    pub kept: bool,
    pub(super) last_failed: Option<u64>,
    /// So many problems are kept in full, where it is not the usual number.
    pub(super) most: Option<usize>,
}

/// Problem of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// Place of the row in the file: its line, or its number in a JSON array.
    pub line: u64,
    /// The problem.
    pub problem: InputProblem,
    /// The value that has it, cut where it is long; none where it is about no single value.
    pub value: Option<String>,
}

/// Problem of a row that is not told yet.
#[derive(Clone, Debug)]
pub(super) struct RowFault {
    pub(super) problem: InputProblem,
    pub(super) value: Option<String>,
}

impl From<InputProblem> for RowFault {
    fn from(problem: InputProblem) -> Self {
        RowFault { problem, value: None }
    }
}

impl ImportReport {
    /// Adds what came of other rows of the file, behind these.
    pub fn join(&mut self, other: &ImportReport) {
        self.rows += other.rows;
        self.created += other.created;
        self.updated += other.updated;
        self.unchanged += other.unchanged;
        self.failed += other.failed;
        self.problem_count += other.problem_count;
        let room = self.most.unwrap_or(KEPT).saturating_sub(self.problems.len());
        self.problems.extend(other.problems.iter().take(room).cloned());
    }

    /// Notes a problem. Those of one row come one after another. Rows whose relations lead nowhere come later:
    /// these are looked up for many rows at once.
    pub(super) fn add(&mut self, line: u64, fault: impl Into<RowFault>) {
        let RowFault { mut problem, value } = fault.into();
        // Names and values of a file may be as long as the file.
        problem.property = problem_texts::name(problem.property);
        problem.message = problem_texts::message(problem.message);
        self.problem_count += 1;
        if self.last_failed != Some(line) {
            self.failed += 1;
            self.last_failed = Some(line);
        }
        let place = self.problems.partition_point(|known| known.line <= line);
        let most = self.most.unwrap_or(KEPT);
        if place < most {
            self.problems.insert(place, RowProblem { line, problem, value });
            self.problems.truncate(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ImportReport, KEPT};
    use model::error::InputProblem;

    #[test]
    fn long_names_and_messages_are_cut() {
        let mut report = ImportReport::default();
        report.add(1, InputProblem { property: "é".repeat(1_000), code: "x", message: "ž".repeat(100_000) });
        let problem = &report.problems[0].problem;
        assert_eq!((problem.property.chars().count(), problem.message.chars().count()), (101, 501));
    }

    #[test]
    fn the_first_problems_of_the_file_are_kept_in_its_order() {
        let mut report = ImportReport::default();
        let mut add = |line: u64, code: &'static str| {
            report.add(line, InputProblem { property: String::new(), code, message: String::new() });
        };
        (10..60).for_each(|line| add(line, "value"));
        [3, 12, 70].into_iter().for_each(|line| add(line, "relation"));
        assert_eq!((report.problem_count, report.failed), (53, 53));
        let lines: Vec<u64> = report.problems.iter().map(|row| row.line).collect();
        assert_eq!(lines, [&[3, 10, 11, 12, 12][..], &(13..28).collect::<Vec<_>>()].concat());
        assert_eq!((lines.len(), report.problems[4].problem.code), (KEPT, "relation"));
    }
}
