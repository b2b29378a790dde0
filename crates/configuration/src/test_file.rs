//! `tests/*.yaml`: tests of the configuration, read against the model that they are about.

use super::diagnostic::{Diagnostic, FilePosition, closest};
use super::findings;
use super::load::Loaded;
use super::section::{FileNode, FileProblems, FileSection, diagnostic};
use super::test_fixture;
use super::test_outside;
use super::test_rows::NamedRows;
use super::test_step;
use super::yaml::{self, YamlContent, YamlEntry, YamlNode};
use crate::source_files::{Files, TESTS};
use automation::config_tests::{Case, Spot, TestFile};
use jiff::Timestamp;
use jiff::civil::date;
use model::kinds::read_instant;
use model::types::Model;

/// The most cases of a file.
const MOST_CASES: usize = 1_000;

/// Reads the tests among the files: all of them, or everything that is wrong with them.
pub fn load_tests(loaded: &Loaded, files: &Files) -> Result<Vec<TestFile>, Vec<Diagnostic>> {
    check_tests(loaded, files).map(|(tests, _)| tests)
}

/// The same, with the findings of their expressions.
pub fn check_tests(loaded: &Loaded, files: &Files) -> Result<(Vec<TestFile>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut problems = FileProblems::from(files.misplaced_tests());
    let mut tests = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path.starts_with(TESTS)) {
        if problems.iter().any(|problem| problem.file == path) {
            continue;
        }
        match yaml::parse(text) {
            Ok(node) => tests.extend(read(loaded, path, &node, &mut problems)),
            Err(fault) => problems.push(diagnostic(path, fault.position, "", "yaml", &fault.message)),
        }
    }
    let (mut mistakes, found) = problems.into_parts();
    if mistakes.is_empty() {
        return Ok((tests, findings::placed(found, files)));
    }
    findings::place(&mut mistakes, files);
    mistakes.sort();
    mistakes.dedup();
    mistakes.extend(findings::placed(found, files));
    Err(mistakes)
}

fn read(loaded: &Loaded, file: &str, node: &YamlNode, problems: &mut FileProblems) -> Option<TestFile> {
    let model = &loaded.model;
    let mut section = FileSection::open(file, String::new(), node, problems)?;
    let title = section.text("test", problems);
    let now = instant(&mut section, "now", model, problems);
    let mut rows = NamedRows::new(loaded);
    let given = match section.section("given", problems) {
        Some(given) => test_fixture::read(&given, model, &mut rows, problems),
        None => Vec::new(),
    };
    let secrets = test_outside::secrets(&mut section, problems);
    let answers = test_outside::answers(&mut section, problems);
    let cases = section.require("cases", problems).map(|entry| match &entry.value.content {
        YamlContent::Sequence(members) if members.len() <= MOST_CASES => members.as_slice(),
        YamlContent::Sequence(_) => {
            let message = format!("A file has at most {MOST_CASES} cases; split it.");
            problems.push(section.problem(entry.value.position, "cases", "too_many", &message));
            &[]
        }
        _ => {
            let message = "cases must be a list of cases, each beginning with `- case: what it says`.";
            problems.push(section.problem(entry.value.position, "cases", "wrong_value", message));
            &[]
        }
    });
    section.finish(problems);
    let nodes = cases.unwrap_or_default().iter().enumerate();
    let nodes = nodes.map(|(index, node)| FileNode { file, path: format!("cases.{index}"), node });
    let cases = nodes.filter_map(|node| case(model, &node, rows.clone(), problems)).collect();
    Some(TestFile {
        file: file.to_owned(),
        title: title.unwrap_or_else(|| file.to_owned()),
        now: now.unwrap_or_else(|| noon(model)),
        given,
        secrets,
        answers,
        cases,
    })
}

/// When cases begin whose file does not say: noon in the tenant's zone on Thursday, 15 January 2026.
fn noon(model: &Model) -> Timestamp {
    let noon = date(2026, 1, 15).at(12, 0, 0, 0);
    noon.to_zoned(model.settings.timezone.clone()).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
}

