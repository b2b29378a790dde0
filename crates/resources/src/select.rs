//! Plans become statements.

use super::approach::{AccessPath, RowEstimate};
use super::fields::Selection;
use super::found;
use super::plan::ListPlan;
use super::tally;
use database::{ColumnType, Name, Sql, Value};
use model::kinds::ValueStorage;
use model::table_names::COUNTER;
use model::types::ResourceType;
use query::condition::{Condition, TextSearch};
use query::condition_sql;
use query::order::SortKey;
use query::row_alias::row_alias;
use std::collections::HashMap;

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

/// The rows of a page. Where they have to be sorted, only their ids are, and the page's rows are fetched then: sorting
/// whole rows costs PostgreSQL twice as much.
pub(crate) fn page(sql: &mut Sql, plan: &ListPlan<'_>, expected: Option<RowEstimate>) {
    // What is left out is named by its id.
    head(sql, &plan.selection, plan.sparing);
    let approach = AccessPath::of(plan, (plan.per_page, plan.offset), expected);
    // Of rows that are gathered only the page's are to be read whole.
    let gathered =
        matches!(approach, AccessPath::Gather | AccessPath::Join) || searched_alone(sql, plan, approach).is_some();
    if plan.order.first().is_some_and(SortKey::decides) && !gathered {
        by_order_of_id(sql, plan, approach);
        sql.limit(plan.per_page, plan.offset);
        return;
    }
    sql.push(" JOIN (");
    ids(sql, plan, (plan.per_page, plan.offset), expected);
    sql.push(") AS k ON k.id = r0.id");
    let aliases = joins(sql, &plan.order);
    sorted(sql, &plan.order, &aliases);
}

/// The ids of rows of the list, in its order.
pub(crate) fn ids(sql: &mut Sql, plan: &ListPlan<'_>, (limit, offset): (i64, i64), expected: Option<RowEstimate>) {
    let approach = AccessPath::of(plan, (limit, offset), expected);
    if let Some((search, descending)) = searched_alone(sql, plan, approach) {
        let (index, columns) = condition_sql::index_of(search);
        sql.found_by_id(&index, &columns, &search.words, descending).limit(limit, offset);
        return;
    }
    sql.push("SELECT r0.id");
    from(sql, plan.selection.resource_type);
    if plan.order.first().is_some_and(SortKey::decides) {
        by_order_of_id(sql, plan, approach);
    } else {
        let aliases = joins(sql, &plan.order);
        match &plan.condition {
            Some(condition) if expected.is_some_and(|expected| expected.often) => where_joined(sql, condition),
            condition => where_holds(sql, condition.as_ref()),
        }
        sorted(sql, &plan.order, &aliases);
    }
    sql.limit(limit, offset);
}

/// Returns the search of a full text index, where its ids are those of the list and no other table is needed. The flag
/// is true if they come in descending order.
fn searched_alone<'p, 'm>(
    sql: &Sql,
    plan: &'p ListPlan<'m>,
    approach: AccessPath,
) -> Option<(&'p TextSearch<'m>, bool)> {
    let by_id = plan.order.first().filter(|key| key.decides())?;
    let search = plan.condition.as_ref()?.search()?;
    let asked = match approach {
        AccessPath::Gather | AccessPath::Join => true,
        AccessPath::Walk => sql.finds_in_order(),
        AccessPath::Free | AccessPath::Only(_) => false,
    };
    asked.then_some((search, by_id.descending))
}

/// Appends the conditions and the order of rows by id. Those of one tag are taken from where they lie in that order,
/// and no more of them than needed.
fn by_order_of_id(sql: &mut Sql, plan: &ListPlan<'_>, approach: AccessPath) {
    match (&plan.condition, plan.order.first()) {
        (Some(condition), Some(key)) if approach != AccessPath::Free => {
            approached(sql, condition, approach);
            sql.push(if key.descending { " DESC" } else { " ASC" });
        }
        (Some(Condition::Tagged(tags)), Some(key)) if tags.one() => {
            let [alias, column] = tags.join(sql, &row_alias(0));
            sql.push(" ORDER BY ").column(&alias, &column).push(if key.descending { " DESC" } else { " ASC" });
        }
        (condition, _) => {
            where_holds(sql, condition.as_ref());
            sorted(sql, &plan.order, &vec![row_alias(0); plan.order.len()]);
        }
    }
}

/// Appends the conditions and the order of rows, up to the direction.
fn approached(sql: &mut Sql, condition: &Condition<'_>, approach: AccessPath) {
    match approach {
        AccessPath::Walk => {
            sql.in_order_of_id().push(" WHERE ");
            condition_sql::push_for_each(sql, condition);
            sql.push(" ORDER BY r0.id");
        }
        AccessPath::Only(id) => {
            sql.push(" WHERE ");
            if let Some((property, _)) = condition.behind_one() {
                sql.column(&row_alias(0), &property.column).push(" = ").bind_as(ColumnType::Integer, id).push(" AND ");
            }
            condition_sql::push(sql, condition);
            sql.push(" ORDER BY r0.id");
        }
        AccessPath::Gather | AccessPath::Join | AccessPath::Free => {
            match approach {
                AccessPath::Join => where_joined(sql, condition),
                _ => where_holds(sql, Some(condition)),
            }
            // Sorted by what no index has, so that none is read in its order.
            sql.push(" ORDER BY +r0.id");
        }
    }
}

