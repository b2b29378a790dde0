//! Options that expressions compare properties with: one that there is not would never be there, and nobody would know.

use expression::ProgramFacts;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::kinds::ValueContext;
use model::types::{Property, ResourceType};
use serde_json::Value as Json;
use std::sync::Arc;

/// Returns the fault in the comparisons of an expression about a type: code and message.
pub(super) fn refusal(
    types: &[Arc<ResourceType>],
    resource_type: &ResourceType,
    facts: &ProgramFacts,
) -> Option<(&'static str, String)> {
    facts.compared.iter().find_map(|(path, text)| unknown_option(property(types, resource_type, path)?, text))
}

/// Why a property is never a text, if it has options and that is none.
pub(super) fn unknown_option(property: &Property, text: &str) -> Option<(&'static str, String)> {
    // What has no value equals the empty text, and numbers are equal however they are written.
    if property.kind.choices().is_empty() || text.is_empty() || text.trim().parse::<f64>().is_ok() {
        return None;
    }
    let context = ValueContext { zone: &TimeZone::UTC, now: Timestamp::UNIX_EPOCH, links: None };
    let fault = property.kind.read(&Json::String(text.to_owned()), &context).err()?;
    Some((fault.code, format!("{} is never {text:?}: it {}.", property.title, fault.text())))
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
