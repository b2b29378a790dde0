//! `plinth check --fix`: writes the changes that cannot alter a right value into files.

use super::Failure;
use super::report::shown_path;
use configuration::{Diagnostic, FileFix, Files};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The most rounds: a name that is right shows what else is wrong with its expression.
const MOST_ROUNDS: usize = 5;

/// A change that was written.
#[derive(Debug, Serialize)]
pub(super) struct WrittenFix {
    file: String,
    line: usize,
    column: usize,
    /// The part that stood there.
    before: String,
    /// The part that stands there now.
    after: String,
    code: &'static str,
}

impl WrittenFix {
    /// The change for a terminal.
    pub(super) fn line(&self, folder: &Path) -> String {
        let WrittenFix { line, column, before, after, code, .. } = self;
        let file = shown_path(folder, &self.file);
        match before.is_empty() {
            true => format!("fixed[{code}]: {file}:{line}:{column}: added `{after}`"),
            false => format!("fixed[{code}]: {file}:{line}:{column}: `{before}` is now `{after}`"),
        }
    }
}

/// Writes what is safe into the files of a folder, until nothing is left of it.
pub(super) fn write(
    folder: &Path,
    files: &mut Files,
    problems: impl Fn(&Files) -> Vec<Diagnostic>,
) -> Result<Vec<WrittenFix>, Failure> {
    let mut all = Vec::new();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..MOST_ROUNDS {
        let written = round(files, &problems(files));
        if written.is_empty() {
            break;
        }
        for (file, text, fixed) in written {
            files.insert(file.clone(), text.clone());
            texts.insert(file, text);
            all.extend(fixed);
        }
    }
    Files::try_write(folder, texts.keys())?;
    for (file, text) in texts {
        let path = folder.join(file);
        fs::write(&path, text).map_err(|error| {
            let message = format!("{} cannot be written: {error}.", path.display());
            Failure::new(message, "Allow writing to it, or make the change by hand.")
        })?;
    }
    Ok(all)
}

/// Returns the files that change, with their new text. Of changes that overlap the first is taken.
fn round(files: &Files, problems: &[Diagnostic]) -> Vec<(String, String, Vec<WrittenFix>)> {
    let mut by_file: BTreeMap<&str, Vec<(&FileFix, &'static str)>> = BTreeMap::new();
    for problem in problems {
        let mut safe = problem.fixes.iter().filter(|fix| fix.is_safe);
        if let (Some(fix), None) = (safe.next(), safe.next()) {
            by_file.entry(&problem.file).or_default().push((fix, problem.code));
        }
    }
    let changed = by_file.into_iter().filter_map(|(file, mut fixes)| {
        let mut text = files.get(file)?.to_owned();
        fixes.sort_by_key(|(fix, _)| fix.bytes);
        let mut behind = 0;
        fixes.retain(|(fix, _)| {
            let is_free = fix.bytes.0 >= behind;
            behind = if is_free { fix.bytes.1 } else { behind };
            is_free
        });
        let mut written = Vec::new();
        for (fix, code) in fixes.iter().rev() {
            let before = text.get(fix.bytes.0..fix.bytes.1)?.to_owned();
            text.replace_range(fix.bytes.0..fix.bytes.1, &fix.text);
            let (file, after) = (file.to_owned(), fix.text.clone());
            written.push(WrittenFix { file, line: fix.line, column: fix.column, before, after, code });
        }
        written.reverse();
        Some((file.to_owned(), text, written))
    });
    changed.collect()
}
