//! Lists out of what was remembered of them: how many rows a condition has, and which come where in an order.
//!
//! What costs in a list is to find, count and sort what matches; the page's own rows are fetched by their ids in no
//! time. So the ids of whole windows of a list are remembered once it turns out that several of its pages are asked
//! for between two changes. Everything that is remembered names the versions of the types that it rests on.

use super::approach::Expected;
use super::list::{self, Rows};
use super::plan::ListPlan;
use super::touched::Touched;
use super::versions::{self, Versions};
use super::{expand, select, tally};
use crate::cache::{Order, Part, Parts};
use crate::error::Result;
use crate::tenants::Call;
use database::{Sql, Tx};
use std::sync::Arc;

/// How many rows a window has, about: whole pages.
const WINDOW: i64 = 1_000;

/// Where a page lies in its window.
struct Window {
    start: i64,
    length: i64,
}

/// Fetches a page, out of what is remembered where that still holds.
pub(super) fn fetch(tx: &mut Tx<'_>, call: &Call, plan: &ListPlan<'_>, parts: &Parts<'_>) -> Result<Rows> {
    let types = Touched::by_list(plan);
    if plan.selection.expands() {
        tx.snapshot()?;
    }
    let counting = Counting::new(tx, plan, parts);
    let Some(window) = Window::of(plan) else { return counting.page(tx, call, plan, parts, &types) };
    let order = window.statement(tx, plan, None).identity();
    let kept = parts.order(&order);
    let mut current = Versions::known(tx, &types)?;
    if let Some(kept) = &kept
        && let Some(found) = window.remembered(tx, call, plan, kept, &mut current, &types)?
    {
        return Ok(found);
    }
    if window_pays(tx, kept.as_deref(), &mut current, &types)? {
        let turn = parts.turn(&order);
        if turn.is_none() {
            // Another looked for it meanwhile.
            current = Versions::known(tx, &types)?;
            if let Some(kept) = parts.order(&order)
                && let Some(found) = window.remembered(tx, call, plan, &kept, &mut current, &types)?
            {
                return Ok(found);
            }
        }
        if let Some(found) = window.fetch(tx, call, plan, parts, (&counting, current.as_ref()), &types)? {
            return Ok(found);
        }
    }
    let found = counting.page(tx, call, plan, parts, &types)?;
    parts.keep_order(order, Order::asked(found.versions.of(&Touched::by_order(plan))));
    Ok(found)
}

/// Whether pages of a window were asked for more than once between two changes, so that they will be again.
fn window_pays(tx: &mut Tx<'_>, kept: Option<&Order>, current: &mut Option<Versions>, types: &[i64]) -> Result<bool> {
    let Some(kept) = kept else { return Ok(false) };
    if kept.served() {
        return Ok(true);
    }
    if current.is_none() {
        *current = Some(Versions::read(tx, types)?);
    }
    Ok(kept.ids.is_none() && current.as_ref().is_some_and(|current| kept.versions.hold(current)))
}

/// The rows with those ids, in that order, and the versions as of afterwards. There are none where the types changed
/// meanwhile: the rows might not be those of the list any more.
fn rows(
    tx: &mut Tx<'_>,
    call: &Call,
    plan: &ListPlan<'_>,
    ids: &[i64],
    total: i64,
    types: &[i64],
) -> Result<(Option<Rows>, Versions)> {
    let known = Versions::known(tx, types)?;
    let statement = Versions::statement(tx, types);
    let mut asked = Versions::unread(types);
    let mut take = |row: &database::Row<'_>| asked.take(row);
    let behind = known.is_none().then_some((&statement, &mut take as _));
    let expanded = expand::read(tx, call, &plan.selection, ids.to_vec(), behind)?;
    let versions = known.unwrap_or(asked);
    let mut bytes = Vec::with_capacity(ids.len() * 512);
    for id in ids {
        let Some(row) = expanded.get(*id) else { return Ok((None, versions)) };
        if !bytes.is_empty() {
            bytes.push(b',');
        }
        bytes.extend_from_slice(row);
    }
    Ok((Some(Rows { bytes, fetched: ids.len(), total, all: 0, versions: versions.clone() }), versions))
}

impl Window {
    /// The window of the plan's page; none where the rows come by their ids, which needs no remembering.
    fn of(plan: &ListPlan<'_>) -> Option<Self> {
        let by_id = plan.order.first().is_some_and(|key| key.decides());
        if (by_id && plan.condition.is_none()) || plan.per_page > WINDOW {
            return None;
        }
        let length = WINDOW / plan.per_page * plan.per_page;
        Some(Window { start: plan.offset - plan.offset % length, length })
    }