/// Sorts by keys, each in the row of that alias.
fn sorted(sql: &mut Sql, order: &[SortKey<'_>], aliases: &[Name]) {
    sql.push(" ORDER BY ");
    for (index, key) in order.iter().enumerate() {
        if index > 0 {
            sql.push(", ");
        }
        if let Some(guard) = &key.guard {
            sql.push("CASE WHEN ");
            condition_sql::push(sql, guard);
            sql.push(" THEN ").column(&aliases[index], &key.property.column).push(" END");
        } else {
            sql.column(&aliases[index], &key.property.column);
        }
        sql.push(if key.descending { " DESC" } else { " ASC" });
        if key.nullable() {
            sql.order_nulls(!key.descending);
        }
    }
}

/// Appends the statement that counts all rows of a list. It reads the counter that writes keep, where every row counts.
pub(crate) fn total(sql: &mut Sql, plan: &ListPlan<'_>) {
    match &plan.condition {
        None => {
            sql.push("SELECT CAST(COALESCE(SUM(rows), 0) AS ").column_type(ColumnType::Integer).push(") FROM ");
            sql.table(&COUNTER).push(" WHERE type = ").bind(plan.selection.resource_type.id);
        }
        Some(Condition::Tagged(tags)) => tags.count(sql),
        Some(condition) if tally::total(sql, condition) => {}
        Some(condition) => {
            sql.push("SELECT ");
            let related = if plan.chooses() { condition.behind_one() } else { None };
            let related = related.filter(|(property, _)| tally::is_counted(property));
            // How many there are in all tells from which end the matching ones are found best.
            let all = |sql: &mut Sql| {
                if plan.chooses() {
                    sql.push(", ");
                    found::all(sql, plan.selection.resource_type.id);
                }
            };
            if let Some(search) = plan.weighs(sql) {
                return found::total(sql, plan, condition, search);
            }
            if let Some((property, inner)) = related {
                return tally::total_behind(sql, property, &inner, all);
            }
            sql.push("COUNT(*)");
            all(sql);
            if plan.chooses() {
                // Which resources they refer to is not asked.
                sql.push(", ").bind_as(ColumnType::Integer, 0).push(", ").bind_as(ColumnType::Integer, 1);
            }
            if let Some(search) = condition.search() {
                let (index, columns) = condition_sql::index_of(search);
                sql.from_found(&index, &columns, &search.words);
                return;
            }
            from(sql, plan.selection.resource_type);
            where_holds(sql, Some(condition));
        }
    }
}

/// Appends how many rows there are for which the condition holds, as a value.
pub(super) fn count(sql: &mut Sql, of: &ResourceType, condition: impl FnOnce(&mut Sql)) {
    sql.push("(SELECT COUNT(*)");
    from(sql, of);
    sql.push(" WHERE ");
    condition(sql);
    sql.push(")");
}

/// That the caller sees the row at all.
fn and_visible(sql: &mut Sql, selection: &Selection<'_>) {
    if let Some(visible) = selection.secured.as_ref().and_then(|secured| secured.visible.as_ref()) {
        sql.push(" AND ");
        condition_sql::push(sql, visible);
    }
}

/// Appends the columns and the table. For whoever reads all default fields the text is always the same, and kept.
fn head(sql: &mut Sql, selection: &Selection<'_>, with_id: bool) {
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
    let needs_id = selection.members.is_empty() || selection.calculates();
    let needs_id = with_id || needs_id || context::reads::logged(selection.resource_type);
    if needs_id && selection.id_member().is_none() {
        sql.push(separator).push("r0.id");
    }
    let carried = selection.carried.iter().flat_map(|carried| carried.iter());
    for carried in carried.filter(|carried| carried.member.is_none()) {
        sql.push(", r0.").name(&selection.resource_type.fields[carried.position].column);
    }
}

fn from(sql: &mut Sql, resource_type: &ResourceType) {
    sql.push(" FROM ").table(&resource_type.table).push(" AS r0");
}

fn where_holds(sql: &mut Sql, condition: Option<&Condition<'_>>) {
    if let Some(condition) = condition {
        sql.push(" WHERE ");
        condition_sql::push(sql, condition);
    }
}

fn where_joined(sql: &mut Sql, condition: &Condition<'_>) {
    sql.push(" WHERE ");
    condition_sql::push_joined(sql, condition);
}

/// Joins the rows that sort keys lie in, each way once; gives the alias for each key. Relations to one resource
/// do not multiply rows.
fn joins(sql: &mut Sql, order: &[SortKey<'_>]) -> Vec<Name> {
    let mut made: HashMap<Vec<usize>, Name> = HashMap::new();
    let mut aliases = Vec::with_capacity(order.len());
    for key in order {
        let mut alias = row_alias(0);
        let mut way = Vec::new();
        for (index, hop) in key.hops.iter().enumerate() {
            way.push(hop.property.position);
            if let Some(known) = made.get(&way) {
                alias = known.clone();
                continue;
            }
            let level = key.levels.get(index).copied();
            let joined = level.map_or_else(|| Name::numbered("j", made.len() as i64), row_alias);
            sql.push(" LEFT JOIN ").table(&hop.target.resource_type.table).push(" AS ").name(&joined).push(" ON ");
            sql.column(&joined, &Name::fixed("id")).push(" = ").column(&alias, &hop.property.column);
            if let Some(guard) = key.guards.get(index).and_then(Option::as_ref) {
                sql.push(" AND ");
                condition_sql::push(sql, guard);
            }
            made.insert(way.clone(), joined.clone());
            alias = joined;
        }
        aliases.push(alias);
    }
    aliases
}
