//! Expectations of a test's step: the keys that a step has, and the values that they may have.

use super::section::{FileProblems, FileSection};
use super::test_file::{NameSubject, NameUse, unknown};
use super::test_rows::{self, NamedRows};
use super::yaml::{YamlContent, YamlEntry};
use automation::config_tests;
use automation::config_tests::{Expected, RowName};
use model::groups::QueryGroups;
use model::types::{Model, Property, ResourceType};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// Keys about an answer that is a success.
const OF_SUCCESS: [&str; 6] = ["shows", "omits", "includes", "excludes", "count", "rows"];

/// The type that a step is about, if it is about one, in its model.
#[derive(Clone, Copy)]
pub(super) struct StepSubject<'m> {
    pub(super) resource_type: Option<&'m Arc<ResourceType>>,
    pub(super) model: &'m Model,
    /// The groups that the step's query answers.
    pub(super) groups: Option<&'m QueryGroups>,
}

/// Reads the expectations of a step.
pub(super) fn read(
    section: &mut FileSection<'_>,
    verb: &str,
    subject: StepSubject<'_>,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Expected {
    let resource_type = subject.resource_type;
    let mut expected = Expected::default();
    let asks =
        ["list", "get", "create", "patch", "put", "delete", "query", "canvas", "request", "hook"].contains(&verb);
    if asks {
        let status = section.integer("status", 200..=599, problems);
        expected.status = status.and_then(|status| u16::try_from(status).ok());
        expected.code = section.text("code", problems);
        expected.message = section.text("message", problems);
        expected.property = faulty_property(section, verb, resource_type, problems);
    }
    match (verb, subject.groups) {
        ("query", Some(groups)) => {
            expected.count = count(section, problems);
            expected.rows = rows_of(section, problems, &mut |row, problems| group(row, groups, problems));
        }
        ("list" | "query", _) => {
            expected.listed = named(section, "shows", resource_type, rows, problems);
            expected.includes = named(section, "includes", resource_type, rows, problems).unwrap_or_default();
            expected.excludes = named(section, "excludes", resource_type, rows, problems).unwrap_or_default();
            expected.count = count(section, problems);
            expected.rows = rows_of(section, problems, &mut |row, problems| values(row, subject, rows, problems));
        }
        ("get" | "create" | "patch" | "put" | "stored", _) => {
            if let Some(shown) = section.section("shows", problems) {
                expected.shows = values(&shown, subject, rows, problems);
            }
            if verb == "stored" {
                expected.exists = section.boolean("exists", problems);
            } else {
                expected.omits = omits(section, resource_type, problems);
            }
        }
        ("canvas" | "request", _) => {
            if let Some(shown) = section.section("shows", problems) {
                let members = shown.mapping.entries.iter().map(|entry| (entry.key.clone(), entry.value.json()));
                expected.shows = members.collect();
            }
        }
        ("ran" | "mail" | "sms" | "notification" | "http", _) => expected.count = count(section, problems),
        _ => {}
    }
    if asks && verb != "request" {
        refuse_unasked(section, &expected, problems);
    }
    expected
}

/// The property that an error is about. Where a step writes a resource, it is one of the type's.
fn faulty_property(
    section: &mut FileSection<'_>,
    verb: &str,
    resource_type: Option<&Arc<ResourceType>>,
    problems: &mut FileProblems,
) -> Option<String> {
    let entry = section.take("property", problems)?;
    let name = section.text_of(entry, problems)?;
    let written = resource_type.filter(|_| ["create", "patch", "put"].contains(&verb));
    if let Some(of) = written.filter(|of| of.field(&name).is_none()) {
        let known = of.properties().iter().map(|property| property.name.as_str());
        unknown(section, NameUse::value(entry, &name), NameSubject::PROPERTY, known, problems);
    }
    Some(name)
}

/// Refuses what says something of an answer that is expected to be an error: it would hold whatever the answer shows.
fn refuse_unasked(section: &FileSection<'_>, expected: &Expected, problems: &mut FileProblems) {
    let named = expected.code.is_some() || expected.message.is_some() || expected.property.is_some();
    if expected.status.map_or(!named, |status| status < 300) {
        return;
    }
    let about_success = |entry: &&YamlEntry| OF_SUCCESS.contains(&entry.key.as_str());
    for entry in section.mapping.entries.iter().filter(about_success) {
        let message = format!("{} needs a successful answer, and this step expects an error.", entry.key);
        problems.push(section.problem(entry.position, &entry.key, "not_asked", &message));
    }
}

