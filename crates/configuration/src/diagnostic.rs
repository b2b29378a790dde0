//! Diagnostics of a tenant's files: the place of a fault, its reason, and what was perhaps meant.

use std::borrow::Cow;
use std::fmt;

/// The word for what refuses files.
pub(crate) const ERROR: &str = "error";
/// The word for what does not.
pub(crate) const WARNING: &str = "warning";
/// The word for what may give something else by the rules of a former version.
pub(crate) const NOTE: &str = "note";

/// A text that takes the place of a part of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct FileFix {
    /// The line where the part begins, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line where the part ends.
    pub end_line: usize,
    /// The column behind the part.
    pub end_column: usize,
    /// The first byte of the part, and the one behind it.
    #[serde(skip)]
    pub bytes: (usize, usize),
    /// The text, with the quotes and escapes that the place wants.
    pub text: String,
    /// The whole value with the text in its place, as it stands in the file.
    pub value: String,
    /// True if it cannot change a right value: `plinth check --fix` writes it.
    pub is_safe: bool,
}

/// One thing that is wrong in a file, or is rarely meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Diagnostic {
    /// The file, relative to the tenant's folder.
    pub file: String,
    /// The line, from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// The column in characters, from 1; 0 where the file as a whole is meant.
    pub column: usize,
    /// The path of keys to the place: `properties.net.scale`; may be empty.
    pub key: String,
    /// A stable snake_case word.
    pub code: &'static str,
    /// The fault, and what to do.
    pub message: String,
    /// The name or text that was perhaps meant.
    pub suggestion: Option<String>,
    /// `error` for what refuses the files; `warning` for what is well defined, and rarely meant.
    pub severity: &'static str,
    /// The line where the part that is meant ends; that of its start where the part is not known.
    pub end_line: usize,
    /// The column behind the part that is meant; that of its start where the part is not known.
    pub end_column: usize,
    /// Texts that take the place of parts of the file, each of which fixes it alone.
    pub fixes: Vec<FileFix>,
    /// The part of an expression that it is about: the byte of the file where the value is, and the bytes of the text.
    #[serde(skip)]
    pub(crate) part: Option<(usize, usize, usize)>,
    /// The whole text of an expression without its mistakes, until it becomes a fix.
    #[serde(skip)]
    pub(crate) corrected: Option<String>,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FilePosition {
    pub line: usize,
    pub(crate) column: usize,
    /// In bytes from the start of the file.
    pub(crate) offset: usize,
}

/// The most characters of a long line that are shown, and of these the ones before the place that is meant.
const SHOWN: usize = 160;
const BEFORE: usize = 60;

/// The part of a line around a place, and where the place is in it.
fn excerpt(line: &str, column: usize) -> (Cow<'_, str>, usize) {
    let count = line.chars().count();
    if count <= SHOWN {
        return (Cow::Borrowed(line), column);
    }
    let start = column.min(count).saturating_sub(BEFORE).min(count - SHOWN);
    let shown = line.chars().skip(start).take(SHOWN);
    let (before, behind) = (if start > 0 { "…" } else { "" }, if start + SHOWN < count { "…" } else { "" });
    let text = before.chars().chain(shown).chain(behind.chars()).collect();
    (Cow::Owned(text), column - start + before.chars().count())
}

impl Diagnostic {
    /// An error at a place of a file.
    pub(crate) fn new(file: &str, at: FilePosition, key: String, code: &'static str, message: String) -> Self {
        Diagnostic {
            file: file.to_owned(),
            line: at.line,
            column: at.column,
            key,
            code,
            message,
            suggestion: None,
            severity: ERROR,
            end_line: at.line,
            end_column: at.column,
            fixes: Vec::new(),
            part: None,
            corrected: None,
        }
    }

    /// Returns true if it refuses the files.
    pub fn is_error(&self) -> bool {
        self.severity == ERROR
    }

    /// The same with what the language knows of a mistake: what was perhaps meant, and where it is.
    pub(crate) fn of_mistake(self, at: FilePosition, mistake: expression::Diagnostic) -> Self {
        let expression::Diagnostic { span, suggestion, corrected, .. } = mistake;
        Diagnostic { suggestion, corrected: corrected.map(String::from), ..self }.about(at, span)
    }

