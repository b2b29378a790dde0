//! `types/*.yaml` as they are written: a type and its properties before names and kinds are resolved.

use super::diagnostic::FilePosition;
use super::form_sections::{self, SectionDraft};
use super::names;
use super::rule_drafts::{RuleDraft, RuleDrafts};
use super::section::{FileProblems, FileSection, diagnostic};
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use crate::expression_slots;
use serde_json::{Map, Value as Json};

/// A name and its place.
pub(crate) type NameMention = (String, FilePosition);

/// A type as its file has it.
pub(crate) struct TypeDraft<'n> {
    pub(crate) file: &'n str,
    pub(crate) node: &'n YamlNode,
    pub(crate) id: Option<(i64, FilePosition)>,
    pub(crate) name: NameMention,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) title_property: Option<NameMention>,
    pub(crate) code_property: Option<NameMention>,
    pub(crate) parent_property: Option<NameMention>,
    pub(crate) log_reads: bool,
    pub(crate) unique: Vec<(Vec<NameMention>, FilePosition)>,
    pub(crate) indexes: Vec<(Vec<NameMention>, FilePosition)>,
    /// Names with a `-` before them for descending.
    pub(crate) order_by: Vec<NameMention>,
    pub(crate) sections: Vec<SectionDraft>,
    pub(crate) properties: Vec<PropertyDraft<'n>>,
}

/// A property as its file has it.
pub(crate) struct PropertyDraft<'n> {
    pub(crate) file: &'n str,
    pub(crate) node: &'n YamlNode,
    pub(crate) id: Option<(i64, FilePosition)>,
    pub(crate) name: NameMention,
    pub(crate) kind: Option<NameMention>,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) required: bool,
    pub(crate) unique: bool,
    pub(crate) index: bool,
    pub(crate) searchable: bool,
    pub(crate) personal: bool,
    pub(crate) default: Option<Json>,
    pub(crate) read_only: bool,
    pub(crate) write_once: bool,
    /// Its expressions.
    pub(crate) rules: RuleDrafts,
    /// The keys that are the kind's own.
    pub(crate) options: Map<String, Json>,
    /// The key of the mapping that it stands in.
    pub(crate) within: &'static str,
}

impl<'n> PropertyDraft<'n> {
    /// One of which nothing else is said yet.
    pub(crate) fn of(file: &'n str, node: &'n YamlNode, name: NameMention, kind: Option<NameMention>) -> Self {
        PropertyDraft {
            file,
            node,
            id: None,
            name,
            kind,
            title: None,
            description: String::new(),
            required: false,
            unique: false,
            index: false,
            searchable: false,
            personal: false,
            default: None,
            read_only: false,
            write_once: false,
            rules: RuleDrafts::default(),
            options: Map::new(),
            within: "properties",
        }
    }
}

/// Reads a type's file; nothing where it has no name.
pub(crate) fn read<'n>(file: &'n str, node: &'n YamlNode, problems: &mut FileProblems) -> Option<TypeDraft<'n>> {
    let mut section = FileSection::open(file, String::new(), node, problems)?;
    let id = id(&mut section, problems);
    let name = section.require("name", problems).and_then(|entry| {
        let name = section.text_of(entry, problems)?;
        if let Some((code, message)) = names::type_fault(&name) {
            problems.push(section.problem(entry.value.position, "name", code, &message));
        }
        Some((name, entry.value.position))
    });
    let title = section.text("title", problems);
    let description = section.text("description", problems).unwrap_or_default();
    let title_property = mention("titleProperty", &mut section, problems);
    let code_property = mention("codeProperty", &mut section, problems);
    let parent_property = mention("parentProperty", &mut section, problems);
    let log_reads = section.boolean("logReads", problems).unwrap_or(false);
    let unique = sets("unique", "Each unique set", &mut section, problems);
    let indexes = sets("indexes", "Each index", &mut section, problems);
    let order_by = order_by(&mut section, problems);
    let sections = form_sections::read(&mut section, problems);
    let properties = properties(&mut section, problems);
    section.later(&["permissions"], problems);
    section.finish(problems);
    Some(TypeDraft {
        file,
        node,
        id,
        name: name?,
        title,
        description,
        title_property,
        code_property,
        parent_property,
        log_reads,
        unique,
        indexes,
        order_by,
        sections,
        properties,
    })
}

