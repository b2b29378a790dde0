//! Consequences of a write. Resources whose stored values rest on what was written are calculated anew, in the same
//! transaction, until nothing differs any more.
//!
//! The model says which fields are watched, and by which way those that rest on them are found. Values are calculated
//! in stages: what rests on other resources is of a later stage than what it rests on there. So the earliest stage that
//! waits is always next, and nothing is calculated twice for one write.

use super::differences::RollupDifferences;
use super::record::Record;
use super::relations::targets;
use super::{settle, store, summary};
use context::audit::RequestChannel;
use context::counter;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::references::IncomingRelation;
use model::types::{DependencyPath, FieldWatcher, ResourceType, TypeRules};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most other resources that a request may have calculated anew. Commands have no such limit.
const MOST: usize = 10_000;

/// The most resources that are in memory at once.
const BATCH: usize = 500;

/// A way to those that refer to a resource: the types and the positions of their relations.
type RelationHops = Vec<(i64, usize)>;

/// Resources by type.
type TypeIds = BTreeMap<i64, BTreeSet<i64>>;

/// Writes whose consequences are still to be drawn.
#[derive(Default)]
pub struct WritePropagation {
    /// Resources to be calculated anew, by stage and type.
    waiting: BTreeMap<(u32, i64), BTreeSet<i64>>,
    /// Resources from which ways lead to such.
    sources: BTreeMap<(u32, i64, RelationHops), BTreeSet<i64>>,
    /// Effects of the writes on rollups.
    differences: RollupDifferences,
    /// Those that differ, by type.
    changed: TypeIds,
    done: usize,
    /// True if what differs is nobody's change, and makes no version.
    silent: bool,
}

/// Draws the consequences of one write, and notes what changed of which type: `rows` came with it or went. Gives the
/// resource as it is then.
pub(super) fn follow(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    old: Option<&Record>,
    new: Record,
    rows: i64,
) -> Result<Record> {
    let id = new.id()?;
    let mut ripple = WritePropagation::default();
    ripple.note(tx, request, of, [old.map(|old| old.values.as_slice()), Some(&new.values)])?;
    let changed = ripple.end(tx, request, BTreeMap::from([(of.id, rows)]))?;
    match changed.get(&of.id).is_some_and(|ids| ids.contains(&id)) {
        true => Record::lock_all(tx, of, &[id])?.pop().ok_or_else(|| Error::failed("a row went while it was locked")),
        false => Ok(new),
    }
}

impl WritePropagation {
    /// Returns the consequences of a change that is nobody's.
    pub(super) fn of_nobody() -> Self {
        WritePropagation { silent: true, ..WritePropagation::default() }
    }

    /// Returns the consequences of changes of which some may be in totals already: rollups are made anew.
    pub(super) fn of_all() -> Self {
        WritePropagation { differences: RollupDifferences::anew(), ..WritePropagation::default() }
    }

    /// Adds what was noted of writes that came later.
    pub fn join(&mut self, later: WritePropagation) {
        for (place, ids) in later.waiting {
            self.waiting.entry(place).or_default().extend(ids);
        }
        for (way, ids) in later.sources {
            self.sources.entry(way).or_default().extend(ids);
        }
        self.differences.join(later.differences);
    }

    /// Notes a resource that came, changed or went: its values before and now. Each change is noted once.
    pub fn note(
        &mut self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        of: &Arc<ResourceType>,
        [old, new]: [Option<&[StoredValue]>; 2],
    ) -> Result<()> {
        let Some(StoredValue::One(Value::Integer(id))) = old.or(new).and_then(<[StoredValue]>::first) else {
            return Ok(());
        };
        for watcher in &of.rules().watchers {
            let differs = |position: &usize| match (old, new) {
                (Some(old), Some(new)) => old[*position] != new[*position],
                _ => true,
            };
            if watcher.changed.iter().any(differs) {
                self.wake(watcher, *id, [old, new]);
                self.differences.note(tx, request, of, watcher, [old, new])?;
            }
        }
        self.wake_conditional(of, *id, [old, new]);
        Ok(())
    }

    /// A rollup that comes to apply, or to apply no more, follows what its condition mentions.
    fn wake_conditional(&mut self, of: &ResourceType, id: i64, [old, new]: [Option<&[StoredValue]>; 2]) {
        let (Some(old), Some(new)) = (old, new) else { return };
        let rules = of.rules();
        for rollup in &rules.rollups {
            let condition = TypeRules::about(&rules.conditions, rollup.position);
            if condition
                .is_some_and(|condition| condition.mentions.iter().any(|mention| old[*mention] != new[*mention]))
            {
                self.waiting.entry((rules.stage(rollup.position), of.id)).or_default().insert(id);
            }
        }
    }

