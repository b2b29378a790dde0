//! Groups of queries as the language sees them: objects with the names of keys and values.

use super::kept_results::ResultPage;
use super::providers::PlatformProviders;
use crate::queries::prepared::PreparedQuery;
use crate::queries::{groups_answer, groups_pivot};
use context::value_json::of_json;
use expression::Fault;
use expression::value::{Array, Decimal, Object, Text, Value};
use groups::{ColumnForm, GroupColumn, Pivot, PivotColumns};
use model::error::{Error, Result};
use model::types::{ResourceAction, ResourceType};
use query::aggregate_request::AggregateRequest;
use query::path::TypeAccess;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;

/// The number of groups that are read at a time: each time, all of them are worked out.
const GROUPS: u64 = 2_000;

/// The page of groups, as far as it matters here.
#[derive(Deserialize)]
struct GroupsBody<'b> {
    stats: GroupsStats,
    #[serde(borrow)]
    data: Vec<HashMap<&'b str, &'b RawValue>>,
}

#[derive(Deserialize)]
struct GroupsStats {
    total: u64,
}

impl PlatformProviders<'_, '_> {
    /// Groups that a query answers, laid out for a chart.
    pub fn chart(&self, name: &str, parameters: &Array, columns: &PivotColumns<'_>) -> expression::Result<Pivot> {
        let (of, read) = self.prepared_query(name, parameters)?;
        let PreparedQuery::Groups(asked) = read else {
            return Err(Fault::new(
                "wrong_kind",
                format!("The query {name} answers rows. A chart by names needs groups."),
            ));
        };
        // A refusal is not a failure of the database.
        let made = self.ask(self.request, |tx, request| Ok(groups_pivot(tx, request, &of.name, &asked, columns)))?;
        made.map_err(|error| self.refused(error))
    }

    /// The page of groups that has the one at a place.
    pub(super) fn groups_page(
        &self,
        of: &Arc<ResourceType>,
        asked: &AggregateRequest,
        index: usize,
    ) -> expression::Result<ResultPage> {
        let number = index as u64 / GROUPS;
        let paged = AggregateRequest { page: Some(number + 1), per_page: Some(GROUPS), ..asked.clone() };
        let made = self.ask(self.request, |tx, request| Ok(groups_answer(tx, request, &of.name, &paged, false)))?;
        let body = made.and_then(|made| made.body.into_whole()).map_err(|error| self.refused(error))?;
        let (rows, total) = self.groups_of(of, asked, &body).map_err(|error| self.failed(error))?;
        let (start, length) = ((number * GROUPS) as usize, GROUPS as usize);
        Ok(ResultPage { start, length, rows, total })
    }

    fn groups_of(
        &self,
        of: &Arc<ResourceType>,
        asked: &AggregateRequest,
        body: &[u8],
    ) -> Result<(Vec<(i64, Object)>, u64)> {
        let unreadable = |error| Error::failed(format!("groups that are not JSON: {error}"));
        let body: GroupsBody<'_> = serde_json::from_slice(body).map_err(unreadable)?;
        let allowed = self.request.actor.allowed_type(of, ResourceAction::Show)?;
        let columns = groups::columns(&TypeAccess::new(self.request, allowed), asked)?;
        let member = |column: &GroupColumn<'_>, group: &HashMap<&str, &RawValue>| {
            let raw = group.get(column.name.as_str()).copied();
            (Text::from(column.name.as_str()), raw.map_or(Value::Null, |raw| self.group_cell(column, raw)))
        };
        let group = |group: &HashMap<&str, &RawValue>| {
            (0, columns.iter().map(|column| member(column, group)).collect::<Object>())
        };
        Ok((body.data.iter().map(group).collect(), body.stats.total))
    }

    /// The value of a key or of a value, by the kind of its column.
    fn group_cell(&self, column: &GroupColumn<'_>, raw: &RawValue) -> Value {
        let text = raw.get();
        match column.form {
            ColumnForm::Property(property) => self.member(property, raw, false),
            ColumnForm::Exact { scale: 0, .. } if text.parse::<i64>().is_ok() => {
                Value::Int(text.parse().unwrap_or_default())
            }
            ColumnForm::Exact { .. } if text != "null" => match Decimal::parse(text) {
                Some(decimal) => Value::Decimal(decimal),
                None => text.parse().map_or(Value::Null, Value::Float),
            },
            ColumnForm::Exact { .. } | ColumnForm::Period(_) | ColumnForm::Float => {
                of_json(&serde_json::from_str(text).unwrap_or_default())
            }
        }
    }
}
