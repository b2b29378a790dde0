//! The page "Why was this refused?": each code of the crate stands there, and its examples are as the page says.

use crate::place::{scope, shown};
use expression::Program;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/refusals.md");

/// The rows of the page: code, example, remedy.
fn rows() -> Vec<(&'static str, Vec<&'static str>)> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        (cells[0].trim_matches('`'), cells[1..].to_vec())
    })
    .collect()
}

/// The codes that follow some words in the sources.
fn codes(text: &str, found: &mut BTreeSet<String>) {
    const BEFORE: [&str; 8] = [
        "mistake(\"",
        "self.error(\"",
        "self.warning(\"",
        "Diagnostic::new(\"",
        "Severity::Error, \"",
        "Severity::Warning, \"",
        "mistake(\n",
        "self.error(\n",
    ];
    for before in BEFORE {
        for (place, _) in text.match_indices(before) {
            let rest = text[place + before.len()..].trim_start().trim_start_matches('"');
            let code: String =
                rest.chars().take_while(|letter| letter.is_ascii_lowercase() || *letter == '_').collect();
            found.insert(code);
        }
    }
}

fn read(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("a folder can be listed").path();
        match path.is_dir() {
            true => read(&path, found),
            false => codes(&fs::read_to_string(&path).expect("a source is a text"), found),
        }
    }
}

#[test]
fn each_code_stands_on_the_page() {
    let mut found = BTreeSet::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 50, "{found:?}");
    let listed: BTreeSet<&str> = rows().into_iter().map(|(code, _)| code).collect();
    let lacking: Vec<_> = found.iter().filter(|code| !listed.contains(code.as_str())).collect();
    assert!(lacking.is_empty(), "docs/refusals.md lacks {lacking:?}");
    let unknown: Vec<_> = listed.iter().filter(|code| !found.contains(**code)).collect();
    assert!(unknown.is_empty(), "docs/refusals.md lists {unknown:?}, which nothing has");
}

#[test]
fn the_examples_of_the_page_are_as_it_says() {
    let mut wrong = Vec::new();
    let found = |text: &str| match Program::expression(text, &scope()) {
        Ok(program) => shown(text, &program),
        Err(mistakes) => mistakes.iter().map(|mistake| format!("error {}", mistake.code)).collect(),
    };
    let pairs = rows().into_iter().filter(|(_, cells)| cells.len() == 3);
    for (code, cells) in pairs.filter(|(_, cells)| cells[0].ends_with('`')) {
        let [refused, right] = [0, 1].map(|place| cells[place].trim_matches('`'));
        let told = found(refused);
        if !told.iter().any(|told| told.split(' ').nth(1) == Some(code)) {
            wrong.push(format!("{refused}: {told:?}, not {code}"));
        }
        let told = found(right);
        if !told.is_empty() {
            wrong.push(format!("{right}: {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
