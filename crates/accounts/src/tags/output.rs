//! Tags as answers show them.

use context::actor::unknown;
use context::allowed_tags::AllowedTags;
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::kinds::write_instant;
use model::table_names::TAGGED;
use model::types::ResourceAction;
use query::request::FieldsRequest;
use query::tag::Tag;
use query::tag_tree as tree;
use query::tag_tree::AncestorTag;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;

/// The fields that everybody sees.
pub const FIELDS: &[&str] = &["id", "code", "name", "color", "icon", "parent", "path", "private", "owner"];

/// Fields that users with `manageTags` see beside them.
const MANAGED_FIELDS: &[&str] = &["description", "types", "order", "usage", "created", "updated"];

/// The fields of an answer.
#[derive(Clone, Debug)]
pub(super) struct TagFields {
    allowed: AllowedTags,
    fields: Vec<&'static str>,
}

impl TagFields {
    /// Resolves a request for fields. One that the caller does not see is as one that does not exist.
    pub(super) fn new(allowed: AllowedTags, request: &FieldsRequest) -> Result<Self> {
        let known = known(allowed);
        for name in request.show.iter().flatten().chain(&request.hide) {
            if !known.contains(&name.as_str()) {
                return Err(unknown(name));
            }
        }
        let shown = |field: &str| {
            let asked = request.show.as_ref().is_none_or(|show| field == "id" || show.iter().any(|name| name == field));
            asked && !request.hide.iter().any(|name| name == field)
        };
        Ok(TagFields { allowed, fields: known.into_iter().filter(|field| shown(field)).collect() })
    }

    /// All fields that the caller sees.
    pub(super) fn all(allowed: AllowedTags) -> Self {
        TagFields { allowed, fields: known(allowed) }
    }
}

/// The names of the fields that the caller sees.
pub(super) fn known(allowed: AllowedTags) -> Vec<&'static str> {
    let managed = MANAGED_FIELDS.iter().filter(|_| allowed.manages());
    FIELDS.iter().chain(managed).copied().collect()
}

/// One tag, as JSON.
pub(super) fn single(tx: &mut Tx<'_>, context: &RequestContext, selection: &TagFields, tag: Tag) -> Result<Vec<u8>> {
    Ok(Json::Object(object(tx, context, selection, tag)?).to_string().into_bytes())
}

/// One tag.
pub(super) fn object(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    selection: &TagFields,
    tag: Tag,
) -> Result<Map<String, Json>> {
    Ok(objects(tx, context, selection, vec![tag])?.pop().unwrap_or_default())
}

/// Tags, in their order.
pub(super) fn objects(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    selection: &TagFields,
    tags: Vec<Tag>,
) -> Result<Vec<Map<String, Json>>> {
    let above = match ["parent", "path"].iter().any(|field| selection.fields.contains(field)) {
        true => tree::upwards(tx, selection.allowed, tags.iter().filter_map(|tag| tag.content.parent).collect())?,
        false => HashMap::new(),
    };
    let usage = match selection.fields.contains(&"usage") {
        true => usage(tx, context, tags.iter().map(|tag| tag.number).collect())?,
        false => HashMap::new(),
    };
    let object = |tag: Tag| {
        let values = selection.fields.iter().map(|field| {
            let value = match *field {
                "usage" => json!(usage.get(&tag.number).copied().unwrap_or(0)),
                _ => value(context, &tag, &above, field),
            };
            ((*field).to_owned(), value)
        });
        values.collect()
    };
    Ok(tags.into_iter().map(object).collect())
}

fn value(context: &RequestContext, tag: &Tag, above: &HashMap<i64, AncestorTag>, field: &str) -> Json {
    let content = &tag.content;
    match field {
        "id" => json!(tag.id),
        "code" => json!(content.code),
        "name" => json!(content.name),
        "color" => json!(content.color),
        "icon" => json!(content.icon),
        "parent" => json!(content.parent.and_then(|parent| above.get(&parent)).map(|parent| &parent.id)),
        "path" => json!(path(tag, above)),
        "private" => json!(content.private),
        "owner" => json!(tag.owner),
        "description" => json!(content.description),
        "types" => json!(content.types.as_ref().map(|types| type_names(context, types))),
        "order" => json!(content.order),
        "created" => json!(instant(context, tag.created)),
        "updated" => json!(instant(context, tag.updated)),
        _ => Json::Null,
    }
}

/// The names from the uppermost tag to this one.
fn path<'t>(tag: &'t Tag, above: &'t HashMap<i64, AncestorTag>) -> Vec<&'t str> {
    let mut names = vec![tag.content.name.as_str()];
    let mut next = tag.content.parent;
    while let Some(parent) = next.and_then(|number| above.get(&number)) {
        names.push(&parent.name);
        next = parent.parent;
        if names.len() > tree::MOST_LEVELS {
            break;
        }
    }
    names.reverse();
    names
}

/// The names of the types that there still are.
fn type_names<'c>(context: &'c RequestContext, types: &[i64]) -> Vec<&'c str> {
    types.iter().filter_map(|id| context.model.type_by_id(*id)).map(|found| found.name.as_str()).collect()
}

fn instant(context: &RequestContext, milliseconds: i64) -> String {
    let mut out = Vec::new();
    write_instant(&mut out, milliseconds, &context.actor.zone);
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the number of resources that have each tag, of the types that the caller may read.
fn usage(tx: &mut Tx<'_>, context: &RequestContext, tags: Vec<i64>) -> Result<HashMap<i64, i64>> {
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    for of in &context.model.types {
        match context.actor.allowed_type(of, ResourceAction::Show) {
            Ok(allowed) if allowed.sees_every_row() => whole.push(Value::Integer(of.id)),
            Ok(allowed) => parts.push(allowed),
            Err(_) => {}
        }
    }
    let mut sql = tx.sql();
    sql.push("SELECT tag, COUNT(*) FROM ").table(&TAGGED).push(" WHERE tag");
    sql.any_of(ColumnType::Integer, tags.into_iter().map(Value::Integer).collect()).push(" AND (type");
    sql.any_of(ColumnType::Integer, whole);
    for allowed in parts {
        sql.push(" OR type = ").bind(allowed.resource_type.id).push(" AND object IN (");
        query::row_access::push_visible(&mut sql, context, &allowed);
        sql.push(")");
    }
    sql.push(") GROUP BY tag");
    let mut found = HashMap::new();
    tx.query(&sql, &mut |row| {
        found.insert(row.integer(0)?, row.integer(1)?);
        Ok(())
    })?;
    Ok(found)
}
