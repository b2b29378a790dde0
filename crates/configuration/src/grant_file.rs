//! Grants of a role's file on a type. For each action: `true`, `false`, a mapping of `where`, `fields`, `check`,
//! `preset` and `unseen`, or a list of such mappings.

use super::diagnostic::closest;
use super::expression_sites;
use super::findings;
use super::option_literals;
use super::section::{FileNode, FileProblems, FileSection};
use super::yaml::{YamlContent, YamlEntry};
use context::actor::RightsProviders;
use expression::Program;
use expression::scope::ValueKind;
use expression::syntax;
use jiff::{Timestamp, tz::TimeZone};
use model::kinds::{ValueContext, accept};
use model::place::{ExpressionPlace, compile};
use model::shape::TypeShapes;
use model::types::{
    ActionGrant, FIRST_PROPERTY, FieldSet, Model, PresetValue, ResourceAction, ResourceType, RowRule, StatedGrant,
    TypeGrant,
};
use model::user_columns::USER_TYPE;
use query::pushdown;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Target of a grant.
#[derive(Clone, Copy)]
pub(crate) struct GrantTarget<'o> {
    /// The type that something is granted on; none where it is for all that are not named.
    pub(crate) resource_type: Option<&'o Arc<ResourceType>>,
    /// All types.
    pub(crate) types: &'o TypedTypes<'o>,
}

/// All types as expressions know them.
pub(crate) struct TypedTypes<'t> {
    pub(crate) shapes: TypeShapes,
    /// The model that has them; none where something else is wrong already.
    pub(crate) model: Option<&'t Model>,
}

/// Reads what is granted on a type; of all types that are not named where there is none.
pub(crate) fn read(
    mut section: FileSection<'_>,
    target: GrantTarget<'_>,
    problems: &mut FileProblems,
) -> Vec<StatedGrant> {
    let mut action = |action: ResourceAction, problems: &mut FileProblems| {
        let entry = section.take(action.word(), problems)?;
        Some(grants(&section, entry, action, target, problems))
    };
    let show = action(ResourceAction::Show, problems).unwrap_or_default();
    let edit = action(ResourceAction::Edit, problems).unwrap_or_default();
    // D-11: create and delete follow edit where the file is silent.
    let follow = |action: ResourceAction, grant: fn(&ActionGrant) -> ActionGrant| {
        let following =
            |stated: &StatedGrant| StatedGrant { action, follows: true, grant: grant(&stated.grant), ..stated.clone() };
        edit.iter().map(following).collect()
    };
    let create = action(ResourceAction::Create, problems).unwrap_or_else(|| follow(ResourceAction::Create, creating));
    let delete = action(ResourceAction::Delete, problems).unwrap_or_else(|| follow(ResourceAction::Delete, deleting));
    section.finish(problems);
    [show, edit, create, delete].concat()
}

/// Returns the union of grants on a type.
pub(crate) fn united(stated: &[StatedGrant]) -> TypeGrant {
    let mut granted = TypeGrant::default();
    stated.iter().for_each(|stated| granted.add(&TypeGrant::of(stated.action, stated.grant.clone())));
    granted
}

/// The right to change rows is the right to create such rows.
fn creating(edit: &ActionGrant) -> ActionGrant {
    ActionGrant { rows: None, check: edit.check.clone().or_else(|| edit.rows.clone()), unseen: false, ..edit.clone() }
}

/// The right to change a row is the right to delete it.
fn deleting(edit: &ActionGrant) -> ActionGrant {
    ActionGrant { rows: edit.rows.clone(), unseen: edit.unseen, ..ActionGrant::everything() }
}

fn grants(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    action: ResourceAction,
    target: GrantTarget<'_>,
    problems: &mut FileProblems,
) -> Vec<StatedGrant> {
    let at = section.value_of(entry);
    let stated = |at: FileNode<'_>, grant: ActionGrant| {
        let (file, line) = (at.file.to_owned(), at.node.position.line);
        StatedGrant { action, follows: false, file, key: at.path, line, grant }
    };
    let mut one = |at: FileNode<'_>| {
        let grant = grant(&at, action, target, problems)?;
        Some(stated(at, grant))
    };
    match (&entry.value.content, entry.value.json()) {
        (_, serde_json::Value::Bool(true)) => vec![stated(at, ActionGrant::everything())],
        (_, serde_json::Value::Bool(false)) => Vec::new(),
        (YamlContent::Mapping(_), _) => one(at).into_iter().collect(),
        (YamlContent::Sequence(members), _) => {
            let members = members.iter().enumerate();
            members.filter_map(|(index, member)| one(at.below(index, member))).collect()
        }
        _ => {
            let keys = if action == ResourceAction::Delete { "where: .." } else { "fields: [..]" };
            let message = format!("{} must be true, false, {{{keys}}} or a list of these.", entry.key);
            problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", &message));
            Vec::new()
        }
    }
}

