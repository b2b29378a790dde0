//! The tags of a resource: read, and given.

use super::assignment::{Assignment, MOST, Operation, Tagged, invalid, too_many};
use resources::tag_version;

use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Sql, Tx, Value};
use model::error::Result;
use model::table_names::{TAG, TAGGED};
use model::types::{ResourceAction, ResourceType};
use query::request::ItemRef;
use query::request::item_missing;
use query::tag;
use query::tag::ROW;
use resources::events;
use serde_json::json;

/// A tag of a resource, or one that it is to have.
#[derive(Clone, Debug, PartialEq)]
struct KnownTag {
    number: i64,
    id: String,
}

/// Gives the tags of a resource, as JSON.
pub fn object(tx: &mut Tx<'_>, context: &RequestContext, of: &Tagged) -> Result<Vec<u8>> {
    context.actor.require_command("tags.object")?;
    let allowed = context.actor.allowed(&context.model, &of.collection, ResourceAction::Show)?;
    let resource_type = allowed.resource_type;
    let seen = context.actor.tags_seen();
    tx.snapshot()?;
    let object = resource(tx, resource_type, &ItemRef::parse(&of.item)?, false)?;
    resources::rights_on(tx, context, &allowed, ResourceAction::Show, object)?;
    let tags = tags_of(tx, seen, resource_type.id, object)?;
    let tags: Vec<&str> = tags.iter().map(|tag| tag.id.as_str()).collect();
    Ok(json!({"typeId": resource_type.id, "objectId": object, "tags": tags}).to_string().into_bytes())
}

/// Changes the tags of a resource, all or nothing, and gives them as JSON. Tags that the caller does not see stay.
pub fn assign(tx: &mut Tx<'_>, context: &RequestContext, assignment: &Assignment) -> Result<Vec<u8>> {
    let Assignment { of, operation, tags } = assignment;
    context.actor.require_command("tags.assign")?;
    let allowed = context.actor.allowed(&context.model, &of.collection, ResourceAction::Edit)?;
    let type_id = allowed.resource_type.id;
    let seen = context.actor.tags_seen();
    resources::turn_to_tag(tx, &allowed)?;
    let object = resource(tx, allowed.resource_type, &ItemRef::parse(&of.item)?, true)?;
    resources::hold_for_grants(tx, context, &allowed, object)?;
    let readable = resources::rights_on(tx, context, &allowed, ResourceAction::Edit, object)?.is_some();
    let given = given(tx, seen, type_id, *operation, tags)?;
    let before = tags_of(tx, seen, type_id, object)?;
    let (added, removed): (Vec<_>, Vec<_>) = match operation {
        Operation::Add => (without(&given, &before), Vec::new()),
        Operation::Remove => (Vec::new(), before.iter().filter(|tag| given.contains(tag)).cloned().collect()),
        Operation::Replace => (without(&given, &before), without(&before, &given)),
    };
    if !added.is_empty() && before.len() + added.len() - removed.len() > MOST {
        return Err(too_many());
    }
    write(tx, type_id, object, &added, &removed)?;
    let ids = |tags: &[KnownTag]| tags.iter().map(|tag| tag.id.clone()).collect::<Vec<_>>();
    events::tagged(tx, context, type_id, object, [ids(&added), ids(&removed)])?;
    let mut after = if added.is_empty() && removed.is_empty() { before } else { tags_of(tx, seen, type_id, object)? };
    if !readable {
        // A caller who may not read the resource is told of what was asked for alone.
        after.retain(|tag| given.contains(tag));
    }
    let after: Vec<&str> = after.iter().map(|tag| tag.id.as_str()).collect();
    let answer = json!({"typeId": type_id, "objectId": object, "operation": operation.name(), "tags": after});
    Ok(answer.to_string().into_bytes())
}

/// Takes all tags from resources that are deleted.
pub fn forget_objects(tx: &mut Tx<'_>, type_id: i64, objects: Vec<Value>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&TAGGED).push(" WHERE type = ").bind(type_id).push(" AND object");
    sql.any_of(ColumnType::Integer, objects);
    Ok(tx.defer(sql)?)
}

