//! Options that expressions compare properties with: one that there is not would never be there, and nobody would know.

use expression::ProgramFacts;
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
    /// The fault as a mistake of the expression, at the place of the text.
    pub(super) fn mistake(self, expression: &str) -> expression::Diagnostic {
        let quoted = ['\'', '"'].map(|quote| format!("{quote}{}{quote}", self.literal));
        let found = quoted.iter().find_map(|quoted| Some((expression.find(quoted.as_str())?, quoted.len())));
        let (from, length) = found.unwrap_or((0, expression.len()));
        let span = expression::Span { from, to: from + length };
        expression::Diagnostic::new(self.code, span, self.message).suggesting(self.near.filter(|_| found.is_some()))
    }
}

/// Returns the fault in the comparisons of an expression about a type.
pub(super) fn refusal(
    types: &[Arc<ResourceType>],
    resource_type: &ResourceType,
    facts: &ProgramFacts,
) -> Option<OptionFault> {
    facts.compared.iter().find_map(|(path, text)| unknown_option(property(types, resource_type, path)?, text))
}

/// Why a property is never a text, if it has options and that is none.
pub(super) fn unknown_option(property: &Property, text: &str) -> Option<OptionFault> {
    // What has no value equals the empty text, and numbers are equal however they are written.
    if property.kind.choices().is_empty() || text.is_empty() || text.trim().parse::<f64>().is_ok() {
        return None;
    }
    let context = ValueContext { zone: &TimeZone::UTC, now: Timestamp::UNIX_EPOCH, links: None };
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
