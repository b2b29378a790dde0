//! Writes the conformance report: the rows of the specification with the tests that prove them.
//!
//! `cargo run -p testing --bin conformance` writes `target/conformance.md`, or the file that it is given. It fails where
//! a row has no test and `spec/open.tsv` does not say why.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// A test, by its file and name.
struct Test {
    file: String,
    name: String,
}

/// A row of one of the tables in `spec/`.
struct Row {
    id: &'static str,
    section: &'static str,
    text: &'static str,
}

/// The tests of each row.
type Proofs = BTreeMap<String, Vec<Test>>;

/// A table of `spec/` with its title.
type Table = (&'static str, Vec<Row>);

const INTRODUCTION: &str = "\
# Conformance

The facts of the specification, with the tests that prove them. R rows are `spec/requirements.tsv`, D rows
`spec/decisions.tsv`, A rows (abuse cases) `spec/abuse.tsv`, E rows (beyond the contract)
`spec/extensions.tsv`. Every test named here runs on SQLite and on PostgreSQL,
unless its attribute says `plain`: then no database takes part, or the test says on which it runs. `spec/open.tsv` says
what is open in the rows that are proved in part or not yet.
";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the crate has a workspace");
    let proofs = proofs(&root).expect("the sources are readable");
    let tables = [
        ("Requirements", rows(include_str!("../../../../spec/requirements.tsv"))),
        ("Decisions", rows(include_str!("../../../../spec/decisions.tsv"))),
        ("Abuse cases", rows(include_str!("../../../../spec/abuse.tsv"))),
        ("Beyond the contract", rows(include_str!("../../../../spec/extensions.tsv"))),
    ];
    let open = open(&tables);
    let file = env::args_os().nth(1).map_or_else(|| root.join("target/conformance.md"), PathBuf::from);
    if let Err(error) = write_report(&file, &report(&tables, &proofs, &open)) {
        eprintln!("{}: {error}", file.display());
        return ExitCode::FAILURE;
    }
    let all = || tables.iter().flat_map(|(_, rows)| rows);
    println!(
        "{}: {} of {} rows have tests.",
        file.display(),
        all().filter(|row| proofs.contains_key(row.id)).count(),
        all().count()
    );
    let bare: Vec<_> =
        all().map(|row| row.id).filter(|id| !proofs.contains_key(*id) && !open.contains_key(id)).collect();
    if bare.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("No test proves {}. Write one, or say in spec/open.tsv why there is none.", bare.join(", "));
    ExitCode::FAILURE
}

fn write_report(file: &Path, report: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, report)
}

fn report(tables: &[Table], proofs: &Proofs, open: &BTreeMap<&str, &str>) -> String {
    let mut page = format!("{INTRODUCTION}\n| rows | proved | in part | not yet |\n| --- | --- | --- | --- |\n");
    for (title, rows) in tables {
        let tested = rows.iter().filter(|row| proofs.contains_key(row.id)).count();
        let partly = rows.iter().filter(|row| open.contains_key(row.id) && proofs.contains_key(row.id)).count();
        line(&mut page, format_args!("| {title} | {} | {partly} | {} |", tested - partly, rows.len() - tested));
    }
    line(&mut page, format_args!("\n## Open\n\n| id | what is open |\n| --- | --- |"));
    for row in tables.iter().flat_map(|(_, rows)| rows) {
        if let Some(part) = open.get(row.id) {
            line(&mut page, format_args!("| {} | {part} |", row.id));
        }
    }
    for (title, rows) in tables {
        table(&mut page, title, rows, proofs, open);
    }
    page
}

/// Returns what is open in rows, by id.
fn open(tables: &[Table]) -> BTreeMap<&'static str, &'static str> {
    let lines = include_str!("../../../../spec/open.tsv").lines().skip(1);
    let open: BTreeMap<_, _> = lines.map(|line| line.split_once('\t').expect("an id and a text")).collect();
    for id in open.keys() {
        let is_row = tables.iter().flat_map(|(_, rows)| rows).any(|row| row.id == *id);
        assert!(is_row, "spec/open.tsv: there is no row {id}");
    }
    open
}

fn table(page: &mut String, title: &str, rows: &[Row], proofs: &Proofs, open: &BTreeMap<&str, &str>) {
    line(page, format_args!("\n## {title}\n"));
    let mut section = "";
    for row in rows {
        if row.section != section {
            section = row.section;
            line(page, format_args!("\n### {section}\n\n| id | what | proved by |\n| --- | --- | --- |"));
        }
        let tests = match proofs.get(row.id) {
            Some(tests) => {
                let links = tests.iter().map(|test| format!("[{}](../{})", test.name, test.file));
                let mark = if open.contains_key(row.id) { "**in part:** " } else { "" };
                format!("{mark}{}", links.collect::<Vec<_>>().join(", "))
            }
            None => "**not yet**".to_owned(),
        };
        line(page, format_args!("| {} | {} | {tests} |", row.id, row.text.replace('|', "\\|")));
    }
}

fn line(page: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(page, "{line}").expect("writing to a string does not fail");
}

fn rows(table: &'static str) -> Vec<Row> {
    let row = |line: &'static str| {
        let mut columns = line.split('\t');
        Some(Row { id: columns.next()?, section: columns.next()?, text: columns.next()? })
    };
    table.lines().skip(1).map(|line| row(line).expect("every line has an id, a section and a text")).collect()
}

fn proofs(root: &Path) -> io::Result<Proofs> {
    let mut files = Vec::new();
    for package in fs::read_dir(root.join("crates"))? {
        let package = package?.path();
        // The attribute's own crate speaks of it in its documentation.
        if !package.ends_with("spec") {
            sources(&package.join("src"), &mut files)?;
            sources(&package.join("tests"), &mut files)?;
        }
    }
    files.sort();
    let mut proofs = Proofs::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let name = file.strip_prefix(root).expect("the file was found below the root").display().to_string();
        // A mark in two pieces, so that this line is no attribute.
        for attribute in text.split(concat!("#[", "spec(")).skip(1) {
            collect(attribute, &name, &mut proofs);
        }
    }
    Ok(proofs)
}

/// Notes the rows of one attribute, which `text` follows.
fn collect(text: &str, file: &str, proofs: &mut Proofs) {
    let Some((rows, rest)) = text.split_once(")]") else { return };
    let Some(name) = rest.split("fn ").nth(1).and_then(|name| name.split(['(', '<']).next()) else { return };
    for row in rows.split('"').skip(1).step_by(2) {
        proofs.entry(row.to_owned()).or_default().push(Test { file: file.to_owned(), name: name.to_owned() });
    }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
