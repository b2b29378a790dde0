//! Expressions in files: refused with their place, never ignored, until they are served.

use super::expression_sites;
use super::findings;
use super::section::{FileNode, FileProblems, FileSection, diagnostic};
use super::yaml::{YamlContent, YamlNode};
use expression::Program;
use expression::scope::{Fact, ResourceShape, ValueKind, ValueType};
use model::place::{ExpressionPlace, compile_where};
use model::shape::NoResource;
use std::collections::HashMap;
use std::sync::Arc;

/// By function, the names that it takes.
pub(crate) type SlotNames = HashMap<&'static str, HashMap<String, ValueType>>;

/// Returns true if a text has expressions in it.
pub(crate) fn is_expression(node: &YamlNode) -> bool {
    matches!(&node.content, YamlContent::Scalar { text, .. } if text.contains("{="))
}

/// Names that expressions of a place may use.
pub(crate) struct PlaceNames {
    /// The type of the resource that they are about; none where they are about none.
    pub context: Option<Arc<dyn ResourceShape>>,
    pub(crate) names: SlotNames,
    /// Facts that tests before it told.
    pub(crate) facts: Vec<Fact>,
}

/// Compiles a text that is about no resource; what is wrong goes to the problems, at the node's place.
pub(crate) fn about_nothing(
    at: &FileNode<'_>,
    place: ExpressionPlace,
    names: SlotNames,
    wants: ValueKind,
    problems: &mut FileProblems,
) -> Option<Arc<Program>> {
    compiled(at, place, PlaceNames { context: None, names, facts: Vec::new() }, wants, problems)
}

/// Compiles a text; what is wrong goes to the problems, at the node's place.
pub(crate) fn compiled(
    at: &FileNode<'_>,
    place: ExpressionPlace,
    about: PlaceNames,
    wants: ValueKind,
    problems: &mut FileProblems,
) -> Option<Arc<Program>> {
    let Some(text) = at.node.text() else {
        problems.push(at.problem("wrong_value", "An expression is a text: \"{=...}\"."));
        return None;
    };
    let of_nothing = about.context.is_none();
    let context = about.context.unwrap_or_else(|| Arc::new(NoResource));
    expression_sites::note(at.file, &at.path, place, Some(&context), &about.names);
    match compile_where(text, place, Some(context), about.names, wants, about.facts) {
        Ok(program) => {
            // Each resource has these, and nothing has none.
            let mut named = program.facts().paths.iter().filter_map(|path| path.first());
            if let Some(name) = named.find(|name| of_nothing && ["id", "uuid"].contains(&name.as_str())) {
                let message = format!("There is no resource here that could have the property `{name}`.");
                problems.push(at.problem("unknown_property", &message));
            }
            problems.warn(findings::of(&program, at.file, at.node.position, &at.path));
            Some(program)
        }
        Err(mistakes) => {
            for mistake in mistakes {
                let part = text.get(mistake.span.from..mistake.span.to).unwrap_or_default();
                let shown = if part.is_empty() || part.len() > 60 { String::new() } else { format!(" (at `{part}`)") };
                // The language's words are about the type of a resource, which there is none of.
                let message = match mistake.code {
                    "unknown_property" if of_nothing => {
                        format!("There is no resource here that could have the property `{part}`.")
                    }
                    _ => format!("{}{shown}", mistake.message),
                };
                let problem = at.problem(mistake.code, &message);
                problems.push(problem.of_mistake(at.node.position, mistake));
            }
            None
        }
    }
}

/// Refuses every text with `{=` below the section, but for keys that hold plain text for people.
/// Keys that are refused already are not reported twice.
pub(crate) fn refuse(section: &FileSection<'_>, plain: &[&str], problems: &mut FileProblems) {
    for entry in &section.mapping.entries {
        let path = section.key(&entry.key);
        let reported = problems.iter().any(|problem| problem.file == section.file && problem.key == path);
        if !plain.contains(&entry.key.as_str()) && !reported {
            refuse_below(section.file, &path, &entry.value, problems);
        }
    }
}

fn refuse_below(file: &str, path: &str, node: &YamlNode, problems: &mut FileProblems) {
    match &node.content {
        YamlContent::Scalar { text, .. } if text.contains("{=") => {
            let message = "Expressions are not supported by this version yet. Give a fixed value or leave the key out.";
            problems.push(diagnostic(file, node.position, path, "unsupported", message));
        }
        YamlContent::Scalar { .. } => {}
        YamlContent::Sequence(members) => members.iter().for_each(|member| refuse_below(file, path, member, problems)),
        YamlContent::Mapping(mapping) => {
            for entry in &mapping.entries {
                refuse_below(file, &format!("{path}.{}", entry.key), &entry.value, problems);
            }
        }
    }
}