/// An instant, in the tenant's zone where it names none.
pub(super) fn instant(
    section: &mut FileSection<'_>,
    key: &'static str,
    model: &Model,
    problems: &mut FileProblems,
) -> Option<Timestamp> {
    let entry = section.take(key, problems)?;
    let text = section.text_of(entry, problems)?;
    let read = read_instant(&text, &model.settings.timezone).ok();
    let read = read.and_then(|moment| Timestamp::from_millisecond(moment).ok());
    if read.is_none() {
        let message = format!("{key} must be a datetime, such as 2026-03-01 09:00.");
        problems.push(section.problem(entry.value.position, key, "wrong_value", &message));
    }
    read
}

fn case(model: &Model, node: &FileNode<'_>, mut rows: NamedRows, problems: &mut FileProblems) -> Option<Case> {
    let mut section = FileSection::open(node.file, node.path.clone(), node.node, problems)?;
    let at = spot(section.position);
    let title = section.require("case", problems).and_then(|entry| section.text_of(entry, problems));
    let acting = test_step::acting(&mut section, &rows, problems);
    let Some(entry) = section.take("steps", problems) else {
        // A case of one step is that step.
        let step = test_step::read(section, model, &mut rows, acting, problems);
        return Some(Case { at, title: title?, steps: step.into_iter().collect() });
    };
    section.finish(problems);
    let YamlContent::Sequence(members) = &entry.value.content else {
        let message = "steps must be a list of steps, such as `- list: invoice`.";
        problems.push(section.problem(entry.value.position, "steps", "wrong_value", message));
        return None;
    };
    let mut steps = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let path = format!("{}.steps.{number}", node.path);
        let Some(mut step) = FileSection::open(node.file, path, member, problems) else { continue };
        let own = test_step::acting(&mut step, &rows, problems);
        let acting = if own.named { own } else { acting.clone() };
        steps.extend(test_step::read(step, model, &mut rows, acting, problems));
    }
    Some(Case { at, title: title?, steps })
}

/// A place as tests are told it.
pub(super) fn spot(position: FilePosition) -> Spot {
    Spot { line: position.line, column: position.column }
}

/// Subject of a name: a word for it, and the code of the diagnostic where the name is unknown.
#[derive(Clone, Copy)]
pub(super) struct NameSubject<'w> {
    pub(super) word: &'w str,
    pub(super) code: &'static str,
}

impl NameSubject<'static> {
    pub(super) const TYPE: Self = NameSubject { word: "type", code: "unknown_type" };
    pub(super) const PROPERTY: Self = NameSubject { word: "property", code: "unknown_property" };
    pub(super) const ROW: Self = NameSubject { word: "row", code: "unknown_row" };
    pub(super) const USER: Self = NameSubject { word: "user", code: "unknown_user" };
    pub(super) const QUERY: Self = NameSubject { word: "query", code: "unknown_query" };
    pub(super) const CANVAS: Self = NameSubject { word: "canvas", code: "unknown_canvas" };
    pub(super) const PARAMETER: Self = NameSubject { word: "parameter", code: "unknown_parameter" };
    pub(super) const AUTOMATION: Self = NameSubject { word: "automation", code: "unknown_automation" };
    pub(super) const HOOK: Self = NameSubject { word: "hook", code: "unknown_hook" };
}

/// A name in a test, and its place.
#[derive(Clone, Copy)]
pub(super) struct NameUse<'n> {
    pub(super) key: &'n str,
    pub(super) position: FilePosition,
    pub(super) name: &'n str,
}

impl<'n> NameUse<'n> {
    /// A name that is the value of an entry.
    pub(super) fn value(entry: &'n YamlEntry, name: &'n str) -> Self {
        NameUse { key: &entry.key, position: entry.value.position, name }
    }

    /// A name that is the key of an entry.
    pub(super) fn key(entry: &'n YamlEntry) -> Self {
        NameUse { key: &entry.key, position: entry.position, name: &entry.key }
    }
}

/// Refuses a name that means nothing, and suggests the known name that is closest.
pub(super) fn unknown<'n>(
    section: &FileSection<'_>,
    NameUse { key, position, name }: NameUse<'_>,
    subject: NameSubject<'_>,
    known: impl IntoIterator<Item = &'n str>,
    problems: &mut FileProblems,
) {
    let message = format!("There is no {} {name:?}.", subject.word);
    let mut problem = section.problem(position, key, subject.code, &message);
    problem.suggestion = closest(name, known);
    problems.push(problem);
}
