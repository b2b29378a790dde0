//! Meanings of stored expressions in a model. A text that stays may come to mean something else: names are given to
//! other properties, a type gets another title, the tenant another zone.

use super::steps::{TableStep, by_id};
use expression::ProgramFacts;
use model::types::{Model, Property, ResourceType, TypeRules};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Functions that give something else in another zone.
const ZONED: [&str; 8] = ["date", "today", "strtotime", "dateDiff", "formatDate", "compareDates", "toUtc", "fromUtc"];

/// Properties whose condition is another than before, or new, and whose values nobody calculates.
pub(super) fn clear_steps(old: Option<&Model>, new: &Model) -> Vec<TableStep> {
    let of_type = |of: &Arc<ResourceType>| {
        let given = conditions_changed(old?, new, of).into_iter().filter(|property| property.calculated.is_none());
        Some(
            given
                .map(|property| TableStep::ClearInapplicable { type_id: of.id, property: property.id })
                .collect::<Vec<_>>(),
        )
    };
    new.types.iter().filter_map(of_type).flatten().collect()
}

/// Types whose stored calculations are others than before, or rest on what the other steps or `env.yaml` change.
/// `valued` are the types whose values the other steps change.
pub(super) fn calculation_steps(old: Option<&Model>, new: &Model, valued: &BTreeSet<i64>) -> Vec<TableStep> {
    let other_environment = old.is_some_and(|old| old.environment != new.environment);
    let anew = new.types.iter().filter(|of| {
        let Some((old, before)) = old.and_then(|old| Some((old, old.type_by_id(of.id)?))) else { return false };
        let now = made(new, of);
        let rules = of.rules();
        let asks = || rules.calculations.iter().any(|rule| rule.facts().calls(&["env"]).is_some());
        let read = rules.calculations.iter().flat_map(|rule| &rule.reads);
        let mut read = read.chain(rules.rollups.iter().map(|sum| &sum.of)).chain([&of.id]);
        let moved = read.any(|read| valued.contains(read)) || other_environment && asks();
        let clears = !conditions_changed(old, new, of).is_empty();
        clears || (!now.is_empty() && (moved || !now.is_subset(&made(old, before))))
    });
    anew.map(|of| TableStep::Recalculate { type_id: of.id }).collect()
}

/// The properties of a type that were there before with another condition, or without one.
fn conditions_changed<'t>(old: &Model, new: &Model, now: &'t ResourceType) -> Vec<&'t Property> {
    let Some(before) = old.type_by_id(now.id) else { return Vec::new() };
    let changed = now.rules().conditions.iter().filter_map(|rule| {
        let property = &now.fields[rule.position];
        let known = by_id(before, property.id)?;
        let same = condition(old, before, known.position) == condition(new, now, rule.position);
        (!same).then_some(property)
    });
    changed.collect()
}

/// Returns the meanings of the expressions that make stored values, by property.
fn made(model: &Model, resource_type: &ResourceType) -> BTreeSet<(i64, String)> {
    let rules = resource_type.rules();
    let calculated = rules
        .calculations
        .iter()
        .map(|rule| (rule.position, fingerprint(model, resource_type, &rule.text, rule.facts())));
    let rollups = rules.rollups.iter().map(|rollup| (rollup.position, rollup.text.clone()));
    let all = calculated.chain(rollups);
    all.map(|(position, text)| {
        let condition = condition(model, resource_type, position).unwrap_or_default();
        (resource_type.fields[position].id, format!("{text} {condition}"))
    })
    .collect()
}

/// Returns the meaning of a field's condition, if it has one.
fn condition(model: &Model, resource_type: &ResourceType, position: usize) -> Option<String> {
    TypeRules::about(&resource_type.rules().conditions, position)
        .map(|rule| fingerprint(model, resource_type, &rule.text, rule.facts()))
}

/// An expression about rows of a type with what its names stand for: the same where it gives the same of the same rows.
pub(super) fn fingerprint(model: &Model, resource_type: &ResourceType, text: &str, facts: &ProgramFacts) -> String {
    let mut fingerprint = ValueFingerprint { text: format!("{text:?}"), timed: facts.calls(&ZONED).is_some() };
    for path in &facts.paths {
        fingerprint.follow(model, resource_type, path, facts);
    }
    if facts.whole {
        fingerprint.whole(resource_type, facts);
    }
    if facts.rests_on_rules {
        _ = write!(fingerprint.text, " rules {}", model.rules.number());
    }
    if fingerprint.timed {
        _ = write!(fingerprint.text, " {:?}", model.settings.timezone.iana_name());
    }
    fingerprint.text
}

struct ValueFingerprint {
    text: String,
    /// True if it may be another in another zone.
    timed: bool,
}

impl ValueFingerprint {
    fn field(&mut self, field: &Property) {
        let class = field.kind.class();
        self.timed |= field.kind.is_instant();
        // The fields that every type has stay where they are, and have no ids.
        let id = if field.id == 0 { -i64::try_from(field.position).unwrap_or(i64::MAX) } else { field.id };
        _ = write!(self.text, " {id} {class:?}");
    }

    /// Adds the fields along a path.
    fn follow(&mut self, model: &Model, from: &ResourceType, path: &[String], facts: &ProgramFacts) {
        let mut here = Some(from);
        for step in path {
            let Some(of) = here else { return };
            if step == ProgramFacts::ALL {
                return self.whole(of, facts);
            }
            let Some(field) = of.field(step) else { return };
            self.field(field);
            here = field.kind.relation().and_then(|relation| model.type_by_id(relation.type_id)).map(AsRef::as_ref);
        }
    }

    /// Adds what a resource is as a value: its title or its code, whichever is asked for, or all of it.
    fn whole(&mut self, resource_type: &ResourceType, facts: &ProgramFacts) {
        for position in [resource_type.title_property, resource_type.code_property] {
            match position {
                Some(position) => self.field(&resource_type.fields[position]),
                None => self.text.push_str(" -"),
            }
        }
        if facts.calls(&["export"]).is_some() {
            for field in &resource_type.fields {
                self.field(field);
                _ = write!(self.text, " {}", field.name);
            }
        }
    }
}