    /// The same about a part of the expression at a place.
    pub(crate) fn about(self, at: FilePosition, span: expression::Span) -> Self {
        Diagnostic { part: Some((at.offset, span.from, span.to)), ..self }
    }

    /// Returns true if it is about the shape of a file, and would be one whatever the other files and keys say.
    pub(crate) fn stands_alone(&self) -> bool {
        const CODES: [&str; 10] = [
            "duplicate_name",
            "invalid_name",
            "missing_key",
            "missing_value",
            "too_deep",
            "too_many",
            "unknown_event",
            "unknown_key",
            "wrong_schedule",
            "wrong_shape",
        ];
        CODES.contains(&self.code)
    }

    /// The diagnostic for a terminal: the message, the place, the source line and a caret under the place.
    pub fn render(&self, source: Option<&str>) -> String {
        use fmt::Write as _;
        let mut text = format!("{}[{}]: {}\n", self.severity, self.code, self.message);
        let _ = writeln!(text, "  --> {}", self.place());
        let line = source.and_then(|source| source.lines().nth(self.line.checked_sub(1)?));
        if let Some(line) = line {
            let number = self.line.to_string();
            let margin = " ".repeat(number.len());
            let (line, column) = excerpt(line, self.column.saturating_sub(1));
            // Of a part of several lines the first is marked to its end.
            let width = match self.end_line == self.line {
                true => self.end_column.saturating_sub(self.column),
                false => line.chars().count().saturating_sub(column),
            };
            // A tab keeps its width, so that the caret stands below the character that it means.
            let indent = line.chars().take(column).map(|character| if character == '\t' { '\t' } else { ' ' });
            let indent: String = indent.collect();
            let _ = writeln!(
                text,
                "{margin} |\n{number} | {line}\n{margin} | {indent}{}",
                "^".repeat(width.clamp(1, SHOWN))
            );
        }
        if let Some(suggestion) = &self.suggestion {
            let _ = writeln!(text, "  help: did you mean `{suggestion}`?");
        }
        // The first fix of a problem with a suggestion is the suggestion.
        let shown = self.fixes.iter().skip(usize::from(self.suggestion.is_some()));
        for fix in shown.filter(|fix| !fix.value.contains('\n')) {
            let _ = writeln!(text, "  help: write {}", fix.value);
        }
        text
    }

    /// File, line and column.
    pub fn place(&self) -> String {
        if self.line == 0 { self.file.clone() } else { format!("{}:{}:{}", self.file, self.line, self.column) }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.place(), self.code, self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(formatter, " Did you mean `{suggestion}`?"),
            None => Ok(()),
        }
    }
}

/// Sorts by place, the files that others rest on first: what is wrong with them may be told again where they are named.
pub(crate) fn sort(problems: &mut Vec<Diagnostic>) {
    problems.sort_by(|left, right| rank(left).cmp(&rank(right)).then_with(|| left.cmp(right)));
    problems.dedup();
}

/// Returns the rank of a problem among those of other files. First comes what has no name that could be found, then
/// folders in the order in which they name one another.
fn rank(problem: &Diagnostic) -> (bool, usize) {
    const ORDER: [&str; 8] = ["types", "groups", "roles", "users", "tags.yaml", "queries", "canvases", "automations"];
    const NAMES: [(&str, &str); 4] = [("types", "name"), ("groups", "group"), ("roles", "role"), ("queries", "query")];
    let first = problem.file.split('/').next().unwrap_or_default();
    let nameless =
        problem.code == "yaml" || problem.code == "missing_key" && NAMES.contains(&(first, problem.key.as_str()));
    // The settings, and what is in no known place, come before all folders.
    (!nameless, ORDER.iter().position(|folder| *folder == first).map_or(0, |place| place + 1))
}

/// The candidate that is closest to `text`, if any is close.
pub(crate) fn closest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    let lower = text.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score >= 0.82)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate.to_owned())
}
