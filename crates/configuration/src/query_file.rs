//! `queries/*.yaml`: lists with a name, whose values may come from typed parameters.

use super::build::{self, DraftContext};
use super::diagnostic::{FilePosition, closest};
use super::load::below;
use super::names;
use super::query_groups;
use super::role_file::{self, DeclaredName};
use super::section::{FileNode, FileProblems, FileSection};
use super::symbols::FileTypes;
use super::type_file::{self, NameMention, PropertyDraft};
use super::yaml::YamlNode;
use crate::expression_slots;
use crate::expression_slots::SlotNames;
use expression::Program;
use expression::scope;
use model::kinds::{Kind, ValueStorage};
use model::place::ExpressionPlace;
use model::query::{ParameterDefault, QueryDefinition, QueryParameter};
use query::query_request::RESERVED;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most parameters of a query.
const MOST_PARAMETERS: usize = 50;

/// Facts for parameters from the rest of the tenant's files.
#[derive(Clone, Copy)]
pub(super) struct QueryContext<'a> {
    /// Names that kinds may use.
    pub(super) kinds: &'a DraftContext<'a>,
    /// Names that `env()` knows.
    pub(super) env_names: &'a SlotNames,
}

/// A query as its file has it, and where what it names stands.
pub(crate) struct QueryDraft<'n> {
    pub(super) file: &'n str,
    pub(super) node: &'n YamlNode,
    pub(crate) at: FilePosition,
    pub(crate) query: Arc<QueryDefinition>,
    pub(super) order_by: Vec<NameMention>,
    pub(super) fields: Vec<NameMention>,
}

/// All queries as written; what they name is looked up once there is a model.
pub(crate) fn read_all<'n>(
    nodes: &'n BTreeMap<&'n str, YamlNode>,
    types: FileTypes<'_>,
    around: QueryContext<'_>,
    problems: &mut FileProblems,
) -> Vec<QueryDraft<'n>> {
    let mut drafts = Vec::new();
    let mut seen = BTreeMap::new();
    for (file, node) in below(nodes, "queries") {
        let Some(draft) = read(file, node, types, around, problems) else { continue };
        let name = DeclaredName { file, key: "query", name: &draft.query.name, position: draft.at };
        role_file::refuse_duplicate(&mut seen, name, problems);
        drafts.push(draft);
    }
    drafts
}

/// Reads a query; nothing where it has no name, or lists no type that there is.
fn read<'n>(
    file: &'n str,
    node: &'n YamlNode,
    types: FileTypes<'_>,
    around: QueryContext<'_>,
    problems: &mut FileProblems,
) -> Option<QueryDraft<'n>> {
    let mut section = FileSection::open(file, String::new(), node, problems)?;
    let name = role_file::name(&mut section, "query", problems);
    let title = section.text("title", problems);
    let description = section.text("description", problems).unwrap_or_default();
    let type_id = type_id(&mut section, types, problems);
    let parameters = parameters(&mut section, around, problems);
    let filters = query_groups::list(&mut section, "filters", "filters", problems);
    let groups = query_groups::read(&mut section, problems);
    let order_by = type_file::order_by(&mut section, problems);
    let fields = section.texts("fields", problems);
    if groups.is_some() && fields.is_some() {
        let entry = section.mapping.entries.iter().find(|entry| entry.key == "fields");
        let at = entry.map_or(section.position, |entry| entry.position);
        let message = "A query answers rows with fields, or groups with keys and values. Leave out fields.";
        problems.push(section.problem(at, "fields", "wrong_value", message));
    }
    let most = if groups.is_some() { 10_000 } else { 5_000 };
    let per_page = section.integer("perPage", 1..=most, problems);
    section.finish(problems);
    expression_slots::refuse(&section, &["title", "description", "params"], problems);
    let (name, at) = name?;
    let query = Arc::new(QueryDefinition {
        title: title.unwrap_or_else(|| names::title(&name)),
        name,
        description,
        type_id: type_id?,
        parameters,
        filters,
        order_by: order_by.iter().map(|(text, _)| sort_key(text)).collect(),
        fields: fields.as_ref().map(|fields| fields.iter().map(|(name, _)| name.clone()).collect()),
        per_page: per_page.map(i64::unsigned_abs),
        groups,
    });
    Some(QueryDraft { file, node, at, query, order_by, fields: fields.unwrap_or_default() })
}

/// The type that a file lists.
pub(super) fn type_id(section: &mut FileSection<'_>, types: FileTypes<'_>, problems: &mut FileProblems) -> Option<i64> {
    let entry = section.require("type", problems)?;
    let name = section.text_of(entry, problems)?;
    let found = types.read.iter().find(|found| found.name == name).map(|found| found.id);
    if found.is_none() && !types.unread.contains(name.as_str()) {
        let mut problem =
            section.problem(entry.value.position, "type", "unknown_type", &format!("There is no type {name:?}."));
        problem.suggestion = closest(&name, types.read.iter().map(|found| found.name.as_str()));
        problems.push(problem);
    }
    found
}

