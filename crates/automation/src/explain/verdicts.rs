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
    call: &RequestContext,
    of: &Arc<ResourceType>,
    (user, row): (&Account, Option<&(i64, Vec<StoredValue>)>),
    set: Option<&Map<String, Json>>,
) -> Result<JudgedActions> {
    let limited = |action: ResourceAction| call.actor.grant(of.id).limited(action).is_some();
    let shown = show(tx, call, of, row);
    let (on_row, on_new) = if row.is_some() { (set, None) } else { (None, set) };
    let edited = match row {
        Some((_, values)) => explained::try_edit(tx, call, of, values, on_row),
        None => explained::Tried { outcome: of_type(call, of, ResourceAction::Edit), drawn: None },
    };
    let created = explained::try_create(tx, call, of, on_new);
    let deleted = delete(tx, call, of, row);
    let depends = |action: ResourceAction| match action {
        ResourceAction::Show | ResourceAction::Delete => row.is_none() && limited(action),
        ResourceAction::Edit => on_row.is_none() && limited(action),
        ResourceAction::Create => on_new.is_none() && limited(action),
    };
    let lists = call.actor.allowed_type(of, ResourceAction::Show).is_ok();
    let mut verdicts = Vec::new();
    for (action, outcome) in ResourceAction::ALL.into_iter().zip([shown, edited.outcome, created.outcome, deleted]) {
        let outcome = match user.obstacle {
            Some(_) => Err(context::key_text::refused()),
            None => outcome,
        };
        verdicts.push(verdict(of, (action, depends(action)), outcome)?);
    }
    Ok(JudgedActions { verdicts, lists, drawn: edited.drawn.or(created.drawn) })
}

fn verdict(
    of: &ResourceType,
    (action, depends): (ResourceAction, bool),
    outcome: Result<Vec<String>>,
) -> Result<Verdict> {
    let base = Verdict { action: action.word(), allowed: true, refusal: None, fields: None, others: None, depends };
    Ok(match outcome {
        Ok(_) if action == ResourceAction::Delete => base,
        Ok(fields) => {
            let known = of.fields.iter().filter(|field| action == ResourceAction::Show || field.id != 0);
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
    call: &RequestContext,
    of: &Arc<ResourceType>,
    row: Option<&(i64, Vec<StoredValue>)>,
) -> Result<Vec<String>> {
    let allowed = call.actor.allowed_type(of, ResourceAction::Show)?;
    let readable = match row {
        None => Some(allowed.readable.clone()),
        Some((id, _)) => resources::rights_on(tx, call, &allowed, ResourceAction::Show, *id)?,
    };
    let readable = readable.unwrap_or_else(FieldSet::nothing);
    let shown = of.fields.iter().filter(|field| readable.contains(field) && !field.kind.concealed());
    Ok(shown.map(|field| field.name.clone()).collect())
}

fn delete(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    of: &Arc<ResourceType>,
    row: Option<&(i64, Vec<StoredValue>)>,
) -> Result<Vec<String>> {
    let allowed = call.actor.allowed_type(of, ResourceAction::Delete)?;
    if let Some((id, _)) = row {
        resources::rights_on(tx, call, &allowed, ResourceAction::Delete, *id)?;
        if of.id == model::user_columns::USER_TYPE {
            authority::check_deletion(tx, call, std::iter::once(*id))?;
        }
    }
    Ok(Vec::new())
}

/// The fields that an action may name on some rows at least.
fn of_type(call: &RequestContext, of: &Arc<ResourceType>, action: ResourceAction) -> Result<Vec<String>> {
    let allowed = call.actor.allowed_type(of, action)?;
    Ok(explained::open(call, &allowed, None))
}
