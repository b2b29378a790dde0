//! Limits of the expressions of a property: what is stored has to follow all that it is made of.

use super::rules::{RuleCompiler, RuleEntry};
use expression::ProgramFacts;
use expression::catalogue::RESOURCE_LINKS;
use expression::syntax::{self, BinaryOperator, PathStep, SyntaxKind, SyntaxNode};
use model::types::FieldRule;

/// Fields that the write itself changes, after what is calculated.
pub(super) const STAMPS: [&str; 3] = ["updated", "updatedBy", "version"];

/// Functions that read what no write of a resource tells of; so do links, which have the tenant's address, the type's
/// name, and an id that a new resource has not got yet.
const UNTRACKED: [&str; 4] = ["query", "resource", "toApiArray", "fileFromFile"];

impl RuleCompiler<'_> {
    /// A relation that is calculated is one that other resources have: nothing else tells what it rests on.
    pub(super) fn check_way(&mut self, entry: RuleEntry<'_>, target: i64) {
        if target == self.of.id {
            let message = "A relation to its own type is not calculated: it could lead in a circle.".to_owned();
            self.refuse(entry, "invalid_calculation", message);
        } else if let Ok(syntax) = syntax::single(&entry.draft.text) {
            let mut paths = Vec::new();
            let right = is_way(&syntax, &mut paths) && paths.iter().all(|path| self.leads(path, target));
            if !right {
                let message = "A calculated relation is a way along relations to one resource, such as {=customer.manager}, or \
                               several with ?? between, each to its type.";
                self.refuse(entry, "invalid_calculation", message.to_owned());
            }
        }
    }

    /// Returns true if a path follows relations to one resource up to one of a type; what is unknown is told otherwise.
    fn leads(&self, path: &[&str], target: i64) -> bool {
        let mut here = self.of;
        for name in path {
            let Some(property) = here.field(name) else { return true };
            let relation = property.kind.relation().filter(|_| !property.kind.holds_several());
            let next = relation.and_then(|relation| self.types.iter().find(|of| of.id == relation.type_id));
            let Some(next) = next else { return false };
            here = next;
        }
        here.id == target
    }

    /// Refuses an expression for a write that rests on a value that is only shown.
    pub(super) fn check_virtual(&mut self, entry: RuleEntry<'_>, mentions: &[usize]) {
        let fields = &self.of.fields;
        if let Some(name) = mentions.iter().map(|position| &fields[*position]).find(|field| field.is_virtual()) {
            let message = format!("{} is a virtual calculation, which has no stored value. Store it.", name.name);
            self.refuse(entry, "virtual_mentioned", message);
        }
    }

    /// Virtual calculations of other resources are not run by the way.
    pub(super) fn check_virtual_beyond(&mut self, entry: RuleEntry<'_>, facts: &ProgramFacts) {
        for path in &facts.paths {
            let mut here = Some(self.of);
            for (hop, name) in path.iter().enumerate() {
                let Some(property) = here.and_then(|of| of.field(name)) else { break };
                if hop > 0 && property.is_virtual() {
                    let message = format!("{} is a virtual calculation, which has no stored value.", path.join("."));
                    return self.refuse(entry, "virtual_mentioned", message);
                }
                let target = property.kind.relation().map(|relation| relation.type_id);
                here = target.and_then(|id| self.types.iter().find(|of| of.id == id));
            }
        }
    }

    /// Refuses a stored value, or a condition, that depends on the user who writes, or on the time. It would be wrong
    /// in a moment.
    pub(super) fn check_stored(&mut self, entry: RuleEntry<'_>, rule: &FieldRule) {
        let facts = rule.facts();
        let (what, hint) = match entry.key {
            "condition" => ("condition", ""),
            _ => ("stored value", " Give it stored: false."),
        };
        if facts.present {
            let message = format!("It depends on the present, so that a {what} would be wrong in a moment.{hint}");
            self.refuse(entry, "calculation_timed", message);
        }
        if facts.personal() {
            let message =
                format!("It depends on the user or on chance, so a {what} would belong to the last writer.{hint}");
            self.refuse(entry, "calculation_personal", message);
        }
        if let Some(name) = facts.calls(&UNTRACKED).or_else(|| facts.calls(&RESOURCE_LINKS)) {
            let message = format!("{name}() reads data whose changes do not update a {what}.{hint}");
            self.refuse(entry, "calculation_untracked", message);
        }
        if facts.paths.iter().any(|path| *path == ["id"]) {
            let message = format!("A new resource has no id before it is written: a {what} would know none.{hint}");
            self.refuse(entry, "calculation_untracked", message);
        }
        let beyond = facts.paths.iter().find(|path| path.len() > 1).map(|path| path.join("."));
        if let Some(path) = beyond.as_ref().filter(|_| entry.key == "condition") {
            let message =
                format!("{path} is a property of another resource: a condition may use only the resource's own.");
            return self.refuse(entry, "unsupported", message);
        }
        let whole = |path: &&Vec<String>| path.last().is_some_and(|name| name == ProgramFacts::ALL);
        if let Some(path) = facts.paths.iter().find(whole).filter(|_| facts.loose) {
            let path = path[..path.len() - 1].join(".");
            let message = format!("It takes more of {path} than a path, so its changes cannot be followed.{hint}");
            self.refuse(entry, "calculation_untracked", message);
        }
        let stamped = |path: &&Vec<String>| path.last().is_some_and(|name| STAMPS.contains(&name.as_str()));
        if let Some(path) = facts.paths.iter().find(stamped) {
            let message = format!(
                "{} changes with every write of its resource: a {what} cannot follow it.{hint}",
                path.join(".")
            );
            self.refuse(entry, "calculation_untracked", message);
        }
    }
}

/// Returns true if a text is a path of properties, or several with `??` between, which are noted.
fn is_way<'s>(syntax: &'s SyntaxNode, paths: &mut Vec<Vec<&'s str>>) -> bool {
    match &syntax.kind {
        SyntaxKind::Name(name) => paths.push(vec![name]),
        SyntaxKind::Path(first, steps) => {
            let SyntaxKind::Name(name) = &first.kind else { return false };
            let mut path = vec![name.as_str()];
            for step in steps {
                let PathStep::Property(name, _) = step else { return false };
                path.push(name);
            }
            paths.push(path);
        }
        SyntaxKind::Chain(first, rest) => {
            return is_way(first, paths)
                && rest.iter().all(|(operator, way)| *operator == BinaryOperator::Coalesce && is_way(way, paths));
        }
        _ => return false,
    }
    true
}
