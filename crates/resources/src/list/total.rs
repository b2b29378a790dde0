//! Statements that count the rows of a list.
//!
//! A full text index may be asked beside other conditions. Where it finds a good part of all rows,
//! PostgreSQL joins what it finds with the other conditions. Where it finds little, PostgreSQL looks up each row that
//! is found.

use super::access_path::RowEstimate;
use super::plan::ListPlan;
use crate::select::{from, where_holds};
use database::{ColumnType, Result, Row, Sql};
use model::types::ResourceType;
use query::condition::{Condition, TextSearch};
use query::condition_sql;
use query::counted_rows::{self, CountedRows};

/// Of how many rows one has to be found for that.
const ONE_IN: i64 = 32;

impl ListPlan<'_> {
    /// The query to a full text index, where the number of its matches has to be found out.
    fn weighs(&self, sql: &Sql) -> Option<&TextSearch<'_>> {
        let condition = self.condition.as_ref().filter(|condition| sql.weighs_found() && condition.search().is_none());
        condition.and_then(Condition::searched)
    }

    /// Reads what the statement of a total told.
    pub(crate) fn told(&self, sql: &Sql, row: &Row<'_>) -> Result<RowEstimate> {
        let mut told = RowEstimate { matching: row.integer(0)?, all: 0, only: None, often: false };
        if self.chooses() {
            let (least, most) = (row.integer(2)?, row.integer(3)?);
            (told.all, told.only) = (row.integer(1)?, (least == most).then_some(least));
            let alone = self.condition.as_ref().is_some_and(|condition| condition.search().is_some());
            told.often = match self.weighs(sql) {
                Some(_) => row.integer(4)? == 1,
                None => alone && told.matching > told.all / ONE_IN,
            };
        }
        Ok(told)
    }
}

/// Appends the statement that counts all rows of a list. It reads the counter that writes keep, where every row counts.
pub(super) fn total(sql: &mut Sql, plan: &ListPlan<'_>) {
    match &plan.condition {
        None => CountedRows::All(plan.selection.resource_type.id).push_total(sql, 1),
        Some(Condition::Tagged(tags)) => tags.count(sql),
        Some(condition) => {
            if let Some(counted) = CountedRows::with(condition) {
                return counted.push_total(sql, 1);
            }
            sql.push("SELECT ");
            let related = if plan.chooses() { CountedRows::behind(condition) } else { None };
            // How many there are in all tells from which end the matching ones are found best.
            let beside = |sql: &mut Sql| {
                if plan.chooses() {
                    sql.push(", ");
                    counted_rows::push_all(sql, plan.selection.resource_type.id);
                }
            };
            if let Some(search) = plan.weighs(sql) {
                return weighed(sql, plan, condition, search);
            }
            if let Some(CountedRows::Behind(property, inner)) = related {
                return CountedRows::push_behind(sql, property, &inner, beside);
            }
            sql.push("COUNT(*)");
            beside(sql);
            if plan.chooses() {
                // Nobody asks for the resources that they refer to.
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

/// Appends the rest of the statement of a total: how many match, how many there are in all, that no relation was asked,
/// and whether the index finds much. Of both ways to count one is gone.
fn weighed(sql: &mut Sql, plan: &ListPlan<'_>, condition: &Condition<'_>, search: &TextSearch<'_>) {
    let of = plan.selection.resource_type;
    sql.push("CASE WHEN w.often THEN ");
    count(sql, of, |sql| condition_sql::push_joined(sql, condition));
    sql.push(" ELSE ");
    count(sql, of, |sql| condition_sql::push(sql, condition));
    sql.push(" END, ");
    counted_rows::push_all(sql, of.id);
    sql.push(", ").bind_as(ColumnType::Integer, 0).push(", ").bind_as(ColumnType::Integer, 1);
    sql.push(", CASE WHEN w.often THEN ").bind_as(ColumnType::Integer, 1).push(" ELSE ");
    sql.bind_as(ColumnType::Integer, 0).push(" END FROM (SELECT ");
    let (index, columns) = condition_sql::index_of(search);
    let enough = |sql: &mut Sql| {
        counted_rows::push_all(sql, of.id);
        sql.push(" / ").bind_as(ColumnType::Integer, ONE_IN);
    };
    // An offset is worked out once.
    sql.found_more_than(enough, &index, &columns, &search.words).push(" AS often OFFSET 0) AS w");
}

/// Appends how many rows there are for which the condition holds, as a value.
fn count(sql: &mut Sql, of: &ResourceType, condition: impl FnOnce(&mut Sql)) {
    sql.push("(SELECT COUNT(*)");
    from(sql, of);
    sql.push(" WHERE ");
    condition(sql);
    sql.push(")");
}
