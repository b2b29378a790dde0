//! Keys of a type's file that name properties: unique sets, indexes, title, code, parent, order.

use super::section::{FileProblems, diagnostic};
use super::type_file::{NameMention, TypeDraft};
use model::kinds::ValueStorage;
use model::types::{FIRST_PROPERTY, Property};
use std::collections::HashMap;

/// The most properties of an index.
const MOST_INDEXED: usize = 8;

/// A type's fields, to be looked up by the names in its file.
pub(super) struct FieldNames<'d> {
    pub(super) draft: &'d TypeDraft<'d>,
    pub(super) fields: &'d [Property],
    pub(super) by_name: &'d HashMap<String, usize>,
}

impl FieldNames<'_> {
    fn refuse(&self, key: &str, mention: &NameMention, code: &'static str, message: &str, problems: &mut FileProblems) {
        problems.push(diagnostic(self.draft.file, mention.1, key, code, message));
    }

    fn find(&self, key: &str, mention: &NameMention, own: bool, problems: &mut FileProblems) -> Option<usize> {
        let found = self.by_name.get(&mention.0).copied().filter(|position| !own || *position >= FIRST_PROPERTY);
        // A property that could not be made has a diagnostic of its own.
        let broken = self.draft.properties.iter().any(|property| property.name.0 == mention.0);
        if found.is_none() && !broken {
            let message = format!("There is no property {:?}.", mention.0);
            let mut problem = diagnostic(self.draft.file, mention.1, key, "unknown_property", &message);
            let system = self.fields.iter().take(if own { 0 } else { FIRST_PROPERTY });
            let system = system.map(|field| field.name.as_str());
            let candidates = self.draft.properties.iter().map(|property| property.name.0.as_str()).chain(system);
            problem.suggestion = super::diagnostic::closest(&mention.0, candidates);
            problems.push(problem);
        }
        if let Some(found) = found.filter(|position| self.fields[*position].is_virtual()) {
            let message = format!("{} is a virtual calculation, which has no stored value.", self.fields[found].name);
            self.refuse(key, mention, "virtual_mentioned", &message, problems);
            return None;
        }
        found
    }

    pub(super) fn unique(&self, problems: &mut FileProblems) -> Vec<Vec<usize>> {
        let single = self.fields.iter().filter(|field| field.unique && field.position >= FIRST_PROPERTY);
        let mut sets: Vec<Vec<usize>> = single.map(|field| vec![field.position]).collect();
        for (mentions, at) in &self.draft.unique {
            let mut set = Vec::new();
            for mention in mentions {
                let Some(position) = self.find("unique", mention, true, problems) else { continue };
                let kind = &self.fields[position].kind;
                let storable = matches!(kind.storage(), ValueStorage::Column(_)) && !kind.is_document();
                if !storable || kind.concealed() || kind.name() == "pText" {
                    let message = format!("A {} cannot be part of a unique set.", kind.name());
                    self.refuse("unique", mention, "invalid_unique", &message, problems);
                } else if set.contains(&position) {
                    let message = format!("{} is in the set twice.", mention.0);
                    self.refuse("unique", mention, "invalid_unique", &message, problems);
                } else {
                    set.push(position);
                }
            }
            let same = |other: &Vec<usize>| other.len() == set.len() && set.iter().all(|p| other.contains(p));
            let declared_single = set.len() == 1 && self.fields[set[0]].unique;
            if !set.is_empty() && sets.iter().any(same) && !declared_single {
                let mention = (String::new(), *at);
                self.refuse("unique", &mention, "invalid_unique", "The same unique set is given twice.", problems);
            } else if !set.is_empty() && !declared_single {
                sets.push(set);
            }
        }
        sets
    }

    /// Indexes of several properties.
    pub(super) fn indexes(&self, problems: &mut FileProblems) -> Vec<Vec<usize>> {
        let mut indexes: Vec<Vec<usize>> = Vec::new();
        for (mentions, at) in &self.draft.indexes {
            let mut index = Vec::new();
            for mention in mentions {
                let Some(position) = self.find("indexes", mention, true, problems) else { continue };
                let kind = &self.fields[position].kind;
                if !matches!(kind.storage(), ValueStorage::Column(_)) || !kind.indexable() || kind.concealed() {
                    let message = format!("A {} cannot be part of an index.", kind.name());
                    self.refuse("indexes", mention, "invalid_index", &message, problems);
                } else if index.contains(&position) {
                    let message = format!("{} is in the index twice.", mention.0);
                    self.refuse("indexes", mention, "invalid_index", &message, problems);
                } else {
                    index.push(position);
                }
            }
            let refused = match (mentions.len(), indexes.contains(&index)) {
                (1, _) => "An index of one property is written at the property: index: true.",
                (_, true) => "The same index is given twice.",
                _ if mentions.len() > MOST_INDEXED => "An index can have at most 8 properties.",
                _ if index.len() == mentions.len() => {
                    indexes.push(index);
                    continue;
                }
                _ => continue,
            };
            self.refuse("indexes", &(String::new(), *at), "invalid_index", refused, problems);
        }
        indexes
    }

    pub(crate) fn title(&self, problems: &mut FileProblems) -> Option<usize> {
        let mention = self.draft.title_property.as_ref()?;
        let position = self.find("titleProperty", mention, true, problems)?;
        let kind = &self.fields[position].kind;
        if kind.concealed() || kind.is_document() || !matches!(kind.storage(), ValueStorage::Column(_)) {
            let message = format!("A {} cannot be the title.", kind.name());
            self.refuse("titleProperty", mention, "invalid_title", &message, problems);
        }
        Some(position)
    }

    pub(super) fn code(&self, unique: &[Vec<usize>], problems: &mut FileProblems) -> Option<usize> {
        let mention = self.draft.code_property.as_ref()?;
        let position = self.find("codeProperty", mention, true, problems)?;
        if !unique.contains(&vec![position]) {
            let message = format!("{} must be unique to be the code. Add unique: true to it.", mention.0);
            self.refuse("codeProperty", mention, "invalid_code", &message, problems);
        }
        Some(position)
    }

    pub(crate) fn parent(&self, id: i64, problems: &mut FileProblems) -> Option<usize> {
        let mention = self.draft.parent_property.as_ref()?;
        let position = self.find("parentProperty", mention, true, problems)?;
        let kind = &self.fields[position].kind;
        let to_itself = !kind.holds_several() && kind.relation().is_some_and(|to| to.type_id == id);
        if !to_itself {
            let message = format!("{} must be a pRelation to the type itself to be the parent.", mention.0);
            self.refuse("parentProperty", mention, "invalid_parent", &message, problems);
        }
        Some(position)
    }

    pub(super) fn order(&self, problems: &mut FileProblems) -> Vec<(usize, bool)> {
        let mut order: Vec<(usize, bool)> = Vec::new();
        for (text, at) in &self.draft.order_by {
            let (name, descending) = text.strip_prefix('-').map_or((text.as_str(), false), |name| (name, true));
            let mention = (name.to_owned(), *at);
            let Some(position) = self.find("orderBy", &mention, false, problems) else { continue };
            let kind = &self.fields[position].kind;
            if kind.concealed() || kind.is_document() || !matches!(kind.storage(), ValueStorage::Column(_)) {
                let message = format!("Lists cannot be sorted by a {}.", kind.name());
                self.refuse("orderBy", &mention, "invalid_order", &message, problems);
            } else if order.iter().any(|(other, _)| *other == position) {
                self.refuse("orderBy", &mention, "invalid_order", &format!("{name} is given twice."), problems);
            }
            order.push((position, descending));
        }
        order
    }
}
