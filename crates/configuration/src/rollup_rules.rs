//! Rollups, once all types are there: their names resolved, and which resources they count compiled.

use super::expression_sites;
use super::fingerprint::fingerprint;
use super::option_literals;
use super::rules::{DraftedRules, RuleCompiler, RuleEntry};
use expression::scope::ValueKind;
use expression::{Program, ProgramFacts};
use model::kinds::{RelationSide, RollupDefinition};
use model::place::{ExpressionPlace, compile};
use model::types::{Model, Property, ResourceType, RollupSummary, RowCondition};
use query::pushdown;
use std::collections::HashMap;
use std::sync::Arc;

impl RuleCompiler<'_> {
    /// Resolves what a rollup sums up.
    pub(super) fn rollup(
        &mut self,
        drafted: &DraftedRules,
        property: &Property,
        rollup: &RollupDefinition,
        model: &Model,
    ) {
        let Some(others) = self.types.iter().find(|of| of.name == rollup.of) else { return };
        let holder = match rollup.side {
            RelationSide::Others => others,
            RelationSide::Own => self.of,
        };
        let Some(relation) = holder.field(&rollup.relation) else { return };
        let (filter, program, counted) = match &drafted.rules.filter {
            None => (None, None, String::new()),
            Some(draft) => match self.filter(drafted.entry("where", draft), others, model) {
                Some((filter, program, fingerprint)) => (Some(filter), Some(program), fingerprint),
                None => return,
            },
        };
        let (property_id, values) = match &rollup.property {
            None => (0, None),
            Some(name) => match others.field(name) {
                Some(values) => (values.id, Some(values.position)),
                None => return,
            },
        };
        let text = format!(
            "{:?} {:?} {} {} {property_id} {counted} {:?}",
            rollup.function,
            rollup.side,
            others.id,
            relation.id,
            property.kind.class(),
        );
        self.rules.rollups.push(RollupSummary {
            position: property.position,
            of: others.id,
            side: rollup.side,
            relation: relation.position,
            function: rollup.function,
            property: values,
            filter,
            program,
            text,
        });
    }

    /// Compiles the condition of the resources that count. It rests on their own stored properties, the same for
    /// everybody and at any time. The last of the results is its meaning.
    fn filter(
        &mut self,
        entry: RuleEntry<'_>,
        others: &Arc<ResourceType>,
        model: &Model,
    ) -> Option<(RowCondition, Arc<Program>, String)> {
        let (text, shape) = (&entry.draft.text, self.shapes.get(others.id));
        let key = format!("properties.{}.{}", entry.drafted.property, entry.key);
        let file = &entry.drafted.file;
        expression_sites::note(file, &key, ExpressionPlace::Grant, shape.as_ref(), &HashMap::new());
        let compiled = compile(text, ExpressionPlace::Grant, shape, HashMap::new(), ValueKind::Any);
        let program = compiled.map_err(|mistakes| self.tell(entry, mistakes)).ok()?;
        if let Some((code, message)) = refusal(program.facts(), others) {
            self.refuse(entry, code, message);
            return None;
        }
        let compared = option_literals::mistakes(self.types, others, program.facts(), text);
        if !compared.is_empty() {
            self.tell(entry, compared);
            return None;
        }
        self.warn(entry, &program);
        let filter = pushdown::compile(text, others, model);
        let filter = filter.map_err(|mistakes| self.tell(entry, mistakes)).ok()?;
        let fingerprint = fingerprint(model, others, text, program.facts());
        Some((filter, program, fingerprint))
    }
}

/// Returns the fault of an expression that says which resources count.
fn refusal(facts: &ProgramFacts, others: &ResourceType) -> Option<(&'static str, String)> {
    if facts.present {
        return Some(("calculation_timed", "It depends on the present, which passes without a write.".to_owned()));
    }
    if facts.personal() {
        return Some(("calculation_personal", "It depends on the user or on chance.".to_owned()));
    }
    if let Some(path) = facts.paths.iter().find(|path| path.len() > 1) {
        let message =
            format!("{} is a property of another resource: a rollup may use only the resource's own.", path.join("."));
        return Some(("unsupported", message));
    }
    let named = facts.paths.iter().filter_map(|path| others.field(path.first()?));
    let mut named =
        named.filter(|field| field.is_virtual() || super::rule_limits::STAMPS.contains(&field.name.as_str()));
    named.next().map(|field| {
        let message = format!("{} is not stored, or changes with every write: a rollup cannot use it.", field.name);
        ("virtual_mentioned", message)
    })
}
