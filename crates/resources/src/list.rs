//! A page of a collection.

use super::approach::RowEstimate;
use super::gather::{self, RowGathering};
use super::plan::ListPlan;
use super::sparing::LargeRows;
use super::{recall, select};
use context::request_context::RequestContext;
use context::spool::{ReadBody, SpoolWriter};
use context::versions;
use context::versions::TypeVersions;
use database::{Sql, Tx};
use model::error::Result;
use model::kinds::json;
use model::types::ResourceAction;
use query::read_query::ReadResult;
use query::request::ListRequest;
use tenant::cache::Parts;

/// A page of a list, done. Where nothing was fetched the contract has no body: the edge answers 204.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The envelope, as JSON.
    pub body: Vec<u8>,
    /// Number of resources in it.
    pub fetched: usize,
    /// Number of resources in all.
    pub total: u64,
}

/// Lists a collection.
pub fn list(tx: &mut Tx<'_>, call: &RequestContext, collection: &str, request: &ListRequest) -> Result<Page> {
    let allowed = call.actor.allowed(&call.model, collection, ResourceAction::Show)?;
    let plan = ListPlan::new(call, allowed, request)?;
    plan.selection.begin_reads(&call.reads)?;
    let EnvelopedList { body, fetched, total } = envelope(&plan, fetch(tx, call, &plan, &[], None)?)?;
    Ok(Page { body: body.into_whole()?, fetched, total })
}

/// The same as an answer, which is to be kept where remembered parts are given.
pub fn answer(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    collection: &str,
    request: &ListRequest,
    parts: Option<&Parts<'_>>,
) -> Result<ReadResult> {
    let allowed = call.actor.allowed(&call.model, collection, ResourceAction::Show)?;
    let plan = ListPlan::new(call, allowed, request)?;
    plan.selection.begin_reads(&call.reads)?;
    let plan = ListPlan { sparing: true, ..plan };
    let (mut rows, versions) = match parts {
        None => (fetch(tx, call, &plan, &[], None)?, None),
        Some(parts) => {
            let rows = recall::fetch(tx, call, &plan, parts)?;
            let versions = rows.versions.clone();
            // What depends on the present is another answer in a moment (D-28).
            (rows, (!plan.timed).then_some(versions))
        }
    };
    let omitted = rows.sparing.take().map(LargeRows::omitted).unwrap_or_default();
    let page = envelope(&plan, rows)?;
    Ok(ReadResult { empty: page.fetched == 0 && omitted.is_empty(), logged: false, body: page.body, versions, omitted })
}

/// The statements of a list, for the total and for the rows: to be looked at, in golden files or by an operator.
pub fn statements(tx: &Tx<'_>, call: &RequestContext, collection: &str, request: &ListRequest) -> Result<[Sql; 2]> {
    let allowed = call.actor.allowed(&call.model, collection, ResourceAction::Show)?;
    let plan = ListPlan::new(call, allowed, request)?;
    let mut statements = [tx.sql(), tx.sql()];
    select::total(&mut statements[0], &plan);
    select::page(&mut statements[1], &plan, None);
    Ok(statements)
}

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

/// A list in its envelope.
struct EnvelopedList {
    body: ReadBody,
    fetched: usize,
    total: u64,
}

/// Fetches the page's rows, with the versions of the types as of before; and the total, unless `kept` says how many there
/// were a moment ago.
pub(super) fn fetch(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    plan: &ListPlan<'_>,
    types: &[i64],
    kept: Option<RowEstimate>,
) -> Result<FetchedRows> {
    if gather::needs_moment(plan) {
        tx.snapshot()?;
    }
    // How many match decides where their page is looked for.
    let counted = if kept.is_none() && plan.chooses() { Some(counted(tx, plan, types)?) } else { None };
    let expected = kept.or(counted.as_ref().map(|(_, expected)| *expected));
    let mut found = read(tx, call, plan, (types, counted.is_some()), expected)?;
    let Some((versions, expected)) = counted else { return Ok(found) };
    if found.fetched == 0 && expected.only.is_some() && expected.matching > plan.offset {
        // It is not the only resource any more, if it is one of them.
        let expected = RowEstimate { only: None, ..expected };
        found = read(tx, call, plan, (types, true), Some(expected))?;
    }
    Ok(FetchedRows { total: expected.matching, all: expected.all, often: expected.often, versions, ..found })
}

/// Reads the page, and counts where nothing is expected yet; what is `counted` has its versions already.
fn read(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    plan: &ListPlan<'_>,
    (types, counted): (&[i64], bool),
    expected: Option<RowEstimate>,
) -> Result<FetchedRows> {
    let (mut total_sql, mut page_sql) = (tx.sql(), tx.sql());
    let mut statements = Vec::with_capacity(2);
    if expected.is_none() {
        select::total(&mut total_sql, plan);
        statements.push(&total_sql);
    }
    select::page(&mut page_sql, plan, expected);
    statements.push(&page_sql);
    let first = usize::from(expected.is_some());
    let notes = call.reads.notes(plan.selection.resource_type);
    let (mut read, mut total) = (Vec::new(), 0);
    let mut gathering = RowGathering::new(call, plan);
    let context = call.context();
    let types = if counted { &[] } else { types };
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
    call.reads.note(plan.selection.resource_type, &read);
    let gathered = gathering.finish(tx, call)?;
    let (rows, fetched, sparing) = (gathered.rows, gathered.fetched, gathered.sparing);
    Ok(FetchedRows { rows, fetched, total, all: 0, often: false, versions, sparing })
}

/// Counts the rows of a list whose plan chooses, with the versions as of before.
fn counted(tx: &mut Tx<'_>, plan: &ListPlan<'_>, types: &[i64]) -> Result<(TypeVersions, RowEstimate)> {
    let mut sql = tx.sql();
    select::total(&mut sql, plan);
    let mut expected = RowEstimate { matching: 0, all: 0, only: None, often: false };
    let versions = versions::ahead(tx, types, &[&sql], &mut |_, row| {
        expected = plan.told(&sql, row)?;
        Ok(())
    })?;
    Ok((versions, expected))
}

/// Puts the envelope around rows.
fn envelope(plan: &ListPlan<'_>, rows: FetchedRows) -> Result<EnvelopedList> {
    // Without a snapshot a row may come between the two statements; it never makes the answer contradict itself.
    let seen = if rows.fetched == 0 { 0 } else { plan.offset + rows.fetched as i64 };
    let (fetched, total) = (rows.fetched, u64::try_from(rows.total.max(seen)).unwrap_or(0));
    let mut head = Vec::with_capacity(128);
    let stats = [
        (&b"{\"stats\":{\"page\":"[..], plan.page as i64),
        (b",\"itemsPerPage\":", plan.per_page),
        (b",\"fetched\":", fetched as i64),
        (b",\"total\":", total as i64),
    ];
    for (key, number) in stats {
        head.extend_from_slice(key);
        json::write_integer(&mut head, number);
    }
    head.extend_from_slice(b"},\"data\":[");
    let body = match &plan.metadata {
        None => rows.rows.finish(&head, b"]}")?,
        Some(metadata) => rows.rows.finish(&head, &[b"],\"propsMeta\":", metadata.as_slice(), b"}"].concat())?,
    };
    Ok(EnvelopedList { body, fetched, total })
}
