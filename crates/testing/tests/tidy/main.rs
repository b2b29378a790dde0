//! The order of the code: sizes of crates and files, circles of modules, names of types, parameters, places to touch.
//!
//! Cargo enforces the direction from crate to crate. `clippy.toml` limits the number of arguments.
//!
//! What breaks a rule today stands in a list beside this file. A list may only shrink, and so may a number in it: an
//! entry that is missing fails the test, and so does one that holds no more.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod circles;
mod declarations;
mod imports;
mod places;

use declarations::Declarations;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const LINES: usize = 400;
/// The most lines of a crate.
const CRATE_LINES: usize = 15_000;
/// The most of a crate's lines that one circle of modules may hold, in percent.
const CIRCLE: usize = 25;
/// The most files outside of the kinds that tell their classes apart.
const CLASS_FILES: usize = 16;

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

/// Fails where what was found differs from a list.
fn compare(rule: &str, list: &str, found: &BTreeSet<String>) {
    let known: BTreeSet<String> = list.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(found).collect();
    assert!(new.is_empty(), "{rule}: these break it and are not in the list: {new:#?}");
    assert!(gone.is_empty(), "{rule}: these hold it now, take them out of the list: {gone:#?}");
}

#[test]
fn files_have_at_most_400_lines() {
    let folder = crates();
    let long = rust_files(&folder).into_iter().filter(|path| lines(path) > LINES);
    let long = long.map(|path| path.strip_prefix(&folder).unwrap().display().to_string()).collect();
    compare("A file has at most 400 lines", include_str!("long_files.txt"), &long);
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
    let large = folders().into_iter().filter(|(_, folder)| size(folder) > CRATE_LINES).map(|(name, _)| name).collect();
    compare("A crate has at most 15,000 lines", include_str!("large_crates.txt"), &large);
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
    let known = include_str!("circles.txt").lines().map(|line| line.split_once(": ").unwrap());
    let mut known: BTreeMap<&str, usize> = known.map(|(name, most)| (name, most.parse().unwrap())).collect();
    let mut wrong = Vec::new();
    for (name, folder) in folders() {
        let (percent, circle) = largest_circle(&folder.join("src"));
        let listed = known.remove(name.as_str());
        match listed {
            _ if percent > listed.unwrap_or(CIRCLE) => {
                wrong.push(format!("{name}: {percent} % is a circle: {circle:?}"))
            }
            Some(most) if percent + 5 < most || percent <= CIRCLE => {
                wrong.push(format!("{name}: {percent} % alone is a circle: lower or remove it in circles.txt"));
            }
            _ => {}
        }
    }
    assert!(known.is_empty(), "circles.txt names crates that are not there: {known:?}");
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
    let mut found: BTreeMap<String, Declarations> = BTreeMap::new();
    for (name, folder) in folders() {
        for file in rust_files(&folder.join("src")) {
            found.entry(name.clone()).or_default().read(&fs::read_to_string(file).unwrap());
        }
    }
    let line = |(name, found): (&String, &Declarations)| {
        format!("{name}: {} types share a name, {} parameters are tuples", found.shared_names(), found.tuple_parameters)
    };
    let found: BTreeSet<String> = found.iter().map(line).collect();
    compare("A type's name is its own in its crate, and no parameter is a tuple", include_str!("counts.txt"), &found);
}
