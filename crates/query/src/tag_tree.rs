//! The tree that tags are: what lies above a tag, and what below.

use crate::tag::ROW;
use context::allowed_tags::AllowedTags;
use database::{ColumnType, Sql, Tx, Value};
use model::error::Result;
use model::table_names::TAG;
use std::collections::HashMap;

/// The most levels of tags.
pub const MOST_LEVELS: usize = 10;

/// A tag above others.
#[derive(Clone, Debug)]
pub struct AncestorTag {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The number of the tag above.
    pub parent: Option<i64>,
}

/// The tags with those numbers and all above them, as far as the caller sees them, by number.
pub fn upwards(tx: &mut Tx<'_>, allowed: AllowedTags, numbers: Vec<i64>) -> Result<HashMap<i64, AncestorTag>> {
    let mut found = HashMap::new();
    if numbers.is_empty() {
        return Ok(found);
    }
    let mut sql = tx.sql();
    sql.push("WITH RECURSIVE above(id, identifier, name, parent, level) AS (");
    sql.push("SELECT x.id, x.identifier, x.name, x.parent, 1 FROM ").table(&TAG).push(" AS x WHERE x.id");
    sql.any_of(ColumnType::Integer, numbers.into_iter().map(Value::Integer).collect()).push(" AND ");
    allowed.visible(&mut sql, &ROW);
    sql.push(" UNION SELECT x.id, x.identifier, x.name, x.parent, above.level + 1 FROM above JOIN ");
    sql.table(&TAG).push(" AS x ON x.id = above.parent WHERE above.level < ").literal(MOST_LEVELS as i64);
    sql.push(" AND ");
    allowed.visible(&mut sql, &ROW);
    sql.push(") SELECT id, identifier, name, parent FROM above");
    tx.query(&sql, &mut |row| {
        let parent = if row.is_null(3)? { None } else { Some(row.integer(3)?) };
        let above = AncestorTag { id: row.text(1)?.to_owned(), name: row.text(2)?.to_owned(), parent };
        found.insert(row.integer(0)?, above);
        Ok(())
    })?;
    Ok(found)
}

/// The tag with that number and all below it, each with its level, the tag's own being 1.
pub fn downwards(tx: &mut Tx<'_>, number: i64) -> Result<Vec<(i64, usize)>> {
    let mut sql = tx.sql();
    sql.push("WITH RECURSIVE below(id, level) AS (SELECT x.id, CAST(1 AS ").column_type(ColumnType::Integer);
    sql.push(") FROM ").table(&TAG).push(" AS x WHERE x.id = ").bind(number);
    sql.push(" UNION ALL SELECT x.id, below.level + 1 FROM below JOIN ").table(&TAG);
    sql.push(" AS x ON x.parent = below.id WHERE below.level < ").literal(MOST_LEVELS as i64);
    sql.push(") SELECT id, level FROM below");
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push((row.integer(0)?, usize::try_from(row.integer(1)?).unwrap_or(0)));
        Ok(())
    })?;
    Ok(found)
}

/// Appends the tags among `roots` that the caller sees, each with all that the caller sees below it: a table
/// `chosen(root, tag)`, to stand before a SELECT.
pub fn chosen(sql: &mut Sql, allowed: AllowedTags, roots: &[String]) {
    let roots = roots.iter().cloned().map(Value::Text).collect();
    sql.push("WITH RECURSIVE chosen(root, tag, level) AS (SELECT x.id, x.id, 1 FROM ").table(&TAG);
    sql.push(" AS x WHERE x.identifier").any_of(ColumnType::Text, roots).push(" AND ");
    allowed.visible(sql, &ROW);
    sql.push(" UNION ALL SELECT chosen.root, x.id, chosen.level + 1 FROM chosen JOIN ").table(&TAG);
    sql.push(" AS x ON x.parent = chosen.tag WHERE chosen.level < ").literal(MOST_LEVELS as i64).push(" AND ");
    allowed.visible(sql, &ROW);
    sql.push(") ");
}
