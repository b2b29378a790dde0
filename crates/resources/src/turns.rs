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
use super::{hold, presets};
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use model::references::{IncomingRelation, references};
use model::types::{Model, ResourceAction, ResourceType, TypeRules};

/// The turn that a write takes among the writes of its store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum WriteTurn {
    /// It takes none.
    #[default]
    Free,
    /// It goes beside others.
    Beside,
    /// It goes alone.
    Alone,
}

impl WriteTurn {
    fn of(taken: bool, alone: bool) -> Self {
        match (taken, alone) {
            (false, _) => WriteTurn::Free,
            (true, false) => WriteTurn::Beside,
            (true, true) => WriteTurn::Alone,
        }
    }

    /// Takes the turn. It comes before the locks on rows.
    pub fn take(self, tx: &mut Tx<'_>) -> Result<()> {
        match self {
            WriteTurn::Free => Ok(()),
            turn => Ok(tx.write_lock(turn == WriteTurn::Alone)?),
        }
    }
}

/// Returns the turn of one of several writes in a transaction, which takes the last of all turns at its start. A write
/// that the caller has no right to takes none. `names` tells the properties that a change names; `whole` says that the
/// resource is compared with what the caller saw.
pub fn ahead(
    request: &RequestContext,
    collection: &str,
    action: ResourceAction,
    names: &dyn Fn(&str) -> bool,
    whole: bool,
) -> WriteTurn {
    let Ok(allowed) = request.actor.allowed(&request.model, collection, action) else { return WriteTurn::Free };
    let named = |position: usize| names(&allowed.resource_type.fields[position].name);
    let reads = ForeignReads::of_named(&allowed, whole, &named);
    match action {
        ResourceAction::Show => WriteTurn::Free,
        ResourceAction::Create => of_create(&allowed),
        ResourceAction::Edit => {
            let positions = (0..allowed.resource_type.fields.len()).filter(|position| named(*position));
            of_change(&allowed, positions.chain(presets::positions(&allowed)), reads)
        }
        ResourceAction::Delete => {
            let references = references(&request.model);
            of_delete(&request.model, &references, allowed.resource_type.id, reads)
        }
    }
}

/// Takes the turn of a write that makes a resource.
pub(super) fn to_create(tx: &mut Tx<'_>, allowed: &Allowed<'_>) -> Result<()> {
    of_create(allowed).take(tx)
}

fn of_create(allowed: &Allowed<'_>) -> WriteTurn {
    let rules = allowed.resource_type.rules();
    let ruled = rules.watch_new() || rules.rest_on_others() || rules.read_others || rules.sought;
    let reads = ForeignReads::of_grants(allowed);
    WriteTurn::of(ruled || reads.any, rules.new_goes_down || rules.search || reads.searches)
}

/// Takes the turn of a write that may change fields of a resource.
pub(super) fn to_change(
    tx: &mut Tx<'_>,
    allowed: &Allowed<'_>,
    positions: impl Iterator<Item = usize>,
    reads: ForeignReads,
) -> Result<()> {
    of_change(allowed, positions, reads).take(tx)
}

fn of_change(allowed: &Allowed<'_>, mut positions: impl Iterator<Item = usize>, reads: ForeignReads) -> WriteTurn {
    let rules = allowed.resource_type.rules();
    let taken = rules.take_turns() || reads.any;
    let mut alone = || rules.search || reads.searches || positions.any(|position| rules.goes_down.contains(&position));
    WriteTurn::of(taken, taken && alone())
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
    of_delete(model, references, type_id, reads).take(tx)
}

fn of_delete(model: &Model, references: &[IncomingRelation<'_>], type_id: i64, reads: ForeignReads) -> WriteTurn {
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
    let taken = connected || reads.any || types().any(|rules| rules.sought);
    WriteTurn::of(taken, connected || reads.searches)
}
