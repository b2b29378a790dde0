//! Problems of values that the rules of their type refuse.

use context::request_context::RequestContext;
use expression::Diagnostic;
use model::error::{Error, InputProblem, Result};
use model::kinds::ValueFault;
use model::types::{FieldRule, Property, ResourceType};

/// Returns the problem of a value that does not apply. It names the properties on which that rests and which the
/// caller may read.
pub(super) fn not_applicable(request: &RequestContext, of: &ResourceType, condition: &FieldRule) -> InputProblem {
    let property = &of.fields[condition.position];
    let grant = request.actor.types.get(&of.id).and_then(|grant| grant.show.as_ref());
    let mentioned = condition.mentions.iter().map(|position| &of.fields[*position]);
    let readable = mentioned.filter(|field| grant.is_some_and(|fields| fields.contains(field)));
    let names: Vec<&str> = readable.map(|field| field.title.as_str()).collect();
    let reason = if names.is_empty() { String::new() } else { format!(": that depends on {}", names.join(", ")) };
    ValueFault::new("not_applicable", format!("does not apply here{reason}")).of(&property.name, &property.title)
}

/// Returns the fault of a default or a calculation that fails, to stand behind a property's title.
pub(super) fn failed_text(mistake: &Diagnostic) -> ValueFault {
    ValueFault::new("expression_failed", failed_words("cannot be calculated", mistake))
}

/// Returns the fault of a rule that fails, to stand behind a property's title.
pub(super) fn failed_rule(key: &str, mistake: &Diagnostic) -> ValueFault {
    let words = failed_words(&format!("cannot be checked, since its `{key}` fails"), mistake);
    ValueFault::new("expression_failed", words)
}

/// The failed work, with the part of the expression and the reason.
pub(super) fn failed_words(what: &str, mistake: &Diagnostic) -> String {
    let located = mistake.located();
    let separator = if mistake.part.is_some() { "" } else { ":" };
    format!("{what}{separator} {}", located.trim_end_matches('.'))
}

pub(super) fn problem(property: &Property, fault: ValueFault) -> Error {
    Error::problems(vec![fault.of(&property.name, &property.title)])
}

pub(super) fn failed(problems: Vec<InputProblem>) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}
