//! `search`: full text, by the index of the type.

use super::super::condition::{Condition, Search};
use super::super::path::Access;
use super::super::search::searchable;
use super::subject::Subject;
use super::{Written, invalid};
use crate::error::Result;

/// The filter type's name.
pub(super) const NAME: &str = "search";

/// How many words may be looked for at a time.
const MAX_WORDS: usize = 32;

/// Each word stands in the property.
pub(super) fn in_property<'m>(subject: &Subject<'_, 'm>) -> Result<Condition<'m>> {
    let property = subject.property();
    if !property.searchable {
        let message = format!("The property {:?} is not searchable.", subject.written.property);
        return Err(invalid("filter_unsuitable", message));
    }
    let allowed = subject.path.hops.last().map_or(&subject.access.allowed, |hop| &hop.target);
    Ok(subject.follow(Condition::Found(Search {
        level: subject.level + subject.path.hops.len(),
        resource_type: allowed.resource_type,
        properties: vec![property],
        words: words(&subject.written)?,
    })))
}

/// Each word stands in one of the searchable properties, as far as the caller may read them.
pub(super) fn everywhere<'m>(access: &Access<'m>, written: &Written<'_>, level: usize) -> Result<Condition<'m>> {
    let allowed = &access.allowed;
    let readable = searchable(allowed.resource_type).filter(|property| allowed.readable.contains(property));
    let properties: Vec<_> = readable.collect();
    if properties.is_empty() {
        return Err(invalid("filter_unsuitable", "There is no searchable property."));
    }
    Ok(Condition::Found(Search { level, resource_type: allowed.resource_type, properties, words: words(written)? }))
}

fn words(written: &Written<'_>) -> Result<Vec<String>> {
    let refused = |what: &str| invalid("filter_param", format!("The filter {NAME} on {:?} {what}.", written.property));
    let text = written.param.and_then(|param| param.as_str());
    let words = database::words(text.ok_or_else(|| refused("needs a text as param"))?);
    match words.len() {
        0 => Err(refused("needs a text with a letter or a digit as param")),
        1..=MAX_WORDS => Ok(words),
        _ => Err(refused(&format!("takes at most {MAX_WORDS} words"))),
    }
}
