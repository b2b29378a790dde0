//! Names of rows in tests, and values that refer to them.

use super::load::Loaded;
use super::section::{Problems, Section};
use super::test_file::unknown;
use super::yaml::{Content, Entry, Node};
use automation::trials::RowName;
use model::kinds::KindClass;
use model::types::Property;
use model::user_columns::USER_TYPE;
use serde_json::Value as Json;

/// The rows that have names where something is read.
#[derive(Debug, Clone)]
pub(super) struct Rows(Vec<RowName>);

impl Rows {
    /// The users of the tenant's own files, by their logins.
    pub(crate) fn new(loaded: &Loaded) -> Self {
        let users = loaded.users.iter().map(|user| RowName { type_id: USER_TYPE, name: user.login.clone() });
        Rows(users.collect())
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
pub(super) fn known_rows(section: &Section<'_>, entry: &Entry, rows: &Rows, problems: &mut Problems) {
    let mut open = vec![&entry.value];
    while let Some(node) = open.pop() {
        match &node.content {
            Content::Scalar { .. } => {}
            Content::Sequence(members) => open.extend(members),
            Content::Mapping(mapping) => {
                open.extend(mapping.entries.iter().map(|entry| &entry.value));
                let row = mapping.entries.iter().find(|entry| entry.key == automation::trials::ROW);
                let name = row.and_then(|row| row.value.text()).filter(|name| rows.find(name).is_none());
                if let Some(name) = name {
                    let at = (node.position, entry.key.as_str());
                    unknown(section, at, ("row", "unknown_row"), (name, rows.names(None)), problems);
                }
            }
        }
    }
}

/// A value in wire form: texts of digits alone stay texts where the property holds texts.
pub(super) fn value(node: &Node, property: &Property) -> Json {
    match node.text().filter(|_| property.kind.class() == KindClass::Text) {
        Some(text) => Json::String(text.to_owned()),
        None => node.json(),
    }
}

/// Each text of a relation's value names a row of its type.
pub(super) fn references(section: &Section<'_>, node: &Node, type_id: i64, rows: &Rows, problems: &mut Problems) {
    match (&node.content, node.json()) {
        (Content::Sequence(members), _) => {
            members.iter().for_each(|member| references(section, member, type_id, rows, problems));
        }
        (_, Json::String(name)) if !rows.names(Some(type_id)).any(|known| known == name) => {
            unknown(section, (node.position, ""), ("row", "unknown_row"), (&name, rows.names(Some(type_id))), problems);
        }
        _ => {}
    }
}