fn sort_key(text: &str) -> (String, bool) {
    text.strip_prefix('-').map_or_else(|| (text.to_owned(), false), |name| (name.to_owned(), true))
}

/// Reads the parameters of a query or a canvas.
pub(super) fn parameters(
    section: &mut FileSection<'_>,
    around: QueryContext<'_>,
    problems: &mut FileProblems,
) -> Vec<QueryParameter> {
    let Some(list) = section.section("params", problems) else { return Vec::new() };
    if list.mapping.entries.len() > MOST_PARAMETERS {
        let message = format!("A query has at most {MOST_PARAMETERS} parameters.");
        problems.push(list.problem(list.position, "", "too_many", &message));
    }
    let mut parameters: Vec<QueryParameter> = Vec::new();
    for entry in &list.mapping.entries {
        let fault = match entry.key.as_str() {
            name if RESERVED.contains(&name) => {
                Some(("reserved_name", format!("{name} is a parameter that every list has. Choose another name.")))
            }
            name if !names::is_system_name(name) => Some(names::malformed(name)),
            _ => None,
        };
        if let Some((code, message)) = fault {
            problems.push(list.problem(entry.position, &entry.key, code, &message));
        }
        let name = (entry.key.clone(), entry.position);
        if let Some(section) = type_file::described(&list, entry, problems) {
            let parameter = parameter(section, name, &parameters, around, problems);
            parameters.extend(parameter);
        }
    }
    parameters
}

fn parameter(
    mut section: FileSection<'_>,
    name: NameMention,
    known: &[QueryParameter],
    QueryContext { kinds, env_names }: QueryContext<'_>,
    problems: &mut FileProblems,
) -> Option<QueryParameter> {
    let kind = section.require("kind", problems).and_then(|entry| {
        let kind = section.text_of(entry, problems)?;
        Some((kind, entry.value.position))
    });
    let title = section.text("title", problems);
    let description = section.text("description", problems).unwrap_or_default();
    let required = section.boolean("required", problems).unwrap_or(false);
    let default = section.take("default", problems);
    if let Some(default) = default.filter(|_| required) {
        let message = "A parameter that must be given has no default. Leave out one of the keys.";
        problems.push(section.problem(default.position, "default", "invalid_default", message));
    }
    expression_slots::refuse(&section, &["title", "description", "pattern", "default"], problems);
    let options: Map<String, Json> = section.rest().map(|entry| (entry.key.clone(), entry.value.json())).collect();
    let mut draft = PropertyDraft::of(section.file, section.node, name, kind);
    draft.within = "params";
    draft.default = default.map(|entry| entry.value.json());
    draft.options = options;
    let kind = build::kind(&draft, kinds, problems)?;
    build::check_default(&draft, kind.as_ref(), kinds.zone, problems);
    if !serves(kind.as_ref()) {
        let message = format!("A {} cannot be a parameter.", kind.name());
        draft.refuse("kind", "invalid_option", &message, problems);
        return None;
    }
    let (name, wants) = (draft.name.0, wanted(kind.as_ref()));
    Some(QueryParameter {
        title: title.unwrap_or_else(|| names::title(&name)),
        name,
        description,
        kind,
        required,
        default: match default.filter(|entry| expression_slots::is_expression(&entry.value)) {
            None => draft.default.map(ParameterDefault::Fixed),
            Some(entry) => {
                let place = section.value_of(entry);
                // One that is wrong was told: the parameter is there all the same.
                calculated(&place, known, env_names, wants, problems).map(ParameterDefault::Expression)
            }
        },
    })
}

/// A default that is an expression. It may ask for the parameters before it, and runs no queries.
fn calculated(
    at: &FileNode<'_>,
    known: &[QueryParameter],
    env_names: &SlotNames,
    wants: scope::ValueKind,
    problems: &mut FileProblems,
) -> Option<Arc<Program>> {
    let known = known.iter().map(|known| (known.name.clone(), known.value_type())).collect();
    let mut names = env_names.clone();
    names.insert("appParameter", known);
    let program = expression_slots::about_nothing(at, ExpressionPlace::QueryParameter, names, wants, problems)?;
    if program.facts().calls(&["query"]).is_some() {
        let message = "The default of a parameter cannot run queries.";
        problems.push(at.problem("invalid_default", message));
    }
    Some(program)
}

/// Returns the kind that a default must have, as far as that is certain.
fn wanted(kind: &dyn Kind) -> scope::ValueKind {
    if kind.is_number() { scope::ValueKind::Float } else { scope::ValueKind::Any }
}

/// Returns true if values of the kind can be compared with.
fn serves(kind: &dyn Kind) -> bool {
    !kind.concealed()
        && kind.autonumber().is_none()
        && kind.storage() != ValueStorage::Attachments
        && !kind.is_document()
}
