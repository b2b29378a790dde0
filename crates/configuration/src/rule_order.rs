//! The order of a type's expressions: each rests on those before, and circles are refused.

use super::rule_drafts::RuleDrafts;
use super::rules::{DraftedRules, RuleCompiler};
use model::types::{FieldRule, TypeRules};

impl RuleCompiler<'_> {
    /// Puts rules in an order in which each rests on those before, and hands them over.
    pub(super) fn finish(mut self, own: &[&DraftedRules]) -> TypeRules {
        let nodes = |rules: &[FieldRule]| -> FieldNodes {
            rules.iter().map(|rule| (rule.position, rule.mentions.clone())).collect()
        };
        let mut stored = nodes(&self.rules.calculations);
        stored.extend(self.rules.rollups.iter().map(|rollup| (rollup.position, Vec::new())));
        for rule in &self.rules.conditions {
            match stored.iter_mut().find(|(position, _)| *position == rule.position) {
                Some((_, mentions)) => mentions.extend(&rule.mentions),
                None => stored.push((rule.position, rule.mentions.clone())),
            }
        }
        let (defaults, virtuals) = (nodes(&self.rules.defaults), nodes(&self.rules.virtuals));
        let mut orders = [Vec::new(), Vec::new(), Vec::new()];
        for (place, nodes) in [defaults, stored, virtuals].into_iter().enumerate() {
            match ordered(nodes) {
                Ok(order) => orders[place] = order,
                Err(circle) => self.refuse_circle(place == 0, &circle, own),
            }
        }
        let [defaults, stored, virtuals] = orders;
        let place = |order: &[usize], rule: &FieldRule| order.iter().position(|position| *position == rule.position);
        self.rules.defaults.sort_by_key(|rule| place(&defaults, rule));
        self.rules.calculations.sort_by_key(|rule| place(&stored, rule));
        self.rules.virtuals.sort_by_key(|rule| place(&virtuals, rule));
        self.rules.order = stored;
        self.rules
    }

    fn refuse_circle(&mut self, defaults: bool, circle: &[usize], own: &[&DraftedRules]) {
        let names: Vec<&str> = circle.iter().map(|position| self.of.fields[*position].name.as_str()).collect();
        let Some(drafted) = own.iter().find(|drafted| names.first() == Some(&drafted.property.as_str())) else {
            return;
        };
        let RuleDrafts { default, calculate, condition, .. } = &drafted.rules;
        let calculated = calculate.as_ref().map(|draft| drafted.entry("calculate", draft));
        let found = match defaults {
            true => default.as_ref().map(|draft| drafted.entry("default", draft)),
            false => calculated.or(condition.as_ref().map(|draft| drafted.entry("condition", draft))),
        };
        let Some(entry) = found else { return };
        let way = names.iter().chain(names.first()).copied().collect::<Vec<_>>().join(", ");
        self.refuse(entry, "circle", format!("The expressions depend on one another in a circle: {way}."));
    }
}

/// Positions of fields, each with those that it rests on.
type FieldNodes = Vec<(usize, Vec<usize>)>;

/// The positions in an order in which each rests only on those before; or a circle of them.
fn ordered(mut waiting: FieldNodes) -> Result<Vec<usize>, Vec<usize>> {
    let mut sorted = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let open: Vec<usize> = waiting.iter().map(|(position, _)| *position).collect();
        match waiting.iter().position(|(_, rests)| !rests.iter().any(|other| open.contains(other))) {
            Some(place) => sorted.push(waiting.remove(place).0),
            None => return Err(circle(&waiting)),
        }
    }
    Ok(sorted)
}

/// A circle among positions each of which rests on another one.
fn circle(nodes: &FieldNodes) -> Vec<usize> {
    let mut way: Vec<usize> = Vec::new();
    let mut here = nodes.first().map_or(0, |(position, _)| *position);
    while !way.contains(&here) {
        way.push(here);
        let rests = nodes.iter().find(|(position, _)| *position == here).map(|(_, rests)| rests);
        let open = |other: &&usize| nodes.iter().any(|(position, _)| position == *other);
        here = rests.and_then(|rests| rests.iter().find(open)).copied().unwrap_or(here);
    }
    let start = way.iter().position(|position| *position == here).unwrap_or(0);
    way.split_off(start)
}
