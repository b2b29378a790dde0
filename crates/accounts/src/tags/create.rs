//! Making a tag.

use super::accept::accept;
use super::check;
use super::output::{self, TagFields};
use super::tag_events::happened;
use context::request_context::RequestContext;
use database::Tx;
use model::automation::AutomationEvent;
use model::error::Result;
use model::table_names::TAG;
use model::types::ResourceAction;
use query::tag::{Tag, TagContent};
use resources::tag_version;
use resources::{Written, etag};
use serde_json::{Map, Value as Json};

/// The characters of ids: no two of these look alike.
const CHARACTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Makes a tag and gives it as the caller reads it. Without `manageTags` it is private, whatever the body says.
pub fn create(tx: &mut Tx<'_>, context: &RequestContext, members: &Map<String, Json>) -> Result<Written> {
    let allowed = context.actor.tags(ResourceAction::Create)?;
    check::lock(tx)?;
    let mut content = TagContent::default();
    accept(tx, context, allowed, members, None, &mut content)?;
    content.private |= !allowed.manages();
    let now = context.now.as_millisecond();
    let mut tag = Tag { number: 0, id: new_id(context), owner: allowed.owner(), created: now, updated: now, content };
    check::check(tx, allowed, &tag, None)?;
    insert(tx, &mut tag)?;
    tag_version::tags_changed(tx)?;
    happened(tx, context, AutomationEvent::TagCreated, &tag)?;
    let number = tag.number;
    let body = output::single(tx, context, &TagFields::all(allowed), tag)?;
    Ok(Written { id: number, etag: etag(context, &body), body })
}

/// An id of 80 random bits: ids are not chosen, or else a taken one would tell that there is a private tag.
fn new_id(context: &RequestContext) -> String {
    let mut bytes = [0; 16];
    context.random.fill(&mut bytes);
    bytes.iter().map(|byte| char::from(CHARACTERS[usize::from(byte % 32)])).collect()
}

/// Writes a new row, and gives the tag its number.
pub(super) fn insert(tx: &mut Tx<'_>, tag: &mut Tag) -> Result<()> {
    let values = tag.values();
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&TAG).push(" (");
    for (index, (column, _)) in values.iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).name(column);
    }
    sql.push(") VALUES (");
    for (index, (_, value)) in values.into_iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(value);
    }
    sql.push(") RETURNING id");
    tx.query(&sql, &mut |row| {
        tag.number = row.integer(0)?;
        Ok(())
    })?;
    Ok(())
}
