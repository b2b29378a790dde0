//! The order of the code: the direction of imports, the length of files, names of types, parameters.
//!
//! What breaks a rule today stands in a list beside this file. A list may only shrink, and so may a number in it: an
//! entry that is missing fails the test, and so does one that holds no more.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod declarations;
mod imports;
mod layers;

use declarations::Declarations;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const LINES: usize = 400;

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
    let long = rust_files(&folder).into_iter().filter(|path| fs::read_to_string(path).unwrap().lines().count() > LINES);
    let long = long.map(|path| path.strip_prefix(&folder).unwrap().display().to_string()).collect();
    compare("A file has at most 400 lines", include_str!("long_files.txt"), &long);
}

#[test]
fn imports_of_the_platform_run_downward() {
    let mut upward = BTreeSet::new();
    for import in imports::within(&crates().join("platform/src")) {
        let (from, to) = (layers::of(&import.from), layers::of(&import.to));
        if to > from || to == from && layers::are_apart(&import.from, &import.to) {
            upward.insert(format!("{} -> {}", import.from, import.to));
        }
    }
    compare("Imports run from a layer to those below", include_str!("upward_imports.txt"), &upward);
}

#[test]
fn types_have_names_of_their_own_and_parameters_are_no_tuples() {
    let mut found: BTreeMap<String, Declarations> = BTreeMap::new();
    for folder in fs::read_dir(crates()).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
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
