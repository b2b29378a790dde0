//! Answers of the API to each action.

use super::Account;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, Result};
use model::kinds::StoredValue;
use model::types::{FieldSet, ResourceAction, ResourceType};
use resources::explained;
use resources::users::authority;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// True if an action is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// `show`, `edit`, `create` or `delete`.
    pub action: &'static str,
    /// True if it is.
    pub allowed: bool,
    /// The answer of the API where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// The fields that may be read, changed or given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
    /// The type's other fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<Vec<String>>,
    /// True if it depends on the row, where none is given, or on the new values.
    pub depends: bool,
}

/// An error of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// `forbidden`, `missing`, `invalid` or `conflict`.
    pub kind: &'static str,
    /// As the API has it.
    pub code: &'static str,
    /// As the API has it.
    pub message: String,
    /// The properties that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
}

/// All verdicts.
pub(super) struct JudgedActions {
    pub(super) verdicts: Vec<Verdict>,
    /// True if the user may list the type.
    pub(super) lists: bool,
    /// The row as the new values make it.
    pub(super) drawn: Option<Vec<StoredValue>>,
}

/// Asks for each action as the API does.
pub(super) fn judge(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    user: &Account,
    row: Option<&(i64, Vec<StoredValue>)>,
    set: Option<&Map<String, Json>>,
) -> Result<JudgedActions> {
    let limited = |action: ResourceAction| context.actor.grant(resource_type.id).limited(action).is_some();
    let shown = show(tx, context, resource_type, row);
    let (on_row, on_new) = if row.is_some() { (set, None) } else { (None, set) };
    let edited = match row {
        Some((_, values)) => explained::try_edit(tx, context, resource_type, values, on_row),
        None => explained::Tried { outcome: of_type(context, resource_type, ResourceAction::Edit), drawn: None },
    };
    let created = explained::try_create(tx, context, resource_type, on_new);
    let deleted = delete(tx, context, resource_type, row);
    let depends = |action: ResourceAction| match action {
        ResourceAction::Show | ResourceAction::Delete => row.is_none() && limited(action),
        ResourceAction::Edit => on_row.is_none() && limited(action),
        ResourceAction::Create => on_new.is_none() && limited(action),
    };
    let lists = context.actor.allowed_type(resource_type, ResourceAction::Show).is_ok();
    let mut verdicts = Vec::new();
    for (action, outcome) in ResourceAction::ALL.into_iter().zip([shown, edited.outcome, created.outcome, deleted]) {
        let outcome = match user.obstacle {
            Some(_) => Err(context::key_text::refused()),
            None => outcome,
        };
        verdicts.push(verdict(resource_type, action, depends(action), outcome)?);
    }
    Ok(JudgedActions { verdicts, lists, drawn: edited.drawn.or(created.drawn) })
}

fn verdict(
    resource_type: &ResourceType,
    action: ResourceAction,
    depends: bool,
    outcome: Result<Vec<String>>,
) -> Result<Verdict> {
    let base = Verdict { action: action.word(), allowed: true, refusal: None, fields: None, others: None, depends };
    Ok(match outcome {
        Ok(_) if action == ResourceAction::Delete => base,
        Ok(fields) => {
            let known = resource_type.fields.iter().filter(|field| action == ResourceAction::Show || field.id != 0);
            let others = known.filter(|field| !fields.contains(&field.name)).map(|field| field.name.clone());
            let others = others.collect();
            Verdict { fields: Some(fields), others: Some(others), ..base }
        }
        Err(error) => Verdict { allowed: false, refusal: Some(Refusal::of(error)?), depends: false, ..base },
    })
}

impl Refusal {
    /// Returns the answer of the API; an error that is no answer of its own stays an error.
    fn of(error: Error) -> Result<Self> {
        let kind = match error.kind {
            ErrorKind::Forbidden => "forbidden",
            ErrorKind::Missing => "missing",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Conflict => "conflict",
            _ => return Err(error),
        };
        let properties = error.problems.into_iter().map(|problem| problem.property).collect();
        Ok(Refusal { kind, code: error.code, message: error.message, properties })
    }
}

fn show(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    row: Option<&(i64, Vec<StoredValue>)>,
) -> Result<Vec<String>> {
    let allowed = context.actor.allowed_type(resource_type, ResourceAction::Show)?;
    let readable = match row {
        None => Some(allowed.readable.clone()),
        Some((id, _)) => resources::rights_on(tx, context, &allowed, ResourceAction::Show, *id)?,
    };
    let readable = readable.unwrap_or_else(FieldSet::nothing);
    let shown = resource_type.fields.iter().filter(|field| readable.contains(field) && !field.kind.concealed());
    Ok(shown.map(|field| field.name.clone()).collect())
}

fn delete(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    row: Option<&(i64, Vec<StoredValue>)>,
) -> Result<Vec<String>> {
    let allowed = context.actor.allowed_type(resource_type, ResourceAction::Delete)?;
    if let Some((id, _)) = row {
        resources::rights_on(tx, context, &allowed, ResourceAction::Delete, *id)?;
        if resource_type.id == model::user_columns::USER_TYPE {
            authority::check_deletion(tx, context, std::iter::once(*id))?;
        }
    }
    Ok(Vec::new())
}

/// The fields that an action may name on some rows at least.
fn of_type(context: &RequestContext, resource_type: &Arc<ResourceType>, action: ResourceAction) -> Result<Vec<String>> {
    let allowed = context.actor.allowed_type(resource_type, action)?;
    Ok(explained::open(context, &allowed, None))
}
