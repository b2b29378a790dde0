//! Charts of `canvases/*.yaml` that name the keys and values of a query with groups.

use super::diagnostic::{FilePosition, closest};
use super::section::{FileProblems, FileSection};
use super::yaml::YamlContent;
use crate::expression_slots;
use groups::{ColumnForm, GroupColumn};
use model::canvas::{ChartForm, GroupChart};
use model::query::QueryDefinition;
use model::types::Model;

/// A name of the file, and its place.
type PlacedName = (String, FilePosition);

/// Returns true if an item names keys of groups.
pub(super) fn is_by_names(section: &FileSection<'_>) -> bool {
    section.mapping.entries.iter().any(|entry| match entry.key.as_str() {
        "series" => true,
        "x" => entry.value.text().is_some() && !expression_slots::is_expression(&entry.value),
        _ => false,
    })
}

/// Reads a chart of groups, and checks its names against the query.
pub(super) fn chart(
    section: &mut FileSection<'_>,
    query: Option<&QueryDefinition>,
    model: Option<&Model>,
    problems: &mut FileProblems,
) -> Option<GroupChart> {
    section.require("chart", problems);
    let form = section.choice("chart", &ChartForm::ALL, problems);
    section.require("x", problems);
    let x = name(section, "x", problems);
    let series = name(section, "series", problems);
    let y = values(section, problems)?;
    check_form(section, form, series.as_ref(), &y, problems);
    if !section.mapping.entries.iter().any(|entry| entry.key == "query") {
        let message = "The names of a chart are those of a query with groups: add the key query.";
        problems.push(section.problem(section.position, "query", "missing_key", message));
    }
    let (form, x) = (form?, x?);
    // A query that is not there was told of.
    if let Some(query) = query {
        check_names(section, query, &ChartNames { x: &x, series: series.as_ref(), y: &y }, problems);
        check_numbers(section, query, model, &y, problems);
    }
    let y = y.into_iter().map(|(title, (name, _))| (title, name)).collect();
    Some(GroupChart { form, x: x.0, series: series.map(|(name, _)| name), y })
}

fn name(section: &mut FileSection<'_>, key: &'static str, problems: &mut FileProblems) -> Option<PlacedName> {
    let entry = section.take(key, problems)?;
    let text = section.text_of(entry, problems)?;
    if expression_slots::is_expression(&entry.value) {
        let (what, example) = if key == "y" { ("value", "tickets") } else { ("key", "status") };
        let message =
            format!("{key} names a {what} of the query's groups here, and not an expression: {key}: {example}.");
        problems.push(section.problem(entry.value.position, key, "wrong_value", &message));
        return None;
    }
    Some((text, entry.value.position))
}

/// Reads `y`: the name of a value, or several by the titles of their series.
fn values(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<Vec<(String, PlacedName)>> {
    let y = section.require("y", problems)?;
    let YamlContent::Mapping(mapping) = &y.value.content else {
        return name(section, "y", problems).map(|name| vec![(name.0.clone(), name)]);
    };
    let mut values = Vec::new();
    for entry in &mapping.entries {
        match entry.value.text().filter(|_| !expression_slots::is_expression(&entry.value)) {
            Some(text) => values.push((entry.key.clone(), (text.to_owned(), entry.value.position))),
            None => {
                let message = "y names values of the query's groups here: y: {Tickets: tickets}.";
                problems.push(section.problem(entry.value.position, "y", "wrong_value", message));
            }
        }
    }
    (!values.is_empty()).then_some(values)
}

fn check_form(
    section: &FileSection<'_>,
    form: Option<ChartForm>,
    series: Option<&PlacedName>,
    y: &[(String, PlacedName)],
    problems: &mut FileProblems,
) {
    let second = y.get(1).map(|(_, (_, at))| *at);
    let fault = match (form, series) {
        (Some(ChartForm::Pie), Some((_, at))) => Some((*at, "series", "A pie has one series.")),
        (Some(ChartForm::Pie), None) => second.map(|at| (at, "y", "A pie has one series.")),
        (_, Some(_)) => second.map(|at| (at, "y", "A chart with series has one y.")),
        _ => None,
    };
    if let Some((at, key, message)) = fault {
        problems.push(section.problem(at, key, "wrong_value", message));
    }
}

/// The names that a chart has.
struct ChartNames<'c> {
    x: &'c PlacedName,
    series: Option<&'c PlacedName>,
    y: &'c [(String, PlacedName)],
}