    fn wake(&mut self, watcher: &FieldWatcher, id: i64, [old, new]: [Option<&[StoredValue]>; 2]) {
        let FieldWatcher { way, type_id, stage, .. } = watcher;
        match way {
            DependencyPath::Itself if new.is_some() => {
                _ = self.waiting.entry((*stage, *type_id)).or_default().insert(id)
            }
            DependencyPath::Targets(position) => {
                let values = [old, new].into_iter().flatten().filter_map(|values| values.get(*position));
                let ids: Vec<i64> = values.flat_map(targets).collect();
                if !ids.is_empty() {
                    self.waiting.entry((*stage, *type_id)).or_default().extend(ids);
                }
            }
            // Nothing leads to what is new, or refers to what went.
            DependencyPath::Owners(hops) if old.is_some() && new.is_some() => {
                self.sources.entry((*stage, *type_id, hops.clone())).or_default().insert(id);
            }
            DependencyPath::Itself | DependencyPath::Owners(_) => {}
        }
    }

    /// Calculates all that waits, and notes the changes of types in their order, so that no two writes wait for each
    /// other. `rows` is how many rows types gained or lost. Gives the resources that were changed by this.
    pub fn end(mut self, tx: &mut Tx<'_>, request: &RequestContext, mut rows: BTreeMap<i64, i64>) -> Result<TypeIds> {
        self.run(tx, request)?;
        for type_id in self.changed.keys() {
            rows.entry(*type_id).or_insert(0);
        }
        rows.into_iter().try_for_each(|(type_id, rows)| counter::changed(tx, type_id, rows))?;
        Ok(self.changed)
    }

    fn run(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<()> {
        loop {
            while let Some(((stage, type_id, hops), ids)) = self.sources.pop_first() {
                let found = walk(tx, request, &hops, ids)?;
                if !found.is_empty() {
                    self.waiting.entry((stage, type_id)).or_default().extend(found);
                }
            }
            let Some(((stage, type_id), ids)) = self.waiting.pop_first() else { return Ok(()) };
            let Some(of) = request.model.type_by_id(type_id) else { continue };
            self.done += ids.len();
            refuse_more(request, self.done)?;
            let ids: Vec<i64> = ids.into_iter().collect();
            for batch in ids.chunks(BATCH) {
                self.calculate(tx, request, of, stage, batch)?;
            }
        }
    }

    fn calculate(
        &mut self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        of: &Arc<ResourceType>,
        stage: u32,
        ids: &[i64],
    ) -> Result<()> {
        let records = Record::lock_all(tx, of, ids)?;
        let sums = summary::sums(tx, request, of, &records, Some(stage), Some(&mut self.differences))?;
        let all = settle::recalculated(tx, request, of, &records, Some(stage), &sums)?;
        for (old, changed) in records.iter().zip(all).filter(|(_, changed)| !changed.is_empty()) {
            let id = old.id()?;
            // What comes of one write is one version, however many stages it goes through.
            let first = self.changed.entry(of.id).or_default().insert(id);
            let new = match first && !self.silent {
                true => store::update_one_of_many(tx, request, of, old, changed)?,
                false => store::put_calculated(tx, request, of, old, changed)?,
            };
            // Others may rest on it.
            self.note(tx, request, of, [Some(&old.values), Some(&new.values)])?;
            self.changed_one(of, id, stage, old, &new);
        }
        Ok(())
    }

    /// Notes a resource that was calculated anew: later stages of its own may rest on it.
    fn changed_one(&mut self, of: &ResourceType, id: i64, stage: u32, old: &Record, new: &Record) {
        let rules = of.rules();
        for (position, later) in rules.order.iter().zip(&rules.stages).filter(|(_, later)| **later > stage) {
            let about = rules.calculations.iter().chain(&rules.conditions).filter(|rule| rule.position == *position);
            let mut mentions = about.flat_map(|rule| &rule.mentions);
            if mentions.any(|mention| old.values[*mention] != new.values[*mention]) {
                self.waiting.entry((*later, of.id)).or_default().insert(id);
            }
        }
    }
}

/// Those that a way leads to, step by step.
fn walk(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    hops: &[(i64, usize)],
    from: BTreeSet<i64>,
) -> Result<BTreeSet<i64>> {
    let mut here = from;
    for (type_id, position) in hops {
        let Some(owner) = request.model.type_by_id(*type_id) else { return Ok(BTreeSet::new()) };
        let Some(reference) = IncomingRelation::of(owner, &owner.fields[*position]) else { return Ok(BTreeSet::new()) };
        let ids: Vec<i64> = here.into_iter().collect();
        let mut found = BTreeSet::new();
        for batch in ids.chunks(BATCH) {
            found.extend(reference.owners(tx, batch, None)?);
            refuse_more(request, found.len())?;
        }
        here = found;
    }
    Ok(here)
}

fn refuse_more(request: &RequestContext, count: usize) -> Result<()> {
    let is_request = matches!(request.source.via, RequestChannel::Api | RequestChannel::Page);
    if count <= MOST || !is_request {
        return Ok(());
    }
    let message = format!(
        "The write would recalculate more than {MOST} other resources. Use plinth import, which has no \
         such limit."
    );
    Err(Error::conflict("recalculation_too_large", message))
}
