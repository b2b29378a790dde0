//! The order in which a write looks at required values: by the rules of version 1 last, now first. A plan names the
//! types whose answers may differ.

use super::diagnostic::{Diagnostic, NOTE};
use super::rules::DraftedRules;
use model::types::{FieldRule, ResourceType, TypeRules};

/// Returns what a plan says of a type with expressions that ran before its required values were looked at; nothing
/// where none of them mentions one.
pub(super) fn note(of: &ResourceType, rules: &TypeRules, own: &[&DraftedRules]) -> Option<Diagnostic> {
    let is_required = |position: &usize| {
        let property = &of.fields[*position];
        property.required && property.calculated.is_none() && property.kind.rollup().is_none()
    };
    let asked = rules.defaults.iter().chain(&rules.calculations).chain(&rules.required);
    let asked = asked.chain(rules.validations.iter().map(|(rule, _)| rule));
    let rests = |rule: &&FieldRule| rule.mentions.iter().any(|at| *at != rule.position && is_required(at));
    let mut names: Vec<&str> = asked.filter(rests).map(|rule| of.fields[rule.position].name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let first = own.iter().find(|drafted| names.contains(&drafted.property.as_str()))?;
    let message = format!(
        "A write that lacks a required value is refused for that alone now, before the expressions of {} run.",
        names.join(", ")
    );
    let mut note = Diagnostic::new(&first.file, first.position, "properties".to_owned(), "rules_differ", message);
    note.severity = NOTE;
    Some(note)
}
