//! Reading a mapping key by key: typed values out, diagnostics for all that is wrong, unknown keys included.

use super::diagnostic::{Diagnostic, FilePosition, closest};
use super::yaml::{YamlContent, YamlEntry, YamlMapping, YamlNode};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::ops::{Deref, DerefMut};

/// All that was found wrong so far, and beside it what expressions are warned of.
#[derive(Debug, Default)]
pub(crate) struct FileProblems {
    mistakes: Vec<Diagnostic>,
    findings: Vec<Diagnostic>,
}

impl FileProblems {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Notes what an expression is warned of.
    pub(crate) fn warn(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        self.findings.extend(findings);
    }

    /// The mistakes and the findings.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        (self.mistakes, self.findings)
    }
}

impl From<Vec<Diagnostic>> for FileProblems {
    fn from(mistakes: Vec<Diagnostic>) -> Self {
        FileProblems { mistakes, findings: Vec::new() }
    }
}

impl Deref for FileProblems {
    type Target = Vec<Diagnostic>;

    fn deref(&self) -> &Vec<Diagnostic> {
        &self.mistakes
    }
}

impl DerefMut for FileProblems {
    fn deref_mut(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.mistakes
    }
}

/// A node of a file, with the path of keys to it.
pub(crate) struct FileNode<'n> {
    pub(crate) file: &'n str,
    /// Keys and indexes of lists, `properties.net`.
    pub(crate) path: String,
    pub(crate) node: &'n YamlNode,
}

impl<'n> FileNode<'n> {
    /// The node at a key or an index below this one.
    pub(crate) fn below(&self, step: impl Display, node: &'n YamlNode) -> Self {
        FileNode { file: self.file, path: format!("{}.{step}", self.path), node }
    }

    /// A diagnostic at its place.
    pub(crate) fn problem(&self, code: &'static str, message: &str) -> Diagnostic {
        diagnostic(self.file, self.node.position, &self.path, code, message)
    }
}

/// A mapping of a file, being read.
pub(crate) struct FileSection<'n> {
    pub(crate) file: &'n str,
    /// The path of keys to the mapping, `properties.net`.
    pub(crate) path: String,
    pub(crate) position: FilePosition,
    /// The node whose content is the mapping.
    pub(crate) node: &'n YamlNode,
    pub(crate) mapping: &'n YamlMapping,
    known: Vec<&'static str>,
}

impl<'n> FileSection<'n> {
    /// The mapping at a node; a diagnostic where it is none.
    pub(crate) fn open(file: &'n str, path: String, node: &'n YamlNode, problems: &mut FileProblems) -> Option<Self> {
        if let YamlContent::Mapping(mapping) = &node.content {
            return Some(FileSection { file, path, position: node.position, node, mapping, known: Vec::new() });
        }
        problems.push(diagnostic(file, node.position, &path, "wrong_shape", "Keys and values are expected here."));
        None
    }

    /// A diagnostic at a place of this mapping.
    pub(crate) fn problem(&self, at: FilePosition, key: &str, code: &'static str, message: &str) -> Diagnostic {
        diagnostic(self.file, at, &self.key(key), code, message)
    }

    /// The full path of a key.
    pub(crate) fn key(&self, key: &str) -> String {
        match (self.path.is_empty(), key.is_empty()) {
            (true, _) => key.to_owned(),
            (false, true) => self.path.clone(),
            (false, false) => format!("{}.{key}", self.path),
        }
    }

    /// The value of an entry, with its path.
    pub(crate) fn value_of<'e>(&'e self, entry: &'e YamlEntry) -> FileNode<'e> {
        FileNode { file: self.file, path: self.key(&entry.key), node: &entry.value }
    }

    /// The entry of a key, which is known from here on. A key without a value is refused.
    pub(crate) fn take(&mut self, key: &'static str, problems: &mut FileProblems) -> Option<&'n YamlEntry> {
        self.known.push(key);
        let entry = self.mapping.entries.iter().find(|entry| entry.key == key)?;
        if entry.value.is_null() {
            let message = format!("{key} has no value. Give one or leave the key out.");
            problems.push(self.problem(entry.position, key, "missing_value", &message));
            return None;
        }
        Some(entry)
    }

    /// The same for a key that must be there.
    pub(crate) fn require(&mut self, key: &'static str, problems: &mut FileProblems) -> Option<&'n YamlEntry> {
        if !self.mapping.entries.iter().any(|entry| entry.key == key) {
            let at = self.mapping.entries.first().map_or(self.position, |entry| entry.position);
            problems.push(self.problem(at, key, "missing_key", &format!("The key {key:?} is missing.")));
        }
        self.take(key, problems)
    }

    /// A text, as it is written.
    pub(crate) fn text(&mut self, key: &'static str, problems: &mut FileProblems) -> Option<String> {
        let entry = self.take(key, problems)?;
        self.text_of(entry, problems)
    }

    /// The text of an entry.
    pub(crate) fn text_of(&self, entry: &YamlEntry, problems: &mut FileProblems) -> Option<String> {
        let text = entry.value.text();
        if text.is_none() {
            // `{=price}` without quotes is a mapping for YAML.
            let bare = match &entry.value.content {
                YamlContent::Mapping(mapping) => mapping.entries.first().filter(|first| first.key.starts_with('=')),
                _ => None,
            };
            let remedy = bare.map(|bare| format!(" An expression stands in quotes: \"{{{}}}\".", bare.key));
            let message = format!("{} must be a text.{}", entry.key, remedy.unwrap_or_default());
            problems.push(self.problem(entry.value.position, &entry.key, "wrong_value", &message));
        }
        text.map(str::to_owned)
    }

    /// A text out of a list.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&'static str, T)],
        problems: &mut FileProblems,
    ) -> Option<T> {
        let entry = self.take(key, problems)?;
        let text = self.text_of(entry, problems)?;
        let found = choices.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let message = format!("{key} must be one of {}.", names.join(", "));
            let mut problem = self.problem(entry.value.position, key, "wrong_value", &message);
            problem.suggestion = closest(&text, names);
            problems.push(problem);
        }
        found.map(|(_, value)| *value)
    }

