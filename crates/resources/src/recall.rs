//! Lists out of what was remembered of them: how many rows a condition has, and which come where in an order.
//!
//! What costs in a list is to find, count and sort what matches; the page's own rows are fetched by their ids in no
//! time. So the ids of whole windows of a list are remembered once it turns out that several of its pages are asked
//! for between two changes. Everything that is remembered names the versions of the types that it rests on.

use super::approach::RowEstimate;
use super::list::{self, FetchedRows};
use super::plan::ListPlan;
use super::sparing::LargeRows;
use super::touched::TouchedTypes;
use super::{expand, gather, output, select, tally};
use context::request_context::RequestContext;
use context::versions;
use context::versions::TypeVersions;
use database::{Sql, Tx};
use model::error::Result;
use std::sync::Arc;
use tenant::cache::{Order, Part, Parts};

/// Number of rows of a window, about: whole pages.
const WINDOW: i64 = 1_000;

/// Rows that are remembered together, of which a page is a part.
struct IdWindow {
    start: i64,
    length: i64,
}

/// Fetches a page, out of what is remembered where that still holds.
pub(super) fn fetch(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    plan: &ListPlan<'_>,
    parts: &Parts<'_>,
) -> Result<FetchedRows> {
    let types = TouchedTypes::by_list(plan);
    if plan.selection.expands() {
        tx.snapshot()?;
    }
    let counting = CachedTotal::new(tx, plan, parts);
    let Some(window) = IdWindow::of(plan) else { return counting.page(tx, call, plan, parts, &types) };
    let order = window.statement(tx, plan, None).identity();
    let kept = parts.order(&order);
    let mut current = TypeVersions::known(tx, &types)?;
    if let Some(kept) = &kept
        && let Some(found) = window.remembered(tx, call, plan, kept, &mut current, &types)?
    {
        return Ok(found);
    }
    if window_pays(tx, kept.as_deref(), &mut current, &types)? {
        let turn = parts.turn(&order);
        if turn.is_none() {
            // Another looked for it meanwhile.
            current = TypeVersions::known(tx, &types)?;
            if let Some(kept) = parts.order(&order)
                && let Some(found) = window.remembered(tx, call, plan, &kept, &mut current, &types)?
            {
                return Ok(found);
            }
        }
        let known = (&counting, current.as_ref(), kept.and_then(|kept| kept.row_bytes));
        if let Some(found) = window.fetch(tx, call, plan, parts, known, &types)? {
            return Ok(found);
        }
    }
    let found = counting.page(tx, call, plan, parts, &types)?;
    parts.keep_order(order, Order::asked(found.versions.of(&TouchedTypes::by_order(plan)), found.row_bytes()));
    Ok(found)
}

/// Returns true if pages of a window were asked for more than once between two changes, so that they will be again.
fn window_pays(
    tx: &mut Tx<'_>,
    kept: Option<&Order>,
    current: &mut Option<TypeVersions>,
    types: &[i64],
) -> Result<bool> {
    let Some(kept) = kept else { return Ok(false) };
    if kept.served() {
        return Ok(true);
    }
    if current.is_none() {
        *current = Some(TypeVersions::read(tx, types)?);
    }
    Ok(kept.ids.is_none() && current.as_ref().is_some_and(|current| kept.versions.hold(current)))
}

