//! A page of a collection.

use super::approach::Expected;
use super::output::Written;
use super::plan::ListPlan;
use super::question::Made;
use super::versions::{self, Versions};
use super::{ListRequest, expand, recall, select};
use crate::cache::Parts;
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
    call.reads.begin(&plan.selection)?;
    Ok(page(&plan, fetch(tx, call, &plan, &[], None)?))
}

/// The same as an answer, which is to be kept where remembered parts are given.
pub(crate) fn answer(
    tx: &mut Tx<'_>,
    call: &Call,
    collection: &str,
    request: &ListRequest,
    parts: Option<&Parts<'_>>,
) -> Result<Made> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    let plan = ListPlan::new(call, allowed, request)?;
    call.reads.begin(&plan.selection)?;
    let (rows, versions) = match parts {
        None => (fetch(tx, call, &plan, &[], None)?, None),
        Some(parts) => {
            let rows = recall::fetch(tx, call, &plan, parts)?;
            let versions = rows.versions.clone();
            // What depends on the present is another answer in a moment (D-28).
            (rows, (!plan.timed).then_some(versions))
        }
    };
    let page = page(&plan, rows);
    Ok(Made { empty: page.fetched == 0, logged: false, body: page.body, versions })
}

/// The statements of a list, for the total and for the rows: to be looked at, in golden files or by an operator.
pub fn statements(tx: &Tx<'_>, call: &Call, collection: &str, request: &ListRequest) -> Result<[Sql; 2]> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    let plan = ListPlan::new(call, allowed, request)?;
    let mut statements = [tx.sql(), tx.sql()];
    select::total(&mut statements[0], &plan);
    select::page(&mut statements[1], &plan, None);
    Ok(statements)
}

/// What a list fetched.
pub(super) struct Rows {
    /// Separated by commas.
    pub(super) bytes: Vec<u8>,
    pub(super) fetched: usize,
    pub(super) total: i64,
    /// How many resources the type has, where that was asked for.
    pub(super) all: i64,
    pub(super) versions: Versions,
}

/// Fetches the page's rows, with the versions of the types as of before; and the total, unless `kept` says how many there
/// were a moment ago.
pub(super) fn fetch(
    tx: &mut Tx<'_>,
    call: &Call,
    plan: &ListPlan<'_>,
    types: &[i64],
    kept: Option<Expected>,
) -> Result<Rows> {
    if plan.selection.expands() {
        // What is expanded is of the moment of the rows.
        tx.snapshot()?;
    }
    // How many match decides where their page is looked for.
    let counted = if kept.is_none() && plan.chooses() { Some(counted(tx, plan, types)?) } else { None };
    let expected = kept.or(counted.as_ref().map(|(_, expected)| *expected));
    let mut found = read(tx, call, plan, (types, counted.is_some()), expected)?;
    let Some((versions, expected)) = counted else { return Ok(found) };
    if found.fetched == 0 && expected.only.is_some() && expected.matching > plan.offset {
        // It is not the only resource any more, if it is one of them.
        let expected = Expected { only: None, ..expected };
        found = read(tx, call, plan, (types, true), Some(expected))?;
    }
    Ok(Rows { total: expected.matching, all: expected.all, versions, ..found })
}

/// Reads the page, and counts where nothing is expected yet; what is `counted` has its versions already.
fn read(
    tx: &mut Tx<'_>,
    call: &Call,
    plan: &ListPlan<'_>,
    (types, counted): (&[i64], bool),
    expected: Option<Expected>,
) -> Result<Rows> {
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
    let mut written = Written::for_rows(plan.per_page as usize);
    let context = call.context();
    let types = if counted { &[] } else { types };
    let versions = versions::ahead(tx, types, &statements, &mut |statement, row| {
        if statement + first == 0 {
            total = row.integer(0)?;
            return Ok(());
        }
        if written.overfull() {
            return Ok(());
        }
        if !written.bytes.is_empty() {
            written.bytes.push(b',');
        }
        if notes {
            read.push(row.integer(plan.selection.id_column())?);
        }
        written.row(row, &plan.selection, &context)
    })?;
    call.reads.note(plan.selection.resource_type, &read);
    let rows = expand::fill(tx, call, &plan.selection, written)?;
    Ok(Rows { fetched: rows.ends.len(), bytes: rows.bytes, total, all: 0, versions })
}

/// Counts the rows of a list whose plan chooses, with the versions as of before.
fn counted(tx: &mut Tx<'_>, plan: &ListPlan<'_>, types: &[i64]) -> Result<(Versions, Expected)> {
    let mut sql = tx.sql();
    select::total(&mut sql, plan);
    let mut expected = Expected { matching: 0, all: 0, only: None };
    let versions = versions::ahead(tx, types, &[&sql], &mut |_, row| {
        let (least, most) = (row.integer(2)?, row.integer(3)?);
        let only = (least == most).then_some(least);
        expected = Expected { matching: row.integer(0)?, all: row.integer(1)?, only };
        Ok(())
    })?;
    Ok((versions, expected))
}

fn page(plan: &ListPlan<'_>, rows: Rows) -> Page {
    // Without a snapshot a row may come between the two statements; it never makes the answer contradict itself.
    let seen = if rows.fetched == 0 { 0 } else { plan.offset + rows.fetched as i64 };
    let total = u64::try_from(rows.total.max(seen)).unwrap_or(0);
    Page { body: envelope(plan, rows.fetched, total, &rows.bytes), fetched: rows.fetched, total }
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
    body.push(b']');
    if let Some(metadata) = &plan.metadata {
        body.extend_from_slice(b",\"propsMeta\":");
        body.extend_from_slice(metadata);
    }
    body.push(b'}');
    body
}
