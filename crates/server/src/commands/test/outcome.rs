//! The outcome of cases: a line for each to people, one line of JSON to programs.

use crate::commands::Failure;
use crate::commands::output::print_line;
use automation::config_tests::{Case, GivenRow, Mismatch, Spot, Step, TestFile};
use jiff::SignedDuration;
use serde_json::{Value as Json, json};

/// A difference from what a case says.
#[derive(Debug, Clone)]
pub(super) struct CaseProblem {
    at: Spot,
    /// The step, in a few words.
    step: String,
    mismatch: Mismatch,
}

/// Collects what became of cases, and tells people while it does.
pub(super) struct CaseOutcome {
    json: bool,
    passed: usize,
    failed: usize,
    cases: Vec<Json>,
}

impl CaseProblem {
    pub(super) fn of(step: &Step, mismatch: Mismatch) -> Self {
        CaseProblem { at: step.at, step: step.label.clone(), mismatch }
    }

    /// A row that cannot be made.
    pub(super) fn of_row(row: &GivenRow, error: &model::error::Error) -> Self {
        let what = "the row".to_owned();
        let mismatch = Mismatch { what, expected: "to be made".to_owned(), found: error.message.clone() };
        CaseProblem { at: row.at, step: format!("given: {}", row.row.name), mismatch }
    }

    fn json(&self) -> Json {
        let Mismatch { what, expected, found } = &self.mismatch;
        json!({
            "line": self.at.line, "column": self.at.column, "step": self.step,
            "what": what, "expected": expected, "found": found,
        })
    }

    fn text(&self, file: &str) -> String {
        let Mismatch { what, expected, found } = &self.mismatch;
        let Spot { line, column } = self.at;
        let step = &self.step;
        format!(
            "      {file}:{line}:{column}  {step}\n        {what}\n          expected  {expected}\n          found     {found}"
        )
    }
}

impl CaseOutcome {
    pub(super) fn new(json: bool) -> Self {
        CaseOutcome { json, passed: 0, failed: 0, cases: Vec::new() }
    }

    /// The cases of a file follow.
    pub(super) fn file(&self, test: &TestFile) -> Result<(), Failure> {
        if self.json { Ok(()) } else { print_line(&test.title) }
    }

    /// A case has ended.
    pub(super) fn case(&mut self, test: &TestFile, case: &Case, problems: Vec<CaseProblem>) -> Result<(), Failure> {
        let passed = problems.is_empty();
        *if passed { &mut self.passed } else { &mut self.failed } += 1;
        if self.json {
            let problems: Vec<Json> = problems.iter().map(CaseProblem::json).collect();
            self.cases.push(json!({
                "file": test.file, "line": case.at.line, "case": case.title, "passed": passed, "problems": problems,
            }));
            return Ok(());
        }
        print_line(format_args!("  {} {}", if passed { '✓' } else { '✗' }, case.title))?;
        problems.iter().try_for_each(|problem| print_line(problem.text(&test.file)))
    }

    /// Tells how many passed. A case that failed is a failure of the command, which has told all there is to tell.
    pub(super) fn end(self, took: SignedDuration) -> Result<(), Failure> {
        let CaseOutcome { json, passed, failed, cases } = self;
        if json {
            let ok = failed == 0;
            print_line(json!({
                "ok": ok, "passed": passed, "failed": failed, "milliseconds": took.as_millis(), "cases": cases,
            }))?;
        } else {
            print_line(format_args!("\n{passed} passed, {failed} failed, in {:.2} s", took.as_secs_f64()))?;
        }
        if failed == 0 { Ok(()) } else { Err(Failure::told()) }
    }
}
