//! `canvases/*.yaml`: items whose settings are expressions over queries.

use super::load::below;
use super::role_file::{self, DeclaredName};
use super::section::{FileNode, FileProblems, FileSection};
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use super::{canvas_groups, names, query_fields, query_file};
use crate::expression_slots;
use crate::expression_slots::SlotNames;
use expression::scope::{ValueKind, ValueType};
use model::canvas::{Canvas, CanvasItem, ChartForm, ItemContent, SettingValue};
use model::place::ExpressionPlace;
use model::query::QueryDefinition;
use model::types::Model;
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The most items of a canvas, and the most variables or parameters each.
const MOST: usize = 50;
/// Number of rows that a table shows where the file is silent.
const ROWS: usize = 100;
/// Expression for the rows that a table shows where the file is silent.
const ALL_ROWS: &str = "{=dataQueryFetchAll()}";

/// By name, the types of values.
type NamedTypes = HashMap<String, ValueType>;

/// Names that expressions of a canvas may use, with the types of their values.
#[derive(Clone, Default)]
struct CanvasNames {
    app: NamedTypes,
    template: NamedTypes,
    local: NamedTypes,
    /// True if there is a query to fetch from.
    fetches: bool,
    /// Names of files that functions take: queries, types, columns of the query.
    files: SlotNames,
}

/// The queries of the tenant that could be read, and its types where all of them could.
#[derive(Clone, Copy)]
pub(crate) struct CanvasQueries<'a> {
    pub(crate) queries: &'a BTreeMap<String, Arc<QueryDefinition>>,
    pub(crate) model: Option<&'a Model>,
}

/// All canvases.
pub(crate) fn read_all(
    nodes: &BTreeMap<&str, YamlNode>,
    queries: CanvasQueries<'_>,
    around: query_file::QueryContext<'_>,
    problems: &mut FileProblems,
) -> BTreeMap<String, Arc<Canvas>> {
    let mut canvases = BTreeMap::new();
    let mut seen = BTreeMap::new();
    for (file, node) in below(nodes, "canvases") {
        let Some(mut section) = FileSection::open(file, String::new(), node, problems) else { continue };
        let name = role_file::name(&mut section, "canvas", problems);
        let canvas = canvas(section, name.as_ref().map_or("", |(name, _)| name), queries, around, problems);
        let Some((name, at)) = name else { continue };
        let declared = DeclaredName { file, key: "canvas", name: &name, position: at };
        role_file::refuse_duplicate(&mut seen, declared, problems);
        canvases.insert(name, Arc::new(canvas));
    }
    canvases
}

fn canvas(
    mut section: FileSection<'_>,
    name: &str,
    queries: CanvasQueries<'_>,
    around: query_file::QueryContext<'_>,
    problems: &mut FileProblems,
) -> Canvas {
    let title = section.text("title", problems).unwrap_or_else(|| names::title(name));
    let description = section.text("description", problems).unwrap_or_default();
    let parameters = query_file::parameters(&mut section, around, problems);
    let app = parameters.iter().map(|known| (known.name.clone(), known.value_type())).collect();
    let mut known = CanvasNames { app, files: around.env_names.clone(), ..CanvasNames::default() };
    known.files.remove("env");
    let template = variables(&mut section, "template", known.clone(), |known| &mut known.template, problems);
    known.template = types(&template);
    let mut items = Vec::new();
    if let Some(entry) = section.require("items", problems) {
        let YamlContent::Sequence(members) = &entry.value.content else {
            problems.push(section.problem(entry.value.position, "items", "wrong_value", "items must be a list."));
            return Canvas { name: name.to_owned(), title, description, parameters, template, items };
        };
        if members.len() > MOST {
            let message = format!("A canvas has at most {MOST} items.");
            problems.push(section.problem(entry.value.position, "items", "too_many", &message));
        }
        for (index, member) in members.iter().enumerate() {
            let path = section.key(&format!("items.{index}"));
            let opened = FileSection::open(section.file, path, member, problems);
            items.extend(opened.and_then(|opened| item(opened, known.clone(), queries, problems)));
        }
    }
    section.finish(problems);
    Canvas { name: name.to_owned(), title, description, parameters, template, items }
}

