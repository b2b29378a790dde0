//! The tags of rows, as a member of each, read for many rows at once.

use context::allowed_tags::AllowedTags;
use database::{ColumnType, Tx, Value, ValueRef};
use groups::OwnerValues;
use model::error::Result;
use model::table_names::{TAG, TAGGED};
use query::tag::ROW;
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// The name of the member.
pub(crate) const NAME: &str = "tags";

/// Reads the tags of rows of a type, as far as the caller sees them, in their order.
pub(super) fn read(tx: &mut Tx<'_>, allowed: AllowedTags, type_id: i64, owners: &[i64]) -> Result<OwnerValues> {
    let mut values = OwnerValues::new(b"[]");
    if owners.is_empty() {
        return Ok(values);
    }
    let mut sql = tx.sql();
    sql.push("SELECT g.object, x.identifier, x.code, x.name, x.color FROM ").table(&TAGGED).push(" g JOIN ");
    sql.table(&TAG).push(" x ON x.id = g.tag WHERE g.type = ").bind(type_id).push(" AND g.object");
    sql.any_of(ColumnType::Integer, owners.iter().copied().map(Value::Integer).collect()).push(" AND ");
    allowed.visible(&mut sql, &ROW);
    sql.push(" ORDER BY x.sequence, x.name, x.id");
    let mut tags: HashMap<i64, Vec<Json>> = HashMap::new();
    tx.query(&sql, &mut |row| {
        let text = |index: usize| {
            Ok::<_, database::Error>(match row.get(index, ColumnType::Text)? {
                ValueRef::Text(text) => Some(text.to_owned()),
                _ => None,
            })
        };
        let tag = json!({"id": text(1)?, "code": text(2)?, "title": text(3)?, "color": text(4)?});
        tags.entry(row.integer(0)?).or_default().push(tag);
        Ok(())
    })?;
    for (owner, tags) in tags {
        values.put(owner, |out| out.extend_from_slice(Json::Array(tags).to_string().as_bytes()));
    }
    Ok(values)
}
