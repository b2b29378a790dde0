//! Statements that read rows of a selection.

use super::fields::Selection;
use database::{ColumnType, Sql, Value};
use model::kinds::ValueStorage;
use model::types::ResourceType;
use query::condition::Condition;
use query::condition_sql;

/// The row with that id.
pub(crate) fn by_id(sql: &mut Sql, selection: &Selection<'_>, id: i64) {
    head(sql, selection, false);
    sql.push(" WHERE r0.id = ").bind(id);
    and_visible(sql, selection);
}

/// The row with that uuid.
pub(crate) fn by_uuid(sql: &mut Sql, selection: &Selection<'_>, uuid: [u8; 16]) {
    head(sql, selection, false);
    sql.push(" WHERE r0.uuid = ").bind(Value::Uuid(uuid));
    and_visible(sql, selection);
}

/// The first row, by id, for which the condition holds.
pub(crate) fn first(sql: &mut Sql, selection: &Selection<'_>, condition: &Condition<'_>) {
    head(sql, selection, false);
    sql.push(" WHERE ");
    condition_sql::push(sql, condition);
    and_visible(sql, selection);
    sql.push(" ORDER BY r0.id LIMIT 1");
}

/// The rows with those ids, each with its id: see [`Selection::id_column`].
pub(crate) fn by_ids(sql: &mut Sql, selection: &Selection<'_>, ids: Vec<i64>) {
    head(sql, selection, true);
    let ids = ids.into_iter().map(Value::Integer).collect();
    sql.push(" WHERE r0.id").any_of(ColumnType::Integer, ids);
    and_visible(sql, selection);
}

/// The next rows by id, each with its id: see [`Selection::id_column`].
pub fn after(sql: &mut Sql, selection: &Selection<'_>, id: i64, limit: i64) {
    head(sql, selection, true);
    sql.push(" WHERE r0.id > ").bind(id);
    and_visible(sql, selection);
    sql.push(" ORDER BY r0.id").limit(limit, 0);
}

/// That the caller sees the row at all.
fn and_visible(sql: &mut Sql, selection: &Selection<'_>) {
    if let Some(visible) = selection.secured.as_ref().and_then(|secured| secured.visible.as_ref()) {
        sql.push(" AND ");
        condition_sql::push(sql, visible);
    }
}

/// Appends the columns and the table. For whoever reads all default fields the text is always the same, and kept.
pub(super) fn head(sql: &mut Sql, selection: &Selection<'_>, with_id: bool) {
    let kept = &selection.resource_type.select;
    // Default fields have the id among them.
    let keep = selection.whole;
    match kept.get() {
        Some(text) if keep => _ = sql.push_fragment(text),
        _ => {
            let start = sql.text().len();
            columns(sql, selection, with_id);
            from(sql, selection.resource_type);
            if keep && let Some(text) = sql.fragment(start) {
                // Another thread that came first wrote the same.
                let _ = kept.set(text);
            }
        }
    }
}

fn columns(sql: &mut Sql, selection: &Selection<'_>, with_id: bool) {
    sql.push("SELECT ");
    let mut separator = "";
    for member in &selection.members {
        sql.push(separator);
        separator = ", ";
        match member.property.kind.storage() {
            ValueStorage::Column(_) => _ = sql.push("r0.").name(&member.property.column),
            ValueStorage::Attachments => {
                model::file_member::push_members(sql, member.property, |sql| _ = sql.push("r0.id"))
            }
            ValueStorage::Links(_) => _ = sql.links(&member.property.column, |sql| _ = sql.push("r0.id")),
        }
    }
    if let Some(face) = &selection.face {
        for name in face.columns() {
            sql.push(separator).push("r0.").name(name);
            separator = ", ";
        }
    }
    for grant in selection.secured.iter().flat_map(|secured| &secured.grants) {
        sql.push(separator);
        condition_sql::push(sql, grant);
        separator = ", ";
    }
    // A statement selects something even where every field is hidden; and what is read is noted, where it is logged.
    // So does what is calculated of the row.
    let needs_id = selection.members.is_empty() || selection.calculates() || !selection.related.is_empty();
    let needs_id = with_id || needs_id || context::reads::logged(selection.resource_type);
    if needs_id && selection.id_member().is_none() {
        sql.push(separator).push("r0.id");
    }
    let carried = selection.carried.iter().flat_map(|carried| carried.iter());
    for carried in carried.filter(|carried| carried.member.is_none()) {
        sql.push(", r0.").name(&selection.resource_type.fields[carried.position].column);
    }
}

/// Appends the table.
pub(super) fn from(sql: &mut Sql, resource_type: &ResourceType) {
    sql.push(" FROM ").table(&resource_type.table).push(" AS r0");
}

/// Appends the condition that rows must satisfy, where there is one.
pub(super) fn where_holds(sql: &mut Sql, condition: Option<&Condition<'_>>) {
    if let Some(condition) = condition {
        sql.push(" WHERE ");
        condition_sql::push(sql, condition);
    }
}