fn id(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<(i64, FilePosition)> {
    let position = section.mapping.entries.iter().find(|entry| entry.key == "id")?.value.position;
    // Ids stand in names of tables and indexes; nine digits keep those short.
    section.integer("id", 1..=999_999_999, problems).map(|id| (id, position))
}

fn mention(key: &'static str, section: &mut FileSection<'_>, problems: &mut FileProblems) -> Option<NameMention> {
    let entry = section.take(key, problems)?;
    Some((section.text_of(entry, problems)?, entry.value.position))
}

/// Lists of properties; `each` is what such a list is called.
fn sets(
    key: &'static str,
    each: &str,
    section: &mut FileSection<'_>,
    problems: &mut FileProblems,
) -> Vec<(Vec<NameMention>, FilePosition)> {
    let Some(entry) = section.take(key, problems) else { return Vec::new() };
    let mut sets = Vec::new();
    let YamlContent::Sequence(members) = &entry.value.content else {
        let message = format!("{key} must be a list of lists: [[a, b], [a, c]].");
        problems.push(section.problem(entry.value.position, key, "wrong_value", &message));
        return sets;
    };
    for member in members {
        let names = match &member.content {
            YamlContent::Sequence(names) => {
                names.iter().map(|name| Some((name.text()?.to_owned(), name.position))).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        match names {
            Some(names) if !names.is_empty() => sets.push((names, member.position)),
            _ => {
                let message = format!("{each} must be a list of properties: [a, b].");
                problems.push(section.problem(member.position, key, "wrong_value", &message));
            }
        }
    }
    sets
}

pub(crate) fn order_by(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<NameMention> {
    let Some(entry) = section.take("orderBy", problems) else { return Vec::new() };
    match &entry.value.content {
        YamlContent::Sequence(_) => section.texts_of(entry, problems).unwrap_or_default(),
        _ => section
            .text_of(entry, problems)
            .map(|text| text.split(',').map(|name| (name.trim().to_owned(), entry.value.position)).collect())
            .unwrap_or_default(),
    }
}

fn properties<'n>(section: &mut FileSection<'n>, problems: &mut FileProblems) -> Vec<PropertyDraft<'n>> {
    let Some(list) = section.section("properties", problems) else { return Vec::new() };
    let mut drafts = Vec::new();
    for entry in &list.mapping.entries {
        if let Some((code, message)) = names::property_fault(&entry.key) {
            problems.push(list.problem(entry.position, &entry.key, code, &message));
        }
        let name = (entry.key.clone(), entry.position);
        if let Some(property) = described(&list, entry, problems) {
            drafts.push(property_draft(property, name, problems));
        }
    }
    drafts
}

/// The description of a property or a parameter. A kind in its place is perhaps all that is meant.
pub(crate) fn described<'n>(
    list: &FileSection<'n>,
    entry: &'n YamlEntry,
    problems: &mut FileProblems,
) -> Option<FileSection<'n>> {
    let opened = FileSection::open(list.file, list.key(&entry.key), &entry.value, problems);
    if let (None, Some(kind), Some(problem)) = (&opened, entry.value.text(), problems.last_mut()) {
        problem.suggestion = Some(format!("{{kind: {kind}}}"));
    }
    opened
}

fn property_draft<'n>(
    mut section: FileSection<'n>,
    name: NameMention,
    problems: &mut FileProblems,
) -> PropertyDraft<'n> {
    let id = id(&mut section, problems);
    let kind = section.require("kind", problems).and_then(|entry| {
        let kind = section.text_of(entry, problems)?;
        Some((kind, entry.value.position))
    });
    let rules = RuleDrafts::read(&mut section, problems);
    let expressed = |text: &Option<RuleDraft>| text.is_some();
    let required = if expressed(&rules.required) { None } else { section.boolean("required", problems) };
    let default = section.take("default", problems).filter(|_| !expressed(&rules.default));
    let mut draft = PropertyDraft {
        id,
        title: section.text("title", problems),
        description: section.text("description", problems).unwrap_or_default(),
        required: required.unwrap_or(false),
        unique: section.boolean("unique", problems).unwrap_or(false),
        index: section.boolean("index", problems).unwrap_or(false),
        searchable: section.boolean("searchable", problems).unwrap_or(false),
        personal: section.boolean("personal", problems).unwrap_or(false),
        default: default.map(|entry| entry.value.json()),
        read_only: section.boolean("readOnly", problems).unwrap_or(false),
        write_once: section.boolean("writeOnce", problems).unwrap_or(false),
        rules,
        ..PropertyDraft::of(section.file, section.node, name, kind)
    };
    // A default is one expression, or has none in it.
    let default = if draft.rules.default.is_some() { "default" } else { "title" };
    let open = ["title", "description", "pattern", default, "required", "calculate", "condition", "validate", "where"];
    expression_slots::refuse(&section, &open, problems);
    for entry in section.rest() {
        if entry.value.is_null() {
            let message = format!("{} has no value. Give one or leave the key out.", entry.key);
            problems.push(diagnostic(
                section.file,
                entry.position,
                &section.key(&entry.key),
                "missing_value",
                &message,
            ));
        }
        draft.options.insert(entry.key.clone(), entry.value.json());
    }
    draft
}
