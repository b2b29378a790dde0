//! Compiles the expressions of properties, once all types are there: they name properties of their own type and walk
//! along relations to others.

use super::dependencies;
use super::diagnostic::{Diagnostic, Position};
use super::expressions::Names;
use super::files::Files;
use super::rule_drafts::{RuleDraft, RuleDrafts};
use super::section::Problems;
use super::type_file::TypeDraft;
use crate::expressions::{Place, Shapes, compile};
use crate::kinds::{Class, ROLLUP, Storage};
use crate::types::{Calculated, Model, Property, Rule, Rules, Type};
use crate::users::USER_TYPE;
use expression::Facts;
use expression::scope::{Kind, Shape};
use expression::syntax::{self, Operator, Step, Syntax, SyntaxKind};
use std::sync::Arc;

/// Fields that the write itself changes, after what is calculated.
pub(super) const STAMPS: [&str; 3] = ["updated", "updatedBy", "version"];

/// Functions that read what no write of a resource tells of. Links have the tenant's address, the type's name, and an id
/// that a new resource has not got yet.
const UNTRACKED: [&str; 10] = [
    "query",
    "resource",
    "toApiArray",
    "fileFromFile",
    "objectShowLink",
    "objectEditLink",
    "objectCopyLink",
    "objectCreateLink",
    "objectDeleteLink",
    "objectActionLink",
];

/// The expressions of a property that is at hand again when the types are built.
pub(crate) struct Drafted {
    pub(super) type_id: i64,
    pub(super) file: String,
    pub(super) property: String,
    pub(super) rules: RuleDrafts,
    /// Where the property stands.
    pub(super) position: Position,
}