fn grant(
    at: &FileNode<'_>,
    action: ResourceAction,
    target: GrantTarget<'_>,
    problems: &mut FileProblems,
) -> Option<ActionGrant> {
    let mut details = FileSection::open(at.file, at.path.clone(), at.node, problems)?;
    let mut rule = |key: &'static str, serves: bool, problems: &mut FileProblems| {
        if !serves {
            return None;
        }
        let entry = details.take(key, problems)?;
        rule(&details, entry, target, problems)
    };
    let writes = matches!(action, ResourceAction::Edit | ResourceAction::Create);
    let rows = rule("where", action != ResourceAction::Create, problems);
    let check = rule("check", writes, problems);
    let fields = match action {
        ResourceAction::Delete => None,
        _ => details.take("fields", problems).map(|entry| fields(&details, entry, target, problems)),
    };
    let preset = match writes {
        true => details.section("preset", problems).map(|section| presets(&section, target, problems)),
        false => None,
    };
    let unseen = matches!(action, ResourceAction::Edit | ResourceAction::Delete)
        && details.boolean("unseen", problems).unwrap_or(false);
    details.finish(problems);
    Some(ActionGrant {
        rows,
        fields: fields.unwrap_or(FieldSet::All),
        check,
        preset: preset.unwrap_or_default(),
        unseen,
    })
}

/// Reads an expression about a row.
fn rule(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    GrantTarget { resource_type, types }: GrantTarget<'_>,
    problems: &mut FileProblems,
) -> Option<Arc<RowRule>> {
    let text = section.text_of(entry, problems)?;
    let mut refuse = |code, message: &str| {
        problems.push(section.problem(entry.value.position, &entry.key, code, message));
        None
    };
    let Some(shape) = resource_type.and_then(|of| types.shapes.get(of.id)) else {
        return refuse("wrong_value", "Rows can be limited where the type is named, not for \"*\".");
    };
    let inside = text.strip_prefix("{=").and_then(|rest| rest.strip_suffix('}'));
    if inside.is_none() {
        let message = format!("{} must be one expression, such as \"{{=status == 'new'}}\".", entry.key);
        return refuse("wrong_value", &message);
    }
    // What is wrong with types would be told again.
    let model = types.model?;
    let key = section.key(&entry.key);
    expression_sites::note(section.file, &key, ExpressionPlace::Grant, Some(&shape), &HashMap::new());
    let compiled = compile(&text, ExpressionPlace::Grant, Some(shape), HashMap::new(), ValueKind::Any);
    let program = compiled.map_err(|mistakes| tell(section, entry, mistakes, problems)).ok()?;
    let compared = option_literals::mistakes(&model.types, resource_type?, program.facts(), &text);
    if !compared.is_empty() {
        tell(section, entry, compared, problems);
        return None;
    }
    let (at, key) = (entry.value.position, section.key(&entry.key));
    problems.warn(findings::of(&program, section.file, at, &key));
    let condition = pushdown::compile(&text, resource_type?, model);
    let condition = condition.map_err(|mistakes| tell(section, entry, mistakes, problems)).ok()?;
    if let Some(mistake) = pushdown::behind_user(&condition) {
        tell(section, entry, vec![mistake], problems);
        return None;
    }
    let mut asks_user = pushdown::asked_of_user(&condition.syntax, true);
    asks_user.extend(asked_along(resource_type?, model, &program.facts().paths));
    Some(Arc::new(RowRule {
        condition,
        file: section.file.to_owned(),
        key: section.key(&entry.key),
        line: entry.value.position.line,
        timed: program.facts().present || program.facts().calls(&RightsProviders::PASSING).is_some(),
        personal: program.facts().calls(&["user"]).is_some(),
        asks_user,
        paths: program.facts().paths.iter().filter(|path| path.len() > 1).cloned().collect(),
    }))
}

/// Returns the properties of users that paths lead to: a row may refer to the account that acts.
fn asked_along(resource_type: &Arc<ResourceType>, model: &Model, paths: &BTreeSet<Vec<String>>) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    for path in paths {
        let mut here = Some(resource_type);
        for (name, next) in path.iter().zip(path.iter().skip(1)) {
            let relation =
                here.and_then(|resource_type| resource_type.field(name)).and_then(|property| property.kind.relation());
            let target = relation.map(|relation| relation.type_id);
            if target == Some(USER_TYPE) {
                asked.insert(next.clone());
            }
            here = target.and_then(|id| model.type_by_id(id));
        }
    }
    asked
}

