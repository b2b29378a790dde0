//! A page of a collection.

use super::output::Written;
use super::plan::ListPlan;
use super::{ListRequest, expand, select};
use crate::error::Result;
use crate::kinds::json;
use crate::tenants::Call;
use crate::types::Action;
use database::{Sql, Tx};

/// A page of a list, done. Where nothing was fetched the contract has no body: the edge answers 204.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The envelope, as JSON.
    pub body: Vec<u8>,
    /// How many resources are in it.
    pub fetched: usize,
    /// How many there are in all.
    pub total: u64,
}

/// Lists a collection.
pub fn list(tx: &mut Tx<'_>, call: &Call, collection: &str, request: &ListRequest) -> Result<Page> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    let plan = ListPlan::new(call, allowed, request)?;
    run(tx, call, &plan)
}

/// The statements of a list, for the total and for the rows: to be looked at, in golden files or by an operator.
pub fn statements(tx: &Tx<'_>, call: &Call, collection: &str, request: &ListRequest) -> Result<[Sql; 2]> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    Ok(build(tx, &ListPlan::new(call, allowed, request)?))
}

fn build(tx: &Tx<'_>, plan: &ListPlan<'_>) -> [Sql; 2] {
    let mut statements = [tx.sql(), tx.sql()];
    select::total(&mut statements[0], plan);
    select::page(&mut statements[1], plan);
    statements
}

fn run(tx: &mut Tx<'_>, call: &Call, plan: &ListPlan<'_>) -> Result<Page> {
    let [total_sql, page_sql] = build(tx, plan);
    if plan.selection.expands() {
        // What is expanded is of the moment of the rows.
        tx.snapshot()?;
    }
    let mut total = 0;
    let mut written = Written::for_rows(plan.per_page as usize);
    let context = call.context();
    tx.query_all(&[&total_sql, &page_sql], &mut |statement, row| {
        if statement == 0 {
            total = row.integer(0)?;
            return Ok(());
        }
        if written.overfull() {
            return Ok(());
        }
        if !written.bytes.is_empty() {
            written.bytes.push(b',');
        }
        written.row(row, &plan.selection, &context)
    })?;
    let rows = expand::fill(tx, call, &plan.selection, written)?;
    let fetched = rows.ends.len();
    // Without a snapshot a row may come between the two statements; it never makes the answer contradict itself.
    let seen = if fetched == 0 { 0 } else { plan.offset + fetched as i64 };
    let total = u64::try_from(total.max(seen)).unwrap_or(0);
    Ok(Page { body: envelope(plan, fetched, total, &rows.bytes), fetched, total })
}

fn envelope(plan: &ListPlan<'_>, fetched: usize, total: u64, rows: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(rows.len() + 128);
    let stats = [
        (&b"{\"stats\":{\"page\":"[..], plan.page as i64),
        (b",\"itemsPerPage\":", plan.per_page),
        (b",\"fetched\":", fetched as i64),
        (b",\"total\":", total as i64),
    ];
    for (key, number) in stats {
        body.extend_from_slice(key);
        json::write_integer(&mut body, number);
    }
    body.extend_from_slice(b"},\"data\":[");
    body.extend_from_slice(rows);
    body.extend_from_slice(b"]}");
    body
}
