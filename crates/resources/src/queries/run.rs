//! Queries become lists and groups.

use super::arguments::{QueryArguments, arguments};
use super::fill;
use super::prepared::PreparedQuery;
use crate::aggregate;
use crate::expressions::{Parts, PlatformProviders, Reading};
use tenant::cache;

use context::request_context::RequestContext;
use database::Tx;
use groups::{Pivot, PivotColumns};
use model::error::{Error, Result};
use model::groups::GroupValue;
use model::query::QueryDefinition;
use model::types::{ResourceAction, ResourceType};
use query::aggregate_request::AggregateRequest;
use query::query_request::{ParameterValue, QueryRequest};
use query::read_query::ReadResult;
use query::request::{FieldsRequest, ListRequest};
use serde_json::Value as Json;
use std::sync::Arc;

/// A query that the caller may run, with the type that it lists.
struct FoundQuery<'m> {
    query: &'m QueryDefinition,
    resource_type: &'m Arc<ResourceType>,
}

/// A page of a query, as an answer, which is to be kept where remembered parts are given.
pub fn answer(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    name: &str,
    asked: &QueryRequest,
    parts: Option<&cache::Parts<'_>>,
) -> Result<ReadResult> {
    let found = find(request, name)?;
    let (read, settled) = found.read(&PlatformProviders::new(tx, request, Reading::Look, Parts::default()), asked)?;
    let collection = &found.resource_type.name;
    let made = match &read {
        PreparedQuery::List(list) => crate::list_answer(tx, request, collection, list, parts)?,
        PreparedQuery::Groups(asked) => groups_answer(tx, request, collection, asked, parts.is_some())?,
    };
    // An answer that depends on the present is another one in a moment (D-28).
    Ok(ReadResult { versions: made.versions.filter(|_| settled), ..made })
}

/// The read that a query is, for an expression within a request.
pub(crate) fn prepare(
    providers: &PlatformProviders<'_, '_>,
    name: &str,
    given: Vec<(String, ParameterValue)>,
) -> Result<(Arc<ResourceType>, PreparedQuery)> {
    let found = find(providers.request, name)?;
    let asked = QueryRequest { given, ..QueryRequest::default() };
    let (read, _) = found.read(providers, &asked)?;
    Ok((Arc::clone(found.resource_type), read))
}

/// The groups of a query, as an answer.
pub(crate) fn groups_answer(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    asked: &AggregateRequest,
    keep: bool,
) -> Result<ReadResult> {
    aggregate::answer(tx, request, collection, asked, keep).map_err(forbidden)
}

/// The groups of a query, laid out for a chart.
pub(crate) fn groups_pivot(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    asked: &AggregateRequest,
    columns: &PivotColumns<'_>,
) -> Result<Pivot> {
    groups::pivot(tx, request, collection, asked, columns).map_err(forbidden)
}

/// The groups that a query asks for with the values of parameters in their places; none where it asks for rows.
pub fn groups(query: &QueryDefinition, value: &dyn Fn(&str) -> Option<Json>) -> Option<AggregateRequest> {
    let groups = query.groups.as_ref()?;
    let of_value = |of: &GroupValue| GroupValue { filters: fill(&of.filters, value), ..of.clone() };
    Some(AggregateRequest {
        filters: fill(&query.filters, value),
        keys: groups.keys.clone(),
        values: groups.values.iter().map(of_value).collect(),
        having: fill(&groups.having, value),
        order_by: query.order_by.clone(),
        per_page: query.per_page,
        fill: groups.fill,
        totals: groups.totals,
        ..AggregateRequest::default()
    })
}

/// The query of that name: 404 where there is none, 403 where the caller may not list its type.
fn find<'m>(request: &'m RequestContext, name: &str) -> Result<FoundQuery<'m>> {
    let query = request.model.queries.get(name);
    let query = query.ok_or_else(|| Error::missing("query_missing", "There is no such query."))?;
    let resource_type = request.model.type_by_id(query.type_id);
    let resource_type = resource_type.ok_or_else(|| Error::failed("a query of no type"))?;
    request.actor.allowed_type(resource_type, ResourceAction::Show)?;
    Ok(FoundQuery { query, resource_type })
}

impl FoundQuery<'_> {
    /// The read that the query is with these parameters. Beside it, whether it is the same for everybody and as time
    /// goes by.
    fn read(&self, providers: &PlatformProviders<'_, '_>, asked: &QueryRequest) -> Result<(PreparedQuery, bool)> {
        let (arguments, settled) = arguments(providers, &self.query.parameters, &asked.given)?;
        let read = match groups(self.query, &|name| arguments.get(name).cloned()) {
            None => PreparedQuery::List(Box::new(self.list(providers.request, asked, &arguments)?)),
            Some(_) if asked.fields != (FieldsRequest { texts: asked.fields.texts, ..FieldsRequest::default() }) => {
                let message = "The query answers groups. It takes no parameters about fields and inverses of rows.";
                return Err(Error::invalid("parameter_unknown", message));
            }
            Some(groups) => PreparedQuery::Groups(Box::new(AggregateRequest {
                page: asked.page,
                per_page: asked.per_page.or(groups.per_page),
                ..groups
            })),
        };
        Ok((read, settled))
    }

    /// The list that the query is with these parameters. What its files name and the caller may not read makes it a
    /// query that the caller may not run; fields that the caller may not read are left out, as from every answer.
    fn list(&self, request: &RequestContext, asked: &QueryRequest, arguments: &QueryArguments) -> Result<ListRequest> {
        let query = self.query;
        let mut list = ListRequest {
            page: asked.page,
            per_page: asked.per_page.or(query.per_page),
            order_by: query.order_by.clone(),
            filters: fill(&query.filters, &|name| arguments.get(name).cloned()),
            ..ListRequest::default()
        };
        crate::check_list(request, self.resource_type, &list).map_err(forbidden)?;
        let shown = || {
            let fields = query.fields.as_ref()?.iter();
            Some(fields.filter(|name| crate::shows(request, self.resource_type, name)).cloned().collect())
        };
        let related = asked.fields.related.clone().sorted_by(&list.order_by);
        list.fields = FieldsRequest { related, show: asked.fields.show.clone().or_else(shown), ..asked.fields.clone() };
        Ok(list)
    }
}

/// The files were checked with all rights: what does not resolve is not for this caller. Its name is not told.
fn forbidden(error: Error) -> Error {
    match error.code {
        "property_unknown" | "filter_unsuitable" => {
            Error::forbidden("permission_missing", "The query asks for properties that you may not read.")
        }
        _ => error,
    }
}