/// Takes all tags from the resources of a type that is dropped.
pub fn forget_type(tx: &mut Tx<'_>, type_id: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&TAGGED).push(" WHERE type = ").bind(type_id);
    Ok(tx.defer(sql)?)
}

/// The id of a resource, which is locked where it is to be changed.
fn resource(tx: &mut Tx<'_>, resource_type: &ResourceType, item: &ItemRef, lock: bool) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&resource_type.table).push(" WHERE ");
    match *item {
        ItemRef::Id(id) => sql.push("id = ").bind(id),
        ItemRef::Uuid(uuid) => sql.push("uuid = ").bind(Value::Uuid(uuid)),
    };
    if lock {
        sql.for_change();
    }
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(row.integer(0)?);
        Ok(())
    })?;
    found.ok_or_else(item_missing)
}

/// The tags of a request, all of which the caller sees; each is kept from being deleted meanwhile.
fn given(
    tx: &mut Tx<'_>,
    seen: AllowedTags,
    type_id: i64,
    operation: Operation,
    ids: &[String],
) -> Result<Vec<KnownTag>> {
    if ids.iter().any(|id| !query::tag::is_id(id)) {
        return Err(tag::missing());
    }
    let mut sql = tx.sql();
    sql.push("SELECT x.id, x.identifier, x.types FROM ").table(&TAG).push(" AS x WHERE x.identifier");
    sql.any_of(ColumnType::Text, ids.iter().cloned().map(Value::Text).collect()).push(" AND ");
    seen.visible(&mut sql, &ROW);
    sql.push(" ORDER BY x.id").for_share();
    let mut found = Vec::with_capacity(ids.len());
    let mut unsuitable = false;
    tx.query(&sql, &mut |row| {
        found.push(KnownTag { number: row.integer(0)?, id: row.text(1)?.to_owned() });
        let types = tag::types(row, 2)?;
        unsuitable |= types.is_some_and(|types| !types.contains(&type_id));
        Ok(())
    })?;
    if found.len() < ids.len() {
        return Err(tag::missing());
    }
    if unsuitable && operation != Operation::Remove {
        let message = "One of the tags is not for resources of this type.".to_owned();
        return Err(invalid("tags", "tag_unsuitable", message));
    }
    Ok(found)
}

/// The tags of a resource that the caller sees, in order.
fn tags_of(tx: &mut Tx<'_>, seen: AllowedTags, type_id: i64, object: i64) -> Result<Vec<KnownTag>> {
    let mut sql = tx.sql();
    sql.push("SELECT x.id, x.identifier FROM ").table(&TAGGED).push(" AS g JOIN ").table(&TAG);
    sql.push(" AS x ON x.id = g.tag WHERE g.type = ").bind(type_id).push(" AND g.object = ").bind(object);
    sql.push(" AND ");
    seen.visible(&mut sql, &ROW);
    tag::order(&mut sql);
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(KnownTag { number: row.integer(0)?, id: row.text(1)?.to_owned() });
        Ok(())
    })?;
    Ok(found)
}

fn without(tags: &[KnownTag], others: &[KnownTag]) -> Vec<KnownTag> {
    tags.iter().filter(|tag| !others.contains(tag)).cloned().collect()
}

fn write(tx: &mut Tx<'_>, type_id: i64, object: i64, added: &[KnownTag], removed: &[KnownTag]) -> Result<()> {
    if added.is_empty() && removed.is_empty() {
        return Ok(());
    }
    if !removed.is_empty() {
        let numbers = removed.iter().map(|tag| Value::Integer(tag.number)).collect();
        let mut sql: Sql = tx.sql();
        sql.push("DELETE FROM ").table(&TAGGED).push(" WHERE type = ").bind(type_id).push(" AND object = ");
        sql.bind(object).push(" AND tag").any_of(ColumnType::Integer, numbers);
        tx.execute(&sql)?;
    }
    if !added.is_empty() {
        let columns = ["type", "object", "tag"].map(|column| (Name::fixed(column), ColumnType::Integer));
        let row = |tag: &KnownTag| [type_id, object, tag.number].map(Value::Integer).to_vec();
        tx.insert_many(&TAGGED, &columns, &added.iter().map(row).collect::<Vec<_>>())?;
    }
    tag_version::resources_changed(tx, type_id)
}
