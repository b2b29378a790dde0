//! Drafts to types: names, kinds, defaults, unique sets and orders resolved.

use super::property_lists::FieldNames;
use super::section::{FileProblems, diagnostic};
use super::type_file::{PropertyDraft, TypeDraft};
use super::{built_in_fields, names};
use database::Name;
use jiff::{Timestamp, tz::TimeZone};
use model::kinds;
use model::kinds::{CALCULATED, Kind, OptionTargets, ValueContext, ValueStorage};
use model::types::{CalculationTime, Property, ResourceType};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Names and settings that drafts are resolved against.
pub(crate) struct DraftContext<'s> {
    pub(crate) targets: OptionTargets<'s>,
    pub(crate) roles: Vec<&'s str>,
    pub(crate) zone: &'s TimeZone,
    /// True if a kind is built without the options that are refused, where its values lie as they would with them.
    pub(crate) lenient: bool,
}

impl PropertyDraft<'_> {
    /// Returns true if it is the platform's own.
    pub(crate) fn built_in(&self) -> bool {
        self.file == built_in_fields::USER_FILE
    }

    fn key(&self, key: &str) -> String {
        format!("{}.{}.{key}", self.within, self.name.0)
    }

    pub(crate) fn refuse(&self, key: &str, code: &'static str, message: &str, problems: &mut FileProblems) {
        let path: Vec<String> = key.split('.').map(str::to_owned).collect();
        problems.push(diagnostic(self.file, self.node.nearest(&path), &self.key(key), code, message));
    }
}

/// Makes the type; what is wrong with it goes to the problems, and such a type is never used.
pub(crate) fn build(
    draft: TypeDraft<'_>,
    surroundings: &DraftContext<'_>,
    problems: &mut FileProblems,
) -> ResourceType {
    let id = draft.id.map_or(0, |(id, _)| id);
    let mut fields = built_in_fields::system_fields();
    let targets = OptionTargets { own: &draft.name.0, ..surroundings.targets };
    let surroundings = &DraftContext { targets, roles: surroundings.roles.clone(), ..*surroundings };
    for property in &draft.properties {
        if let Some(property) = self::property(property, fields.len(), surroundings, problems) {
            fields.push(property);
        }
    }
    let by_name: HashMap<String, usize> =
        fields.iter().map(|property| (property.name.clone(), property.position)).collect();
    let names = FieldNames { draft: &draft, fields: &fields, by_name: &by_name };
    let unique = names.unique(problems);
    for (property, position) in
        draft.properties.iter().filter_map(|property| Some((property, *by_name.get(&property.name.0)?)))
    {
        let is_unique = unique.iter().any(|set| set.contains(&position));
        crate::personal::check(property, fields[position].kind.as_ref(), is_unique, surroundings.zone, problems);
    }
    let indexes = names.indexes(problems);
    let title_property = names.title(problems);
    let code_property = names.code(&unique, problems);
    let parent_property = names.parent(id, problems);
    let order_by = names.order(problems);
    let sections = names.sections(problems);
    for set in unique.iter().filter(|set| set.len() == 1) {
        fields[set[0]].unique = true;
    }
    ResourceType {
        id,
        title: draft.title.unwrap_or_else(|| names::title(&draft.name.0)),
        name: draft.name.0,
        description: draft.description,
        fields,
        by_name,
        title_property,
        code_property,
        parent_property,
        log_reads: draft.log_reads,
        unique,
        indexes,
        order_by,
        sections,
        rules: OnceLock::new(),
        table: Name::numbered("t", id),
        select: OnceLock::new(),
    }
}

fn property(
    draft: &PropertyDraft<'_>,
    position: usize,
    surroundings: &DraftContext<'_>,
    problems: &mut FileProblems,
) -> Option<Property> {
    let kind = kind(draft, surroundings, problems)?;
    let column = match kind.storage() {
        ValueStorage::Column(_) => "p",
        ValueStorage::Links(_) | ValueStorage::Attachments => "m",
    };
    check_flags(draft, kind.as_ref(), problems);
    check_rules(draft, kind.as_ref(), problems);
    check_default(draft, kind.as_ref(), surroundings.zone, problems);
    Some(Property {
        id: draft.id.map_or(0, |(id, _)| id),
        position,
        name: draft.name.0.clone(),
        title: draft.title.clone().unwrap_or_else(|| names::title(&draft.name.0)),
        description: draft.description.clone(),
        required: draft.required,
        conditional: draft.rules.condition.is_some(),
        unique: draft.unique,
        index: draft.index,
        searchable: draft.searchable,
        personal: draft.personal,
        default: draft.default.clone(),
        calculated: match kind.rollup() {
            Some(_) => Some(CalculationTime::Stored),
            None => draft.rules.calculated(kind.name()),
        },
        read_only: draft.read_only,
        write_once: draft.write_once,
        column: Name::numbered(column, draft.id.map_or(0, |(id, _)| id)),
        kind,
    })
}

