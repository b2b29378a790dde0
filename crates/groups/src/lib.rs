//! Groups of a collection: a request becomes a plan (`plan`), the plan becomes statements (`statement`), their rows become
//! cells (`cell`), and those are chosen, sorted and written here.
//!
//! All groups are fetched, within a limit, and sorted here: so exact sums and averages sort and compare alike on both
//! engines, and periods without rows can be added.

mod buckets;
mod cell;
mod check;
mod columns;
pub mod float_sum;
mod gather;
mod having;
mod kept;
mod members;
mod owners;
mod pivot;
mod plan;
mod statement;

pub use cell::ColumnForm;
pub use check::{GroupColumn, columns, faults};
pub use owners::{OwnerTotals, OwnerValues};
pub use pivot::{Pivot, PivotColumns, PivotSeries, pivot};
pub use plan::AggregatePlan;

use buckets::Buckets;
use cell::Cell;
use columns::PlannedKey;
use context::request_context::RequestContext;
use context::versions::{self, TypeVersions};
use database::{Row, Tx, ValueRef};
use gather::GatheredGroups;
use kept::{KeptGroups, MOST_TEXT, too_many};
use model::error::Result;
use model::kinds::json;
use model::types::ResourceAction;
use query::aggregate_request::AggregateRequest;
use query::condition::Condition;
use query::path::TypeAccess;
use query::read_query::ReadResult;
use statement::GroupStatement;
use std::cmp::Ordering;

/// The most groups that may be there once periods without rows are added.
const MOST_FILLED: usize = 10_000;

/// Returns the ids of the types that groups rest on.
pub type TypesOfGroups = fn(&AggregatePlan<'_>) -> Vec<i64>;

/// Groups the rows of a collection that the caller may list, as an answer. Where it is to be kept, it tells the versions
/// of the types that it rests on.
pub fn answer(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    asked: &AggregateRequest,
    kept_by: Option<TypesOfGroups>,
) -> Result<ReadResult> {
    let plan = plan(request, collection, asked)?;
    let types = kept_by.map(|types| types(&plan)).unwrap_or_default();
    let found = FoundGroups::read(tx, request, &plan, &types)?;
    let versions = found.versions.clone();
    let body = found.arrange(tx, &plan)?.write(request, &plan);
    Ok(ReadResult {
        body: body.into(),
        empty: false,
        logged: plan.types().any(context::reads::logged),
        versions: (kept_by.is_some() && !plan.timed).then_some(versions),
        omitted: Vec::new(),
    })
}

/// The plan of a caller's request.
fn plan<'m>(request: &'m RequestContext, collection: &str, asked: &AggregateRequest) -> Result<AggregatePlan<'m>> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let tags = asked.tags.as_ref().map(|tags| tags.condition(request, allowed.resource_type)).transpose()?;
    AggregatePlan::new(&TypeAccess::new(request, allowed), asked, tags.map(Condition::Tagged))
}

/// The groups of a plan as the database has them.
struct FoundGroups {
    groups: Vec<Vec<Cell>>,
    totals: Option<Vec<Cell>>,
    /// The periods of each key; none where it has no calendar.
    buckets: Vec<Buckets>,
    versions: TypeVersions,
}

impl FoundGroups {
    /// Reads the groups, and notes that where reads are logged.
    fn read(tx: &mut Tx<'_>, request: &RequestContext, plan: &AggregatePlan<'_>, types: &[i64]) -> Result<Self> {
        plan.types().try_for_each(|resource_type| request.reads.begin_type(resource_type))?;
        let found = Self::fetch(tx, plan, types)?;
        plan.types().for_each(|resource_type| request.reads.note_groups(resource_type));
        Ok(found)
    }

