//! Compiles the expressions of properties, once all types are there: they name properties of their own type and walk
//! along relations to others.

use super::diagnostic::{Diagnostic, FilePosition};
use super::findings;
use super::rule_drafts::{RuleDraft, RuleDrafts};
use super::section::FileProblems;
use super::type_file::TypeDraft;
use super::{calculated_types, dependencies, expression_sites, option_literals, required_order, rule_reads};
use crate::expression_slots::SlotNames;
use expression::scope::{Fact, ResourceShape, ValueKind};
use expression::{Program, ProgramFacts};
use model::kinds::{ROLLUP, ValueStorage};
use model::place::{ExpressionPlace, compile_where};
use model::shape::MaybeEmpty;
use model::types::{CalculationTime, FieldRule, Model, Property, ResourceType, Role, TypeRules};
use model::user_columns::USER_TYPE;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The expressions of a property that is at hand again when the types are built.
pub(crate) struct DraftedRules {
    pub(super) type_id: i64,
    pub(super) file: String,
    pub(super) property: String,
    pub(super) rules: RuleDrafts,
    /// Place of the property in its file.
    pub(super) position: FilePosition,
}

impl DraftedRules {
    /// One of its expressions.
    pub(super) fn entry<'d>(&'d self, key: &'static str, draft: &'d RuleDraft) -> RuleEntry<'d> {
        RuleEntry { drafted: self, key, draft }
    }
}

/// Returns the parts of drafts that are kept until the types are built: the properties that have expressions.
pub(crate) fn of_drafts(drafts: &[TypeDraft<'_>]) -> Vec<DraftedRules> {
    let mut kept = Vec::new();
    for draft in drafts {
        for property in &draft.properties {
            let RuleDrafts { default, calculate, condition, required, validate, .. } = &property.rules;
            let single = [default, calculate, condition, required].into_iter().any(Option::is_some);
            let rollup = property.kind.as_ref().is_some_and(|(kind, _)| kind == ROLLUP);
            if single || rollup || !validate.is_empty() {
                kept.push(DraftedRules {
                    type_id: draft.id.map_or(0, |(id, _)| id),
                    file: property.file.to_owned(),
                    property: property.name.0.clone(),
                    rules: property.rules.clone(),
                    position: property.name.1,
                });
            }
        }
    }
    kept
}

/// The types with the files that their expressions stand in.
#[derive(Clone, Copy)]
pub(crate) struct RuleSources<'s> {
    pub(crate) types: &'s [Arc<ResourceType>],
    /// The model that has the types; none where something else is wrong already.
    pub(crate) model: Option<&'s Model>,
    /// Names that `env()` knows.
    pub(crate) names: &'s SlotNames,
}

/// An expression of a property, with the key that holds it.
#[derive(Clone, Copy)]
pub(super) struct RuleEntry<'d> {
    pub(super) drafted: &'d DraftedRules,
    pub(super) key: &'static str,
    pub(super) draft: &'d RuleDraft,
}

/// Compiles and checks all expressions of properties, and gives them to their types.
pub(crate) fn compile_all(
    sources: RuleSources<'_>,
    drafted: &[DraftedRules],
    roles: &BTreeMap<String, Role>,
    problems: &mut FileProblems,
) {
    let mut all = compile_each(sources, drafted, problems);
    if problems.is_empty() {
        dependencies::connect(sources.types, &mut all, drafted, problems);
        rule_reads::note(sources.types, roles, &mut all);
    }
    if problems.is_empty() {
        give(sources.types, all);
    }
}

/// Gives types those of their expressions that can be compiled, for comparing them: no write can follow them.
pub(super) fn compile_some(sources: RuleSources<'_>, drafted: &[DraftedRules]) {
    let mut refused = FileProblems::new();
    give(sources.types, compile_each(sources, drafted, &mut refused));
}

fn give(types: &[Arc<ResourceType>], all: Vec<TypeRules>) {
    for (of, rules) in types.iter().zip(all) {
        // Nobody else sets them.
        let _ = of.rules.set(rules);
    }
}