/// The kind that a draft names, with its options.
pub(crate) fn kind(
    draft: &PropertyDraft<'_>,
    surroundings: &DraftContext<'_>,
    problems: &mut FileProblems,
) -> Option<Box<dyn Kind>> {
    let (name, _) = draft.kind.as_ref()?;
    let mut options = draft.options.clone();
    if draft.built_in() && draft.id.is_some_and(|(id, _)| id == crate::ROLES_PROPERTY) {
        // Without roles nothing can be chosen, which is what an archived option says.
        let none = json!({"-": {"archived": true}});
        let roles = if surroundings.roles.is_empty() { none } else { json!(surroundings.roles) };
        options.insert("options".to_owned(), roles);
    }
    let internal = kinds::find(name).is_some_and(|entry| entry.internal);
    if internal && !draft.built_in() {
        draft.refuse("kind", "unknown_kind", &format!("The kind {name} is for built-in properties alone."), problems);
        return None;
    }
    match kinds::build(name, options.clone(), &surroundings.targets) {
        Ok(kind) => Some(kind),
        Err(faults) => {
            let bare = || without(options, faults.iter().map(|fault| fault.key.as_str()));
            let bare = surroundings.lenient.then(bare).flatten();
            let kind = bare.and_then(|options| kinds::build(name, options, &surroundings.targets).ok());
            for fault in faults {
                let path: Vec<String> = fault.key.split('.').map(str::to_owned).collect();
                let unknown = !has_option(name, &fault.key);
                let code = match fault.key.as_str() {
                    "kind" => "unknown_kind",
                    _ if unknown => "unknown_key",
                    _ => "invalid_option",
                };
                let at = place_of_option(draft, &path);
                let mut problem = diagnostic(draft.file, at, &draft.key(&fault.key), code, &fault.message);
                problem.suggestion = fault.suggestion;
                problems.push(problem);
            }
            kind
        }
    }
}

/// Options without those that are refused; nothing where these say what the values are.
fn without<'f>(mut options: Map<String, Json>, refused: impl Iterator<Item = &'f str>) -> Option<Map<String, Json>> {
    const SHAPE: [&str; 7] = ["kind", "type", "scale", "options", "relation", "function", "property"];
    for key in refused {
        let option = key.split('.').next().unwrap_or_default();
        options.remove(option).filter(|_| !SHAPE.contains(&option))?;
    }
    Some(options)
}

/// Returns true if a kind has an option of that name.
fn has_option(kind: &str, option: &str) -> bool {
    let first = option.split('.').next().unwrap_or_default();
    kinds::find(kind).is_some_and(|entry| entry.options.iter().any(|(name, _)| *name == first))
}

/// The value of an option, or the key where the option itself is unknown; the whole property where it is missing.
fn place_of_option(draft: &PropertyDraft<'_>, path: &[String]) -> super::diagnostic::FilePosition {
    if let super::yaml::YamlContent::Mapping(mapping) = &draft.node.content
        && let Some(entry) = mapping.entries.iter().find(|entry| entry.key == path[0])
    {
        return if path.len() == 1 && path[0] != "kind" { entry.position } else { draft.node.nearest(path) };
    }
    draft.name.1
}

fn check_flags(draft: &PropertyDraft<'_>, kind: &dyn Kind, problems: &mut FileProblems) {
    let name = kind.name();
    let links = matches!(kind.storage(), ValueStorage::Links(_));
    let long = if kind.is_text() { " of more than 600 characters" } else { "" };
    if draft.unique && !kind.indexable() {
        draft.refuse("unique", "invalid_unique", &format!("A {name}{long} cannot be unique."), problems);
    }
    if draft.index && !links && !kind.indexable() {
        draft.refuse("index", "invalid_index", &format!("A {name}{long} cannot have an index."), problems);
    }
    if draft.searchable && !kind.is_text() {
        draft.refuse("searchable", "invalid_search", &format!("A {name} is not a text to search in."), problems);
    }
}