    fn fetch(tx: &mut Tx<'_>, plan: &AggregatePlan<'_>, types: &[i64]) -> Result<Self> {
        let statement = GroupStatement::new(plan, tx.sql());
        let has_periods = plan.keys.iter().any(|key| key.calendar.is_some());
        if has_periods || plan.totals {
            tx.snapshot()?;
        }
        let mut versions = TypeVersions::default();
        let mut buckets: Vec<Buckets> = plan.keys.iter().map(|_| Buckets::default()).collect();
        if has_periods {
            let mut sql = tx.sql();
            statement.ranges(&mut sql);
            let mut ranges = Vec::new();
            versions = versions::ahead(tx, types, &[&sql], &mut |_, row| {
                ranges = read_ranges(&plan.keys, row)?;
                Ok(())
            })?;
            for (place, first, last) in ranges {
                let calendar = plan.keys[place].calendar.as_ref();
                buckets[place] =
                    calendar.map(|calendar| calendar.between(first, last)).transpose()?.unwrap_or_default();
            }
        }
        let (mut groups_sql, mut totals_sql) = (tx.sql(), tx.sql());
        let is_counted = statement.counted(&mut groups_sql, true);
        let gathers = !is_counted && groups_sql.groups_by_sorting() && gather::suits(plan);
        let mut gathered = gathers.then(|| GatheredGroups::new(plan));
        match gathered {
            _ if is_counted => {}
            Some(_) => statement.ungrouped(&mut groups_sql, &buckets),
            None => statement.groups(&mut groups_sql, &buckets, true),
        }
        let mut statements = vec![&groups_sql];
        if plan.totals {
            if !statement.counted(&mut totals_sql, false) {
                statement.groups(&mut totals_sql, &buckets, false);
            }
            statements.push(&totals_sql);
        }
        let mut kept = KeptGroups::default();
        let mut totals = None;
        let types = if has_periods { &[] } else { types };
        let now = versions::ahead(tx, types, &statements, &mut |statement, row| {
            match (statement, &mut gathered) {
                (0, Some(gathered)) => gathered.row(row)?,
                (0, None) if kept.is_full() => {}
                (0, None) => kept.add(cell::read(&plan.keys, &plan.values, row)?, 0),
                _ => totals = Some(cell::read(&[], &plan.values, row)?),
            }
            Ok(())
        })?;
        if !has_periods {
            versions = now;
        }
        let kept = gathered.map_or(kept, GatheredGroups::finish);
        Ok(FoundGroups { groups: kept.take()?, totals, buckets, versions })
    }

    /// Adds periods, chooses the groups for which the conditions hold, and sorts them.
    fn arrange(mut self, tx: &Tx<'_>, plan: &AggregatePlan<'_>) -> Result<Self> {
        if plan.fill {
            self.fill(plan)?;
        }
        if !plan.having.is_empty() {
            self.groups = chosen(tx, plan, std::mem::take(&mut self.groups), &self.buckets)?;
        }
        tx.check_deadline()?;
        self.groups.sort_by(|one, other| compare(&plan.order, one, other));
        Ok(self)
    }

    /// Writes the groups of the page.
    fn write(&self, request: &RequestContext, plan: &AggregatePlan<'_>) -> Vec<u8> {
        let (forms, context, none) =
            (cell::forms(&plan.keys, &plan.values), request.answer_context(), Buckets::default());
        let write = |cells: &[Cell], column: usize, out: &mut Vec<u8>| {
            cells[column].write(&forms[column], self.buckets.get(column).unwrap_or(&none), &context, out);
        };
        let total = self.groups.len();
        let from = usize::try_from((plan.page - 1).saturating_mul(plan.per_page)).unwrap_or(usize::MAX).min(total);
        let page = &self.groups[from..total.min(from.saturating_add(plan.per_page as usize))];
        let mut out = Vec::with_capacity(128 + page.len() * 64);
        write_stats(&mut out, plan, page.len(), total);
        let names = plan.names();
        for (index, cells) in page.iter().enumerate() {
            out.push(if index == 0 { b'[' } else { b',' });
            write_object(&mut out, &names, |column, out| write(cells, column, out));
        }
        out.extend_from_slice(if page.is_empty() { b"[]" } else { b"]" });
        if let Some(totals) = &self.totals {
            out.extend_from_slice(b",\"totals\":");
            let keys = plan.keys.len();
            write_object(&mut out, &names[keys..], |column, out| {
                totals[column].write(&forms[keys + column], &none, &context, out);
            });
        }
        out.push(b'}');
        out
    }