/// What is kept of drafts until the types are built: those properties that have expressions.
pub(crate) fn of_drafts(drafts: &[TypeDraft<'_>]) -> Vec<Drafted> {
    let mut kept = Vec::new();
    for draft in drafts {
        for property in &draft.properties {
            let RuleDrafts { default, calculate, condition, required, validate, .. } = &property.rules;
            let single = [default, calculate, condition, required].into_iter().any(Option::is_some);
            let rollup = property.kind.as_ref().is_some_and(|(kind, _)| kind == ROLLUP);
            if single || rollup || !validate.is_empty() {
                kept.push(Drafted {
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

/// Compiles and checks all expressions of properties, and gives them to their types.
pub(crate) fn compile_all(
    (types, model): (&[Arc<Type>], Option<&Model>),
    drafted: &[Drafted],
    around: (&Files, &Names),
    problems: &mut Problems,
) {
    let mut all = compile_each((types, model), drafted, around, problems);
    if problems.is_empty() {
        dependencies::connect(types, &mut all, drafted, problems);
    }
    if problems.is_empty() {
        give(types, all);
    }
}

/// Gives types those of their expressions that can be compiled, for comparing them: no write can follow them.
pub(super) fn compile_some((types, model): (&[Arc<Type>], &Model), drafted: &[Drafted], around: (&Files, &Names)) {
    let mut refused = Problems::new();
    give(types, compile_each((types, Some(model)), drafted, around, &mut refused));
}

fn give(types: &[Arc<Type>], all: Vec<Rules>) {
    for (of, rules) in types.iter().zip(all) {
        // Nobody else sets them.
        let _ = of.rules.set(rules);
    }
}

fn compile_each(
    (types, model): (&[Arc<Type>], Option<&Model>),
    drafted: &[Drafted],
    (files, names): (&Files, &Names),
    problems: &mut Problems,
) -> Vec<Rules> {
    let shapes = Shapes::of(types);
    let mut all = Vec::with_capacity(types.len());
    for of in types {
        let mut compiler = Compiler { types, of, shape: shapes.get(of.id), files, names, rules: Rules::NONE, problems };
        let own: Vec<&Drafted> = drafted.iter().filter(|drafted| drafted.type_id == of.id).collect();
        for drafted in &own {
            if let Some(property) = of.field(&drafted.property) {
                compiler.property(drafted, property);
                if let (Some(rollup), Some(model)) = (property.kind.rollup(), model) {
                    compiler.rollup(drafted, property, rollup, (model, &shapes));
                }
            }
        }
        all.push(compiler.finish(&own));
    }
    all
}

pub(super) struct Compiler<'c> {
    pub(super) types: &'c [Arc<Type>],
    pub(super) of: &'c Arc<Type>,
    shape: Option<Arc<dyn Shape>>,
    files: &'c Files,
    names: &'c Names,
    pub(super) rules: Rules,
    problems: &'c mut Problems,
}

impl Compiler<'_> {
    fn property(&mut self, drafted: &Drafted, property: &Property) {
        let rules = &drafted.rules;
        let wants = wanted(property);
        if let Some(draft) = &rules.default {
            let rule = self.rule(drafted, property, ("default", draft), Place::Default, wants);
            self.rules.defaults.extend(rule);
        }
        if let Some(draft) = &rules.calculate {
            if let Some(relation) = property.kind.relation() {
                self.check_way(drafted, draft, relation.type_id);
            }
            let rule = self.rule(drafted, property, ("calculate", draft), Place::Calculation, wants);
            match property.calculated {
                Some(Calculated::Stored) => {
                    if let Some(rule) = &rule {
                        self.check_stored(drafted, ("calculate", draft), rule);
                    }
                    self.rules.calculations.extend(rule);
                }
                _ => self.rules.virtuals.extend(rule),
            }
        }
        if let Some(draft) = &rules.condition {
            let rule = self.rule(drafted, property, ("condition", draft), Place::Condition, Kind::Any);
            if let Some(rule) = &rule {
                self.check_stored(drafted, ("condition", draft), rule);
            }
            self.rules.conditions.extend(rule);
        }
        if let Some(draft) = &rules.required {
            let rule = self.rule(drafted, property, ("required", draft), Place::Validation, Kind::Any);
            self.rules.required.extend(rule);
        }
        for (draft, message) in &rules.validate {
            let message = message.clone().unwrap_or_else(|| format!("{} is not valid.", property.title));
            let rule = self.rule(drafted, property, ("validate", draft), Place::Validation, Kind::Any);
            self.rules.validations.extend(rule.map(|rule| (rule, message)));
        }
    }

    fn rule(
        &mut self,
        drafted: &Drafted,
        property: &Property,
        (key, draft): (&str, &RuleDraft),
        place: Place,
        wants: Kind,
    ) -> Option<Rule> {
        match compile(&draft.text, place, self.shape.clone(), self.names.clone(), wants) {
            Ok(program) => {
                let mentions = self.mentions(program.facts());
                self.check_virtual_beyond(drafted, (key, draft), program.facts());
                if place != Place::Calculation || property.calculated == Some(Calculated::Stored) {
                    self.check_virtual(drafted, (key, draft), &mentions);
                }
                let reads = self.reads(program.facts());
                Some(Rule { position: property.position, program, text: draft.text.clone(), mentions, reads })
            }
            Err(mistakes) => {
                self.tell(drafted, (key, draft), mistakes);
                None
            }
        }
    }

    /// The positions of the type's own fields that an expression mentions.
    fn mentions(&self, facts: &Facts) -> Vec<usize> {
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
    fn reads(&self, facts: &Facts) -> Vec<i64> {
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

    /// A byte of the expression as a place in the file: exact where the file has the text as it is on one line.
    fn place(&self, file: &str, draft: &RuleDraft, byte: usize) -> Position {
        let at = draft.position;
        let line = self.files.get(file).and_then(|text| text.lines().nth(at.line.saturating_sub(1)));
        let Some(line) = line else { return at };
        let from = line.char_indices().nth(at.column.saturating_sub(1)).map_or(line.len(), |(index, _)| index);
        let (Some(found), Some(before)) = (line[from..].find(&draft.text), draft.text.get(..byte)) else { return at };
        let column = line[..from + found].chars().count() + before.chars().count() + 1;
        Position { column, ..at }
    }

    /// Notes what the language has against an expression.
    pub(super) fn tell(
        &mut self,
        drafted: &Drafted,
        (key, draft): (&str, &RuleDraft),
        mistakes: Vec<expression::Diagnostic>,
    ) {
        for mistake in mistakes {
            let at = self.place(&drafted.file, draft, mistake.span.from);
            self.problems.push(Diagnostic {
                file: drafted.file.clone(),
                line: at.line,
                column: at.column,
                key: format!("properties.{}.{key}", drafted.property),
                code: mistake.code,
                message: mistake.message,
                suggestion: mistake.suggestion,
            });
        }
    }

    pub(super) fn refuse(
        &mut self,
        drafted: &Drafted,
        (key, draft): (&str, &RuleDraft),
        code: &'static str,
        message: String,
    ) {
        let at = self.place(&drafted.file, draft, 0);
        self.problems.push(Diagnostic {
            file: drafted.file.clone(),
            line: at.line,
            column: at.column,
            key: format!("properties.{}.{key}", drafted.property),
            code,
            message,
            suggestion: None,
        });
    }

    /// A relation that is calculated is one that other resources have: nothing else tells what it rests on.
    fn check_way(&mut self, drafted: &Drafted, draft: &RuleDraft, target: i64) {
        let at = ("calculate", draft);
        if target == self.of.id {
            let message = "A relation to its own type is not calculated: it could lead in a circle.".to_owned();
            self.refuse(drafted, at, "invalid_calculation", message);
        } else if let Ok(syntax) = syntax::single(&draft.text) {
            let mut paths = Vec::new();
            let right = is_way(&syntax, &mut paths) && paths.iter().all(|path| self.leads(path, target));
            if !right {
                let message = "A calculated relation is a way along relations to one resource, such as {=customer.manager}, or \
                               several with ?? between, each to its type.";
                self.refuse(drafted, at, "invalid_calculation", message.to_owned());
            }
        }
    }

    /// Whether a path follows relations to one resource up to one of a type; what is unknown is told otherwise.
    fn leads(&self, path: &[&str], target: i64) -> bool {
        let mut here = self.of;
        for name in path {
            let Some(property) = here.field(name) else { return true };
            let relation = property.kind.relation().filter(|_| property.kind.class() == Class::Relation);
            let next = relation.and_then(|relation| self.types.iter().find(|of| of.id == relation.type_id));
            let Some(next) = next else { return false };
            here = next;
        }
        here.id == target
    }

    /// What is written never rests on a value that is only shown.
    fn check_virtual(&mut self, drafted: &Drafted, at: (&str, &RuleDraft), mentions: &[usize]) {
        let fields = &self.of.fields;
        if let Some(name) = mentions.iter().map(|position| &fields[*position]).find(|field| field.is_virtual()) {
            let message = format!("{} is a virtual calculation, which has no stored value. Store it.", name.name);
            self.refuse(drafted, at, "virtual_mentioned", message);
        }
    }

    /// Virtual calculations of other resources are not run by the way.
    fn check_virtual_beyond(&mut self, drafted: &Drafted, at: (&str, &RuleDraft), facts: &Facts) {
        for path in &facts.paths {
            let mut here = Some(self.of);
            for (hop, name) in path.iter().enumerate() {
                let Some(property) = here.and_then(|of| of.field(name)) else { break };
                if hop > 0 && property.is_virtual() {
                    let message = format!("{} is a virtual calculation, which has no stored value.", path.join("."));
                    return self.refuse(drafted, at, "virtual_mentioned", message);
                }
                let target = property.kind.relation().map(|relation| relation.type_id);
                here = target.and_then(|id| self.types.iter().find(|of| of.id == id));
            }
        }
    }

    /// What is stored, or whether it is, must be the same whoever writes, and whenever: else it would be wrong in a moment.
    fn check_stored(&mut self, drafted: &Drafted, at: (&str, &RuleDraft), rule: &Rule) {
        let facts = rule.facts();
        let (what, hint) = match at.0 {
            "condition" => ("condition", ""),
            _ => ("stored value", " Give it stored: false."),
        };
        if facts.present {
            let message = format!("It depends on the present, so that a {what} would be wrong in a moment.{hint}");
            self.refuse(drafted, at, "calculation_timed", message);
        }
        if facts.personal() {
            let message =
                format!("It depends on who asks, or on chance, so that a {what} would be of whoever wrote last.{hint}");
            self.refuse(drafted, at, "calculation_personal", message);
        }
        if let Some(name) = facts.calls(&UNTRACKED) {
            let message = format!("{name}() reads what nothing tells a {what} of.{hint}");
            self.refuse(drafted, at, "calculation_untracked", message);
        }
        if facts.paths.iter().any(|path| *path == ["id"]) {
            let message = format!("A new resource has no id before it is written: a {what} would know none.{hint}");
            self.refuse(drafted, at, "calculation_untracked", message);
        }
        let beyond = facts.paths.iter().find(|path| path.len() > 1).map(|path| path.join("."));
        if let Some(path) = beyond.as_ref().filter(|_| at.0 == "condition") {
            let message = format!("{path} lies on another resource: a condition is about the resource's own.");
            return self.refuse(drafted, at, "unsupported", message);
        }
        let whole = |path: &&Vec<String>| path.last().is_some_and(|name| name == Facts::ALL);
        if let Some(path) = facts.paths.iter().find(whole).filter(|_| facts.loose) {
            let path = path[..path.len() - 1].join(".");
            let message =
                format!("It takes more of {path} than a path tells, so that nothing tells when that changes.{hint}");
            self.refuse(drafted, at, "calculation_untracked", message);
        }
        let stamped = |path: &&Vec<String>| path.last().is_some_and(|name| STAMPS.contains(&name.as_str()));
        if let Some(path) = facts.paths.iter().find(stamped) {
            let message = format!(
                "{} changes with every write of its resource: a {what} cannot follow it.{hint}",
                path.join(".")
            );
            self.refuse(drafted, at, "calculation_untracked", message);
        }
    }

    /// Puts rules in an order in which each rests on those before, and hands them over.
    fn finish(mut self, own: &[&Drafted]) -> Rules {
        let nodes =
            |rules: &[Rule]| -> Nodes { rules.iter().map(|rule| (rule.position, rule.mentions.clone())).collect() };
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
        let place = |order: &[usize], rule: &Rule| order.iter().position(|position| *position == rule.position);
        self.rules.defaults.sort_by_key(|rule| place(&defaults, rule));
        self.rules.calculations.sort_by_key(|rule| place(&stored, rule));
        self.rules.virtuals.sort_by_key(|rule| place(&virtuals, rule));
        self.rules.order = stored;
        self.rules
    }

    fn refuse_circle(&mut self, defaults: bool, circle: &[usize], own: &[&Drafted]) {
        let names: Vec<&str> = circle.iter().map(|position| self.of.fields[*position].name.as_str()).collect();
        let Some(drafted) = own.iter().find(|drafted| names.first() == Some(&drafted.property.as_str())) else {
            return;
        };
        let RuleDrafts { default, calculate, condition, .. } = &drafted.rules;
        let calculated = calculate.as_ref().map(|draft| ("calculate", draft));
        let found = match defaults {
            true => default.as_ref().map(|draft| ("default", draft)),
            false => calculated.or(condition.as_ref().map(|draft| ("condition", draft))),
        };
        let Some(at) = found else { return };
        let way = names.iter().chain(names.first()).copied().collect::<Vec<_>>().join(", ");
        self.refuse(drafted, at, "circle", format!("The expressions need one another in a circle: {way}."));
    }
}

/// Positions of fields, each with those that it rests on.
type Nodes = Vec<(usize, Vec<usize>)>;

/// The positions in an order in which each rests only on those before; or a circle of them.
fn ordered(mut waiting: Nodes) -> Result<Vec<usize>, Vec<usize>> {
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
fn circle(nodes: &Nodes) -> Vec<usize> {
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

/// The kind of value that a property takes of an expression; others are refused when that is certain.
/// Whether a text is a path of properties, or several with `??` between, which are noted.
fn is_way<'s>(syntax: &'s Syntax, paths: &mut Vec<Vec<&'s str>>) -> bool {
    match &syntax.kind {
        SyntaxKind::Name(name) => paths.push(vec![name]),
        SyntaxKind::Path(first, steps) => {
            let SyntaxKind::Name(name) = &first.kind else { return false };
            let mut path = vec![name.as_str()];
            for step in steps {
                let Step::Property(name, _) = step else { return false };
                path.push(name);
            }
            paths.push(path);
        }
        SyntaxKind::Chain(first, rest) => {
            return is_way(first, paths)
                && rest.iter().all(|(operator, way)| *operator == Operator::Coalesce && is_way(way, paths));
        }
        _ => return false,
    }
    true
}

fn wanted(property: &Property) -> Kind {
    let many = !matches!(property.kind.storage(), Storage::Column(_));
    match property.kind.class() {
        _ if many => Kind::Any,
        Class::Integer | Class::Decimal { .. } | Class::Float => Kind::Float,
        Class::Text | Class::Enumeration => Kind::Text,
        Class::Relation => Kind::Resource,
        _ => Kind::Any,
    }
}