fn compile_each(
    RuleSources { types, model, names }: RuleSources<'_>,
    drafted: &[DraftedRules],
    problems: &mut FileProblems,
) -> Vec<TypeRules> {
    let shapes = &calculated_types::shapes(types, drafted, names);
    expression_sites::note_types(shapes);
    let mut all = Vec::with_capacity(types.len());
    for of in types {
        let mut compiler =
            RuleCompiler { types, of, shapes, shape: shapes.get(of.id), names, rules: TypeRules::NONE, problems };
        let own: Vec<&DraftedRules> = drafted.iter().filter(|drafted| drafted.type_id == of.id).collect();
        for drafted in &own {
            if let Some(property) = of.field(&drafted.property) {
                compiler.property(drafted, property);
                if let (Some(rollup), Some(model)) = (property.kind.rollup(), model) {
                    compiler.rollup(drafted, property, rollup, model);
                }
            }
        }
        let rules = compiler.finish(&own);
        problems.warn(required_order::note(of, &rules, &own));
        all.push(rules);
    }
    all
}

pub(super) struct RuleCompiler<'c> {
    pub(super) types: &'c [Arc<ResourceType>],
    pub(super) of: &'c Arc<ResourceType>,
    pub(super) shapes: &'c model::shape::TypeShapes,
    shape: Option<Arc<dyn ResourceShape>>,
    names: &'c SlotNames,
    pub(super) rules: TypeRules,
    problems: &'c mut FileProblems,
}

