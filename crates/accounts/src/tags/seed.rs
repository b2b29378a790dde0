//! Tags out of a tenant's files: made where they are missing, changed where their entry in the file has changed.

use super::accept;
use super::{MOST_LEVELS, check, create, find, update};
use context::allowed_tags::AllowedTags;
use database::Tx;
use jiff::Timestamp;
use model::error::{Error, Result};
use model::kinds::ValueFault;
use query::tag::is_id;
use query::tag::{Tag, TagContent};
use resources::tag_version;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A tag of a file. All of them are public.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTag {
    /// Its id, which the file gives it.
    pub id: String,
    /// The id of the tag above, of the same file.
    pub parent: Option<String>,
    content: TagContent,
}

impl SeedTag {
    /// A tag with nothing but its id; none where that cannot be one.
    pub fn new(id: &str) -> Option<Self> {
        is_id(id).then(|| SeedTag { id: id.to_owned(), parent: None, content: TagContent::default() })
    }

    /// Gives it a text, or its order.
    pub fn set(&mut self, name: &str, value: &Json) -> Result<(), ValueFault> {
        accept::read(name, value, &mut self.content)
    }

    /// Gives it the types whose resources it is for.
    pub fn set_types(&mut self, types: Vec<i64>) {
        self.content.types = Some(types);
    }

    /// Returns true if it has a name.
    pub fn named(&self) -> bool {
        !self.content.name.is_empty()
    }
}

/// Returns the depth of each tag, by id, from 1; those in rings, or too deep, are left out.
pub fn levels(tags: &[SeedTag]) -> BTreeMap<&str, usize> {
    let parents: BTreeMap<&str, Option<&str>> =
        tags.iter().map(|tag| (tag.id.as_str(), tag.parent.as_deref())).collect();
    let level = |id: &str| {
        let above = std::iter::successors(Some(id), |id| parents.get(id).copied().flatten());
        Some(above.take(MOST_LEVELS + 1).count()).filter(|level| *level <= MOST_LEVELS)
    };
    tags.iter().filter_map(|tag| Some((tag.id.as_str(), level(&tag.id)?))).collect()
}

/// Returns the tags that would be made, and those that changed, in words.
pub fn changes(tx: &mut Tx<'_>, tags: &[SeedTag], old: Option<&[SeedTag]>) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for seed in tags {
        // A store that nothing was applied to has no tables of ours.
        let present = old.is_some() && find::by_id(tx, EVERYBODY, &seed.id)?.is_some();
        match present {
            false => texts.push(format!("create tag {}", seed.id)),
            true if differs(seed, old) => texts.push(format!("update tag {}", seed.id)),
            true => {}
        }
    }
    Ok(texts)
}

/// Makes and changes them, those above others first.
pub fn put(tx: &mut Tx<'_>, tags: &[SeedTag], old: Option<&[SeedTag]>, now: Timestamp) -> Result<()> {
    let levels = levels(tags);
    let mut sorted: Vec<&SeedTag> = tags.iter().collect();
    sorted.sort_by_key(|tag| levels.get(tag.id.as_str()));
    let mut changed = false;
    for seed in sorted {
        let present = find::by_id(tx, EVERYBODY, &seed.id)?;
        // What was changed elsewhere since stays, until the entry itself changes.
        if present.is_none() || differs(seed, old) {
            write(tx, seed, present, now).map_err(|error| of(seed, error))?;
            changed = true;
        }
    }
    if changed { tag_version::tags_changed(tx) } else { Ok(()) }
}

/// The command line sees all tags, and owns none.
const EVERYBODY: AllowedTags = AllowedTags::all();

fn differs(seed: &SeedTag, old: Option<&[SeedTag]>) -> bool {
    old.is_none_or(|old| !old.contains(seed))
}

fn write(tx: &mut Tx<'_>, seed: &SeedTag, present: Option<Tag>, now: Timestamp) -> Result<()> {
    let mut content = seed.content.clone();
    if let Some(parent) = &seed.parent {
        let above = find::by_id(tx, EVERYBODY, parent)?;
        content.parent = Some(above.ok_or_else(|| Error::failed("a tag of a file has no parent"))?.number);
    }
    let now = now.as_millisecond();
    match present {
        Some(old) => {
            let tag = Tag { content, updated: now, ..old.clone() };
            check::check(tx, EVERYBODY, &tag, Some(&old))?;
            update::store(tx, &tag)
        }
        None => {
            let mut tag = Tag { number: 0, id: seed.id.clone(), owner: None, created: now, updated: now, content };
            check::check(tx, EVERYBODY, &tag, None)?;
            create::insert(tx, &mut tag)
        }
    }
}

/// An error that says which tag it is about.
fn of(seed: &SeedTag, error: Error) -> Error {
    Error { message: format!("The tag {} of tags.yaml: {}", seed.id, error.message), ..error }
}
