//! The grants of a user's roles, one by one, and for which of them a row is.

use super::tree::{Part, RuleTree};
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use database::Tx;
use model::error::Result;
use model::kinds::StoredValue;
use model::types::{FieldSet, ResourceAction, ResourceType, RowRule, StatedGrant};
use resources::explained;
use resources::explained::Row;
use resources::expressions::{Parts, PlatformProviders, Reading};
use serde::Serialize;
use std::sync::Arc;

/// A grant of a role.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Granted {
    /// The action that it is for.
    pub action: &'static str,
    /// The role.
    pub role: String,
    /// The file where it stands.
    pub file: String,
    /// In which line.
    pub line: usize,
    /// And behind which keys.
    pub key: String,
    /// True if it stands there for `edit`, which the action follows.
    pub follows_edit: bool,
    /// True if the key's scopes leave it.
    pub in_scope: bool,
    /// True if it is for the row; none where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The fields that it is for; all where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
    /// True if it is for rows that the user does not see, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
    /// The properties that it gives values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preset: Vec<String>,
    /// Its condition on the row as it is.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub rows: Option<RuleExplained>,
    /// Its condition on the row as it is to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<RuleExplained>,
}

/// A condition of a grant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleExplained {
    /// As it is written.
    pub text: String,
    /// The file where it stands.
    pub file: String,
    /// In which line.
    pub line: usize,
    /// And behind which keys.
    pub key: String,
    /// True if it holds; none where there is no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// The smallest parts that decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
    /// The expression, part by part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Part>,
}

/// A grant with its conditions, judged for a row.
struct JudgedGrant {
    holds: Option<bool>,
    rows: Option<RuleExplained>,
    check: Option<RuleExplained>,
}

/// Returns the grants of some roles on a type, judged for a row that is there and for one that would be.
pub(super) fn explain(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    roles: &[String],
    row: Option<&(i64, Vec<StoredValue>)>,
    drawn: Option<&[StoredValue]>,
) -> Result<Vec<Granted>> {
    let mut grants = Vec::new();
    let seen = row.map_or(Ok(true), |(id, _)| explained::sees(tx, context, resource_type, *id))?;
    for role in roles.iter().filter_map(|name| context.model.roles.get(name)) {
        for stated in role.stated.get(&resource_type.id).into_iter().flatten() {
            let there = row.filter(|_| stated.action != ResourceAction::Create);
            let there = there.map(|(id, values)| (Row::There(*id), values.as_slice()));
            // New values are of the row that is there, or else of a new one.
            let writes = if row.is_some() { ResourceAction::Edit } else { ResourceAction::Create };
            let drawn = drawn.filter(|_| stated.action == writes).map(|values| (Row::Drawn(values), values));
            let grant = &stated.grant;
            let rows = grant.rows.as_ref().map(|rule| rule_of(tx, context, resource_type, rule, there)).transpose()?;
            let checks = matches!(stated.action, ResourceAction::Edit | ResourceAction::Create);
            let check = grant.checked().filter(|_| checks && (grant.check.is_some() || drawn.is_some()));
            let check = check.map(|rule| rule_of(tx, context, resource_type, rule, drawn)).transpose()?;
            let holds = match stated.action {
                ResourceAction::Create => check.as_ref().map_or(drawn.is_some().then_some(true), |check| check.holds),
                _ => rows.as_ref().map_or(there.is_some().then_some(true), |rows| rows.holds),
            };
            let applies =
                seen || grant.unseen || matches!(stated.action, ResourceAction::Show | ResourceAction::Create);
            let holds = holds.map(|holds| holds && applies);
            grants.push(granted(context, resource_type, &role.name, stated, JudgedGrant { holds, rows, check }));
        }
    }
    Ok(grants)
}

fn granted(
    context: &RequestContext,
    resource_type: &ResourceType,
    role: &str,
    stated: &StatedGrant,
    JudgedGrant { holds, rows, check }: JudgedGrant,
) -> Granted {
    let StatedGrant { action, follows, file, key, line, grant } = stated;
    let fields = match &grant.fields {
        FieldSet::All => None,
        some => Some(
            resource_type.fields.iter().filter(|field| some.contains(field)).map(|field| field.name.clone()).collect(),
        ),
    };
    Granted {
        action: action.word(),
        role: role.to_owned(),
        file: file.clone(),
        line: *line,
        key: key.clone(),
        follows_edit: *follows,
        in_scope: context.actor.scopes.collection(&resource_type.name, Some(resource_type.id), *action),
        holds,
        fields: fields.filter(|_| *action != ResourceAction::Delete),
        unseen: grant.unseen,
        preset: grant.preset.iter().map(|preset| resource_type.fields[preset.position].name.clone()).collect(),
        rows,
        check,
    }
}

fn rule_of(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    resource_type: &Arc<ResourceType>,
    rule: &RowRule,
    row: Option<(Row<'_>, &[StoredValue])>,
) -> Result<RuleExplained> {
    let mut told = RuleExplained {
        text: rule.text().to_owned(),
        file: rule.file.clone(),
        line: rule.line,
        key: rule.key.clone(),
        holds: None,
        because: Vec::new(),
        tree: None,
    };
    let Some((row, values)) = row else { return Ok(told) };
    // What decides is the condition of the database; the tree shows how it comes about.
    told.holds = explained::verdicts(tx, context, resource_type, row, &[rule])?.pop();
    let providers = PlatformProviders::new(tx, context, Reading::Look, Parts::default());
    let resource = Arc::new(StoredResource::new(&context.model, resource_type, values.to_vec(), &context.actor.zone));
    let part = RuleTree::of(&providers, context, resource_type, &resource, &rule.condition)?;
    if part.truth().unwrap_or(false) == told.holds.unwrap_or(false) {
        part.because(&mut told.because);
    } else {
        tracing::error!(file = told.file, key = told.key, "the database and the language judge a row differently");
    }
    told.tree = Some(part);
    Ok(told)
}
