//! Expectations of a test's step: the keys that a step has, and the values that they may have.

use super::section::{FileProblems, FileSection};
use super::test_file::unknown;
use super::test_rows::{self, NamedRows};
use super::yaml::{YamlContent, YamlEntry};
use automation::trials;
use automation::trials::{Expected, RowName};
use model::types::{Model, Property, ResourceType};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// Keys about an answer that is a success.
const OF_SUCCESS: [&str; 6] = ["shows", "omits", "includes", "excludes", "count", "rows"];

/// Reads what is expected of a step, of the type that it is about.
pub(super) fn read(
    section: &mut FileSection<'_>,
    (verb, of): (&str, Option<&Arc<ResourceType>>),
    model: &Model,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Expected {
    let mut expected = Expected::default();
    let asks =
        ["list", "get", "create", "patch", "put", "delete", "query", "canvas", "request", "hook"].contains(&verb);
    if asks {
        let status = section.integer("status", 200..=599, problems);
        expected.status = status.and_then(|status| u16::try_from(status).ok());
        expected.code = section.text("code", problems);
        expected.message = section.text("message", problems);
        expected.property = section.text("property", problems);
    }
    match verb {
        "list" | "query" => {
            expected.listed = named(section, "shows", of, rows, problems);
            expected.includes = named(section, "includes", of, rows, problems).unwrap_or_default();
            expected.excludes = named(section, "excludes", of, rows, problems).unwrap_or_default();
            expected.count = count(section, problems);
            expected.rows = values_of_rows(section, (of, model), rows, problems);
        }
        "get" | "create" | "patch" | "put" | "stored" => {
            if let Some(shown) = section.section("shows", problems) {
                expected.shows = values(&shown, (of, model), rows, problems);
            }
            if verb == "stored" {
                expected.exists = section.boolean("exists", problems);
            } else {
                expected.omits = omits(section, of, problems);
            }
        }
        "canvas" | "request" => {
            if let Some(shown) = section.section("shows", problems) {
                let members = shown.mapping.entries.iter().map(|entry| (entry.key.clone(), entry.value.json()));
                expected.shows = members.collect();
            }
        }
        "ran" | "mail" | "sms" | "notification" | "http" => expected.count = count(section, problems),
        _ => {}
    }
    if asks && verb != "request" {
        refuse_unasked(section, &expected, problems);
    }
    expected
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
    of: Option<&Arc<ResourceType>>,
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Option<Vec<RowName>> {
    let of = of?;
    let mut found = Vec::new();
    for (name, at) in section.texts(key, problems)? {
        match rows.find(&name).filter(|row| row.type_id == of.id) {
            Some(row) => found.push(row.clone()),
            None => {
                let what = format!("{} named", of.name);
                let known = rows.names(Some(of.id));
                unknown(section, (at, key), (&what, "unknown_row"), (&name, known), problems);
            }
        }
    }
    Some(found)
}

fn values_of_rows(
    section: &mut FileSection<'_>,
    of: (Option<&Arc<ResourceType>>, &Model),
    rows: &NamedRows,
    problems: &mut FileProblems,
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
        all.push(values(&row, of, rows, problems));
    }
    Some(all)
}

/// Values by property, or by path along relations.
fn values(
    section: &FileSection<'_>,
    (of, model): (Option<&Arc<ResourceType>>, &Model),
    rows: &NamedRows,
    problems: &mut FileProblems,
) -> Map<String, Json> {
    let Some(of) = of else { return Map::new() };
    let mut values = Map::new();
    for entry in &section.mapping.entries {
        let Some((property, target)) = property(section, entry, (of, model), problems) else { continue };
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
    (of, model): (&'m Arc<ResourceType>, &'m Model),
    problems: &mut FileProblems,
) -> Option<(&'m Property, Option<i64>)> {
    let mut here = of;
    let mut steps = entry.key.split('.').peekable();
    while let Some(step) = steps.next() {
        let Some(found) = here.field(step) else {
            let known = here.fields.iter().map(|field| field.name.as_str());
            let what = ("property", "unknown_property");
            unknown(section, (entry.position, &entry.key), what, (step, known), problems);
            return None;
        };
        if steps.peek().is_none() {
            return Some((found, trials::target(here, step)));
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

fn omits(section: &mut FileSection<'_>, of: Option<&Arc<ResourceType>>, problems: &mut FileProblems) -> Vec<String> {
    let mut names = Vec::new();
    for (name, at) in section.texts("omits", problems).unwrap_or_default() {
        match of.filter(|of| of.field(&name).is_none()) {
            Some(of) => {
                let known = of.fields.iter().map(|field| field.name.as_str());
                unknown(section, (at, "omits"), ("property", "unknown_property"), (&name, known), problems);
            }
            None => names.push(name),
        }
    }
    names
}
