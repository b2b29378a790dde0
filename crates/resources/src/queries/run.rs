//! Queries become lists.

use super::arguments::arguments;
use super::fill;
use crate::expressions::{Parts, PlatformProviders, Reading};
use tenant::cache;

use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::query::QueryDefinition;
use model::types::{ResourceAction, ResourceType};
use query::query_request::{ParameterValue, QueryRequest};
use query::read_query::ReadResult;
use query::request::{FieldsRequest, ListRequest};
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
    let (list, settled) = found.list(&PlatformProviders::new(tx, request, Reading::Look, Parts::default()), asked)?;
    let made = crate::list_answer(tx, request, &found.resource_type.name, &list, parts)?;
    // An answer that depends on the present is another one in a moment (D-28).
    Ok(ReadResult { versions: made.versions.filter(|_| settled), ..made })
}

/// The list that a query is, for an expression within a request.
pub(crate) fn prepare(
    providers: &PlatformProviders<'_, '_>,
    name: &str,
    given: Vec<(String, ParameterValue)>,
) -> Result<(Arc<ResourceType>, ListRequest)> {
    let found = find(providers.request, name)?;
    let asked = QueryRequest { given, ..QueryRequest::default() };
    let (list, _) = found.list(providers, &asked)?;
    Ok((Arc::clone(found.resource_type), list))
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
    /// The list that the query is with these parameters. What its files name and the caller may not read makes it a
    /// query that the caller may not run; fields that the caller may not read are left out, as from every answer.
    /// Beside it, whether it is the same for everybody and as time goes by.
    fn list(&self, providers: &PlatformProviders<'_, '_>, asked: &QueryRequest) -> Result<(ListRequest, bool)> {
        let (query, request) = (self.query, providers.request);
        let (arguments, settled) = arguments(providers, &query.parameters, &asked.given)?;
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
        Ok((list, settled))
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
