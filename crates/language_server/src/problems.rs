//! Problems of a folder, at their places in the files.

use crate::positions::LineIndex;
use crate::tenant_folder::TenantFolder;
use configuration::Diagnostic;
use configuration::scalars::{ScalarList, YamlScalar, scalars};
use configuration::source_map::SourceMap;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most problems that are shown of a folder.
const MOST_PROBLEMS: usize = 1_000;

/// A problem of a file.
#[derive(Debug)]
pub(crate) struct FileProblem {
    pub(crate) file: String,
    /// The problem as an editor takes it.
    pub(crate) json: Json,
    /// The texts that may take the place of parts of the file, the best one first.
    pub(crate) fixes: Vec<TextFix>,
}

/// A text that takes the place of another one.
#[derive(Debug, Clone)]
pub(crate) struct TextFix {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
    /// The text as a person reads it.
    pub(crate) shown: String,
}

/// Returns the problems of the last check.
pub(crate) fn of_folder(folder: &TenantFolder) -> Vec<FileProblem> {
    let mut by_file: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for problem in folder.problems.iter().take(MOST_PROBLEMS) {
        by_file.entry(&problem.file).or_default().push(problem);
    }
    let files = by_file.into_iter();
    files.flat_map(|(file, problems)| ProblemPlaces::new(folder, file).all(&problems)).collect()
}

/// The places of a file's problems.
struct ProblemPlaces<'f> {
    folder: &'f TenantFolder,
    file: &'f str,
    source: &'f str,
    index: LineIndex<'f>,
    list: ScalarList,
    /// The expression that was looked at last: the problems come in the order of their places.
    last: Option<ExpressionMistakes>,
}

/// The mistakes of an expression that were not told yet.
struct ExpressionMistakes {
    /// The number of the scalar.
    scalar: usize,
    map: SourceMap,
    mistakes: Vec<expression::Diagnostic>,
}

impl<'f> ProblemPlaces<'f> {
    fn new(folder: &'f TenantFolder, file: &'f str) -> Self {
        let source = folder.files.get(file).unwrap_or_default();
        let list = scalars(source);
        ProblemPlaces { folder, file, source, index: LineIndex::new(source), list, last: None }
    }

    fn all(mut self, problems: &[&Diagnostic]) -> Vec<FileProblem> {
        problems.iter().map(|problem| self.one(problem)).collect()
    }

    fn one(&mut self, problem: &Diagnostic) -> FileProblem {
        let (range, fixes) = match self.exact(problem) {
            Some(exact) => exact,
            None => {
                let (range, fix) = self.marked(problem);
                (range, fix.into_iter().collect())
            }
        };
        let severity = if problem.is_error() { 1 } else { 2 };
        let message = match &problem.suggestion {
            Some(suggestion) => format!("{} Did you mean `{suggestion}`?", problem.message),
            None => problem.message.clone(),
        };
        let json = json!({
            "range": self.index.range(&range), "severity": severity, "code": problem.code, "source": "plinth", "message": message,
        });
        FileProblem { file: self.file.to_owned(), json, fixes }
    }

    /// Returns the bytes and the remedies of a problem whose part of the file the check knows.
    fn exact(&self, problem: &Diagnostic) -> Option<(Range<usize>, Vec<TextFix>)> {
        let from = self.index.byte_of_column(problem.line, problem.column);
        let to = self.index.byte_of_column(problem.end_line, problem.end_column);
        let fixes = problem.fixes.iter().map(|fix| {
            let range = fix.bytes.0..fix.bytes.1;
            let shown = if range.is_empty() { fix.value.clone() } else { fix.text.clone() };
            TextFix { range, text: fix.text.clone(), shown }
        });
        (problem.line > 0 && to > from).then(|| (from..to, fixes.collect()))
    }

    /// Returns the bytes that a problem is about, and its remedy.
    fn marked(&mut self, problem: &Diagnostic) -> (Range<usize>, Option<TextFix>) {
        if problem.line == 0 {
            return (0..0, None);
        }
        let at = self.index.byte_of_column(problem.line, problem.column);
        let around = |scalar: &YamlScalar| scalar.span.contains(&at);
        let Some(place) = self.list.scalars.iter().position(around) else {
            let line = self.index.line_around(at);
            return (at.min(line.end)..line.end, None);
        };
        if let Some(found) = self.in_expression(place, problem) {
            return found;
        }
        let scalar = &self.list.scalars[place];
        (scalar.span.clone(), self.whole(scalar, problem))
    }

    /// The place of a mistake within an expression.
    fn in_expression(&mut self, place: usize, problem: &Diagnostic) -> Option<(Range<usize>, Option<TextFix>)> {
        if self.last.as_ref().is_none_or(|last| last.scalar != place) {
            self.last = self.mistakes(place);
        }
        let ExpressionMistakes { map, mistakes, .. } = self.last.as_mut()?;
        let same = |mistake: &expression::Diagnostic| {
            mistake.code == problem.code && problem.message.starts_with(&mistake.message)
        };
        // Some readers of files have words of their own for a mistake.
        let alike = |mistake: &expression::Diagnostic| mistake.code == problem.code;
        let found = mistakes.iter().position(same).or_else(|| mistakes.iter().position(alike));
        let mistake = mistakes.remove(found?);
        let range = map.range(mistake.span.from, mistake.span.to);
        let fix = mistake
            .suggestion
            .and_then(|shown| Some(TextFix { range: range.clone(), text: map.encode(&shown)?, shown }));
        Some((range, fix))
    }

    fn mistakes(&self, place: usize) -> Option<ExpressionMistakes> {
        let scalar = Some(&self.list.scalars[place]).filter(|scalar| scalar.has_expression())?;
        let surroundings = self.folder.surroundings(self.file, &scalar.path)?;
        let map = scalar.map(self.source)?;
        let mistakes = analysis::analyse(&scalar.text, &surroundings).diagnostics;
        Some(ExpressionMistakes { scalar: place, map, mistakes })
    }

    /// The remedy that takes the place of a key or a value.
    fn whole(&self, scalar: &YamlScalar, problem: &Diagnostic) -> Option<TextFix> {
        let shown = problem.suggestion.as_ref()?;
        // Of a dotted name nobody knows which part is meant.
        if scalar.text.contains(['.', ' ']) && !shown.contains(['.', ' ']) {
            return None;
        }
        let from = usize::from(scalar.text.starts_with('-') && !shown.starts_with('-'));
        let map = scalar.map(self.source)?;
        let range = map.range(from, scalar.text.len());
        Some(TextFix { range, text: map.encode(shown)?, shown: shown.clone() })
    }
}
