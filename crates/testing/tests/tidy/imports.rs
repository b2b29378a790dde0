//! Imports from file to file within a crate, read from its text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// An import: both files by their paths in the crate.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A path of a `use` declaration or of an expression, with the module that it stands in.
type Names = Vec<String>;

/// The modules of a crate.
struct Modules {
    /// The file of each, by its path from the root.
    files: BTreeMap<Names, String>,
    /// Names that a module hands on, with the path that each leads to.
    handed_on: BTreeMap<(Names, String), Names>,
}

/// Returns all imports within a crate, of which `source` is the folder.
pub(crate) fn within(source: &Path) -> BTreeSet<Import> {
    let mut texts = BTreeMap::new();
    for path in super::rust_files(source) {
        let name = path.strip_prefix(source).unwrap().display().to_string();
        texts.insert(name, without_comments(&fs::read_to_string(&path).unwrap()));
    }
    let files = texts.keys().map(|file| (module(file), file.clone())).collect();
    let mut modules = Modules { files, handed_on: BTreeMap::new() };
    for (file, text) in &texts {
        let here = module(file);
        for (names, alias) in uses(text).into_iter().filter(|used| used.handed_on).map(|used| (used.names, used.alias))
        {
            if let (Some(path), Some(name)) = (modules.absolute(&names, &here), alias.or_else(|| names.last().cloned()))
            {
                modules.handed_on.insert((here.clone(), name), path);
            }
        }
    }
    let mut imports = BTreeSet::new();
    for (file, text) in &texts {
        let here = module(file);
        let used = uses(text).into_iter().map(|used| used.names).chain(inline(text));
        for path in used.filter_map(|names| modules.absolute(&names, &here)) {
            let to = modules.file_of(&path, 0);
            if to != file && to != "lib.rs" {
                imports.insert(Import { from: file.clone(), to: to.to_owned() });
            }
        }
    }
    imports
}

impl Modules {
    /// Returns the path from the root that names lead to, where they stand in a module; none where they leave the crate.
    fn absolute(&self, names: &[String], here: &[String]) -> Option<Names> {
        let first = names.first()?;
        if first == "crate" {
            return Some(names[1..].to_vec());
        }
        if first == "super" {
            let up = names.iter().take_while(|name| *name == "super").count();
            let base = &here[..here.len().checked_sub(up)?];
            return Some([base, &names[up..]].concat());
        }
        let child = [here, &names[..1]].concat();
        self.files.contains_key(&child).then(|| [here, names].concat())
    }

    /// Returns the file that defines what a path leads to, behind what modules hand on.
    fn file_of(&self, path: &[String], depth: usize) -> &str {
        for length in (0..=path.len()).rev() {
            let (module, rest) = path.split_at(length);
            let Some(file) = self.files.get(module) else { continue };
            let next = rest.first().and_then(|name| self.handed_on.get(&(module.to_vec(), name.clone())));
            return match next {
                Some(next) if depth < 8 => self.file_of(&[next, &rest[1..]].concat(), depth + 1),
                _ => file,
            };
        }
        "lib.rs"
    }
}

/// A name of a `use` declaration.
struct Used {
    names: Names,
    alias: Option<String>,
    /// Whether the declaration is `pub`.
    handed_on: bool,
}

/// Returns the module of a file.
fn module(file: &str) -> Names {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Returns the text without comments. Those within strings go, too: no path stands there.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the names of all `use` declarations that stand at the left edge: those of tests are no imports.
fn uses(text: &str) -> Vec<Used> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("use ") {
        let line = rest[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = &rest[line..start];
        let declaration = rest[start + 4..].split(';').next().unwrap_or_default();
        if before.is_empty() || before.starts_with("pub") && !before.contains('{') {
            let mut paths = Vec::new();
            tree(declaration, &[], &mut paths);
            let handed_on = !before.is_empty();
            found.extend(paths.into_iter().map(|(names, alias)| Used { names, alias, handed_on }));
        }
        rest = &rest[start + 4..];
    }
    found
}

/// Adds the paths of a tree such as `a::{b, c::{d, e as f}}`.
fn tree(text: &str, before: &[String], paths: &mut Vec<(Names, Option<String>)>) {
    let text = text.trim();
    let Some(open) = text.find('{') else {
        let (path, alias) = text.split_once(" as ").map_or((text, None), |(path, alias)| (path, Some(alias.trim())));
        let names = path.split("::").map(|name| name.trim().to_owned()).filter(|name| name != "self");
        paths.push((before.iter().cloned().chain(names).collect(), alias.map(str::to_owned)));
        return;
    };
    let names = text[..open].split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let before: Names = before.iter().cloned().chain(names).collect();
    let inner = text[open + 1..].rsplit_once('}').map_or("", |(inner, _)| inner);
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                tree(&inner[start..at], &before, paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        tree(&inner[start..], &before, paths);
    }
}

/// Returns the paths of expressions that begin with `crate::`. Those of `pub(in …)` are no imports.
fn inline(text: &str) -> Vec<Names> {
    let paths = text
        .match_indices("crate::")
        .filter(|(at, _)| !["use ", "pub(in "].iter().any(|before| text[..*at].ends_with(before)));
    let path = |(at, _): (usize, &str)| {
        let end = |letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':');
        let rest = &text[at..];
        let path = &rest[..rest.find(end).unwrap_or(rest.len())];
        path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    paths.map(path).collect()
}