    /// `true` or `false`; false where there is none.
    pub(crate) fn boolean(&mut self, key: &'static str, problems: &mut FileProblems) -> Option<bool> {
        let entry = self.take(key, problems)?;
        let value = entry.value.json().as_bool();
        if value.is_none() {
            let message = format!("{key} must be true or false.");
            problems.push(self.problem(entry.value.position, key, "wrong_value", &message));
        }
        value
    }

    /// An integer within a range.
    pub(crate) fn integer(
        &mut self,
        key: &'static str,
        range: RangeInclusive<i64>,
        problems: &mut FileProblems,
    ) -> Option<i64> {
        let entry = self.take(key, problems)?;
        let value = entry.value.json().as_i64().filter(|value| range.contains(value));
        if value.is_none() {
            let message = format!("{key} must be an integer from {} to {}.", range.start(), range.end());
            problems.push(self.problem(entry.value.position, key, "wrong_value", &message));
        }
        value
    }

    /// A list of texts, each with its place.
    pub(crate) fn texts(
        &mut self,
        key: &'static str,
        problems: &mut FileProblems,
    ) -> Option<Vec<(String, FilePosition)>> {
        let entry = self.take(key, problems)?;
        self.texts_of(entry, problems)
    }

    /// The texts of an entry that is a list.
    pub(crate) fn texts_of(
        &self,
        entry: &YamlEntry,
        problems: &mut FileProblems,
    ) -> Option<Vec<(String, FilePosition)>> {
        let key = entry.key.as_str();
        let YamlContent::Sequence(members) = &entry.value.content else {
            let message = format!("{key} must be a list: [a, b].");
            problems.push(self.problem(entry.value.position, key, "wrong_value", &message));
            return None;
        };
        let mut texts = Vec::with_capacity(members.len());
        for member in members {
            match member.text() {
                Some(text) => texts.push((text.to_owned(), member.position)),
                None => {
                    let message = format!("{key} must be a list of texts.");
                    problems.push(self.problem(member.position, key, "wrong_value", &message));
                }
            }
        }
        Some(texts)
    }

    /// The mapping of a key.
    pub(crate) fn section(&mut self, key: &'static str, problems: &mut FileProblems) -> Option<FileSection<'n>> {
        let entry = self.take(key, problems)?;
        FileSection::open(self.file, self.key(key), &entry.value, problems)
    }

    /// Refuses keys that a later version reads.
    pub(crate) fn later(&mut self, keys: &[&'static str], problems: &mut FileProblems) {
        for key in keys {
            self.known.push(key);
            if let Some(entry) = self.mapping.entries.iter().find(|entry| entry.key == *key) {
                let message = format!("{key} is not supported by this version yet. Leave the key out.");
                problems.push(self.problem(entry.position, key, "unsupported", &message));
            }
        }
    }

    /// The entries that nobody asked for.
    pub(crate) fn rest(&self) -> impl Iterator<Item = &'n YamlEntry> {
        self.mapping.entries.iter().filter(|entry| !self.known.contains(&entry.key.as_str()))
    }

    /// Refuses the entries that nobody asked for.
    pub(crate) fn finish(&self, problems: &mut FileProblems) {
        for entry in self.rest() {
            problems.push(self.unknown(entry));
        }
    }

    fn unknown(&self, entry: &YamlEntry) -> Diagnostic {
        let free = self.known.iter().copied().filter(|key| !self.mapping.entries.iter().any(|entry| entry.key == *key));
        let message = format!("The key {:?} is unknown.", entry.key);
        let mut problem = self.problem(entry.position, &entry.key, "unknown_key", &message);
        problem.suggestion = closest(&entry.key, free);
        problem
    }
}

/// A diagnostic at a place of a file.
pub(crate) fn diagnostic(file: &str, at: FilePosition, key: &str, code: &'static str, message: &str) -> Diagnostic {
    Diagnostic::new(file, at, key.to_owned(), code, message.to_owned())
}
