//! Finding tags by what requests call them.

use super::output::{self, TagFields};
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::types::ResourceAction;
use query::request::FieldsRequest;
use query::tag;
use query::tag::is_id;
use query::tag::{ROW, Tag};

/// Gives one tag as JSON.
pub fn get(tx: &mut Tx<'_>, context: &RequestContext, item: &str, fields: &FieldsRequest) -> Result<Vec<u8>> {
    let allowed = context.actor.tags(ResourceAction::Show)?;
    let selection = TagFields::new(allowed, fields)?;
    tx.snapshot()?;
    let tag = by_item(tx, allowed, item)?.ok_or_else(tag::missing)?;
    output::single(tx, context, &selection, tag)
}

/// The tag that the last segment of a path means: an id, else a code. A public tag with that code comes before a
/// private one of the caller, and that before those of others.
pub(super) fn by_item(tx: &mut Tx<'_>, allowed: AllowedTags, item: &str) -> Result<Option<Tag>> {
    if !is_id(item) {
        return Ok(None);
    }
    let mut sql = tx.sql();
    tag::select(&mut sql);
    sql.push(" WHERE (x.identifier = ").bind(item).push(" OR x.code = ").bind(item).push(") AND ");
    allowed.visible(&mut sql, &ROW);
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(Tag::read(row)?);
        Ok(())
    })?;
    let rank = |tag: &Tag| (tag.id != item, tag.content.private, !tag.is_own(allowed), tag.number);
    Ok(found.into_iter().min_by_key(rank))
}

/// The tag with that id, if the caller sees it.
pub(super) fn by_id(tx: &mut Tx<'_>, allowed: AllowedTags, id: &str) -> Result<Option<Tag>> {
    Ok(by_item(tx, allowed, id)?.filter(|tag| tag.id == id))
}
