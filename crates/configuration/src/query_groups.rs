//! Groups in `queries/*.yaml`: keys, values, conditions on groups.

use super::diagnostic::{FilePosition, closest};
use super::section::{FileProblems, FileSection};
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use model::groups::{
    AggregateFunction, DatePart, GroupKey, GroupValue, MOST_KEYS, MOST_NAME, MOST_VALUES, QueryGroups, is_name,
};
use serde_json::Value as Json;

/// The keys that make a query one of groups.
const KEYS: [&str; 5] = ["groupBy", "values", "having", "fill", "totals"];

/// Reads the groups of a query; none where its file names no key of them.
pub(super) fn read(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<QueryGroups> {
    let is_there = |key: &str| section.mapping.entries.iter().any(|entry| entry.key == key);
    let is_grouped = KEYS.iter().any(|key| is_there(key));
    let keys = keys(section, problems);
    let values = values(section, problems);
    let having = list(section, "having", "conditions on groups", problems);
    let fill = section.boolean("fill", problems).unwrap_or(false);
    let totals = section.boolean("totals", problems).unwrap_or(false);
    if !is_grouped {
        return None;
    }
    let named = keys.iter().map(|(key, at)| (key.name.as_str(), "groupBy", *at));
    let named = named.chain(values.iter().map(|(value, at)| (value.name.as_str(), "values", *at)));
    check_names(section, named, problems);
    let mut values: Vec<GroupValue> = values.into_iter().map(|(value, _)| value).collect();
    if values.is_empty() {
        values.push(GroupValue::count());
    }
    Some(QueryGroups { keys: keys.into_iter().map(|(key, _)| key).collect(), values, having, fill, totals })
}

/// The members of a list, as they are written.
pub(super) fn list(
    section: &mut FileSection<'_>,
    key: &'static str,
    members: &str,
    problems: &mut FileProblems,
) -> Vec<Json> {
    let Some(entry) = section.take(key, problems) else { return Vec::new() };
    match entry.value.json() {
        Json::Array(list) => list,
        _ => {
            let message = format!("{key} must be a list of {members}.");
            problems.push(section.problem(entry.value.position, key, "wrong_value", &message));
            Vec::new()
        }
    }
}

/// Reads `groupBy`: a name, or a list of names and of mappings.
fn keys(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<(GroupKey, FilePosition)> {
    let Some(entry) = section.take("groupBy", problems) else { return Vec::new() };
    let members = match &entry.value.content {
        YamlContent::Sequence(members) => members.as_slice(),
        _ => std::slice::from_ref(&entry.value),
    };
    if members.len() > MOST_KEYS {
        let message = format!("groupBy has at most {MOST_KEYS} keys.");
        problems.push(section.problem(entry.value.position, "groupBy", "too_many", &message));
    }
    let mut keys = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let key = match member.text() {
            Some(name) => Some(GroupKey { name: name.to_owned(), property: name.to_owned(), by: None, each: false }),
            None => key(section, index, member, problems),
        };
        keys.extend(key.map(|key| (key, member.position)));
    }
    keys
}

fn key(section: &FileSection<'_>, index: usize, node: &YamlNode, problems: &mut FileProblems) -> Option<GroupKey> {
    let mut key = FileSection::open(section.file, format!("{}.{index}", section.key("groupBy")), node, problems)?;
    let property = key.require("property", problems).and_then(|entry| key.text_of(entry, problems));
    let by = key.choice("by", &DatePart::ALL, problems);
    let name = key.text("as", problems);
    let each = key.boolean("each", problems).unwrap_or(false);
    key.finish(problems);
    let property = property?;
    Some(GroupKey { name: name.unwrap_or_else(|| property.clone()), property, by, each })
}

/// Reads `values`: functions by the names of their results.
fn values(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<(GroupValue, FilePosition)> {
    let Some(list) = section.section("values", problems) else { return Vec::new() };
    if list.mapping.entries.len() > MOST_VALUES {
        let message = format!("A query has at most {MOST_VALUES} values.");
        problems.push(list.problem(list.position, "", "too_many", &message));
    }
    let mut values = Vec::new();
    for entry in &list.mapping.entries {
        values.extend(value(&list, entry, problems).map(|value| (value, entry.position)));
    }
    values
}

fn value(list: &FileSection<'_>, entry: &YamlEntry, problems: &mut FileProblems) -> Option<GroupValue> {
    let name = entry.key.clone();
    if let Some(text) = entry.value.text() {
        if text == "count" {
            return Some(GroupValue { name, ..GroupValue::count() });
        }
        let message = format!(
            "A value is count, or a function of a property: {{function: {}, property: minutes}}.",
            AggregateFunction::ALL.iter().find(|(known, _)| *known == text).map_or("sum", |(known, _)| known)
        );
        let mut problem = list.problem(entry.value.position, &entry.key, "wrong_value", &message);
        problem.suggestion = closest(text, ["count"]);
        problems.push(problem);
        return None;
    }
    let mut section = FileSection::open(list.file, list.key(&entry.key), &entry.value, problems)?;
    section.require("function", problems);
    let function = section.choice("function", &AggregateFunction::ALL, &mut FileProblems::new());
    if function.is_none() {
        section.choice("function", &AggregateFunction::ALL, problems);
    }
    let property = section.text("property", problems);
    let filters = self::list(&mut section, "filters", "filters", problems);
    section.finish(problems);
    let function = function?;
    if property.is_none() && function != AggregateFunction::Count {
        let message = "The key \"property\" is missing. Only count needs none.";
        problems.push(section.problem(section.position, "property", "missing_key", message));
        return None;
    }
    Some(GroupValue { name, function, property, filters })
}

/// Refuses names that are malformed, and those that two keys or values have.
fn check_names<'a>(
    section: &FileSection<'_>,
    names: impl Iterator<Item = (&'a str, &'static str, FilePosition)>,
    problems: &mut FileProblems,
) {
    let mut known: Vec<&str> = Vec::new();
    for (name, key, at) in names {
        if !is_name(name) {
            let message = format!(
                "The name {name:?} must begin with a letter and have letters, digits and underscores alone, at most \
                 {MOST_NAME}."
            );
            problems.push(section.problem(at, key, "invalid_name", &message));
        } else if known.contains(&name) {
            let message = format!("Two keys or values are named {name:?}. Give a key another name with as.");
            problems.push(section.problem(at, key, "duplicate_name", &message));
        }
        known.push(name);
    }
}
