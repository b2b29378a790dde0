//! The resources that a list has, by their ids alone: for writes of all of them.

use super::plan::ListPlan;
use super::total;
use crate::select::{from, where_holds};
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::types::ResourceAction;
use query::condition::Condition;
use query::condition_sql;
use query::request::{FieldsRequest, ListRequest};
use query::tag_filter::TagFilter;
use serde_json::Value as Json;

/// The conditions of a list of which each resource is written. Without any, all resources are meant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Matching<'r> {
    /// The filters.
    pub filters: &'r [Json],
    /// The tags.
    pub tags: Option<&'r TagFilter>,
}

/// The ids of the resources that a list with these conditions has, in their order: at most so many; of some ids where these
/// are given.
pub fn ids(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    matching: Matching<'_>,
    among: Option<&[i64]>,
    most: usize,
) -> Result<Vec<i64>> {
    let plan = plan(request, collection, matching)?;
    let mut sql = tx.sql();
    sql.push("SELECT r0.id");
    from(&mut sql, plan.selection.resource_type);
    match among {
        None => where_holds(&mut sql, plan.condition.as_ref()),
        Some(ids) => {
            sql.push(" WHERE r0.id").any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
            sql.push(" AND ");
            condition_sql::push(&mut sql, plan.condition.as_ref().unwrap_or(&Condition::All(Vec::new())));
        }
    }
    sql.push(" ORDER BY r0.id").limit(i64::try_from(most).unwrap_or(i64::MAX), 0);
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        found.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(found)
}

/// The number of resources that a list with these conditions has.
pub fn count(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, matching: Matching<'_>) -> Result<i64> {
    let plan = plan(request, collection, matching)?;
    let mut sql = tx.sql();
    total::total(&mut sql, &plan);
    let mut count = 0;
    tx.query(&sql, &mut |row| {
        count = row.integer(0)?;
        Ok(())
    })?;
    Ok(count)
}

fn plan<'m>(request: &'m RequestContext, collection: &str, matching: Matching<'_>) -> Result<ListPlan<'m>> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let fields = FieldsRequest { show: Some(vec!["id".to_owned()]), ..FieldsRequest::default() };
    let (filters, tags) = (matching.filters.to_vec(), matching.tags.cloned());
    ListPlan::new(request, allowed, &ListRequest { filters, tags, fields, ..ListRequest::default() })
}
