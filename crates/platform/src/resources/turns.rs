//! Which writes whose consequences reach other resources may go side by side.
//!
//! Sums go up: a line's write locks its invoice, that of the invoice its customer; two such writes lock in one order.
//! What a resource gives to all that refer to it goes down, against that order, and to rows that others may be about to make.
//! So a write that may go down goes alone among the writes of a store that are connected like this, and all others go
//! side by side: what they read of other resources stays as it is until they end. Other writes take no turn.

use super::references::Reference;
use crate::error::Result;
use crate::types::{Model, Type};
use database::Tx;

/// Takes the turn of a write that makes a resource.
pub(super) fn to_create(tx: &mut Tx<'_>, of: &Type) -> Result<()> {
    let rules = of.rules();
    if rules.watch_new() || rules.rest_on_others() {
        tx.turn(rules.new_goes_down)?;
    }
    Ok(())
}

/// Takes the turn of a write that may change fields of a resource.
pub(super) fn to_change(tx: &mut Tx<'_>, of: &Type, mut positions: impl Iterator<Item = usize>) -> Result<()> {
    let rules = of.rules();
    if !rules.watchers.is_empty() || rules.rest_on_others() {
        tx.turn(positions.any(|position| rules.goes_down.contains(&position)))?;
    }
    Ok(())
}

/// Takes the turn of a write of many resources.
pub(super) fn to_change_many(tx: &mut Tx<'_>, of: &Type) -> Result<()> {
    let rules = of.rules();
    if !rules.watchers.is_empty() || rules.rest_on_others() {
        tx.turn(true)?;
    }
    Ok(())
}

/// Takes the turn of a deletion, which may take others with it and change those that stay.
pub(super) fn to_delete(tx: &mut Tx<'_>, model: &Model, references: &[Reference<'_>], type_id: i64) -> Result<()> {
    let mut reached = vec![type_id];
    let mut known = 0;
    while let Some(target) = reached.get(known).copied() {
        known += 1;
        for reference in references.iter().filter(|reference| reference.target == target) {
            if !reached.contains(&reference.owner.id) {
                reached.push(reference.owner.id);
            }
        }
    }
    let mut types = reached.iter().filter_map(|id| model.type_by_id(*id));
    if types.any(|of| !of.rules().watchers.is_empty() || of.rules().rest_on_others()) {
        tx.turn(true)?;
    }
    Ok(())
}
