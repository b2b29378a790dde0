//! Findings of expressions with their places in files: they refuse nothing, and `plinth check` shows them.

use super::diagnostic::{Diagnostic, FilePosition};
use crate::source_files::Files;
use expression::{Finding, Program, Severity};
use serde::Serialize;

/// The longest text, in bytes, that is repeated with its findings mended.
const LONGEST_FIXED: usize = 2_000;

/// A finding of an expression in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FileFinding {
    /// The file, relative to the tenant's folder.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The column behind the part that is meant; the same where the part is not known.
    pub end_column: usize,
    /// The path of keys to the expression.
    pub key: String,
    /// A stable snake_case word.
    pub code: &'static str,
    /// `error` for what fails, or is another thing than it says, for ordinary values; else `warning`.
    pub severity: &'static str,
    /// The message.
    pub message: String,
    /// The whole value with the finding mended, each in another way.
    pub fixes: Vec<String>,
}

/// The findings of a program, with the text that it was compiled of.
#[derive(Debug)]
pub(crate) struct SlotFindings {
    file: String,
    position: FilePosition,
    key: String,
    text: String,
    findings: Vec<Finding>,
    differing: Vec<Finding>,
}

impl SlotFindings {
    /// The findings of a program; none where it has none.
    pub(crate) fn of(program: &Program, file: &str, position: FilePosition, key: String, text: &str) -> Option<Self> {
        let (findings, differing) = (program.findings().to_vec(), program.differing().to_vec());
        let (file, text) = (file.to_owned(), text.to_owned());
        let found = !findings.is_empty() || !differing.is_empty();
        found.then_some(SlotFindings { file, position, key, text, findings, differing })
    }

    /// The findings at their places, exact where the file has the text as it is on one line.
    fn placed(&self, findings: &[Finding], files: &Files) -> Vec<FileFinding> {
        let placed = findings.iter().map(|finding| {
            let span = finding.diagnostic.span;
            let from = byte_position(files, &self.file, self.position, &self.text, span.from);
            let to = byte_position(files, &self.file, self.position, &self.text, span.to);
            let (line, column, end_column) = match (from, to) {
                (Some(from), Some(to)) => (from.line, from.column, to.column),
                _ => (self.position.line, self.position.column, self.position.column),
            };
            let short = self.text.len() <= LONGEST_FIXED;
            let fixes = finding.fixes.iter().filter(|_| short).filter_map(|fix| {
                let (before, behind) = (self.text.get(..fix.span.from)?, self.text.get(fix.span.to..)?);
                Some(format!("{before}{}{behind}", fix.text))
            });
            FileFinding {
                file: self.file.clone(),
                line,
                column,
                end_column,
                key: self.key.clone(),
                code: finding.diagnostic.code,
                severity: if finding.severity == Severity::Error { "error" } else { "warning" },
                message: finding.diagnostic.message.clone(),
                fixes: fixes.collect(),
            }
        });
        placed.collect()
    }
}

/// All findings at their places, sorted.
pub(crate) fn placed(all: &[SlotFindings], files: &Files) -> Vec<FileFinding> {
    sorted(all.iter().flat_map(|slot| slot.placed(&slot.findings, files)).collect())
}

/// The parts that may give something else by the rules of a former version, at their places, sorted.
pub(crate) fn differing(all: &[SlotFindings], files: &Files) -> Vec<FileFinding> {
    sorted(all.iter().flat_map(|slot| slot.placed(&slot.differing, files)).collect())
}

fn sorted(mut placed: Vec<FileFinding>) -> Vec<FileFinding> {
    placed.sort();
    placed.dedup();
    placed
}

/// A byte of a text as a place in the file; none where the file has the text in another way of writing.
pub(crate) fn byte_position(
    files: &Files,
    file: &str,
    at: FilePosition,
    text: &str,
    byte: usize,
) -> Option<FilePosition> {
    let line = files.get(file)?.lines().nth(at.line.checked_sub(1)?)?;
    let from = line.char_indices().nth(at.column.saturating_sub(1)).map_or(line.len(), |(index, _)| index);
    let found = line[from..].find(text)?;
    let before = text.get(..byte)?;
    let column = line[..from + found].chars().count() + before.chars().count() + 1;
    Some(FilePosition { column, ..at })
}

impl FileFinding {
    /// The finding for a terminal: the message, the place, the source line with the whole part marked, the remedies.
    pub fn render(&self, source: Option<&str>) -> String {
        let shown = Diagnostic {
            file: self.file.clone(),
            line: self.line,
            column: self.column,
            key: self.key.clone(),
            code: self.code,
            message: self.message.clone(),
            suggestion: None,
        };
        let mut text = shown.marked("warning", source, self.end_column.saturating_sub(self.column));
        for fix in &self.fixes {
            text.push_str(&format!("  help: write `{fix}`\n"));
        }
        text
    }
}
