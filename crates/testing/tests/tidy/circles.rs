//! Circles of modules: files of a crate that reach one another by their imports.

use super::imports::Import;
use std::collections::{BTreeMap, BTreeSet};

/// Files that a file leads to, or that lead to it.
type Neighbours<'i> = BTreeMap<&'i str, Vec<&'i str>>;

/// Returns all circles of more than one file.
pub(crate) fn all(imports: &BTreeSet<Import>) -> Vec<BTreeSet<&str>> {
    let (mut forward, mut backward) = (Neighbours::new(), Neighbours::new());
    for Import { from, to } in imports {
        forward.entry(from).or_default().push(to);
        backward.entry(to).or_default().push(from);
    }
    let mut circles = Vec::new();
    let mut left: BTreeSet<&str> = forward.keys().copied().collect();
    while let Some(file) = left.first().copied() {
        let circle: BTreeSet<&str> = &reached(&forward, file) & &reached(&backward, file);
        left.remove(file);
        left.retain(|file| !circle.contains(file));
        if circle.len() > 1 {
            circles.push(circle);
        }
    }
    circles
}

/// Returns the files that neighbours lead to from a file on, with that file.
fn reached<'i>(neighbours: &Neighbours<'i>, file: &'i str) -> BTreeSet<&'i str> {
    let (mut found, mut next) = (BTreeSet::from([file]), vec![file]);
    while let Some(file) = next.pop() {
        for neighbour in neighbours.get(file).into_iter().flatten() {
            if found.insert(neighbour) {
                next.push(neighbour);
            }
        }
    }
    found
}

#[test]
fn a_circle_holds_the_files_that_reach_one_another() {
    let import = |(from, to): (&str, &str)| Import { from: from.to_owned(), to: to.to_owned() };
    let imports = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "a")].map(import).into();
    assert_eq!(all(&imports), [BTreeSet::from(["a", "b", "c"])]);
}