/// Refuses names of neither keys nor values, and keys without a name: else several groups would stand in one place.
fn check_names(
    section: &FileSection<'_>,
    query: &QueryDefinition,
    &ChartNames { x, series, y }: &ChartNames<'_>,
    problems: &mut FileProblems,
) {
    let Some(groups) = &query.groups else {
        let message = format!(
            "The query {} answers rows, which have no keys. Write x: \"{{=dataQueryFetchAll('{}')}}\", or add groupBy to \
             the query.",
            query.name, x.0
        );
        problems.push(section.problem(x.1, "x", "wrong_value", &message));
        return;
    };
    let keys: Vec<&str> = groups.keys.iter().map(|key| key.name.as_str()).collect();
    let values: Vec<&str> = groups.values.iter().map(|value| value.name.as_str()).collect();
    let of_keys = [("x", Some(x)), ("series", series)].into_iter().filter_map(|(key, name)| Some((key, name?, &keys)));
    let of_values = y.iter().map(|(_, name)| ("y", name, &values));
    let mut known = true;
    for (key, (name, at), names) in of_keys.chain(of_values) {
        if names.contains(&name.as_str()) {
            continue;
        }
        known = false;
        let what = if key == "y" { "value" } else { "key" };
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let message = format!("The query {} has no {what} {name:?}; there are {there}.", query.name);
        let mut problem = section.problem(*at, key, "unknown_property", &message);
        problem.suggestion = closest(name, names.iter().copied());
        problems.push(problem);
    }
    if let Some((_, at)) = series.filter(|series| series.0 == x.0) {
        problems.push(section.problem(*at, "series", "wrong_value", "x and series are two different keys."));
        return;
    }
    let is_drawn = |key: &str| key == x.0 || series.is_some_and(|series| series.0 == key);
    if let Some(other) = keys.iter().find(|key| known && !is_drawn(key)) {
        let remedy =
            if series.is_none() { "Name it in series, or leave it out of the query." } else { "Leave it out." };
        let message =
            format!("The query {} has the key {other}, too, which the chart does not show. {remedy}", query.name);
        problems.push(section.problem(x.1, "x", "wrong_value", &message));
    }
}

/// Refuses values that are not numbers.
fn check_numbers(
    section: &FileSection<'_>,
    query: &QueryDefinition,
    model: Option<&Model>,
    y: &[(String, PlacedName)],
    problems: &mut FileProblems,
) {
    let of = model.and_then(|model| Some((model, model.type_by_id(query.type_id)?)));
    let asked = resources::queries::groups(query, &|_| None);
    let Some(((model, of), asked)) = of.zip(asked) else { return };
    let is_number = |column: &GroupColumn<'_>| match column.form {
        ColumnForm::Property(property) => property.kind.is_number(),
        ColumnForm::Exact { .. } | ColumnForm::Float => true,
        ColumnForm::Period(_) => false,
    };
    let words = |columns: &[GroupColumn<'_>]| -> Vec<String> {
        let words = columns.iter().filter(|column| !column.is_key && !is_number(column));
        words.map(|column| column.name.clone()).collect()
    };
    let words = resources::with_group_columns(model, of, &asked, words).unwrap_or_default();
    for (_, (name, at)) in y.iter().filter(|(_, (name, _))| words.contains(name)) {
        let message = format!("The value {name} is not a number, so a chart cannot draw it.");
        problems.push(section.problem(*at, "y", "wrong_value", &message));
    }
}