impl RuleCompiler<'_> {
    fn property(&mut self, drafted: &DraftedRules, property: &Property) {
        let rules = &drafted.rules;
        let wants = wanted(property);
        if let Some(draft) = &rules.default {
            let rule = self.rule(drafted.entry("default", draft), property, ExpressionPlace::Default, wants);
            self.rules.defaults.extend(rule);
        }
        if let Some(draft) = &rules.calculate {
            if let Some(relation) = property.kind.relation() {
                self.check_way(drafted.entry("calculate", draft), relation.type_id);
            }
            let entry = drafted.entry("calculate", draft);
            let rule = self.rule(entry, property, ExpressionPlace::Calculation, wants);
            match property.calculated {
                Some(CalculationTime::Stored) => {
                    if let Some(rule) = &rule {
                        self.check_stored(entry, rule);
                    }
                    self.rules.calculations.extend(rule);
                }
                _ => self.rules.virtuals.extend(rule),
            }
        }
        if let Some(draft) = &rules.condition {
            let entry = drafted.entry("condition", draft);
            let rule = self.rule(entry, property, ExpressionPlace::Condition, ValueKind::Any);
            if let Some(rule) = &rule {
                self.check_stored(entry, rule);
            }
            self.rules.conditions.extend(rule);
        }
        if let Some(draft) = &rules.required {
            let entry = drafted.entry("required", draft);
            let rule = self.rule(entry, property, ExpressionPlace::Validation, ValueKind::Any);
            self.rules.required.extend(rule);
        }
        for (draft, message) in &rules.validate {
            let message = message.clone().unwrap_or_else(|| format!("{} is not valid.", property.title));
            let entry = drafted.entry("validate", draft);
            let rule = self.rule(entry, property, ExpressionPlace::Validation, ValueKind::Any);
            self.rules.validations.extend(rule.map(|rule| (rule, message)));
        }
    }

    fn rule(
        &mut self,
        entry: RuleEntry<'_>,
        property: &Property,
        place: ExpressionPlace,
        wants: ValueKind,
    ) -> Option<FieldRule> {
        let draft = entry.draft;
        let key = format!("properties.{}.{}", entry.drafted.property, entry.key);
        expression_sites::note(&entry.drafted.file, &key, place, self.shape.as_ref(), self.names);
        // A required value is looked at before it is known to be there; a validation is of a value that is.
        let looked_at = entry.key == "condition" || entry.key == "required";
        let shape = self.shape.clone().map(|shape| if looked_at { MaybeEmpty::of(shape) } else { shape });
        let is_filled = entry.key == "validate";
        let facts = is_filled.then(|| Fact::filled(&property.name)).into_iter().collect();
        match compile_where(&draft.text, place, shape, self.names.clone(), wants, facts) {
            Ok(program) => {
                let compared = option_literals::mistakes(self.types, self.of, program.facts(), &draft.text);
                if !compared.is_empty() {
                    self.tell(entry, compared);
                }
                self.warn(entry, &program);
                let mentions = self.mentions(program.facts());
                self.check_virtual_beyond(entry, program.facts());
                if place != ExpressionPlace::Calculation || property.calculated == Some(CalculationTime::Stored) {
                    self.check_virtual(entry, &mentions);
                }
                let reads = self.reads(program.facts());
                Some(FieldRule { position: property.position, program, text: draft.text.clone(), mentions, reads })
            }
            Err(mistakes) => {
                self.tell(entry, mistakes);
                None
            }
        }
    }

    /// The positions of the type's own fields that an expression mentions.
    fn mentions(&self, facts: &ProgramFacts) -> Vec<usize> {
        let named = facts.paths.iter().filter_map(|path| Some(self.of.field(path.first()?)?.position));
        let mut positions: Vec<usize> = named.collect();
        if facts.whole {
            positions.extend(self.of.title_property);
            if facts.calls(&["export"]).is_some() {
                positions.extend(0..self.of.fields.len());
            }
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The types whose rows an expression reads along relations; the user's, where it asks for the user.
    fn reads(&self, facts: &ProgramFacts) -> Vec<i64> {
        let mut reads: Vec<i64> = facts.calls(&["user"]).map(|_| USER_TYPE).into_iter().collect();
        for path in &facts.paths {
            let mut here = Some(self.of);
            for name in path {
                let property = here.and_then(|of| of.field(name));
                let target = property.and_then(|property| property.kind.relation()).map(|relation| relation.type_id);
                reads.extend(target);
                here = target.and_then(|id| self.types.iter().find(|of| of.id == id));
            }
        }
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// Notes what an expression is warned of.
    pub(super) fn warn(&mut self, RuleEntry { drafted, key, draft }: RuleEntry<'_>, program: &Program) {
        if !draft.is_bare {
            let key = format!("properties.{}.{key}", drafted.property);
            self.problems.warn(findings::of(program, &drafted.file, draft.position, &key));
        }
    }

    /// Notes what the language has against an expression.
    pub(super) fn tell(
        &mut self,
        RuleEntry { drafted, key, draft }: RuleEntry<'_>,
        mistakes: Vec<expression::Diagnostic>,
    ) {
        for mistake in mistakes.into_iter().filter(|_| !draft.is_bare) {
            let key = format!("properties.{}.{key}", drafted.property);
            let problem = Diagnostic::new(&drafted.file, draft.position, key, mistake.code, mistake.message.clone());
            self.problems.push(problem.of_mistake(draft.position, mistake));
        }
    }

    pub(super) fn refuse(
        &mut self,
        RuleEntry { drafted, key, draft }: RuleEntry<'_>,
        code: &'static str,
        message: String,
    ) {
        if draft.is_bare {
            return;
        }
        let key = format!("properties.{}.{key}", drafted.property);
        let span = expression::Span { from: 0, to: draft.text.len() };
        let problem = Diagnostic::new(&drafted.file, draft.position, key, code, message);
        self.problems.push(problem.about(draft.position, span));
    }
}

/// The kind of value that a property takes of an expression; others are refused when that is certain.
fn wanted(property: &Property) -> ValueKind {
    match property.kind.storage() {
        ValueStorage::Column(_) => property.kind.wanted_kind(),
        ValueStorage::Links(_) | ValueStorage::Attachments => ValueKind::Any,
    }
}
