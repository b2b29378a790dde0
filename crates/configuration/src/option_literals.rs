//! Options that expressions compare properties with: one that there is not would never be there, and nobody would know.

use expression::{Diagnostic, ProgramFacts, Span};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::kinds::ValueContext;
use model::types::{Property, ResourceType};
use serde_json::Value as Json;
use std::sync::Arc;

/// A text that a property never is.
pub(super) struct OptionFault {
    code: &'static str,
    message: String,
    /// The text.
    literal: String,
    /// The option that was perhaps meant.
    near: Option<String>,
}

impl OptionFault {
    /// The fault as mistakes of the expression, one at each place of the text.
    pub(super) fn mistakes(&self, expression: &str) -> Vec<Diagnostic> {
        let quoted = ['\'', '"'].map(|quote| format!("{quote}{}{quote}", self.literal));
        let found = quoted.iter().flat_map(|quoted| expression.match_indices(quoted.as_str()));
        let mut spans: Vec<_> = found.map(|(from, text)| (Span { from, to: from + text.len() }, true)).collect();
        if spans.is_empty() {
            spans.push((Span { from: 0, to: expression.len() }, false));
        }
        let mistakes = spans.into_iter().map(|(span, is_found)| {
            Diagnostic::new(self.code, span, self.message.clone()).suggesting(self.near.clone().filter(|_| is_found))
        });
        mistakes.collect()
    }
}

/// Returns the mistakes in the comparisons of an expression about a type, in the order of their places.
pub(super) fn mistakes(
    types: &[Arc<ResourceType>],
    resource_type: &ResourceType,
    facts: &ProgramFacts,
    expression: &str,
) -> Vec<Diagnostic> {
    let (mut faults, mut right) = (Vec::new(), Vec::new());
    for (path, text) in &facts.compared {
        match property(types, resource_type, path).and_then(|property| unknown_option(property, text)) {
            Some(fault) => faults.push(fault),
            None => right.push(text),
        }
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    for fault in &faults {
        // If another property has such an option, or lacks it, too, only one place is surely meant.
        let is_lone = faults.iter().filter(|other| other.literal == fault.literal).count() == 1;
        let most = if is_lone && !right.contains(&&fault.literal) { usize::MAX } else { 1 };
        let places = fault.mistakes(expression).into_iter();
        found.extend(
            places.filter(|one| !found.iter().any(|other| other.span == one.span)).take(most).collect::<Vec<_>>(),
        );
    }
    found.sort_by_key(|mistake| mistake.span.from);
    found
}

/// Why a property is never a text, if it has options and that is none.
pub(super) fn unknown_option(property: &Property, text: &str) -> Option<OptionFault> {
    // What has no value equals the empty text, and numbers are equal however they are written.
    if property.kind.choices().is_empty() || text.is_empty() || text.trim().parse::<f64>().is_ok() {
        return None;
    }
    let context = ValueContext { zone: &TimeZone::UTC, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let fault = property.kind.read(&Json::String(text.to_owned()), &context).err()?;
    let detail = fault.text().to_string();
    let (detail, near) = match detail.split_once("; did you mean ") {
        Some((detail, near)) => (detail.to_owned(), Some(near.to_owned())),
        None => (detail, None),
    };
    let message = format!("{} is never {text:?}: it {detail}.", property.title);
    Some(OptionFault { code: fault.code, message, literal: text.to_owned(), near })
}

fn property<'t>(
    types: &'t [Arc<ResourceType>],
    resource_type: &'t ResourceType,
    path: &[String],
) -> Option<&'t Property> {
    let (last, way) = path.split_last()?;
    let mut here = resource_type;
    for name in way {
        let target = here.field(name)?.kind.relation()?.type_id;
        here = types.iter().find(|resource_type| resource_type.id == target)?;
    }
    here.field(last)
}
