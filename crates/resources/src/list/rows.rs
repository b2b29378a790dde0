//! The rows of a list, as the database has them now. Nothing here knows of what is remembered.

use super::access_path::RowEstimate;
use super::deep::{self, DeepRows};
use super::gather::{self, RowGathering};
use super::plan::ListPlan;
use super::{statement, total};
use crate::sparing::LargeRows;
use context::request_context::RequestContext;
use context::spool::SpoolWriter;
use context::versions;
use context::versions::TypeVersions;
use database::Tx;
use model::error::Result;

/// Rows that a list fetched.
pub(super) struct FetchedRows {
    /// Separated by commas.
    pub rows: SpoolWriter,
    pub(super) fetched: usize,
    pub total: i64,
    /// Number of resources of the type, where that was asked for.
    pub(super) all: i64,
    /// Set where a full text index finds a good part of them, if that was asked for.
    pub(super) often: bool,
    pub(super) versions: TypeVersions,
    /// The large rows, where those that are too large for the list are left out.
    pub(super) sparing: Option<LargeRows>,
}

impl FetchedRows {
    /// About how many bytes one of them has; none where there is none.
    pub(super) fn row_bytes(&self) -> Option<usize> {
        self.rows.len().checked_div(self.fetched)
    }
}

/// Fetches the page's rows, with the versions of the types as of before; and the total, unless `kept` says how many there
/// were a moment ago.
pub(super) fn fetch(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    plan: &ListPlan<'_>,
    types: &[i64],
    kept: Option<RowEstimate>,
) -> Result<FetchedRows> {
    if gather::needs_moment(plan) {
        tx.snapshot()?;
    }
    if let Some(deep) = deep::find(tx, plan, plan.part())? {
        return read(tx, request, plan, types, None, Some(&deep));
    }
    // The number of matches decides where their page is looked for.
    let counted = if kept.is_none() && plan.chooses() { Some(counted(tx, plan, types)?) } else { None };
    let expected = kept.or(counted.as_ref().map(|(_, expected)| *expected));
    // A counted total has the versions already.
    let types = if counted.is_some() { &[] } else { types };
    let mut found = read(tx, request, plan, types, expected, None)?;
    let Some((versions, expected)) = counted else { return Ok(found) };
    if found.fetched == 0 && expected.only.is_some() && expected.matching > plan.offset {
        // It is not the only resource any more, if it is one of them.
        let expected = RowEstimate { only: None, ..expected };
        found = read(tx, request, plan, types, Some(expected), None)?;
    }
    Ok(FetchedRows { total: expected.matching, all: expected.all, often: expected.often, versions, ..found })
}

/// Reads the page, with the versions of types, and counts where nothing is expected yet. The ids of a page far down are
/// known.
fn read(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    plan: &ListPlan<'_>,
    types: &[i64],
    expected: Option<RowEstimate>,
    deep: Option<&DeepRows>,
) -> Result<FetchedRows> {
    let (mut total_sql, mut page_sql) = (tx.sql(), tx.sql());
    let mut statements = Vec::with_capacity(2);
    let counts = expected.is_none() && deep.is_none();
    if counts {
        total::total(&mut total_sql, plan);
        statements.push(&total_sql);
    }
    match deep {
        Some(deep) => statement::rows(&mut page_sql, plan, &deep.ids),
        None => statement::page(&mut page_sql, plan, expected),
    }
    statements.push(&page_sql);
    let first = usize::from(!counts);
    let notes = request.reads.notes(plan.selection.resource_type);
    let (mut read, mut total) = (Vec::new(), deep.map_or(0, |deep| deep.total));
    let mut gathering = RowGathering::new(request, plan);
    let context = request.answer_context();
    let versions = versions::ahead(tx, types, &statements, &mut |statement, row| {
        if statement + first == 0 {
            total = row.integer(0)?;
            return Ok(());
        }
        if gathering.row(row, &context)? && notes {
            read.push(row.integer(plan.selection.id_column())?);
        }
        Ok(())
    })?;
    request.reads.note(plan.selection.resource_type, &read);
    let gathered = gathering.finish(tx, request)?;
    let (rows, fetched, sparing) = (gathered.rows, gathered.fetched, gathered.sparing);
    Ok(FetchedRows { rows, fetched, total, all: 0, often: false, versions, sparing })
}

/// Counts the rows of a list whose plan chooses, with the versions as of before.
fn counted(tx: &mut Tx<'_>, plan: &ListPlan<'_>, types: &[i64]) -> Result<(TypeVersions, RowEstimate)> {
    let mut sql = tx.sql();
    total::total(&mut sql, plan);
    let mut expected = RowEstimate { matching: 0, all: 0, only: None, often: false };
    let versions = versions::ahead(tx, types, &[&sql], &mut |_, row| {
        expected = plan.told(&sql, row)?;
        Ok(())
    })?;
    Ok((versions, expected))
}