/// Refuses expressions where they make no sense, whatever they say.
fn check_rules(draft: &PropertyDraft<'_>, kind: &dyn Kind, problems: &mut FileProblems) {
    let rules = &draft.rules;
    let closed = kind.concealed() || kind.files().is_some() || kind.autonumber().is_some();
    if rules.default.is_some() && closed {
        draft.refuse("default", "invalid_default", &format!("A {} has no default.", kind.name()), problems);
    }
    let of_calculations = kind.name() == CALCULATED;
    if kind.rollup().is_some() {
        return check_rollup(draft, problems);
    }
    if rules.calculate.is_none() {
        if of_calculations {
            draft.refuse("", "missing_key", "A pCalculated needs calculate: the expression of its value.", problems);
        }
        if rules.stored.is_some() {
            draft.refuse(
                "stored",
                "invalid_calculation",
                "Only a calculated property can have the key stored.",
                problems,
            );
        }
        return;
    }
    let several = matches!(kind.storage(), ValueStorage::Links(_));
    if closed || several && kind.relation().is_some() {
        draft.refuse("calculate", "invalid_calculation", &format!("A {} is not calculated.", kind.name()), problems);
    }
    if kind.relation().is_some() {
        check_relation(draft, problems);
    }
    let given = [
        ("default", draft.default.is_some() || rules.default.is_some()),
        ("required", draft.required || rules.required.is_some()),
        ("writeOnce", draft.write_once),
        ("readOnly", draft.read_only),
    ];
    for (key, _) in given.into_iter().filter(|(_, given)| *given) {
        let message = format!("A calculated property takes no input: leave {key} out.");
        draft.refuse(key, "invalid_calculation", &message, problems);
    }
    let asked = [("unique", draft.unique), ("index", draft.index), ("searchable", draft.searchable)];
    let is_virtual = rules.calculated(kind.name()) == Some(CalculationTime::Virtual);
    for (key, _) in asked.into_iter().filter(|(_, asked)| *asked && is_virtual) {
        let message = format!("A virtual calculation is not stored, so there is no {key}. Give it stored: true.");
        draft.refuse(key, "invalid_calculation", &message, problems);
    }
}

/// Refuses what makes no sense for a relation that is calculated: it refers to what others refer to, and their
/// relations decide what a deletion does.
fn check_relation(draft: &PropertyDraft<'_>, problems: &mut FileProblems) {
    for key in ["onDelete", "filter"].into_iter().filter(|key| draft.options.contains_key(*key)) {
        let message = format!("A calculated relation follows its path: leave {key} out.");
        draft.refuse(key, "invalid_calculation", &message, problems);
    }
    if draft.rules.stored == Some(false) {
        draft.refuse("stored", "invalid_calculation", "A calculated relation is stored: leave stored out.", problems);
    }
}

/// Refuses what makes no sense for a value that other resources give.
fn check_rollup(draft: &PropertyDraft<'_>, problems: &mut FileProblems) {
    let rules = &draft.rules;
    let given = [
        ("default", draft.default.is_some() || rules.default.is_some()),
        ("required", draft.required || rules.required.is_some()),
        ("calculate", rules.calculate.is_some()),
        ("stored", rules.stored.is_some()),
        ("validate", !rules.validate.is_empty()),
        ("unique", draft.unique),
        ("writeOnce", draft.write_once),
        ("readOnly", draft.read_only),
    ];
    for (key, _) in given.into_iter().filter(|(_, given)| *given) {
        let message = format!("A pRollup gets its value from other resources: leave {key} out.");
        draft.refuse(key, "invalid_calculation", &message, problems);
    }
}

/// Checks a fixed default.
pub(crate) fn check_default(draft: &PropertyDraft<'_>, kind: &dyn Kind, zone: &TimeZone, problems: &mut FileProblems) {
    let Some(default) = &draft.default else { return };
    if default.as_str().is_some_and(|text| text.contains("{=")) {
        return;
    }
    if kind.relation().is_some() || kind.autonumber().is_some() || kind.concealed() || kind.files().is_some() {
        draft.refuse("default", "invalid_default", &format!("A {} has no default.", kind.name()), problems);
        return;
    }
    // No default depends on the present: texts such as `now` are expressions.
    let context = ValueContext { zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let members = match (kind.storage(), default) {
        (ValueStorage::Column(_) | ValueStorage::Attachments, _) => std::slice::from_ref(default),
        (ValueStorage::Links(_), Json::Array(members)) => members.as_slice(),
        (ValueStorage::Links(_), _) => {
            return draft.refuse("default", "invalid_default", "The default must be a list.", problems);
        }
    };
    for member in members {
        let checked = kind.read(member, &context).and_then(|value| kind.check(&value));
        if let Err(fault) = checked {
            draft.refuse("default", "invalid_default", &format!("The default {}.", fault.text()), problems);
        }
    }
}