/// The rows with those ids, in that order, without those that are too large for a list, and the versions as of
/// afterwards. There are none where the types changed meanwhile: the rows might not be those of the list any more.
#[expect(clippy::too_many_arguments, reason = "the parts of a page that is remembered")]
fn rows(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    plan: &ListPlan<'_>,
    ids: &[i64],
    row_bytes: Option<usize>,
    total: i64,
    types: &[i64],
) -> Result<(Option<FetchedRows>, TypeVersions)> {
    let known = TypeVersions::known(tx, types)?;
    let statement = TypeVersions::statement(tx, types);
    let mut asked = TypeVersions::unread(types);
    let mut rows = gather::spool(call, plan);
    let mut sparing = plan.sparing.then(LargeRows::default);
    let (mut rest, mut fetched) = (ids, 0);
    let mut at_once = gather::at_once(row_bytes);
    if ids.len() > at_once {
        // All parts are of one moment.
        tx.snapshot()?;
    }
    loop {
        let (part, after) = rest.split_at(at_once.min(rest.len()));
        rest = after;
        let mut take = |row: &database::Row<'_>| asked.take(row);
        let behind = (known.is_none() && rest.is_empty()).then_some((&statement, &mut take as _));
        let mut expanded = expand::read(tx, call, &plan.selection, part.to_vec(), sparing.take(), behind)?;
        sparing = expanded.sparing.take();
        output::refuse_more(rows.len() + expanded.bytes())?;
        for id in part.iter().filter(|id| !expanded.is_large(**id)) {
            let Some(row) = expanded.get(*id) else {
                let versions = if rest.is_empty() { known.unwrap_or(asked) } else { TypeVersions::read(tx, types)? };
                return Ok((None, versions));
            };
            fetched += 1;
            if !rows.is_empty() {
                rows.write(b",")?;
            }
            rows.write(row)?;
        }
        if rest.is_empty() {
            break;
        }
        at_once = gather::at_once(Some(expanded.bytes() / part.len().max(1)));
    }
    let versions = known.unwrap_or(asked);
    let found = FetchedRows { rows, fetched, total, all: 0, often: false, versions: versions.clone(), sparing };
    Ok((Some(found), versions))
}

impl IdWindow {
    /// The window of the plan's page; none where the rows come by their ids, which needs no remembering.
    fn of(plan: &ListPlan<'_>) -> Option<Self> {
        let by_id = plan.order.first().is_some_and(|key| key.decides());
        if (by_id && plan.condition.is_none()) || plan.per_page > WINDOW {
            return None;
        }
        let length = WINDOW / plan.per_page * plan.per_page;
        Some(IdWindow { start: plan.offset - plan.offset % length, length })
    }

    /// Returns the statement that finds the ids, chosen for the number of expected rows. Without that number, its
    /// identity is the name of the ids.
    fn statement(&self, tx: &Tx<'_>, plan: &ListPlan<'_>, expected: Option<RowEstimate>) -> Sql {
        let mut sql = tx.sql();
        select::ids(&mut sql, plan, (self.length, self.start), expected);
        sql
    }

    /// The page's part of the ids.
    fn page<'i>(&self, plan: &ListPlan<'_>, ids: &'i [i64]) -> &'i [i64] {
        let from = usize::try_from(plan.offset - self.start).unwrap_or(usize::MAX).min(ids.len());
        let to = from.saturating_add(plan.per_page as usize).min(ids.len());
        &ids[from..to]
    }

    /// The page, out of ids that are remembered, where these hold; `current` are the versions as far as they are known.
    #[expect(clippy::too_many_arguments, reason = "the parts of a page that is remembered")]
    fn remembered(
        &self,
        tx: &mut Tx<'_>,
        call: &RequestContext,
        plan: &ListPlan<'_>,
        kept: &Order,
        current: &mut Option<TypeVersions>,
        types: &[i64],
    ) -> Result<Option<FetchedRows>> {
        let Some(ids) = &kept.ids else { return Ok(None) };
        if current.as_ref().is_some_and(|current| !kept.versions.hold(current)) {
            return Ok(None);
        }
        let (found, now) = rows(tx, call, plan, self.page(plan, ids), kept.row_bytes, kept.total, types)?;
        let found = found.filter(|found| kept.versions.hold(&found.versions));
        match &found {
            Some(_) => kept.serve(),
            None => *current = Some(now),
        }
        Ok(found)
    }

