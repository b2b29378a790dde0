//! Findings of expressions, and the exact places of all that is said of an expression, through YAML's quotes and blocks.

use super::diagnostic::{Diagnostic, FileFix, FilePosition, NOTE, WARNING};
use crate::scalars::{ScalarList, YamlScalar, scalars};
use crate::source_files::Files;
use crate::source_map::SourceMap;
use expression::{Program, Severity};
use model::correction::requoted;
use std::collections::HashMap;

/// The longest value, in bytes, that is repeated with its findings fixed.
const LONGEST_FIXED: usize = 2_000;

/// Returns the findings of a program, and the parts that may give something else by the rules of a former version, as
/// notes. Their places are exact after [`placed`].
pub(crate) fn of(program: &Program, file: &str, position: FilePosition, key: &str) -> Vec<Diagnostic> {
    let former = program.differing().iter().map(|finding| (finding, true));
    let all = program.findings().iter().map(|finding| (finding, false)).chain(former);
    let findings = all.map(|(finding, is_note)| {
        let expression::Diagnostic { code, span, message, .. } = &finding.diagnostic;
        let mut problem = Diagnostic::new(file, position, key.to_owned(), code, message.clone());
        if finding.severity == Severity::Warning {
            problem.severity = WARNING;
        }
        if is_note {
            problem.severity = NOTE;
        }
        let fixes = finding.fixes.iter().map(|fix| FileFix {
            bytes: (fix.span.from, fix.span.to),
            is_safe: fix.is_safe,
            ..unplaced(fix.text.clone())
        });
        problem.fixes = fixes.collect();
        problem.about(position, *span)
    });
    findings.collect()
}

fn unplaced(text: String) -> FileFix {
    let bytes = (0, 0);
    FileFix { line: 0, column: 0, end_line: 0, end_column: 0, bytes, text, value: String::new(), is_safe: false }
}

/// Returns findings at their places, sorted.
pub(crate) fn placed(mut found: Vec<Diagnostic>, files: &Files) -> Vec<Diagnostic> {
    place(&mut found, files);
    found.sort();
    found.dedup();
    found
}

/// Returns the findings that refuse files, with the others behind them; none where no finding does.
pub fn refused<'f>(findings: impl IntoIterator<Item = &'f Diagnostic>) -> Vec<Diagnostic> {
    let (mut errors, warnings): (Vec<_>, Vec<_>) = findings.into_iter().cloned().partition(Diagnostic::is_error);
    if !errors.is_empty() {
        errors.extend(warnings);
    }
    errors
}

/// Gives problems of expressions their exact places, and places to what fixes them.
pub(crate) fn place(problems: &mut [Diagnostic], files: &Files) {
    let mut lists: HashMap<String, ScalarList> = HashMap::new();
    for problem in problems {
        let Some((offset, from, to)) = problem.part.take() else { continue };
        let Some(source) = files.get(&problem.file) else { continue };
        let list = lists.entry(problem.file.clone()).or_insert_with(|| scalars(source));
        let place = ValuePlace::at(list, source, offset);
        let Some(place) = place else {
            problem.fixes.clear();
            continue;
        };
        if let Some(suggestion) = &problem.suggestion {
            let written = place.scalar.text.get(from..to).unwrap_or_default();
            let is_safe = is_safe(problem.code, written, suggestion);
            problem.fixes = vec![FileFix { bytes: (from, to), is_safe, ..unplaced(requoted(written, suggestion)) }];
        }
        if let Some(corrected) = problem.corrected.take() {
            problem.fixes.push(FileFix { bytes: (0, place.scalar.text.len()), ..unplaced(corrected) });
        }
        let fixes = std::mem::take(&mut problem.fixes);
        problem.fixes = fixes.into_iter().filter_map(|fix| place.fix(fix)).collect();
        let range = place.map.range(from, to);
        (problem.line, problem.column) = position(source, range.start);
        (problem.end_line, problem.end_column) = position(source, range.end.max(range.start));
    }
}

/// A value of a file with an expression.
struct ValuePlace<'p> {
    scalar: &'p YamlScalar,
    source: &'p str,
    map: SourceMap,
}

impl<'p> ValuePlace<'p> {
    /// The value at a byte of the file; none where its text cannot be found there again.
    fn at(list: &'p ScalarList, source: &'p str, offset: usize) -> Option<Self> {
        let behind = list.scalars.partition_point(|scalar| scalar.span.end <= offset);
        let scalar = list.scalars[behind..].iter().find(|scalar| !scalar.is_key)?;
        Some(ValuePlace { scalar, source, map: scalar.map(source)? })
    }

    /// A fix with the bytes of the text, at its place in the file; none where the way of writing cannot hold it.
    fn fix(&self, fix: FileFix) -> Option<FileFix> {
        let range = self.map.range(fix.bytes.0, fix.bytes.1);
        let text = self.map.encode(&fix.text)?;
        let whole = self.source.get(self.scalar.span.clone())?;
        let start = range.start.checked_sub(self.scalar.span.start)?;
        let end = range.end.checked_sub(self.scalar.span.start)?;
        let value = match whole.len() <= LONGEST_FIXED {
            true => format!("{}{text}{}", whole.get(..start)?, whole.get(end..)?).trim_end().to_owned(),
            false => text.clone(),
        };
        let (line, column) = position(self.source, range.start);
        let (end_line, end_column) = position(self.source, range.end);
        Some(FileFix { line, column, end_line, end_column, bytes: (range.start, range.end), text, value, ..fix })
    }
}

/// Returns true if what was perhaps meant can only be that: a name one letter off, `!=` for `<>`, a word in small
/// letters.
fn is_safe(code: &str, written: &str, suggestion: &str) -> bool {
    let same_word = written.eq_ignore_ascii_case(suggestion) && written.bytes().all(|byte| byte.is_ascii_alphabetic());
    match code {
        "unexpected" => written == "<>" && suggestion == "!=" || same_word,
        "unknown_property" | "unknown_function" | "unknown_parameter" | "unknown_argument" => {
            let written = written.trim_matches(['\'', '"']);
            same_word || written.len() > 2 && strsim::damerau_levenshtein(written, suggestion) == 1
        }
        _ => false,
    }
}

/// A byte of a file as line and column, both from 1.
fn position(source: &str, byte: usize) -> (usize, usize) {
    let before = source.get(..byte).unwrap_or(source);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}
