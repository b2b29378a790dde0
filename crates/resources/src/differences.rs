//! Effects that changes of resources have on the rollups of others: the values that come to a total or go from it.

use super::relations::targets;
use super::totals::{self, RollupTotal};
use crate::expressions::{Parts, PlatformProviders, Reading, holds};
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use database::{Tx, Value};
use model::error::Result;
use model::kinds::{RelationSide, StoredValue};
use model::types::{DependencyPath, FieldWatcher, ResourceType, RollupSummary};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The most values of one rollup that may come and go one by one. Beyond, it is made of all of them anew.
const MOST: usize = 1_000;

/// A rollup of a resource: the ids of its type and of the resource, and the position of the field.
type RollupPlace = (i64, i64, usize);

/// Effects that changes of resources had on rollups of others.
#[derive(Debug, Default)]
pub(super) struct RollupDifferences {
    of: HashMap<RollupPlace, RollupDifference>,
    /// True if nothing is known but which rollups are concerned.
    anew: bool,
}

/// Effect on one rollup.
#[derive(Debug)]
pub(super) enum RollupDifference {
    /// So much that it is made anew.
    Anew,
    /// This.
    By(ValueChange),
}

/// Values that came to a rollup and went from it.
#[derive(Debug, Default)]
pub(super) struct ValueChange {
    /// Total of the values that came, less that of the values that went.
    pub total: RollupTotal,
    /// By the other resource, where single values matter: the value that was counted before, and that which is now.
    pub moved: BTreeMap<i64, (Option<Value>, Option<Value>)>,
}

impl RollupDifferences {
    /// Notes of which rollups are concerned, and no more.
    pub(super) fn anew() -> Self {
        RollupDifferences { anew: true, ..RollupDifferences::default() }
    }

    /// Takes what was done to a rollup.
    pub(super) fn take(&mut self, of: i64, id: i64, position: usize) -> Option<RollupDifference> {
        self.of.remove(&(of, id, position))
    }

    /// Adds those of changes that came later.
    pub(super) fn join(&mut self, later: RollupDifferences) {
        for (place, difference) in later.of {
            let Some(known) = self.of.get_mut(&place) else {
                self.of.insert(place, difference);
                continue;
            };
            match (&mut *known, difference) {
                (RollupDifference::By(before), RollupDifference::By(after)) => before.join(after),
                (known, _) => *known = RollupDifference::Anew,
            }
            known.bound();
        }
    }

    /// Notes what a resource that came, changed or went does to the rollups behind a watcher.
    pub(super) fn note(
        &mut self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        of: &Arc<ResourceType>,
        watcher: &FieldWatcher,
        change: [Option<&[StoredValue]>; 2],
    ) -> Result<()> {
        let Some(target) = request.model.type_by_id(watcher.type_id) else { return Ok(()) };
        let rules = target.rules();
        let concerned = |summary: &&RollupSummary| {
            let led = watcher.way == DependencyPath::Targets(summary.relation) && summary.side == RelationSide::Others;
            led && summary.of == of.id && rules.stage(summary.position) == watcher.stage
        };
        for summary in rules.rollups.iter().filter(concerned) {
            let listed = totals::values_of(&target.fields[summary.position]).is_some();
            let mut of_values = |values: Option<&[StoredValue]>| match values {
                Some(values) => part(tx, request, of, summary, values),
                None => Ok(None),
            };
            let parts = [of_values(change[0])?, of_values(change[1])?];
            if parts[0] == parts[1] && !self.anew {
                continue;
            }
            for (part, came) in parts.into_iter().zip([false, true]) {
                let Some(part) = part else { continue };
                for id in part.targets {
                    let place = (watcher.type_id, id, summary.position);
                    let first = || {
                        if self.anew { RollupDifference::Anew } else { RollupDifference::By(ValueChange::default()) }
                    };
                    let known = self.of.entry(place).or_insert_with(first);
                    if let RollupDifference::By(change) = known {
                        change.total.add(&part.value, came);
                        if listed {
                            change.put(part.other, part.value.clone(), came);
                        }
                    }
                    known.bound();
                }
            }
        }
        Ok(())
    }
}

impl RollupDifference {
    /// Gives up on single values where they are too many.
    fn bound(&mut self) {
        if matches!(self, RollupDifference::By(change) if change.moved.len() > MOST) {
            *self = RollupDifference::Anew;
        }
    }
}

impl ValueChange {
    fn put(&mut self, other: i64, value: Value, came: bool) {
        let (before, now) = self.moved.entry(other).or_default();
        match (came, &now) {
            (true, _) => *now = Some(value),
            // It came only just.
            (false, Some(_)) => *now = None,
            (false, None) => *before = Some(value),
        }
    }

    fn join(&mut self, later: ValueChange) {
        self.total += &later.total;
        for (other, (before, now)) in later.moved {
            self.moved.entry(other).or_insert((before, None)).1 = now;
        }
    }
}

/// Contribution of a resource to rollups.
#[derive(PartialEq)]
struct RollupPart {
    other: i64,
    targets: HashSet<i64>,
    value: Value,
}

/// Returns the part that a resource with these values adds to rollups of the resources that it refers to; none where it
/// does not count.
fn part(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    summary: &RollupSummary,
    values: &[StoredValue],
) -> Result<Option<RollupPart>> {
    let targets: HashSet<i64> = targets(&values[summary.relation]).collect();
    let value = match summary.property.map(|position| &values[position]) {
        Some(StoredValue::One(value)) => value.clone(),
        Some(StoredValue::Many(_)) => Value::Null,
        // It is counted itself.
        None => Value::Boolean(true),
    };
    let Some(StoredValue::One(Value::Integer(other))) = values.first() else { return Ok(None) };
    if targets.is_empty() || value.is_null() {
        return Ok(None);
    }
    if let Some(program) = &summary.program {
        let zone = &request.model.settings.timezone;
        let providers = PlatformProviders::in_zone(tx, request, zone, Reading::Look, Parts::CONFIGURATION);
        let resource = StoredResource::new(&request.model, of, values.to_vec(), zone).into_value();
        // One that fails does not hold.
        if !holds(&providers, program, resource)?.unwrap_or(false) {
            return Ok(None);
        }
    }
    Ok(Some(RollupPart { other: *other, targets, value }))
}
