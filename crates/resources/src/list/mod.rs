//! Pages of collections, in three layers: a request becomes a plan (`plan`). The plan becomes rows, out of the database
//! (`rows`) or of what is remembered (`cache`, which asks `rows`). Rows become an answer here. No layer asks back.

mod access_path;
mod cache;
mod deep;
mod gather;
mod grouped;
mod matching;
mod plan;
mod rows;
mod statement;
mod total;
mod whole;

pub use matching::{Matching, count as matching_count, ids as matching_ids};
pub(crate) use plan::ListPlan;
pub use plan::Paging;
pub use whole::WholeList;

use crate::sparing::LargeRows;
use context::request_context::RequestContext;
use context::spool::ReadBody;
use database::{Sql, Tx};
use model::error::Result;
use model::kinds::json;
use model::types::ResourceAction;
use query::read_query::ReadResult;
use query::request::ListRequest;
use rows::FetchedRows;
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
pub fn list(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, list: &ListRequest) -> Result<Page> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let plan = ListPlan::new(request, allowed, list)?;
    plan.selection.begin_reads(&request.reads)?;
    let EnvelopedList { body, fetched, total } = envelope(&plan, rows::fetch(tx, request, &plan, &[], None)?)?;
    Ok(Page { body: body.into_whole()?, fetched, total })
}

/// The same as an answer, which is to be kept where remembered parts are given.
pub fn answer(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    list: &ListRequest,
    parts: Option<&Parts<'_>>,
) -> Result<ReadResult> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let plan = ListPlan::new(request, allowed, list)?;
    plan.selection.begin_reads(&request.reads)?;
    let plan = ListPlan { sparing: true, ..plan };
    let (mut fetched, versions) = match parts {
        None => (rows::fetch(tx, request, &plan, &[], None)?, None),
        Some(parts) => {
            let fetched = cache::fetch(tx, request, &plan, parts)?;
            let versions = fetched.versions.clone();
            // An answer that depends on the present is another one in a moment (D-28).
            (fetched, (!plan.timed).then_some(versions))
        }
    };
    let omitted = fetched.sparing.take().map(LargeRows::omitted).unwrap_or_default();
    let page = envelope(&plan, fetched)?;
    Ok(ReadResult { empty: page.fetched == 0 && omitted.is_empty(), logged: false, body: page.body, versions, omitted })
}

/// The statements of a list, for the total and for the rows: to be looked at, in golden files or by an operator.
pub fn statements(tx: &Tx<'_>, request: &RequestContext, collection: &str, list: &ListRequest) -> Result<[Sql; 2]> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let plan = ListPlan::new(request, allowed, list)?;
    let mut statements = [tx.sql(), tx.sql()];
    total::total(&mut statements[0], &plan);
    statement::page(&mut statements[1], &plan, None);
    Ok(statements)
}

/// A list in its envelope.
struct EnvelopedList {
    body: ReadBody,
    fetched: usize,
    total: u64,
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
