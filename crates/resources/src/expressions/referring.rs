//! Resources that refer to one, by the name of an inverse: `ticket.comments` (E-076).

use super::providers::PlatformProviders;
use crate::related;
use context::stored_reference::{reference, references};
use expression::value::{Array, Value};
use expression::{Fault, Result};

/// The most resources that an expression gets by an inverse.
const MOST: usize = 1_000;

impl PlatformProviders<'_, '_> {
    /// The resources in the inverse's own order, read with all rights, as relations are. More than a thousand fail: a list
    /// that was cut would be wrong in silence.
    pub(super) fn referring(&self, type_id: i64, id: i64, name: &str) -> Result<Value> {
        // A chain that is put together as it runs is not checked before.
        if !self.parts.inverses {
            return Err(Fault::new("inverse_refused", "Inverses are read in automations alone."));
        }
        let model = &self.request.model;
        let (of, inverse) = (model.type_by_id(type_id), model.inverses.named(type_id, name));
        let Some((of, inverse)) = of.zip(inverse) else { return Ok(Value::Null) };
        let Some(source) = inverse.kind.inverse() else { return Ok(Value::Null) };
        let all = self.request.elevated(self.request.actor.user);
        let ids = self.ask(&all, |tx, request| related::ids(tx, request, of, inverse, id, MOST))?;
        if ids.len() > MOST {
            let message =
                format!("More than {MOST} resources refer to this one as {name}. Use a query with a filter instead.");
            return Err(Fault::new("inverse_too_long", message));
        }
        Ok(match (inverse.kind.holds_several(), ids.first()) {
            (true, None) => Value::Array(Array::default()),
            (true, Some(_)) => references(model, source.type_id, ids),
            (false, Some(id)) => reference(model, source.type_id, *id),
            (false, None) => Value::Null,
        })
    }
}
