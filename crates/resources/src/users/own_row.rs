//! The own row of a user who acts, as expressions of the rights ask for it.

use crate::Purpose;
use context::actor::Actor;
use context::stored_resource::StoredResource;
use database::Tx;
use model::error::{Error, Result};
use model::types::Model;
use model::user_columns::USER_TYPE;
use std::sync::Arc;

/// Returns the actor with the user's own row, where an expression of the rights asks for it.
pub(crate) fn with_person_if_asked(actor: Actor, tx: &mut Tx<'_>, model: &Arc<Model>) -> Result<Actor> {
    if actor.asks_for_person() { with_person(actor, tx, model) } else { Ok(actor) }
}

/// Returns the actor with the user's own row.
pub fn with_person(actor: Actor, tx: &mut Tx<'_>, model: &Arc<Model>) -> Result<Actor> {
    let of = model.type_by_id(USER_TYPE).ok_or_else(|| Error::failed("a tenant without users"))?;
    let row = crate::rows_of(tx, of, &[actor.user], Purpose::Look)?.pop();
    let person = row.map(|(_, values)| Arc::new(StoredResource::new(model, of, values, &actor.zone)));
    Ok(actor.with_person(person))
}
