//! `search`: full text, by the index of the type.

use crate::condition::{Condition, TextSearch};
use crate::filters::subject::FilterSubject;
use crate::filters::{FilterSource, invalid};
use crate::path::TypeAccess;
use crate::search::searchable;
use model::error::Result;
use model::types::Property;
use model::types::ReadableRows;

/// The filter type's name.
pub(super) const NAME: &str = "search";

/// The most words that may be looked for at a time.
const MAX_WORDS: usize = 32;

/// Each word stands in the property.
pub(super) fn in_property<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let property = subject.property();
    if !property.searchable {
        let message = format!("The property {:?} is not searchable.", subject.written.property);
        return Err(invalid("filter_unsuitable", message));
    }
    let allowed = subject.path.hops.last().map_or(&subject.access.allowed, |hop| &hop.target);
    let level = subject.level + subject.path.hops.len();
    let words = words(&subject.written)?;
    let found =
        Condition::Found(TextSearch { level, resource_type: allowed.resource_type, properties: vec![property], words });
    Ok(subject.follow(match subject.access.guard(allowed, property, level) {
        Some(guard) => Condition::All(vec![guard, found]),
        None => found,
    }))
}

/// Each word stands in one of the searchable properties, as far as the caller may read them.
pub(super) fn everywhere<'m>(
    access: &TypeAccess<'m>,
    written: &FilterSource<'_>,
    level: usize,
) -> Result<Condition<'m>> {
    let allowed = &access.allowed;
    let readable = searchable(allowed.resource_type).filter(|property| allowed.readable.contains(property));
    let properties: Vec<_> = readable.collect();
    if properties.is_empty() {
        return Err(invalid("filter_unsuitable", "There is no searchable property."));
    }
    let words = words(written)?;
    let found = |properties: Vec<&'m Property>| match properties.is_empty() {
        true => Condition::Any(Vec::new()),
        false => {
            let (resource_type, words) = (allowed.resource_type, words.clone());
            Condition::Found(TextSearch { level, resource_type, properties, words })
        }
    };
    let ReadableRows::Some(rows) = &allowed.shown else { return Ok(found(properties)) };
    // What all rows show is searched in all, and for each grant what it shows in the rows that it is for.
    let (everywhere, sometimes): (Vec<&Property>, Vec<&Property>) =
        properties.iter().partition(|property| rows.guarding(property).is_none());
    if sometimes.is_empty() {
        return Ok(found(everywhere));
    }
    let by_grant = rows.some.iter().map(|grant| {
        let shown = properties.iter().copied();
        let shown = shown.filter(|property| {
            everywhere.iter().any(|known| known.position == property.position) || grant.fields.contains(property)
        });
        Condition::All(vec![access.grant(grant, level), found(shown.collect())])
    });
    Ok(Condition::Any(std::iter::once(found(everywhere.clone())).chain(by_grant).collect()))
}

fn words(written: &FilterSource<'_>) -> Result<Vec<String>> {
    let refused = |what: &str| invalid("filter_param", format!("The filter {NAME} on {:?} {what}.", written.property));
    let text = written.param.and_then(|param| param.as_str());
    let words = database::words(text.ok_or_else(|| refused("needs a text as param"))?);
    match words.len() {
        0 => Err(refused("needs a text with a letter or a digit as param")),
        1..=MAX_WORDS => Ok(words),
        _ => Err(refused(&format!("takes at most {MAX_WORDS} words"))),
    }
}
