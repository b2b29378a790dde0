//! Pages far down a long list: their ids, found in an index alone and from the nearer end of the list. The rows are
//! fetched afterwards.
//!
//! Engines read an index in its order, forwards or backwards. `-views` asks for the greatest value first and, among
//! equal values, for the least id first: no index has that order, and the engines sort each group of equal values on
//! their way. SQLite also does so for each key behind the first that may be empty. `grouped` has another way for both.

use super::access_path::ListPart;
use super::grouped::{Grouped, column, ids, number};
use super::plan::ListPlan;
use super::{statement, total};
use crate::order_sql;
use crate::select::{from, where_holds};
use database::Tx;
use model::error::Result;
use model::types::Property;
use query::counted_rows::{self, CountedRows};
use query::order::SortKey;

/// A page is far down from this row on.
const FAR: i64 = 1_000;
/// A list is long from so many rows on.
const LONG: i64 = 5_000;

/// Ids of rows that follow one another, and the number of all rows of the list, at one moment.
pub(super) struct DeepRows {
    pub(super) ids: Vec<i64>,
    pub(super) total: i64,
}

/// Returns the ids of a part of a list; none where they are better read as the list says. What is read afterwards in the
/// same job is of the same moment.
pub(super) fn find(tx: &mut Tx<'_>, plan: &ListPlan<'_>, part: ListPart) -> Result<Option<DeepRows>> {
    let group = group_key(plan);
    // A page among many rows of one value is never read in the index's order.
    let is_far = part.start >= FAR
        || group.as_ref().is_some_and(|group| !group.in_order && counted_rows::is_counted(group.key.path.property));
    if !is_far || plan.chooses() || !is_counted(plan) {
        return Ok(None);
    }
    tx.snapshot()?;
    let mut sql = tx.sql();
    total::total(&mut sql, plan);
    let total = number(tx, &sql)?;
    if total < LONG {
        return Ok(None);
    }
    let length = part.length.min(total.saturating_sub(part.start));
    if length <= 0 {
        return Ok(Some(DeepRows { ids: Vec::new(), total }));
    }
    let part = ListPart { length, ..part };
    let ids = match group {
        Some(GroupKey { key, .. }) => Grouped { plan, key, part, total }.ids(tx)?,
        None => straight(tx, plan, part, total)?,
    };
    // Else the numbers that writes keep are not those of the rows.
    Ok((ids.len() as i64 == length).then_some(DeepRows { ids, total }))
}

/// Returns true if the number of the list's rows costs nothing: writes keep it.
fn is_counted(plan: &ListPlan<'_>) -> bool {
    plan.condition.as_ref().is_none_or(|condition| CountedRows::with(condition).is_some())
}

/// The first key of an order whose rows are better read group by group of its values.
struct GroupKey<'p, 'm> {
    key: &'p SortKey<'m>,
    /// True if an engine reads the list's order from an index without sorting.
    in_order: bool,
}

/// Returns the key whose groups lead to a page: that of an order which an index has but for the direction of equal
/// values, or one with numbers of rows that writes keep.
fn group_key<'p, 'm>(plan: &'p ListPlan<'m>) -> Option<GroupKey<'p, 'm>> {
    let [key, .., id] = plan.order.as_slice() else { return None };
    let is_own = |key: &SortKey<'_>| {
        key.path.hops.is_empty()
            && key.path.guard.is_none()
            && key.total.is_none()
            && column(key.path.property).is_some()
    };
    let positions: Vec<usize> = plan.order.iter().map(|key| key.path.property.position).collect();
    let positions = &positions[..positions.len() - 1];
    if !plan.order.iter().all(is_own) || !has_index(plan, key.path.property, positions) {
        return None;
    }
    let is_single = positions.len() == 1;
    let is_mixed = is_single && key.descending != id.descending;
    let is_tallied = plan.condition.is_none() && counted_rows::is_counted(key.path.property);
    (is_mixed || is_tallied).then_some(GroupKey { key, in_order: is_single && !is_mixed })
}

/// Returns true if an index has the rows of the list in the order of properties at these positions, of which one is the
/// first.
fn has_index(plan: &ListPlan<'_>, first: &Property, positions: &[usize]) -> bool {
    let of = plan.selection.resource_type;
    let sets = || of.indexes.iter().chain(&of.unique);
    let begins = |positions: &[usize]| sets().any(|set| set.starts_with(positions));
    match plan.condition.as_ref().map(CountedRows::with) {
        None if positions.len() > 1 => begins(positions),
        None => first.index || first.unique || first.kind.relation().is_some() || begins(positions),
        Some(Some(CountedRows::With(property, values))) if values.len() == 1 => {
            begins(&[&[property.position], positions].concat())
        }
        Some(_) => false,
    }
}

/// Ids in the order of the list, from its nearer end.
fn straight(tx: &mut Tx<'_>, plan: &ListPlan<'_>, part: ListPart, total: i64) -> Result<Vec<i64>> {
    let behind = total - part.start - part.length;
    let mut sql = tx.sql();
    if part.start <= behind {
        statement::ids(&mut sql, plan, part, None);
        return ids(tx, &sql);
    }
    let turned: Vec<SortKey<'_>> =
        plan.order.iter().map(|key| SortKey { descending: !key.descending, ..key.clone() }).collect();
    sql.push("SELECT r0.id");
    from(&mut sql, plan.selection.resource_type);
    let aliases = order_sql::join(&mut sql, &turned);
    where_holds(&mut sql, plan.condition.as_ref());
    order_sql::push(&mut sql, &turned, &aliases);
    sql.limit(part.length, behind);
    let mut ids = ids(tx, &sql)?;
    ids.reverse();
    Ok(ids)
}
