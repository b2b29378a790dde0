//! Events of tags, as automations are told of them.

use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::automation::AutomationEvent;
use model::error::Result;
use query::tag;
use query::tag::Tag;
use resources::events;
use serde_json::{Map, Value as Json, json};

/// A tag was created or changed.
pub(super) fn happened(tx: &mut Tx<'_>, context: &RequestContext, event: AutomationEvent, tag: &Tag) -> Result<()> {
    events::told(tx, context, event, || vec![parameters(tag)])
}

/// Tags are deleted: they are there still.
pub(super) fn deleted(tx: &mut Tx<'_>, context: &RequestContext, numbers: Vec<Value>) -> Result<()> {
    if !events::awaited(context, AutomationEvent::TagDeleted) {
        return Ok(());
    }
    let mut sql = tx.sql();
    tag::select(&mut sql);
    sql.push(" WHERE x.id").any_of(ColumnType::Integer, numbers).push(" ORDER BY x.id");
    let mut tags = Vec::new();
    tx.query(&sql, &mut |row| {
        tags.push(Tag::read(row)?);
        Ok(())
    })?;
    events::told(tx, context, AutomationEvent::TagDeleted, || tags.iter().map(parameters).collect())
}

/// Returns the members that `trigger('tag')` gives.
fn parameters(tag: &Tag) -> Map<String, Json> {
    let content = &tag.content;
    let told = json!({
        "id": tag.id, "code": content.code, "name": content.name, "color": content.color, "icon": content.icon,
        "private": content.private, "owner": tag.owner, "description": content.description,
    });
    Map::from_iter([("tag".to_owned(), told)])
}
