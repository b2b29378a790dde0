//! The rows that a test's cases begin with: names, values, and the order in which they can be made.

use super::section::{FileProblems, FileSection};
use super::test_file::{NameSubject, NameUse, spot, unknown};
use super::test_rows::{self, NamedRows};
use super::user_file::SHORT;
use super::yaml::{YamlEntry, YamlNode};
use automation::config_tests::{GivenRow, RowName};
use jiff::Timestamp;
use model::kinds::{ValueContext, accept};
use model::types::{FIRST_PROPERTY, Model, ResourceType};
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A row as it is written.
struct RowDraft<'n> {
    of: &'n Arc<ResourceType>,
    entry: &'n YamlEntry,
    section: FileSection<'n>,
}

/// Reads all rows. Their names are known to `rows` from here on.
pub(super) fn read<'n>(
    given: &FileSection<'n>,
    model: &'n Model,
    rows: &mut NamedRows,
    problems: &mut FileProblems,
) -> Vec<GivenRow> {
    let mut drafts = Vec::new();
    for entry in &given.mapping.entries {
        let Some(of) = model.type_named(&entry.key) else {
            let known = model.types.iter().map(|of| of.name.as_str());
            unknown(given, NameUse::key(entry), NameSubject::TYPE, known, problems);
            continue;
        };
        let Some(named) = FileSection::open(given.file, given.key(&entry.key), &entry.value, problems) else {
            continue;
        };
        for row in &named.mapping.entries {
            if rows.put(RowName { type_id: of.id, name: row.key.clone() }) {
                let section = FileSection::open(given.file, named.key(&row.key), &row.value, problems);
                drafts.extend(section.map(|section| RowDraft { of, entry: row, section }));
            } else {
                let message = format!("{} is the name of another row. Names are for all types together.", row.key);
                problems.push(named.problem(row.position, &row.key, "duplicate_name", &message));
            }
        }
    }
    let mut made: Vec<(GivenRow, BTreeSet<RowName>)> = Vec::new();
    for draft in &drafts {
        made.push(draft.row(model, rows, problems));
    }
    order(made, given, problems)
}

impl RowDraft<'_> {
    /// The row, and the rows that it refers to.
    fn row(&self, model: &Model, rows: &NamedRows, problems: &mut FileProblems) -> (GivenRow, BTreeSet<RowName>) {
        let (mut values, mut mentioned) = (Map::new(), BTreeSet::new());
        for entry in &self.section.mapping.entries {
            if let Some(value) = self.value(model, rows, entry, &mut mentioned, problems) {
                values.insert(self.property_name(entry).to_owned(), value);
            }
        }
        let name = self.entry.key.clone();
        if self.of.id == USER_TYPE {
            values.entry("user_id").or_insert_with(|| Json::String(name.clone()));
            values.entry("user_name").or_insert_with(|| Json::String(name.clone()));
        }
        let row = RowName { type_id: self.of.id, name };
        (GivenRow { at: spot(self.entry.position), row, values }, mentioned)
    }

    /// Returns the name of the property that an entry is about. Users have short ones.
    fn property_name<'e>(&self, entry: &'e YamlEntry) -> &'e str {
        let short = SHORT.iter().find(|(short, _)| self.of.id == USER_TYPE && *short == entry.key);
        short.map_or(entry.key.as_str(), |(_, name)| name)
    }

    fn value(
        &self,
        model: &Model,
        rows: &NamedRows,
        entry: &YamlEntry,
        mentioned: &mut BTreeSet<RowName>,
        problems: &mut FileProblems,
    ) -> Option<Json> {
        let section = &self.section;
        let property = self.of.field(self.property_name(entry)).filter(|property| property.position >= FIRST_PROPERTY);
        let Some(property) = property else {
            let known = self.of.properties().iter().map(|property| property.name.as_str());
            unknown(section, NameUse::key(entry), NameSubject::PROPERTY, known, problems);
            return None;
        };
        if property.kind.concealed() {
            let message = format!("{} is never in files; cases act as users without it.", entry.key);
            problems.push(section.problem(entry.position, &entry.key, "password_in_file", &message));
            return None;
        }
        if property.calculated.is_some() {
            let message = format!("{} is calculated: leave it out.", entry.key);
            problems.push(section.problem(entry.position, &entry.key, "calculated", &message));
            return None;
        }
        let value = test_rows::value(&entry.value, property);
        if let Some(relation) = property.kind.relation() {
            test_rows::references(section, &entry.value, relation.type_id, rows, problems);
            let names = texts(&entry.value);
            mentioned.extend(names.map(|name| RowName { type_id: relation.type_id, name: name.to_owned() }));
            return Some(value);
        }
        let context =
            ValueContext { zone: &model.settings.timezone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
        if let Err(fault) = accept(property.kind.as_ref(), &value, &context) {
            let message = format!("{} {}.", property.title, fault.text());
            problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", &message));
        }
        Some(value)
    }
}

/// The texts of a value: itself, or its members.
fn texts(node: &YamlNode) -> impl Iterator<Item = &str> {
    let members = match &node.content {
        super::yaml::YamlContent::Sequence(members) => members.as_slice(),
        _ => &[],
    };
    node.text().into_iter().chain(members.iter().filter_map(YamlNode::text))
}

/// Puts rows behind those that they refer to; those of the tenant's files are there already.
fn order(
    mut waiting: Vec<(GivenRow, BTreeSet<RowName>)>,
    given: &FileSection<'_>,
    problems: &mut FileProblems,
) -> Vec<GivenRow> {
    let mut open: BTreeSet<RowName> = waiting.iter().map(|(row, _)| row.row.clone()).collect();
    let mut ordered = Vec::new();
    while !waiting.is_empty() {
        let before = waiting.len();
        let (ready, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, needs)| needs.is_disjoint(&open));
        for (row, _) in ready {
            open.remove(&row.row);
            ordered.push(row);
        }
        waiting = rest;
        if waiting.len() == before {
            let names: Vec<&str> = waiting.iter().map(|(row, _)| row.row.name.as_str()).collect();
            let message = format!("These rows refer to one another in a circle: {}.", names.join(", "));
            problems.push(given.problem(given.position, "", "circle", &message));
            break;
        }
    }
    ordered
}
