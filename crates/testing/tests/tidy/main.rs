//! The order of the code: sizes of crates and files, circles of modules, names of types, parameters, places to touch, walks.
//!
//! Cargo enforces the direction from crate to crate. `clippy.toml` limits the number of arguments.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod circles;
mod declarations;
mod imports;
mod places;
mod walks;

use declarations::Declarations;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const LINES: usize = 400;
/// The most lines of a crate.
const CRATE_LINES: usize = 15_000;
/// The most of a crate's lines that one circle of modules may hold, in percent.
const CIRCLE: usize = 25;
/// The most files outside of the kinds that tell their classes apart.
const CLASS_FILES: usize = 5;

/// Returns the folder of all crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns all Rust files below a folder, in order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn files_have_at_most_400_lines() {
    let long: Vec<PathBuf> = rust_files(&crates()).into_iter().filter(|path| lines(path) > LINES).collect();
    assert!(long.is_empty(), "A file has at most {LINES} lines: {long:#?}");
}

/// Returns the folders of all crates, by name.
fn folders() -> BTreeMap<String, PathBuf> {
    let folders = fs::read_dir(crates()).unwrap().map(|folder| folder.unwrap().path());
    folders.map(|folder| (folder.file_name().unwrap().to_string_lossy().into_owned(), folder)).collect()
}

/// Returns the number of lines of a file.
fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

#[test]
fn crates_have_at_most_15_000_lines() {
    let size = |folder: &Path| -> usize { rust_files(&folder.join("src")).iter().map(|path| lines(path)).sum() };
    let sizes = folders().into_iter().map(|(name, folder)| (name, size(&folder)));
    let large: Vec<(String, usize)> = sizes.filter(|(_, size)| *size > CRATE_LINES).collect();
    assert!(large.is_empty(), "A crate has at most {CRATE_LINES} lines: {large:#?}");
}

/// Returns the largest circle of modules of a crate, and its share of the lines in percent.
fn largest_circle(source: &Path) -> (usize, Vec<String>) {
    let all: usize = rust_files(source).iter().map(|path| lines(path)).sum();
    let imports = imports::within(source);
    let circles = circles::all(&imports).into_iter().map(|circle| {
        let lines: usize = circle.iter().map(|file| lines(&source.join(file))).sum();
        (lines * 100 / all, circle.into_iter().map(str::to_owned).collect())
    });
    circles.max_by_key(|(percent, _)| *percent).unwrap_or_default()
}

#[test]
fn circles_of_modules_stay_small() {
    let circles = folders().into_iter().map(|(name, folder)| (name, largest_circle(&folder.join("src"))));
    let wrong: Vec<_> = circles.filter(|(_, (percent, _))| *percent > CIRCLE).collect();
    assert!(wrong.is_empty(), "A circle of modules has at most {CIRCLE} % of its crate: {wrong:#?}");
}

#[test]
fn few_files_tell_classes_of_kinds_apart() {
    let folder = crates();
    let kinds = folder.join("model/src/kinds");
    let tells = |path: &PathBuf| !path.starts_with(&kinds) && fs::read_to_string(path).unwrap().contains("KindClass::");
    let sources = folders().into_values().flat_map(|folder| rust_files(&folder.join("src")));
    let found: Vec<PathBuf> = sources.filter(tells).collect();
    assert!(found.len() <= CLASS_FILES, "A kind answers for itself, by a method of `Kind`: {found:#?}");
}

#[test]
fn types_have_names_of_their_own_and_parameters_are_no_tuples() {
    let mut wrong = Vec::new();
    for (name, folder) in folders() {
        let mut found = Declarations::default();
        rust_files(&folder.join("src")).iter().for_each(|file| found.read(&fs::read_to_string(file).unwrap()));
        let (shared, tuples) = (found.shared_names(), found.tuple_parameters);
        if shared + tuples > 0 {
            wrong.push(format!("{name}: {shared} types share a name, {tuples} parameters are tuples"));
        }
    }
    assert!(wrong.is_empty(), "A type's name is its own in its crate, and no parameter is a tuple: {wrong:#?}");
}
