//! Ids of types and properties: checked, given where they are missing, and written into the files.

use super::diagnostic::FilePosition;
use super::section::{FileProblems, diagnostic};
use super::type_file::TypeDraft;
use super::yaml::{YamlContent, YamlNode};
use model::types::FIRST_PROPERTY_ID;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The first id of a tenant's own types.
pub(crate) const FIRST_TYPE: i64 = 10;
/// The id of the type `user`.
pub(crate) const USER_TYPE: i64 = 1;

/// Ids that were given so far, kept with the tenant: an id is never used for anything else again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedIds {
    /// Of types.
    pub types: GivenIds,
    /// Of properties, of all types together.
    pub properties: GivenIds,
}

/// The ids of one sort.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenIds {
    /// The highest ever given.
    pub highest: i64,
    /// Those of what was dropped.
    pub retired: BTreeSet<i64>,
}

/// Text to be put into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextInsertion {
    pub(crate) file: String,
    pub(crate) offset: usize,
    pub(crate) text: String,
    /// True if the text is a line of its own, before one that is indented alike.
    pub(crate) line: bool,
}

/// Checks the ids of all drafts, gives the missing ones and tells what to write where.
pub(crate) fn assign(
    drafts: &mut [TypeDraft<'_>],
    given: &IssuedIds,
    problems: &mut FileProblems,
) -> Vec<TextInsertion> {
    let mut types = IdSequence::new("type", FIRST_TYPE, &given.types);
    let mut properties = IdSequence::new("property", FIRST_PROPERTY_ID, &given.properties);
    for draft in drafts.iter() {
        match draft.id {
            Some((USER_TYPE, _)) if draft.name.0 == "user" => {}
            Some((id, at)) if draft.name.0 == "user" => {
                let message = format!("The built-in type user has the id {USER_TYPE}, not {id}. Leave the key out.");
                problems.push(diagnostic(draft.file, at, "id", "reserved_id", &message));
            }
            Some((id, at)) => types.take(id, draft.file, at, "id", &draft.name.0, problems),
            None => {}
        }
        for property in draft.properties.iter().filter(|property| !property.built_in()) {
            if let Some((id, at)) = property.id {
                let key = format!("properties.{}.id", property.name.0);
                let owner = format!("{}.{}", draft.name.0, property.name.0);
                properties.take(id, property.file, at, &key, &owner, problems);
            }
        }
    }
    let mut insertions = Vec::new();
    for draft in drafts {
        if draft.id.is_none() && draft.name.0 == "user" {
            draft.id = Some((USER_TYPE, FilePosition::default()));
        } else if draft.id.is_none() {
            let id = types.next();
            draft.id = Some((id, draft.name.1));
            insertions.extend(insertion(draft.file, draft.node, id));
        }
        for property in draft.properties.iter_mut().filter(|property| property.id.is_none()) {
            let id = properties.next();
            property.id = Some((id, property.name.1));
            insertions.extend(insertion(property.file, property.node, id));
        }
    }
    insertions
}

/// The files with the insertions made; `\r\n` stays where a file has it.
pub(crate) fn insert(text: &str, insertions: &[TextInsertion]) -> String {
    let mut sorted: Vec<&TextInsertion> = insertions.iter().collect();
    sorted.sort_by_key(|insertion| insertion.offset);
    let mut result = String::with_capacity(text.len() + 16 * sorted.len());
    let mut done = 0;
    for insertion in sorted {
        result.push_str(&text[done..insertion.offset]);
        result.push_str(&insertion.text);
        if insertion.line {
            let before = &text[..insertion.offset];
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            result.push_str(if text.contains("\r\n") { "\r\n" } else { "\n" });
            result.push_str(before[start..].trim_start_matches('\u{feff}'));
        }
        done = insertion.offset;
    }
    result.push_str(&text[done..]);
    result
}

/// `id: 7` before the first key of a mapping, in its layout.
fn insertion(file: &str, node: &YamlNode, id: i64) -> Option<TextInsertion> {
    let YamlContent::Mapping(mapping) = &node.content else { return None };
    let first = mapping.entries.first();
    let line = first.is_some() && !mapping.flow;
    let (offset, text) = match first {
        None => (node.position.offset + 1, format!("id: {id}")),
        Some(_) if mapping.flow => (node.position.offset + 1, format!("id: {id}, ")),
        Some(first) => (first.position.offset, format!("id: {id}")),
    };
    Some(TextInsertion { file: file.to_owned(), offset, text, line })
}

/// Ids of one sort while they are checked and given.
struct IdSequence<'g> {
    word: &'static str,
    first: i64,
    given: &'g GivenIds,
    owners: BTreeMap<i64, String>,
    next: i64,
}

impl<'g> IdSequence<'g> {
    fn new(word: &'static str, first: i64, given: &'g GivenIds) -> Self {
        IdSequence { word, first, given, owners: BTreeMap::new(), next: first.max(given.highest + 1) }
    }

    #[expect(clippy::too_many_arguments, reason = "the place of a problem is told in three of them")]
    fn take(&mut self, id: i64, file: &str, at: FilePosition, key: &str, owner: &str, problems: &mut FileProblems) {
        let word = self.word;
        let mut refuse = |code, message: String| problems.push(diagnostic(file, at, key, code, &message));
        if id < self.first {
            refuse("reserved_id", format!("Ids below {} are built in. Leave the id out to be given one.", self.first));
        } else if self.given.retired.contains(&id) {
            let advice = "Ids are never reused. Leave the id out to be given a new one.";
            refuse("retired_id", format!("The id {id} belonged to a {word} that was dropped. {advice}"));
        } else if let Some(other) = self.owners.get(&id) {
            refuse("duplicate_id", format!("The {word} {other} has the id {id} already."));
        } else {
            self.owners.insert(id, owner.to_owned());
        }
        self.next = self.next.max(id + 1);
    }

    fn next(&mut self) -> i64 {
        let id = self.next;
        self.next += 1;
        id
    }
}
