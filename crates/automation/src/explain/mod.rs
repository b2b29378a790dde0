//! Why a user may or may not see, change, create or delete a row: which grant decided, and which part of its expression.
//!
//! Nothing here decides. The rights are asked as requests ask them ([`context::actor`], `resources::rows`,
//! `resources::row_rights`); beside their answer stands what each grant and each part of its expression comes to.

mod account;
mod grants;
mod request;
mod statements;
mod tree;
mod verdicts;

pub use account::Account;
pub use grants::{Granted, RuleExplained};
pub use request::ExplainRequest;
pub use statements::Statement;
pub use tree::{Outcome, Part};
pub use verdicts::{Refusal, Verdict};

use context::audit::{RequestChannel, RequestSource};
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, Result};
use model::suggestion::did_you_mean;
use model::types::SystemPermission;
use query::request::ItemRef;
use resources::explained;
use serde::Serialize;

/// The rights of a user on rows of a type, and the reasons for them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// The user.
    pub user: Account,
    /// The type's name.
    #[serde(rename = "type")]
    pub resource_type: String,
    /// The row, where one is asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Its uuid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The answers of the API, action by action.
    pub actions: Vec<Verdict>,
    /// The grants of the user's roles on the type.
    pub grants: Vec<Granted>,
    /// The statements of the user's list of the type.
    pub statements: Vec<Statement>,
}

/// Explains a user's rights on a type or one of its rows, for administrators. It reads alone.
pub fn explain(tx: &mut Tx<'_>, context: &RequestContext, request: &ExplainRequest) -> Result<Explained> {
    context.actor.require(SystemPermission::Admin)?;
    // All that is told is of one moment, and the engine refuses to write.
    tx.snapshot()?;
    let of = context.model.collection(&request.resource_type).ok_or_else(|| {
        let names = context.model.types.iter().map(|known| known.name.as_str());
        let hint = did_you_mean(&request.resource_type, names);
        Error::missing("collection_missing", format!("There is no type {:?}.{hint}", request.resource_type))
    })?;
    let (user, actor) = account::find(tx, context, request)?;
    let missing = |_| Error::missing("item_missing", format!("There is no such row of {}.", of.name));
    let row = match &request.item {
        None => None,
        Some(item) => Some(
            explained::look(tx, of, &ItemRef::parse(item).map_err(missing)?)
                .map_err(|error| if error.code == "item_missing" { missing(error) } else { error })?,
        ),
    };
    // As if the user's request came by the API, whichever way the question did.
    let acted = context
        .as_actor_without_read_log(actor)
        .come_from(RequestSource { via: RequestChannel::Api, ..RequestSource::default() });
    let judged = verdicts::judge(tx, &acted, of, &user, row.as_ref(), request.set.as_ref())?;
    let grants = grants::explain(tx, &acted, of, &user.roles, row.as_ref(), judged.drawn.as_deref())?;
    let statements = statements::of_list(tx, &acted, of, judged.lists)?;
    let uuid = row.as_ref().and_then(|(_, values)| match &values[1] {
        model::kinds::StoredValue::One(Value::Uuid(uuid)) => Some(uuid::Uuid::from_bytes(*uuid).to_string()),
        _ => None,
    });
    Ok(Explained {
        user,
        resource_type: of.name.clone(),
        id: row.as_ref().map(|(id, _)| *id),
        uuid,
        actions: judged.verdicts,
        grants,
        statements,
    })
}
