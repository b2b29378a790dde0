//! Names of rows in tests, and values that refer to them.

use super::load::Loaded;
use super::section::{FileProblems, FileSection};
use super::test_file::{NameSubject, NameUse, unknown};
use super::yaml::{YamlContent, YamlEntry, YamlNode};
use automation::config_tests::RowName;
use model::types::Property;
use model::user_columns::USER_TYPE;
use serde_json::Value as Json;

/// The rows that have names where something is read.
#[derive(Debug, Clone)]
pub(super) struct NamedRows(Vec<RowName>);

impl NamedRows {
    /// The users of the tenant's own files, by their logins.
    pub(crate) fn new(loaded: &Loaded) -> Self {
        let users = loaded.users.iter().map(|user| RowName { type_id: USER_TYPE, name: user.login.clone() });
        NamedRows(users.collect())
    }

    /// Adds a name, unless there is one.
    pub(crate) fn put(&mut self, row: RowName) -> bool {
        let is_new = self.find(&row.name).is_none();
        if is_new {
            self.0.push(row);
        }
        is_new
    }

    pub(crate) fn find(&self, name: &str) -> Option<&RowName> {
        self.0.iter().find(|row| row.name == name)
    }

    /// The names of rows, of one type or of all.
    pub(crate) fn names(&self, type_id: Option<i64>) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |row| type_id.is_none_or(|id| row.type_id == id)).map(|row| row.name.as_str())
    }
}

/// Each `{$row: name}` names a row.
pub(super) fn known_rows(section: &FileSection<'_>, entry: &YamlEntry, rows: &NamedRows, problems: &mut FileProblems) {
    let mut open = vec![&entry.value];
    while let Some(node) = open.pop() {
        match &node.content {
            YamlContent::Scalar { .. } => {}
            YamlContent::Sequence(members) => open.extend(members),
            YamlContent::Mapping(mapping) => {
                open.extend(mapping.entries.iter().map(|entry| &entry.value));
                let row = mapping.entries.iter().find(|entry| entry.key == automation::config_tests::ROW);
                let name = row.and_then(|row| row.value.text()).filter(|name| rows.find(name).is_none());
                if let Some(name) = name {
                    let name = NameUse { key: &entry.key, position: node.position, name };
                    unknown(section, name, NameSubject::ROW, rows.names(None), problems);
                }
            }
        }
    }
}

/// A value in wire form: texts of digits alone stay texts where the property holds texts.
pub(super) fn value(node: &YamlNode, property: &Property) -> Json {
    match node.text().filter(|_| property.kind.is_text()) {
        Some(text) => Json::String(text.to_owned()),
        None => node.json(),
    }
}

/// Each text of a relation's value names a row of its type.
pub(super) fn references(
    section: &FileSection<'_>,
    node: &YamlNode,
    type_id: i64,
    rows: &NamedRows,
    problems: &mut FileProblems,
) {
    match (&node.content, node.json()) {
        (YamlContent::Sequence(members), _) => {
            members.iter().for_each(|member| references(section, member, type_id, rows, problems));
        }
        (_, Json::String(name)) if !rows.names(Some(type_id)).any(|known| known == name) => {
            let name = NameUse { key: "", position: node.position, name: &name };
            unknown(section, name, NameSubject::ROW, rows.names(Some(type_id)), problems);
        }
        _ => {}
    }
}
