//! Changing a tag.

use super::accept::accept;
use super::output::{self, TagFields};
use super::tag_events::happened;
use super::{check, find};
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::Tx;
use model::automation::AutomationEvent;
use model::error::Result;
use model::table_names::TAG;
use model::types::ResourceAction;
use query::tag;
use query::tag::{Tag, TagContent};
use resources::tag_version;
use resources::{IfMatch, Written, etag};
use serde_json::{Map, Value as Json};

/// Replaces what of the tag the caller may give. What the body leaves out falls back to its default, but for
/// `private`: nothing becomes public by being left out.
pub fn replace(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    item: &str,
    if_match: Option<&IfMatch>,
    members: &Map<String, Json>,
) -> Result<Written> {
    change(tx, context, item, if_match, members, |allowed, old| {
        let hidden = if allowed.manages() { TagContent::default() } else { old.clone() };
        let TagContent { description, types, order, .. } = hidden;
        TagContent { private: old.private, description, types, order, ..TagContent::default() }
    })
}

/// Changes what the body names.
pub fn patch(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    item: &str,
    if_match: Option<&IfMatch>,
    members: &Map<String, Json>,
) -> Result<Written> {
    change(tx, context, item, if_match, members, |_, old| old.clone())
}

/// Changes a tag, from the content that `start` makes of the old one.
fn change(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    item: &str,
    if_match: Option<&IfMatch>,
    members: &Map<String, Json>,
    start: impl FnOnce(AllowedTags, &TagContent) -> TagContent,
) -> Result<Written> {
    let allowed = context.actor.tags(ResourceAction::Edit)?;
    check::lock(tx)?;
    let old = find::by_item(tx, allowed, item)?.ok_or_else(tag::missing)?;
    old.check_change(allowed)?;
    let selection = TagFields::all(allowed);
    let before = output::object(tx, context, &selection, old.clone())?;
    if let Some(if_match) = if_match {
        if_match.check(context, || Ok(Json::Object(before.clone()).to_string().into_bytes()))?;
    }
    let mut tag = Tag { content: start(allowed, &old.content), ..old.clone() };
    accept(tx, context, allowed, members, Some(&before), &mut tag.content)?;
    tag.content.private |= !allowed.manages();
    check::check(tx, allowed, &tag, Some(&old))?;
    if tag != old {
        tag.updated = context.now.as_millisecond();
        store(tx, &tag)?;
        tag_version::tags_changed(tx)?;
        happened(tx, context, AutomationEvent::TagUpdated, &tag)?;
    }
    let number = tag.number;
    let body = output::single(tx, context, &selection, tag)?;
    Ok(Written { id: number, etag: etag(context, &body), body })
}

/// Writes a row anew.
pub(super) fn store(tx: &mut Tx<'_>, tag: &Tag) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&TAG).push(" SET ");
    for (index, (column, value)) in tag.values().into_iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).name(&column).push(" = ").bind(value);
    }
    sql.push(" WHERE id = ").bind(tag.number);
    tx.execute(&sql)?;
    Ok(())
}