fn count(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<u64> {
    section.integer("count", 0..=1_000_000, problems).map(i64::unsigned_abs)
}

/// Rows of the type by name.
fn named(
    section: &mut FileSection<'_>,
    key: &'static str,
    resource_type: Option<&Arc<ResourceType>>,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Option<Vec<RowName>> {
    let resource_type = resource_type?;
    let mut found = Vec::new();
    for (name, at) in section.texts(key, problems)? {
        match rows.find(&name).filter(|row| row.type_id == resource_type.id) {
            Some(row) => found.push(row.clone()),
            None => {
                let what = format!("{} named", resource_type.name);
                let known = rows.names(Some(resource_type.id));
                let name = NameUse { key, position: at, name: &name };
                unknown(section, name, NameSubject { word: &what, ..NameSubject::ROW }, known, problems);
            }
        }
    }
    Some(found)
}

/// Reads `rows`, each by `read`.
fn rows_of(
    section: &mut FileSection<'_>,
    problems: &mut FileProblems,
    read: &mut dyn FnMut(&FileSection<'_>, &mut FileProblems) -> Map<String, Json>,
) -> Option<Vec<Map<String, Json>>> {
    let entry = section.take("rows", problems)?;
    let YamlContent::Sequence(members) = &entry.value.content else {
        let message = "rows must be a list of rows, each with values: [{number: A-1}].";
        problems.push(section.problem(entry.value.position, "rows", "wrong_value", message));
        return None;
    };
    let mut all = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let row = FileSection::open(section.file, format!("{}.{index}", section.key("rows")), member, problems)?;
        all.push(read(&row, problems));
    }
    Some(all)
}

/// Keys and values of a group.
fn group(section: &FileSection<'_>, groups: &QueryGroups, problems: &mut FileProblems) -> Map<String, Json> {
    const SUBJECT: NameSubject<'static> = NameSubject { word: "key or value", ..NameSubject::PROPERTY };
    let mut values = Map::new();
    for entry in &section.mapping.entries {
        if groups.names().all(|name| name != entry.key) {
            unknown(section, NameUse::key(entry), SUBJECT, groups.names(), problems);
        }
        values.insert(entry.key.clone(), entry.value.json());
    }
    values
}

/// Values by property, or by path along relations.
fn values(
    section: &FileSection<'_>,
    StepSubject { resource_type, model, .. }: StepSubject<'_>,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Map<String, Json> {
    let Some(resource_type) = resource_type else { return Map::new() };
    let mut values = Map::new();
    for entry in &section.mapping.entries {
        let Some((property, target)) = property(section, entry, resource_type, model, problems) else { continue };
        if let Some(target) = target {
            test_rows::references(section, &entry.value, target, rows, problems);
        }
        values.insert(entry.key.clone(), test_rows::value(&entry.value, property));
    }
    values
}

/// The property that a path of names leads to, and the type that it refers to.
fn property<'m>(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    resource_type: &'m Arc<ResourceType>,
    model: &'m Model,
    problems: &mut FileProblems,
) -> Option<(&'m Property, Option<i64>)> {
    let mut here = resource_type;
    let mut steps = entry.key.split('.').peekable();
    while let Some(step) = steps.next() {
        let Some(found) = here.field(step) else {
            let known = here.fields.iter().map(|field| field.name.as_str());
            unknown(section, NameUse { name: step, ..NameUse::key(entry) }, NameSubject::PROPERTY, known, problems);
            return None;
        };
        if steps.peek().is_none() {
            return Some((found, config_tests::target(here, step)));
        }
        let target = found.kind.relation().and_then(|relation| model.type_by_id(relation.type_id));
        let Some(target) = target else {
            let message = format!("{step} is not a relation, so a path cannot continue behind it.");
            problems.push(section.problem(entry.position, &entry.key, "no_relation", &message));
            return None;
        };
        here = target;
    }
    None
}

fn omits(
    section: &mut FileSection<'_>,
    resource_type: Option<&Arc<ResourceType>>,
    problems: &mut FileProblems,
) -> Vec<String> {
    let mut names = Vec::new();
    for (name, at) in section.texts("omits", problems).unwrap_or_default() {
        match resource_type.filter(|resource_type| resource_type.field(&name).is_none()) {
            Some(resource_type) => {
                let known = resource_type.fields.iter().map(|field| field.name.as_str());
                let name = NameUse { key: "omits", position: at, name: &name };
                unknown(section, name, NameSubject::PROPERTY, known, problems);
            }
            None => names.push(name),
        }
    }
    names
}
