//! Calculations behind the fields of an answer: the rules that are needed, what they take of a row, how long they hold.

use super::fields::{RowInput, Selection};
use model::kinds::ValueStorage;
use model::types::{FieldRule, ResourceType, TypeRules};
use std::collections::BTreeSet;

/// Functions whose value may be another the next time, though no type has changed.
const PASSING: [&str; 10] = [
    "random",
    "randomFromList",
    "query",
    "resource",
    "toApiArray",
    "fileFromFile",
    "env",
    "currentLink",
    "isApiRequest",
    "isLoginAs",
];

impl Selection<'_> {
    /// All that is taken of a row for what is calculated of it, where that is known: stored values alone.
    pub(super) fn row_inputs(&self) -> Option<Box<[RowInput]>> {
        if !self.calculates() {
            return None;
        }
        let mut positions = BTreeSet::new();
        for rule in self.calculations().chain(self.conditions()) {
            for position in rule.takes()? {
                let property = &self.resource_type.fields[*position];
                match property.kind.storage() {
                    _ if property.is_virtual() => {}
                    ValueStorage::Column(_) => _ = positions.insert(*position),
                    _ => return None,
                }
            }
        }
        let member = |position: usize| self.members.iter().position(|member| member.property.position == position);
        Some(positions.into_iter().map(|position| RowInput { position, member: member(position) }).collect())
    }

    /// Returns true if what is calculated needs nothing but the rows that are read for the answer.
    pub(super) fn calculates_alone(&self) -> bool {
        self.carried.is_some() && self.calculations().chain(self.conditions()).all(FieldRule::alone)
    }

    /// Returns true if an answer with these fields holds no longer than the moment: it depends on the present, on
    /// chance, or on what no version of a type tells of.
    pub(super) fn timed(&self) -> bool {
        let of = self.resource_type;
        let own = self.calculations().any(|rule| {
            let facts = rule.facts();
            facts.present || facts.loose || facts.calls(&PASSING).is_some()
        });
        debug_assert!(of.rules().virtuals.len() >= self.calculations().count());
        own || self.related.timed() || self.inner().any(Selection::timed)
    }

    /// The virtual calculations that fields are made by.
    pub(super) fn calculations(&self) -> impl Iterator<Item = &FieldRule> {
        let shown = self.members.iter().map(|member| member.property).filter(|property| property.is_virtual());
        let wanted: Vec<usize> = shown.map(|property| property.position).collect();
        needed(self.resource_type, &wanted).into_iter()
    }

    fn conditions(&self) -> impl Iterator<Item = &FieldRule> {
        self.members.iter().filter_map(|member| self.condition(member.property))
    }
}

/// The virtual calculations that lead to these fields, those that others rest on first.
pub(super) fn needed<'t>(of: &'t ResourceType, wanted: &[usize]) -> Vec<&'t FieldRule> {
    let rules = &of.rules().virtuals;
    let mut positions: Vec<usize> = wanted.to_vec();
    // Behind each rule stand only such as rest on it.
    for rule in rules.iter().rev() {
        if positions.contains(&rule.position) {
            positions.extend(&rule.mentions);
        }
    }
    rules.iter().filter(|rule| positions.contains(&rule.position)).collect()
}

/// Returns true if more than its row is needed to show a resource of the type.
pub(super) fn needs_more(of: &ResourceType) -> bool {
    let TypeRules { virtuals, conditions, .. } = of.rules();
    !virtuals.iter().chain(conditions).all(FieldRule::alone)
}

/// Returns true if a virtual calculation, and all that it rests on, takes nothing of other resources, nor of who acts:
/// it may then be worked out for what a resource was before it changed.
pub fn shows_own(of: &ResourceType, position: usize) -> bool {
    needed(of, &[position]).iter().all(|rule| {
        let facts = rule.facts();
        let beyond = facts.loose || facts.whole || facts.personal() || facts.calls(&PASSING).is_some();
        !beyond && facts.paths.iter().all(|path| path.len() == 1)
    })
}
