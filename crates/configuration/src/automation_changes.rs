//! Questions of automations about changes: the properties exist, and it is known whether they changed.

use super::diagnostic::closest;
use super::option_literals;
use super::section::{FileNode, FileProblems};
use automation::unknown_change;
use expression::{ChangeQuestion, ProgramFacts};
use model::types::{FIRST_PROPERTY, ResourceType};
use resources::shows_own;

/// Checks what an expression asks about the changes of a resource.
pub(super) fn check(
    at: &FileNode<'_>,
    resource_type: &ResourceType,
    facts: &ProgramFacts,
    problems: &mut FileProblems,
) {
    for asked in &facts.changes {
        if let Some((code, message, suggestion)) = refusal(resource_type, asked) {
            let mut problem = at.problem(code, &message);
            problem.suggestion = suggestion;
            problems.push(problem);
        }
        let field = asked.property.as_ref().and_then(|name| resource_type.field(name));
        let fault =
            field.zip(asked.previous.as_ref()).and_then(|(field, text)| option_literals::unknown_option(field, text));
        for mistake in fault.iter().flat_map(|fault| fault.mistakes(at.node.text().unwrap_or_default())) {
            problems.push(at.problem(mistake.code, &mistake.message).of_mistake(at.node.position, mistake));
        }
    }
}

fn refusal(resource_type: &ResourceType, asked: &ChangeQuestion) -> Option<(&'static str, String, Option<String>)> {
    let name = asked.property.as_ref()?;
    let seen = || resource_type.properties().iter().filter(|field| !field.kind.concealed());
    let Some(field) = seen().find(|field| field.name == *name) else {
        let system = resource_type.field(name).is_some_and(|field| field.position < FIRST_PROPERTY);
        let message = match system {
            true => format!("{name} changes with each write, which does not count as a change: name a property."),
            false => format!("The type {} has no property {name:?} that could change.", resource_type.name),
        };
        let near = closest(name, seen().map(|field| field.name.as_str())).filter(|_| !system);
        return Some(("unknown_property", message, near));
    };
    if field.is_virtual() && asked.function == "isOnlyChange" {
        let message =
            format!("{name} is a virtual calculation, which is never the only change: it follows from others.");
        return Some(("virtual_mentioned", message, None));
    }
    if field.is_virtual() && !shows_own(resource_type, field.position) {
        return Some(("virtual_mentioned", unknown_change(name), None));
    }
    None
}
