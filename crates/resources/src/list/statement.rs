//! Statements that read the rows of a list, or their ids.

use super::access_path::{AccessPath, ListPart, RowEstimate};
use super::plan::ListPlan;
use crate::order_sql;
use crate::select::{from, head, where_holds};
use database::{ColumnType, Sql, Value};
use query::condition::{Condition, TextSearch};
use query::condition_sql;
use query::order::SortKey;
use query::row_alias::row_alias;

/// The rows of a page. Where they have to be sorted, only their ids are, and the page's rows are fetched then: sorting
/// whole rows costs PostgreSQL twice as much.
pub(super) fn page(sql: &mut Sql, plan: &ListPlan<'_>, expected: Option<RowEstimate>) {
    // A resource that is left out is named by its id.
    head(sql, &plan.selection, plan.sparing);
    let path = AccessPath::of(plan, plan.part(), expected);
    // Of rows that are gathered only the page's are to be read whole.
    let gathered = matches!(path, AccessPath::Gather | AccessPath::Join) || searched_alone(sql, plan, path).is_some();
    if plan.order.first().is_some_and(SortKey::decides) && !gathered {
        by_order_of_id(sql, plan, path);
        sql.limit(plan.per_page, plan.offset);
        return;
    }
    sql.push(" JOIN (");
    ids(sql, plan, plan.part(), expected);
    sql.push(") AS k ON k.id = r0.id");
    let aliases = order_sql::join(sql, &plan.order);
    order_sql::push(sql, &plan.order, &aliases);
}

/// The rows with those ids, in the order of the list.
pub(super) fn rows(sql: &mut Sql, plan: &ListPlan<'_>, ids: &[i64]) {
    head(sql, &plan.selection, plan.sparing);
    let aliases = order_sql::join(sql, &plan.order);
    sql.push(" WHERE r0.id").any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
    order_sql::push(sql, &plan.order, &aliases);
}

/// The ids of rows of the list, in its order.
pub(super) fn ids(sql: &mut Sql, plan: &ListPlan<'_>, part: ListPart, expected: Option<RowEstimate>) {
    let path = AccessPath::of(plan, part, expected);
    if let Some((search, descending)) = searched_alone(sql, plan, path) {
        let (index, columns) = condition_sql::index_of(search);
        sql.found_by_id(&index, &columns, &search.words, descending).limit(part.length, part.start);
        return;
    }
    sql.push("SELECT r0.id");
    from(sql, plan.selection.resource_type);
    if plan.order.first().is_some_and(SortKey::decides) {
        by_order_of_id(sql, plan, path);
    } else {
        let aliases = order_sql::join(sql, &plan.order);
        match &plan.condition {
            Some(condition) if expected.is_some_and(|expected| expected.often) => where_joined(sql, condition),
            condition => where_holds(sql, condition.as_ref()),
        }
        order_sql::push(sql, &plan.order, &aliases);
    }
    sql.limit(part.length, part.start);
}

/// Returns the search of a full text index, where its ids are those of the list and no other table is needed. The flag
/// is true if they come in descending order.
fn searched_alone<'p, 'm>(sql: &Sql, plan: &'p ListPlan<'m>, path: AccessPath) -> Option<(&'p TextSearch<'m>, bool)> {
    let by_id = plan.order.first().filter(|key| key.decides())?;
    let search = plan.condition.as_ref()?.search()?;
    let asked = match path {
        AccessPath::Gather | AccessPath::Join => true,
        AccessPath::Walk => sql.finds_in_order(),
        AccessPath::Free | AccessPath::Only(_) => false,
    };
    asked.then_some((search, by_id.descending))
}

/// Appends the conditions and the order of rows by id. Those of one tag are taken from where they lie in that order,
/// and no more of them than needed.
fn by_order_of_id(sql: &mut Sql, plan: &ListPlan<'_>, path: AccessPath) {
    match (&plan.condition, plan.order.first()) {
        (Some(condition), Some(key)) if path != AccessPath::Free => {
            by_path(sql, condition, path);
            sql.push(if key.descending { " DESC" } else { " ASC" });
        }
        (Some(Condition::Tagged(tags)), Some(key)) if tags.one() => {
            let [alias, column] = tags.join(sql, &row_alias(0));
            sql.push(" ORDER BY ").column(&alias, &column).push(if key.descending { " DESC" } else { " ASC" });
        }
        (condition, _) => {
            where_holds(sql, condition.as_ref());
            order_sql::push(sql, &plan.order, &vec![row_alias(0); plan.order.len()]);
        }
    }
}

/// Appends the conditions and the order of rows, up to the direction.
fn by_path(sql: &mut Sql, condition: &Condition<'_>, path: AccessPath) {
    match path {
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
            match path {
                AccessPath::Join => where_joined(sql, condition),
                _ => where_holds(sql, Some(condition)),
            }
            // Sorted by what no index has, so that none is read in its order.
            sql.push(" ORDER BY +r0.id");
        }
    }
}

fn where_joined(sql: &mut Sql, condition: &Condition<'_>) {
    sql.push(" WHERE ");
    condition_sql::push_joined(sql, condition);
}
