//! The lists of CONTRIBUTING.md: what to touch for an addition.

use super::{crates, rust_files};
use std::fs;
use std::path::Path;

/// A row of a list.
struct Place<'t> {
    path: &'t str,
    /// Names that the place must hold.
    items: Vec<&'t str>,
    /// Tests that tell of a forgotten place.
    tests: Vec<&'t str>,
}

/// A list: its heading, the number of places beside the test that the heading tells, and the rows.
struct PlaceList<'t> {
    heading: &'t str,
    told: usize,
    /// True if the heading tells of a test, too.
    tested: bool,
    places: Vec<Place<'t>>,
}

/// Returns the lists of a page.
fn lists(page: &str) -> Vec<PlaceList<'_>> {
    let section = page.split_once("\n## How to add").unwrap().1;
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    section.split("\n### ").skip(1).filter_map(list).collect()
}

/// Returns a list, where the heading tells a number of places.
fn list(text: &str) -> Option<PlaceList<'_>> {
    let (heading, rest) = text.split_once('\n')?;
    let (told, more) = heading.split_once(": ")?.1.split_once(" places")?;
    let told = told.parse().unwrap();
    let tested = match more {
        "" => false,
        " and a test" => true,
        _ => panic!("{heading}: a number of places, or one and a test"),
    };
    let rows = rest.lines().filter(|line| line.starts_with("| `"));
    let places = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [path, items, tests] = cells[..] else { panic!("three cells: {row}") };
        Place { path: quoted(path)[0], items: quoted(items), tests: quoted(tests) }
    });
    Some(PlaceList { heading, told, tested, places: places.collect() })
}

/// Returns what stands in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns the text of a file, or of all files below a folder.
fn text(path: &Path) -> String {
    if path.is_dir() {
        rust_files(path).iter().map(|file| fs::read_to_string(file).unwrap()).collect()
    } else {
        fs::read_to_string(path).unwrap_or_default()
    }
}

#[test]
fn lists_of_places_name_files_items_and_tests_that_are_there() {
    let root = crates().join("..");
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let code: String = text(&root.join("crates"));
    let lists = lists(&page);
    assert_eq!(lists.len(), 8, "one for each kind of addition");
    let mut wrong = Vec::new();
    for PlaceList { heading, places, .. } in &lists {
        for Place { path, items, tests } in places {
            let there = root.join(path);
            if !there.exists() {
                wrong.push(format!("{heading}: there is no {path}"));
                continue;
            }
            let text = text(&there);
            // A command stands for what it writes, and `+=` for a word of the language.
            let names =
                items.iter().filter(|item| item.chars().all(|letter| letter.is_alphanumeric() || letter == '_'));
            wrong.extend(
                names.filter(|name| !holds(&text, name)).map(|name| format!("{heading}: {path} has no {name}")),
            );
            let tests = tests.iter().filter(|test| test.contains('_'));
            let missing = tests.filter(|test| !code.contains(&format!("fn {test}(")));
            wrong.extend(missing.map(|test| format!("{heading}: there is no test {test}")));
        }
    }
    assert!(wrong.is_empty(), "CONTRIBUTING.md: {wrong:#?}");
}

/// Returns true if a text has a name as a whole word.
fn holds(text: &str, name: &str) -> bool {
    let inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside))
}

#[test]
fn headings_tell_the_number_of_places() {
    let page = fs::read_to_string(crates().join("../CONTRIBUTING.md")).unwrap();
    let mut known_class = [0; 2];
    for PlaceList { heading, told, tested, places } in lists(&page) {
        let (tests, others): (Vec<_>, Vec<_>) = places.iter().partition(|place| place.path.contains("/tests/"));
        let mut count = [others.len(), tests.len()];
        if heading.contains("a known class") {
            known_class = count;
        } else if heading.contains("a new class") {
            // A kind of a new class needs what one of a known class needs, and more.
            count = [count[0] + known_class[0], count[1] + known_class[1]];
        }
        let [places, tests] = count;
        assert!(count == [told, usize::from(tested)], "{heading}: the list has {places} places and {tests} tests");
    }
}