    /// Adds the periods without rows between the first and the last, for each combination of the other keys.
    fn fill(&mut self, plan: &AggregatePlan<'_>) -> Result<()> {
        let Some(period) = plan.keys.iter().position(|key| key.calendar.is_some()) else { return Ok(()) };
        let others: Vec<(usize, bool)> =
            (0..plan.keys.len()).filter(|key| *key != period).map(|key| (key, false)).collect();
        let order: Vec<(usize, bool)> = others.iter().copied().chain([(period, false)]).collect();
        self.groups.sort_by(|one, other| compare(&order, one, other));
        let periods = self.buckets[period].count();
        check_filled(self.groups.chunk_by(|one, other| compare(&others, one, other).is_eq()), periods)?;
        let empty: Vec<Cell> =
            plan.values.iter().map(|value| cell::empty(value.function, cell::is_float(value))).collect();
        let mut filled: Vec<Vec<Cell>> = Vec::with_capacity(self.groups.len());
        for run in self.groups.chunk_by(|one, other| compare(&others, one, other).is_eq()) {
            let mut left = run.iter().peekable();
            for number in 1..=periods {
                let own = left.next_if(|group| group[period] == Cell::Exact(number as i128));
                filled.push(own.cloned().unwrap_or_else(|| {
                    let mut cells: Vec<Cell> = run[0][..plan.keys.len()].to_vec();
                    cells[period] = Cell::Exact(number as i128);
                    cells.extend(empty.iter().cloned());
                    cells
                }));
            }
            // Rows without a date.
            filled.extend(left.cloned());
        }
        self.groups = filled;
        Ok(())
    }
}

/// Chooses the groups for which the conditions hold.
fn chosen(
    tx: &Tx<'_>,
    plan: &AggregatePlan<'_>,
    groups: Vec<Vec<Cell>>,
    buckets: &[Buckets],
) -> Result<Vec<Vec<Cell>>> {
    let mut chosen = Vec::new();
    for (index, cells) in groups.into_iter().enumerate() {
        if index % 256 == 0 {
            tx.check_deadline()?;
        }
        if plan.having.holds(&cells, buckets) {
            chosen.push(cells);
        }
    }
    Ok(chosen)
}

/// Reads the ranges of keys with calendars: the place of the key, and its least and greatest value.
fn read_ranges(keys: &[PlannedKey<'_>], row: &Row<'_>) -> database::Result<Vec<(usize, i64, i64)>> {
    let mut ranges = Vec::new();
    let mut column = 0;
    for (place, key) in keys.iter().enumerate() {
        let Some(calendar) = &key.calendar else { continue };
        let value = |column: usize| -> database::Result<Option<i64>> {
            Ok(match row.get(column, calendar.column())? {
                ValueRef::Timestamp(value) => Some(value),
                ValueRef::Date(value) => Some(value.into()),
                _ => None,
            })
        };
        if let (Some(first), Some(last)) = (value(column)?, value(column + 1)?) {
            ranges.push((place, first, last));
        }
        column += 2;
    }
    Ok(ranges)
}

fn compare(order: &[(usize, bool)], one: &[Cell], other: &[Cell]) -> Ordering {
    for (column, descending) in order {
        let ordering = cell::order(&one[*column], &other[*column]);
        if ordering.is_ne() {
            return if *descending { ordering.reverse() } else { ordering };
        }
    }
    Ordering::Equal
}

fn write_stats(out: &mut Vec<u8>, plan: &AggregatePlan<'_>, fetched: usize, total: usize) {
    let stats = [
        (&b"{\"stats\":{\"page\":"[..], plan.page),
        (b",\"itemsPerPage\":", plan.per_page),
        (b",\"fetched\":", fetched as u64),
        (b",\"total\":", total as u64),
    ];
    for (key, number) in stats {
        out.extend_from_slice(key);
        json::write_integer(out, i64::try_from(number).unwrap_or(i64::MAX));
    }
    out.extend_from_slice(b"},\"data\":");
}

fn write_object(out: &mut Vec<u8>, names: &[&str], write: impl Fn(usize, &mut Vec<u8>)) {
    out.push(b'{');
    for (column, name) in names.iter().enumerate() {
        if column > 0 {
            out.push(b',');
        }
        json::write_string(out, name);
        out.push(b':');
        write(column, out);
    }
    out.push(b'}');
}

/// Refuses to add periods without rows where there would be too many groups, or too many bytes of texts in them.
fn check_filled<'g>(runs: impl Iterator<Item = &'g [Vec<Cell>]>, periods: usize) -> Result<()> {
    let (mut groups, mut text) = (0_usize, 0_usize);
    for run in runs {
        groups = groups.saturating_add(periods + 1);
        let bytes: usize = run.first().into_iter().flatten().map(Cell::text_bytes).sum();
        text = text.saturating_add(bytes.saturating_mul(periods));
    }
    if groups > MOST_FILLED || text > MOST_TEXT {
        return Err(too_many(&format!(
            "With all periods there are more than {MOST_FILLED} groups, or more than 16 MiB of texts."
        )));
    }
    Ok(())
}