fn item(
    mut section: FileSection<'_>,
    mut known: CanvasNames,
    queries: CanvasQueries<'_>,
    problems: &mut FileProblems,
) -> Option<CanvasItem> {
    const KINDS: [(&str, u8); 4] = [("number", 0), ("table", 1), ("chart", 2), ("text", 3)];
    section.require("kind", problems);
    let kind = section.choice("kind", &KINDS, &mut FileProblems::new());
    if kind.is_none() {
        section.choice("kind", &KINDS, problems);
    }
    let variables = variables(&mut section, "vars", known.clone(), |known| &mut known.local, problems);
    known.local = types(&variables);
    let parameter = |list: &FileSection<'_>, entry: &YamlEntry, problems: &mut FileProblems| {
        of_node(&list.value_of(entry), &known, problems)
    };
    let (query, parameters) = query_fields::query(&mut section, queries.queries, parameter, problems);
    let definition = query.as_ref().and_then(|name| queries.queries.get(name));
    known.files.extend(definition.and_then(|query| query_fields::columns(query)));
    known.fetches = section.mapping.entries.iter().any(|entry| entry.key == "query");
    let title = setting(&mut section, "title", &known, problems);
    let shows = match kind {
        Some(0) => needed(&mut section, "value", &known, problems).map(ItemContent::Number),
        Some(1) => {
            let rows = match section.mapping.entries.iter().any(|entry| entry.key == "rows") {
                true => setting(&mut section, "rows", &known, problems),
                false => all_rows(&section, &known, problems),
            };
            let limit = section.integer("limit", 1..=1_000, problems);
            let most = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(ROWS);
            rows.map(|rows| ItemContent::Table(rows, most))
        }
        Some(2) if canvas_groups::is_by_names(&section) => {
            let definition = definition.map(AsRef::as_ref);
            canvas_groups::chart(&mut section, definition, queries.model, problems).map(ItemContent::Groups)
        }
        Some(2) => chart(&mut section, &known, problems),
        Some(_) => needed(&mut section, "text", &known, problems).map(ItemContent::Text),
        None => return None,
    };
    section.finish(problems);
    Some(CanvasItem { title, query, parameters, variables, shows: shows? })
}

fn chart(section: &mut FileSection<'_>, known: &CanvasNames, problems: &mut FileProblems) -> Option<ItemContent> {
    section.require("chart", problems);
    let form = section.choice("chart", &ChartForm::ALL, problems);
    let x = needed(section, "x", known, problems);
    let y = section.require("y", problems)?;
    let mut series = Vec::new();
    match &y.value.content {
        YamlContent::Mapping(mapping) => {
            for entry in &mapping.entries {
                let value = of_node(&section.value_of(y).below(&entry.key, &entry.value), known, problems);
                series.extend(value.map(|value| (entry.key.clone(), value)));
            }
        }
        _ => {
            let value = of_node(&section.value_of(y), known, problems);
            series.extend(value.map(|value| (String::new(), value)));
        }
    }
    if series.iter().any(|(_, value)| matches!(value, SettingValue::Fixed(Json::String(_)))) {
        let message = "y names a value of groups, and x does not name a key: x: status.";
        problems.push(section.problem(y.value.position, "y", "wrong_value", message));
    }
    if form == Some(ChartForm::Pie) && series.len() > 1 {
        let message = "A pie has one series.";
        problems.push(section.problem(y.value.position, "y", "wrong_value", message));
    }
    Some(ItemContent::Chart(form?, x?, series))
}

fn types(variables: &[(String, SettingValue)]) -> NamedTypes {
    variables.iter().map(|(name, value)| (name.clone(), type_of(value))).collect()
}