    /// What finds the ids, by as many as are expected; without, it is what names them.
    fn statement(&self, tx: &Tx<'_>, plan: &ListPlan<'_>, expected: Option<Expected>) -> Sql {
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
    fn remembered(
        &self,
        tx: &mut Tx<'_>,
        call: &Call,
        plan: &ListPlan<'_>,
        kept: &Order,
        current: &mut Option<Versions>,
        types: &[i64],
    ) -> Result<Option<Rows>> {
        let Some(ids) = &kept.ids else { return Ok(None) };
        if current.as_ref().is_some_and(|current| !kept.versions.hold(current)) {
            return Ok(None);
        }
        let (found, now) = rows(tx, call, plan, self.page(plan, ids), kept.total, types)?;
        let found = found.filter(|found| kept.versions.hold(&found.versions));
        match &found {
            Some(_) => kept.serve(),
            None => *current = Some(now),
        }
        Ok(found)
    }

    /// Finds the ids, remembers them, and fetches the page; nothing where there was a change meanwhile.
    fn fetch(
        &self,
        tx: &mut Tx<'_>,
        call: &Call,
        plan: &ListPlan<'_>,
        parts: &Parts<'_>,
        (counting, current): (&Counting, Option<&Versions>),
        types: &[i64],
    ) -> Result<Option<Rows>> {
        let statement = self.statement(tx, plan, counting.expected());
        let mut ids = Vec::new();
        let (mut total, mut all) = (0, 0);
        let known = counting.known(current);
        let statements = [&counting.statement, &statement];
        let first = usize::from(known.is_some());
        let versions = versions::ahead(tx, types, &statements[first..], &mut |statement, row| {
            match statement + first {
                0 => {
                    total = row.integer(0)?;
                    all = if plan.chooses() { row.integer(1)? } else { 0 };
                }
                _ => ids.push(row.integer(0)?),
            }
            Ok(())
        })?;
        // What was known a moment ago is known still, unless there was a change: which is seen below.
        let total = known.unwrap_or(total);
        let (found, now) = rows(tx, call, plan, self.page(plan, &ids), total, types)?;
        if now != versions || current.is_some_and(|current| *current != versions) {
            return Ok(None);
        }
        if known.is_none() {
            counting.keep(plan, parts, &versions, Expected { matching: total, all, only: None });
        }
        let order = Order::found(versions.of(&Touched::by_order(plan)), total, ids.into());
        parts.keep_order(self.statement(tx, plan, None).identity(), order);
        Ok(found)
    }
}

/// How many rows match.
struct Counting {
    statement: Sql,
    /// The name under which it is remembered; none where writes keep the number anyway.
    name: Option<Vec<u8>>,
    kept: Option<Arc<Part>>,
}

impl Counting {
    fn new(tx: &Tx<'_>, plan: &ListPlan<'_>, parts: &Parts<'_>) -> Self {
        let mut statement = tx.sql();
        select::total(&mut statement, plan);
        let counted = plan.condition.as_ref().is_none_or(tally::knows);
        let name = (!counted).then(|| statement.identity());
        let kept = name.as_ref().and_then(|name| parts.total(name));
        Counting { statement, name, kept }
    }

    /// A page as it is without a window.
    fn page(self, tx: &mut Tx<'_>, call: &Call, plan: &ListPlan<'_>, parts: &Parts<'_>, types: &[i64]) -> Result<Rows> {
        let mut rows = list::fetch(tx, call, plan, types, self.expected())?;
        match &self.kept {
            Some(kept) if kept.versions.hold(&rows.versions) => {
                rows.total = kept.total;
                return Ok(rows);
            }
            Some(_) => {
                let (total, all) = (&mut rows.total, &mut rows.all);
                tx.query(&self.statement, &mut |row| {
                    *total = row.integer(0)?;
                    *all = if plan.chooses() { row.integer(1)? } else { 0 };
                    Ok(())
                })?;
            }
            None => {}
        }
        self.keep(plan, parts, &rows.versions, Expected { matching: rows.total, all: rows.all, only: None });
        Ok(rows)
    }

    /// How many it was, if that holds at these versions.
    fn known(&self, current: Option<&Versions>) -> Option<i64> {
        let kept = self.kept.as_ref()?;
        kept.versions.hold(current?).then_some(kept.total)
    }

    /// About how many it is. Which resource is the only one is known of the moment alone.
    fn expected(&self) -> Option<Expected> {
        self.kept.as_ref().map(|kept| Expected { matching: kept.total, all: kept.all, only: None })
    }

    fn keep(&self, plan: &ListPlan<'_>, parts: &Parts<'_>, versions: &Versions, found: Expected) {
        if let Some(name) = &self.name {
            let Expected { matching: total, all, .. } = found;
            parts.keep_total(name.clone(), Part { versions: versions.of(&Touched::by_rows(plan)), total, all });
        }
    }
}
