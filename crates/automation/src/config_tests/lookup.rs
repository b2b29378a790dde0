//! Rows, expressions and notifications, which a test looks at beside answers.

use crate::RunRequest;
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use context::value_json::to_json;
use database::Tx;
use expression::{Diagnostic, Program, Span, Value, convert};
use messages::notifications;
use model::error::{Error, ErrorKind, Result};
use model::types::ResourceType;
use query::request::{FieldsRequest, ItemRef};
use resources::expressions::{Parts, PlatformProviders, Reading, evaluate};
use resources::users::person;
use resources::{Purpose, rows_of};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// The number of runs that are read at a time.
const PAGE: u64 = 1_000;

/// A row with these fields as the caller, with all rights, sees it; none where there is no such row.
pub fn stored_row(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &ResourceType,
    id: i64,
    show: Vec<String>,
) -> Result<Option<Json>> {
    let fields = FieldsRequest { show: (!show.is_empty()).then_some(show), ..FieldsRequest::default() };
    match resources::get(tx, context, &resource_type.name, &ItemRef::Id(id), &fields) {
        Ok(body) => Ok(Some(serde_json::from_slice(&body).map_err(|error| Error::failed(error.to_string()))?)),
        Err(error) if error.kind == ErrorKind::Missing => Ok(None),
        Err(error) => Err(error),
    }
}

/// Evaluates an expression in the name of a user, about a row or nothing. The inner result is whether it holds, and what
/// it gave.
pub fn evaluate_about(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    program: &Program,
    user: Option<i64>,
    about: Option<(&Arc<ResourceType>, i64)>,
) -> Result<Result<(bool, String), Diagnostic>> {
    let context = match user {
        None => context.clone(),
        Some(user) => match person::unkeyed(tx, user, &context.model, context.now)? {
            Some(actor) => context.as_actor(actor),
            // Nobody else's rights are a stand-in.
            None => return Ok(Err(inactive())),
        },
    };
    let mut resource = Value::Null;
    if let Some((of, id)) = about {
        let row = rows_of(tx, of, &[id], Purpose::Look)?.pop();
        let (_, values) = row.ok_or_else(|| Error::missing("item_missing", "The row is gone."))?;
        let shown = of.fields.iter().filter(|field| field.is_virtual()).map(|field| field.position);
        let values = resources::with_virtual(tx, &context, of, &values, &shown.collect::<Vec<_>>(), Reading::Look)?;
        resource = StoredResource::new(&context.model, of, values, &context.actor.zone).into_value();
    }
    let providers = PlatformProviders::new(tx, &context, Reading::Look, Parts::default());
    let value = match evaluate(&providers, program, resource)? {
        Ok(value) => value,
        Err(fault) => return Ok(Err(fault)),
    };
    let shown = match to_json(&value, &providers) {
        Ok(json) => json.to_string(),
        Err(fault) => fault.message,
    };
    Ok(Ok((convert::to_bool(&value), shown)))
}

/// Returns the diagnostic of an expression in the name of a user whose key would be refused.
fn inactive() -> Diagnostic {
    let message = "The user cannot act: its login has ended, or no role of it has restApi.";
    Diagnostic::new("user_inactive", Span::default(), message)
}

/// All runs of an automation, the newest first, as administrators see them.
pub fn runs_of(tx: &mut Tx<'_>, context: &RequestContext, automation: &str) -> Result<Vec<Json>> {
    let mut request = RunRequest { automation: Some(automation.to_owned()), limit: PAGE, ..RunRequest::default() };
    let mut runs = Vec::new();
    loop {
        let page = crate::list(tx, context, &request)?;
        runs.extend(page.items);
        request.cursor = match page.next {
            Some(next) => Some(next),
            None => return Ok(runs),
        };
    }
}

/// All notifications of a user, the oldest first.
pub fn notifications_of(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<Vec<Map<String, Json>>> {
    let all = notifications::all_of(tx, context, user)?;
    Ok(all.into_iter().filter_map(|one| one.as_object().cloned()).collect())
}