    /// Finds the ids, remembers them, and fetches the page; nothing where there was a change meanwhile.
    #[expect(clippy::too_many_arguments, reason = "the parts of a page that is remembered")]
    fn fetch(
        &self,
        tx: &mut Tx<'_>,
        call: &RequestContext,
        plan: &ListPlan<'_>,
        parts: &Parts<'_>,
        (counting, current, row_bytes): (&CachedTotal, Option<&TypeVersions>, Option<usize>),
        types: &[i64],
    ) -> Result<Option<FetchedRows>> {
        let statement = self.statement(tx, plan, counting.expected());
        let mut ids = Vec::new();
        let mut told = RowEstimate { matching: 0, all: 0, only: None, often: false };
        let known = counting.known(current);
        let statements = [&counting.statement, &statement];
        let first = usize::from(known.is_some());
        let versions = versions::ahead(tx, types, &statements[first..], &mut |statement, row| {
            match statement + first {
                0 => told = plan.told(&counting.statement, row)?,
                _ => ids.push(row.integer(0)?),
            }
            Ok(())
        })?;
        // What was known a moment ago is known still, unless there was a change: which is seen below.
        let total = known.unwrap_or(told.matching);
        let (found, now) = rows(tx, call, plan, self.page(plan, &ids), row_bytes, total, types)?;
        if now != versions || current.is_some_and(|current| *current != versions) {
            return Ok(None);
        }
        if known.is_none() {
            counting.keep(plan, parts, &versions, told);
        }
        let row_bytes = found.as_ref().and_then(FetchedRows::row_bytes).or(row_bytes);
        let order = Order::found(versions.of(&TouchedTypes::by_order(plan)), total, ids.into(), row_bytes);
        parts.keep_order(self.statement(tx, plan, None).identity(), order);
        Ok(found)
    }
}

/// Number of rows that match: the statement that counts them, and what is remembered of it.
struct CachedTotal {
    statement: Sql,
    /// The name under which it is remembered; none where writes keep the number anyway.
    name: Option<Vec<u8>>,
    kept: Option<Arc<Part>>,
}

impl CachedTotal {
    fn new(tx: &Tx<'_>, plan: &ListPlan<'_>, parts: &Parts<'_>) -> Self {
        let mut statement = tx.sql();
        select::total(&mut statement, plan);
        let counted = plan.condition.as_ref().is_none_or(tally::knows);
        let name = (!counted).then(|| statement.identity());
        let kept = name.as_ref().and_then(|name| parts.total(name));
        CachedTotal { statement, name, kept }
    }

    /// A page as it is without a window.
    fn page(
        self,
        tx: &mut Tx<'_>,
        call: &RequestContext,
        plan: &ListPlan<'_>,
        parts: &Parts<'_>,
        types: &[i64],
    ) -> Result<FetchedRows> {
        let mut rows = list::fetch(tx, call, plan, types, self.expected())?;
        match &self.kept {
            Some(kept) if kept.versions.hold(&rows.versions) => {
                rows.total = kept.total;
                return Ok(rows);
            }
            Some(_) => {
                tx.query(&self.statement, &mut |row| {
                    let told = plan.told(&self.statement, row)?;
                    (rows.total, rows.all, rows.often) = (told.matching, told.all, told.often);
                    Ok(())
                })?;
            }
            None => {}
        }
        let told = RowEstimate { matching: rows.total, all: rows.all, only: None, often: rows.often };
        self.keep(plan, parts, &rows.versions, told);
        Ok(rows)
    }

    /// Returns the remembered number, if it holds at these versions.
    fn known(&self, current: Option<&TypeVersions>) -> Option<i64> {
        let kept = self.kept.as_ref()?;
        kept.versions.hold(current?).then_some(kept.total)
    }

    /// About how many it is. Which resource is the only one is known of the moment alone.
    fn expected(&self) -> Option<RowEstimate> {
        let kept = self.kept.as_ref()?;
        Some(RowEstimate { matching: kept.total, all: kept.all, only: None, often: kept.often })
    }

    fn keep(&self, plan: &ListPlan<'_>, parts: &Parts<'_>, versions: &TypeVersions, found: RowEstimate) {
        if let Some(name) = &self.name {
            let RowEstimate { matching: total, all, often, .. } = found;
            parts.keep_total(
                name.clone(),
                Part { versions: versions.of(&TouchedTypes::by_rows(plan)), total, all, often },
            );
        }
    }
}