/// The type of a variable. It refuses nothing that is stored.
fn type_of(value: &SettingValue) -> ValueType {
    let kind = match value {
        SettingValue::Expression(program) => return program.result().handed(),
        SettingValue::Fixed(Json::Bool(_)) => ValueKind::Bool,
        SettingValue::Fixed(Json::String(_)) => ValueKind::Text,
        SettingValue::Fixed(Json::Number(number)) if number.is_i64() => ValueKind::Int,
        SettingValue::Fixed(Json::Number(_)) => ValueKind::Float,
        SettingValue::Fixed(_) => return ValueType::default(),
    };
    ValueType::of(kind).handed()
}

/// Variables; each may use those before it.
fn variables(
    section: &mut FileSection<'_>,
    key: &'static str,
    mut known: CanvasNames,
    of: fn(&mut CanvasNames) -> &mut NamedTypes,
    problems: &mut FileProblems,
) -> Vec<(String, SettingValue)> {
    let Some(list) = section.section(key, problems) else { return Vec::new() };
    let mut variables = Vec::new();
    for entry in &list.mapping.entries {
        if !names::is_system_name(&entry.key) {
            let (code, message) = names::malformed(&entry.key);
            problems.push(list.problem(entry.position, &entry.key, code, &message));
        }
        let value = of_node(&list.value_of(entry), &known, problems);
        // One that is wrong was told of; that others name it is no mistake as well.
        let value = value.unwrap_or(SettingValue::Fixed(Json::Null));
        of(&mut known).insert(entry.key.clone(), type_of(&value));
        variables.push((entry.key.clone(), value));
    }
    variables
}

fn needed(
    section: &mut FileSection<'_>,
    key: &'static str,
    known: &CanvasNames,
    problems: &mut FileProblems,
) -> Option<SettingValue> {
    let entry = section.require(key, problems)?;
    of_entry(section, entry, known, problems)
}

fn setting(
    section: &mut FileSection<'_>,
    key: &'static str,
    known: &CanvasNames,
    problems: &mut FileProblems,
) -> Option<SettingValue> {
    let entry = section.take(key, problems)?;
    of_entry(section, entry, known, problems)
}

fn of_entry(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    known: &CanvasNames,
    problems: &mut FileProblems,
) -> Option<SettingValue> {
    of_node(&section.value_of(entry), known, problems)
}

fn all_rows(section: &FileSection<'_>, known: &CanvasNames, problems: &mut FileProblems) -> Option<SettingValue> {
    let content = YamlContent::Scalar { text: ALL_ROWS.to_owned(), plain: false };
    let node = YamlNode { position: section.position, content };
    of_node(&FileNode { file: section.file, path: section.key("rows"), node: &node }, known, problems)
}

fn of_node(at: &FileNode<'_>, known: &CanvasNames, problems: &mut FileProblems) -> Option<SettingValue> {
    if !expression_slots::is_expression(at.node) {
        let json = at.node.json();
        if json.to_string().contains("{=") {
            let message = "An expression is the whole text here, not a member: \"{=[a, b]}\".";
            problems.push(at.problem("wrong_value", message));
        }
        return Some(SettingValue::Fixed(json)).filter(|setting| !matches!(setting, SettingValue::Fixed(Json::Null)));
    }
    let mut names = known.files.clone();
    let (app, template, local) = (known.app.clone(), known.template.clone(), known.local.clone());
    names.extend([("appParameter", app), ("templateVar", template), ("var", local)]);
    let program = expression_slots::about_nothing(at, ExpressionPlace::Canvas, names, ValueKind::Any, problems)?;
    let mut refuse = |code, message: &str| problems.push(at.problem(code, message));
    if program.facts().calls(&["selection"]).is_some() && !known.app.contains_key("selection") {
        refuse("unknown_parameter", "selection() gives the parameter selection, which the canvas does not have.");
    }
    if let Some(function) = program.facts().calls(&query_fields::FUNCTIONS).filter(|_| !known.fetches) {
        refuse("missing_key", &format!("{function}() needs a query: add the key query to the item."));
    }
    Some(SettingValue::Expression(program))
}