fn fields(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    GrantTarget { resource_type, types }: GrantTarget<'_>,
    problems: &mut FileProblems,
) -> FieldSet {
    let names = section.texts_of(entry, problems).unwrap_or_default();
    let Some(resource_type) = resource_type else {
        if names.iter().any(|(name, _)| name != "*") {
            let message = "Fields can be listed where the type is named, not for \"*\".";
            problems.push(section.problem(entry.value.position, "fields", "wrong_value", message));
        }
        return FieldSet::All;
    };
    // System fields are readable wherever the resource is, unless one is taken away by name.
    let mut positions: Vec<bool> = (0..resource_type.fields.len()).map(|position| position < FIRST_PROPERTY).collect();
    for (text, at) in names {
        let (name, granted) = text.strip_prefix('-').map_or((text.as_str(), true), |name| (name, false));
        if name == "*" && granted {
            positions.fill(true);
            continue;
        }
        match resource_type.field(name) {
            Some(field) if !granted && matches!(field.name.as_str(), "id" | "uuid") => {
                let message = format!("{name} cannot be taken away: every resource shows it.");
                problems.push(section.problem(at, "fields", "wrong_value", &message));
            }
            Some(field) => positions[field.position] = granted,
            None if types.model.is_none() => {}
            None => {
                let message = format!("There is no property {name:?} in {}.", resource_type.name);
                let mut problem = section.problem(at, "fields", "unknown_property", &message);
                problem.suggestion = closest(name, resource_type.fields.iter().map(|field| field.name.as_str()));
                problems.push(problem);
            }
        }
    }
    if positions.iter().all(|granted| *granted) { FieldSet::All } else { FieldSet::Only(positions.into()) }
}

/// Reads an expression for a value: nothing but who acts and when is known to it.
fn preset(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    text: &str,
    problems: &mut FileProblems,
) -> Option<Arc<Program>> {
    let key = section.key(&entry.key);
    expression_sites::note(section.file, &key, ExpressionPlace::Grant, None, &HashMap::new());
    let compiled = compile(text, ExpressionPlace::Grant, None, HashMap::new(), ValueKind::Any);
    let program = compiled.map_err(|mistakes| tell(section, entry, mistakes, problems)).ok()?;
    if program.facts().paths.is_empty() && !program.facts().whole {
        let (at, key) = (entry.value.position, section.key(&entry.key));
        problems.warn(findings::of(&program, section.file, at, &key));
        return Some(program);
    }
    let message = "A value of a grant knows no properties of the resource, which is not there yet.";
    problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", message));
    None
}

fn tell(
    section: &FileSection<'_>,
    entry: &YamlEntry,
    mistakes: Vec<expression::Diagnostic>,
    problems: &mut FileProblems,
) {
    for mistake in mistakes {
        let problem = section.problem(entry.value.position, &entry.key, mistake.code, &mistake.message);
        problems.push(problem.of_mistake(entry.value.position, mistake));
    }
}

/// Reads the values that a grant gives properties.
fn presets(
    section: &FileSection<'_>,
    GrantTarget { resource_type, types }: GrantTarget<'_>,
    problems: &mut FileProblems,
) -> Vec<PresetValue> {
    let Some(of) = resource_type else {
        let message = "Values can be given where the type is named, not for \"*\".";
        problems.push(section.problem(section.position, "", "wrong_value", message));
        return Vec::new();
    };
    let mut presets = Vec::new();
    for entry in &section.mapping.entries {
        let Some(property) = of.properties().iter().find(|property| property.name == entry.key) else {
            if types.model.is_none() {
                continue;
            }
            let message = format!("There is no property {:?} in {}.", entry.key, of.name);
            let mut problem = section.problem(entry.position, &entry.key, "unknown_property", &message);
            problem.suggestion = closest(&entry.key, of.properties().iter().map(|field| field.name.as_str()));
            problems.push(problem);
            continue;
        };
        let made = property.calculated.is_some() || property.kind.autonumber().is_some();
        if made || property.kind.concealed() || property.kind.files().is_some() {
            let message = format!("{} takes no value by a grant.", property.name);
            problems.push(section.problem(entry.position, &entry.key, "wrong_value", &message));
            continue;
        }
        let value = entry.value.json();
        if let Some(text) = value.as_str().filter(|text| text.contains("{=")) {
            let program = preset(section, entry, text, problems);
            let parts = syntax::parts(text).unwrap_or_default();
            let asked = |part| pushdown::asked_of_user(part, property.kind.relation().is_some());
            let asks_user = parts.iter().flat_map(asked).collect();
            let preset =
                |program| PresetValue { position: property.position, value, program: Some(program), asks_user };
            presets.extend(program.map(preset));
            continue;
        }
        let context = ValueContext { zone: &TimeZone::UTC, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
        if let Err(fault) = accept(property.kind.as_ref(), &value, &context) {
            let message = fault.of(&property.name, &property.title).message;
            problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", &message));
            continue;
        }
        presets.push(PresetValue { position: property.position, value, program: None, asks_user: BTreeSet::new() });
    }
    presets
}
