//! From the members of a body to the content of a tag.

use super::find;
use super::output::known;
use context::actor::unknown;
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, InputProblem, Result};
use model::kinds;
use model::kinds::ValueFault;
use query::tag::TagContent;
use query::tag::is_id;
use serde_json::{Map, Value as Json};
use std::collections::HashSet;

/// The most characters of a name.
const MOST_NAME: usize = 255;
/// The most characters of an icon.
const MOST_ICON: usize = 100;
/// The most characters of a description.
const MOST_DESCRIPTION: usize = 10_000;
/// The greatest number of an order, which every client counts exactly.
const MOST_ORDER: i64 = (1 << 53) - 1;

/// The most types that a tag is for.
const MOST_TYPES: usize = 1_000;

/// The members that the platform gives a tag.
const READ_ONLY: &[&str] = &["path", "owner", "usage", "created", "updated"];

/// Puts what a body gives into the content; all that is wrong with it is told at once. `id` is ignored, as R-031 has it
/// for resources. What the platform gives may come back as it was read, where `before` has it.
pub(super) fn accept(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    allowed: AllowedTags,
    members: &Map<String, Json>,
    before: Option<&Map<String, Json>>,
    content: &mut TagContent,
) -> Result<()> {
    let known = known(allowed);
    let mut problems = Vec::new();
    for (name, value) in members.iter().filter(|(name, _)| *name != "id") {
        if !known.contains(&name.as_str()) {
            let Error { code, message, .. } = unknown(name);
            problems.push(InputProblem { property: name.clone(), code, message });
        } else if name == "parent" {
            match parent(tx, allowed, value)? {
                Ok(parent) => content.parent = parent,
                Err(fault) => problems.push(fault.of(name, name)),
            }
        } else if READ_ONLY.contains(&name.as_str()) {
            if before.and_then(|before| before.get(name)) != Some(value) {
                problems.push(ValueFault::new("read_only", "is read-only").of(name, name));
            }
        } else if name == "types" {
            match types(context, value) {
                Ok(types) => content.types = types,
                Err(fault) => problems.push(fault.of(name, name)),
            }
        } else if let Err(fault) = read(name, value, content) {
            problems.push(fault.of(name, name));
        }
    }
    if content.name.is_empty() && !problems.iter().any(|problem| problem.property == "name") {
        problems.push(ValueFault::new("required", "is required").of("name", "name"));
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}

/// The number of the tag that is to be above. One that the caller does not see is as one that does not exist.
fn parent(tx: &mut Tx<'_>, allowed: AllowedTags, value: &Json) -> Result<Result<Option<i64>, ValueFault>> {
    let id = match value {
        Json::Null => return Ok(Ok(None)),
        Json::String(id) => id,
        _ => return Ok(Err(ValueFault::new("not_text", "must be the id of a tag, or null"))),
    };
    Ok(match find::by_id(tx, allowed, id)? {
        Some(tag) => Ok(Some(tag.number)),
        None => Err(ValueFault::new("tag_missing", "is not a tag")),
    })
}

/// Reads what depends on nothing else: all but `parent` and `types`.
pub(super) fn read(name: &str, value: &Json, content: &mut TagContent) -> Result<(), ValueFault> {
    match name {
        "name" => content.name = line(value, MOST_NAME)?.unwrap_or_default(),
        "code" => content.code = optional(value, MOST_NAME, is_id, "must be 1 to 40 letters, digits, _ or -")?,
        "color" => {
            let color = optional(value, MOST_NAME, kinds::is_color, "must be a colour such as #22aa77")?;
            content.color = color.map(|color| color.to_lowercase());
        }
        "icon" => content.icon = line(value, MOST_ICON)?,
        "private" => {
            content.private = value.as_bool().ok_or_else(|| ValueFault::new("not_boolean", "must be true or false"))?
        }
        "description" => content.description = text(value, MOST_DESCRIPTION)?,
        _ => {
            let order = value.as_i64().filter(|order| (-MOST_ORDER..=MOST_ORDER).contains(order));
            content.order = order.ok_or_else(|| ValueFault::new("not_integer", "must be an integer"))?;
        }
    }
    Ok(())
}

/// A text without white space at its ends; none for null and for nothing but white space.
fn text(value: &Json, most: usize) -> Result<Option<String>, ValueFault> {
    if value.is_null() {
        return Ok(None);
    }
    let text = value.as_str().ok_or_else(|| ValueFault::new("not_text", "must be a text"))?.trim();
    if text.contains('\0') {
        return Err(ValueFault::new("text_nul", "must not hold the character NUL"));
    }
    if text.chars().count() > most {
        return Err(ValueFault::new("too_long", format!("must have at most {most} characters")));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// The same without control characters in it.
fn line(value: &Json, most: usize) -> Result<Option<String>, ValueFault> {
    match text(value, most)? {
        Some(text) if text.chars().any(char::is_control) => {
            Err(ValueFault::new("text_control", "must not hold control characters"))
        }
        text => Ok(text),
    }
}

fn optional(value: &Json, most: usize, is: impl Fn(&str) -> bool, must: &str) -> Result<Option<String>, ValueFault> {
    match line(value, most)? {
        Some(text) if !is(&text) => Err(ValueFault::new("text_malformed", must.to_owned())),
        text => Ok(text),
    }
}

/// The types whose resources a tag is for, by id or system name; null for all.
fn types(context: &RequestContext, value: &Json) -> Result<Option<Vec<i64>>, ValueFault> {
    let fault = |message: String| ValueFault::new("not_types", message);
    let names = match value {
        Json::Null => return Ok(None),
        Json::Array(names) => names,
        _ => return Err(fault("must be an array of types, or null".to_owned())),
    };
    if names.len() > MOST_TYPES {
        return Err(fault(format!("must name at most {MOST_TYPES} types")));
    }
    let mut ids = Vec::new();
    let mut known = HashSet::new();
    for name in names {
        let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        let found =
            context.model.collection(&text).ok_or_else(|| fault(format!("names {name}, which is not a type")))?;
        if known.insert(found.id) {
            ids.push(found.id);
        }
    }
    Ok(Some(ids))
}
