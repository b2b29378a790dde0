//! The set of a tenant's files: relative paths and texts, from a folder or from the database.

use super::diagnostic::{Diagnostic, closest};
use model::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The largest file, in bytes.
const LARGEST_FILE: u64 = 1 << 20;
/// The most files.
const MOST_FILES: usize = 5_000;
/// The depth to which folders are looked into.
const DEEPEST: usize = 3;
/// Folders of one object a file.
const FOLDERS: [&str; 7] = ["types", "roles", "groups", "users", "queries", "canvases", "automations"];
/// The folder of texts.
const TEXTS: &str = "mail";
/// The beginning of paths of tests. They are checked and run, and no part of what is applied.
pub(crate) const TESTS: &str = "tests/";
/// Files at the top.
const TOP: [&str; 3] = ["tenant.yaml", "tags.yaml", "env.yaml"];

/// A tenant's files by relative path, `/` between its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// Reads a folder. Hidden files, and those that are not YAML and not in one of the folders that hold
    /// objects, are no part of the configuration.
    pub fn read(folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut files = Files::default();
        let mut problems = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(below) = folders.pop() {
            let entries = match fs::read_dir(folder.join(&below)) {
                Ok(entries) => entries,
                Err(error) => {
                    problems.push(whole(&below, "unreadable", format!("The folder cannot be read: {error}.")));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
                let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
                if name.starts_with('.') {
                    continue;
                }
                let folder = entry.path().is_dir();
                let top = path.split('/').next().unwrap_or_default();
                let known = FOLDERS.contains(&top) || top == TEXTS || path.starts_with(TESTS);
                let yaml = name.ends_with(".yaml") || name.ends_with(".yml");
                // YAML in a folder with another name is read too, to be refused: it may be misspelt.
                if folder && (below.is_empty() || (known && path.matches('/').count() < DEEPEST)) {
                    folders.push(path);
                } else if !folder && (yaml || (known && !below.is_empty())) {
                    // A pipe or a device would be read without an end.
                    if !entry.path().is_file() {
                        problems.push(whole(&path, "unreadable", "It is not an ordinary file.".to_owned()));
                        continue;
                    }
                    match text(&entry.path()) {
                        Ok(text) => drop(files.0.insert(path, text)),
                        Err(message) => problems.push(whole(&path, "unreadable", message)),
                    }
                }
                if files.0.len() > MOST_FILES {
                    problems.push(whole("", "too_many_files", format!("There are more than {MOST_FILES} files.")));
                    return Err(problems);
                }
            }
        }
        if problems.is_empty() { Ok(files) } else { Err(problems) }
    }

    /// Those of a tenant that nothing was configured of.
    pub(super) fn bare(name: &str) -> Self {
        let mut files = Files::default();
        files.insert("tenant.yaml", format!("tenant: {name}\n"));
        files
    }

    /// Fails where a file of these paths could not be written below a folder.
    pub fn try_write(folder: &Path, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<()> {
        for path in paths {
            let target = folder.join(path);
            let beside = beside(&target);
            let tried = fs::File::create(&beside).and_then(|_| fs::remove_file(&beside));
            tried.map_err(|error| unwritable(&target, &error))?;
        }
        Ok(())
    }

    /// Writes all files below a folder; makes the folders that they need.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for (path, text) in &self.0 {
            let target = folder.join(path);
            let parent = target.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(|error| unwritable(parent, &error))?;
            // A reader sees the old or the new file, never half of one.
            let beside = beside(&target);
            let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &target));
            written.map_err(|error| unwritable(&target, &error))?;
        }
        Ok(())
    }

    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.insert(path.into(), text.into());
    }

    /// The text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Paths and texts, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The paths of files that are not the same as before, and of those that are gone.
    pub(crate) fn differing(&self, before: Option<&Files>) -> Vec<String> {
        let none = Files::default();
        let before = before.unwrap_or(&none);
        let paths: BTreeSet<&String> = self.0.keys().chain(before.0.keys()).collect();
        paths.into_iter().filter(|path| self.0.get(*path) != before.0.get(*path)).cloned().collect()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The files without tests: what can be applied.
    pub fn without_tests(&self) -> Files {
        let kept = self.0.iter().filter(|(path, _)| !path.starts_with(TESTS));
        Files(kept.map(|(path, text)| (path.clone(), text.clone())).collect())
    }

    /// Files among the tests that are none.
    pub(crate) fn misplaced_tests(&self) -> Vec<Diagnostic> {
        let plain = |path: &str| path.matches('/').count() == 1 && path.ends_with(".yaml");
        let others = self.iter().filter(|(path, _)| path.starts_with(TESTS) && !plain(path));
        let message = || format!("Only files {TESTS}<name>.yaml are read.");
        others.map(|(path, _)| whole(path, "misplaced_file", message())).collect()
    }

    /// Files that have no place in a tenant.
    pub(crate) fn misplaced(&self) -> Vec<Diagnostic> {
        let own = self.iter().filter(|(path, _)| !path.starts_with(TESTS));
        let mut problems: Vec<Diagnostic> = own.filter_map(|(path, _)| misplaced(path)).collect();
        if self.get("tenant.yaml").is_none() {
            problems.push(whole("tenant.yaml", "missing_file", "The file tenant.yaml is missing.".to_owned()));
        }
        problems
    }
}

fn misplaced(path: &str) -> Option<Diagnostic> {
    let (top, rest) = path.split_once('/').map_or((path, None), |(top, rest)| (top, Some(rest)));
    match rest {
        None if TOP.contains(&path) => None,
        // Its names are checked with its texts.
        Some(_) if top == TEXTS => None,
        Some(rest) if FOLDERS.contains(&top) => {
            let plain = !rest.contains('/') && rest.ends_with(".yaml");
            (!plain).then(|| whole(path, "misplaced_file", format!("Only files {top}/<name>.yaml are read.")))
        }
        _ => {
            let folders: Vec<String> = FOLDERS.iter().map(|folder| format!("{folder}/")).collect();
            let read = format!("{}, {} and {TEXTS}/", TOP.join(", "), folders.join(", "));
            let message = format!("This file is not read: only {read} are.");
            let mut problem = whole(path, "misplaced_file", message);
            problem.suggestion =
                closest(top, FOLDERS.into_iter().chain(TOP).chain(["tests"])).filter(|found| found != top);
            Some(problem)
        }
    }
}

fn text(path: &Path) -> Result<String, String> {
    let size = fs::metadata(path).map_err(|error| format!("The file cannot be read: {error}."))?.len();
    if size > LARGEST_FILE {
        return Err(format!("The file is larger than {LARGEST_FILE} bytes."));
    }
    fs::read_to_string(path).map_err(|error| format!("The file cannot be read: {error}."))
}

fn whole(path: &str, code: &'static str, message: String) -> Diagnostic {
    Diagnostic::new(path, super::diagnostic::FilePosition::default(), String::new(), code, message)
}

/// The path at which a file is written, before it takes the place of the one before.
fn beside(target: &Path) -> PathBuf {
    target.with_extension("yaml.new")
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::invalid("unwritable", format!("{} cannot be written: {error}.", path.display()))
}
