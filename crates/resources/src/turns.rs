//! Turns of writes whose consequences reach other resources: some may go side by side, others go alone.
//!
//! Sums go up: a line's write locks its invoice, that of the invoice its customer; two such writes lock in one order.
//! So do rules: what `default`, `required` and `validate` read of other resources is locked from the resource on,
//! before it is read (`hold`), and nobody changes it until the write ends.
//!
//! What a resource gives to all that refer to it goes down, against that order, and to rows that others may be about to
//! make. So a write that may go down goes alone among the writes of a store that are connected like this, and all others
//! go side by side: what their calculations read without a lock is changed by writes that go down alone.
//!
//! What a rule looks for by itself (`query()`) are rows that may not be there yet, and no lock holds those. So a write
//! with such a rule goes alone, too, among all writes of the store; and so does one whose preset does that, or whose
//! precondition compares what was found so.
//!
//! Grants, presets and preconditions may look at other rows (`ForeignReads`), which are locked as those of rules are; in
//! which order, no type tells. Such writes take a turn among the others, so that they go one by one where some met in a
//! deadlock. Other writes take no turn.
//!
//! A grant that gives values is tried first, and the locks of a trial go with it (`presets`). Where others may have come
//! between the trial and its write, that runs again with the store to itself.

use super::foreign_reads::ForeignReads;
use super::hold;
use context::actor::Allowed;
use database::Tx;
use model::error::Result;
use model::references::IncomingRelation;
use model::types::{Model, ResourceType, TypeRules};

/// Takes the turn of a write that makes a resource.
pub(super) fn to_create(tx: &mut Tx<'_>, allowed: &Allowed<'_>) -> Result<()> {
    let rules = allowed.resource_type.rules();
    let ruled = rules.watch_new() || rules.rest_on_others() || rules.read_others || rules.sought;
    let reads = ForeignReads::of_grants(allowed);
    if ruled || reads.any {
        tx.write_lock(rules.new_goes_down || rules.search || reads.searches)?;
    }
    Ok(())
}

/// Takes the turn of a write that may change fields of a resource.
pub(super) fn to_change(
    tx: &mut Tx<'_>,
    allowed: &Allowed<'_>,
    mut positions: impl Iterator<Item = usize>,
    reads: ForeignReads,
) -> Result<()> {
    let rules = allowed.resource_type.rules();
    if rules.take_turns() || reads.any {
        let alone = rules.search || reads.searches;
        tx.write_lock(alone || positions.any(|position| rules.goes_down.contains(&position)))?;
    }
    Ok(())
}

/// Takes the turn of a write of many resources.
pub fn to_change_many(tx: &mut Tx<'_>, of: &ResourceType) -> Result<()> {
    let rules = of.rules();
    if rules.take_turns() {
        // A write that looks for rows goes alone itself.
        tx.write_lock(rules.are_connected())?;
    }
    Ok(())
}

/// Takes the turn of a change of a resource's tags, by which rules may look for it.
pub fn to_tag(tx: &mut Tx<'_>, allowed: &Allowed<'_>) -> Result<()> {
    if allowed.resource_type.rules().sought || hold::follow_paths(allowed) {
        tx.write_lock(false)?;
    }
    Ok(())
}

/// Takes the turn of a deletion, which may take others with it and change those that stay.
pub(super) fn to_delete(
    tx: &mut Tx<'_>,
    model: &Model,
    references: &[IncomingRelation<'_>],
    type_id: i64,
    reads: ForeignReads,
) -> Result<()> {
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
    let types = || reached.iter().filter_map(|id| model.type_by_id(*id)).map(|of| of.rules());
    let connected = types().any(TypeRules::are_connected);
    if connected || reads.any || types().any(|rules| rules.sought) {
        tx.write_lock(connected || reads.searches)?;
    }
    Ok(())
}
