//! Hover: a description of what stands at a place.

use crate::Analysis;
use crate::name_use::{NameSort, NameUse};
use crate::property::words;
use crate::signature;
use expression::Span;

/// A description in Markdown, with the place that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HoverText {
    /// The description.
    pub markdown: String,
    /// The place in the text.
    pub span: Span,
}

/// Returns the description of the smallest thing at a byte: a name, else a value whose type is known.
pub(crate) fn at(analysis: &Analysis<'_>, at: usize) -> Option<HoverText> {
    if let Some(name) = analysis.definition(at) {
        return Some(HoverText { markdown: of_name(name), span: name.span });
    }
    let around = analysis.types.iter().filter(|typed| (typed.span.from..typed.span.to).contains(&at));
    let smallest = around.min_by_key(|typed| typed.span.to - typed.span.from)?;
    Some(HoverText { markdown: words(&smallest.of), span: smallest.span })
}

fn of_name(name: &NameUse) -> String {
    match &name.sort {
        NameSort::Property { owner: Some(owner), name: property } => {
            format!("`{owner}.{property}`: {}", words(&name.of))
        }
        NameSort::Property { owner: None, name: property } => format!("`{property}`: {}", words(&name.of)),
        NameSort::Key(key) => format!("`{key}`: a key"),
        NameSort::Variable(variable) => format!("`${variable}`: {}", words(&name.of)),
        NameSort::Parameter { function, name: parameter } => {
            format!("`{function}('{parameter}')`: {}", words(&name.of))
        }
        NameSort::Function(function) => {
            let (example, value) = function.example;
            let signature = signature::line(function);
            let help = function.help;
            format!("```text\n{signature}\n```\n\n{help}\n\n```text\n{example}\n=> {value}\n```")
        }
    }
}
