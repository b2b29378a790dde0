//! Types of other resources that writes of a type read, and those that they may change: this decides about locks.

use expression::ProgramFacts;
use model::types::{FieldRule, ResourceType, Role, TypeGrant, TypeRules, searches};
use model::user_columns::USER_TYPE;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Notes for all types what their rules read and their writes change. What watches which fields is known.
pub(super) fn note(types: &[Arc<ResourceType>], roles: &BTreeMap<String, Role>, all: &mut [TypeRules]) {
    for (of, rules) in types.iter().zip(all.iter_mut()) {
        let asked = rules.defaults.iter().chain(&rules.required).chain(rules.validations.iter().map(|(rule, _)| rule));
        let asked: Vec<&FieldRule> = asked.collect();
        let mut reads: Vec<i64> = asked.iter().flat_map(|rule| along(types, of, rule.facts())).collect();
        reads.sort_unstable();
        reads.dedup();
        let search = asked.iter().any(|rule| searches(&rule.program));
        (rules.read_others, rules.reads, rules.search) = (asked.iter().any(|rule| rule.reads_others()), reads, search);
    }
    // What is looked for is not known in full: conditions and rights of the search lead on to other types.
    let shown = all.iter().flat_map(|rules| &rules.virtuals).any(|rule| searches(&rule.program));
    let granted = roles.values().flat_map(|role| role.types.values()).any(TypeGrant::searches);
    let sought = shown || granted || all.iter().any(|rules| rules.search);
    for index in 0..all.len() {
        let changes = changed_by(types, all, types[index].id);
        (all[index].changes, all[index].sought) = (changes, sought);
    }
}

/// The types whose rows an expression reads.
fn along(types: &[Arc<ResourceType>], resource_type: &Arc<ResourceType>, facts: &ProgramFacts) -> Vec<i64> {
    let mut reads: Vec<i64> = facts.calls(&["user"]).map(|_| USER_TYPE).into_iter().collect();
    for path in &facts.paths {
        let mut here = Some(resource_type);
        for name in &path[..path.len() - 1] {
            let relation =
                here.and_then(|resource_type| resource_type.field(name)).and_then(|property| property.kind.relation());
            let target = relation.map(|relation| relation.type_id);
            reads.extend(target);
            here = target.and_then(|id| types.iter().find(|resource_type| resource_type.id == id));
        }
    }
    reads
}

/// The types of which stored values may follow a write of a type, by however many steps.
fn changed_by(types: &[Arc<ResourceType>], all: &[TypeRules], type_id: i64) -> Vec<i64> {
    let mut changed: Vec<i64> = Vec::new();
    let mut open = vec![type_id];
    while let Some(here) = open.pop() {
        let Some(index) = types.iter().position(|of| of.id == here) else { continue };
        for watcher in &all[index].watchers {
            if !changed.contains(&watcher.type_id) {
                changed.push(watcher.type_id);
                open.push(watcher.type_id);
            }
        }
    }
    changed
}
