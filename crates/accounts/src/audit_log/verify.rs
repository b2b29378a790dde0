//! Verifying the chain, from its first row or from one whose digest somebody kept elsewhere.

use context::audit::chain;
use context::audit::chain::{COLUMNS, ChainEntry, ChainHead, RowDigest};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::table_names::AUDIT;
use model::types::SystemPermission;
use serde_json::{Value as Json, json};
use std::cmp::Ordering;

/// The number of rows that are read at a time.
const BATCH: i64 = 2_000;

/// A row that is known from elsewhere: rows are verified from the one behind it on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    id: i64,
    digest: RowDigest,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedChain {
    /// The number of rows that were verified, up to the first broken one.
    pub rows: u64,
    /// The last row that holds, to be kept elsewhere.
    pub last: Anchor,
    /// The first row that does not hold.
    pub broken: Option<Broken>,
}

/// A row that does not hold, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its number.
    pub row: i64,
    /// The fault of the row.
    pub fault: Fault,
}

/// A fault of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not there, though rows after it are, or the head tells of it.
    Missing,
    /// Its digest does not fit to it and the row before it.
    Changed,
    /// It was written without the tenant's key, as anyone without the key would write it.
    Unsealed,
    /// It stands behind the head: nobody who writes the log put it there.
    Added,
}

impl Anchor {
    /// Reads `120:9f3c…`, the number of a row and its digest.
    pub fn parse(text: &str) -> Result<Self> {
        let parsed = text.split_once(':').and_then(|(id, digest)| {
            let id = id.parse().ok().filter(|id| *id > 0)?;
            Some(Anchor { id, digest: chain::from_hex(digest)? })
        });
        parsed.ok_or_else(|| {
            Error::invalid(
                "anchor_invalid",
                "A row is given by its number, a colon, and the 64 hex digits of its digest.",
            )
        })
    }
}

impl std::fmt::Display for Anchor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.id, chain::hex(&self.digest))
    }
}

impl Fault {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Missing => "missing",
            Fault::Changed => "changed",
            Fault::Unsealed => "unsealed",
            Fault::Added => "added",
        }
    }

    /// Returns a description for people.
    pub fn text(self) -> &'static str {
        match self {
            Fault::Missing => "it is missing",
            Fault::Changed => "it was changed, or does not follow the row before it",
            Fault::Unsealed => "it was written without the tenant's key",
            Fault::Added => "it comes after the head of the log",
        }
    }
}

impl VerifiedChain {
    /// The outcome for programs.
    pub fn json(&self) -> Json {
        let broken = self.broken.map(|broken| json!({"row": broken.row, "fault": broken.fault.name()}));
        json!({"rows": self.rows, "last": self.last.to_string(), "broken": broken})
    }
}

/// Verifies all rows behind the anchor, or all. Runs in a read, and sees one state of the store.
pub fn verify(tx: &mut Tx<'_>, context: &RequestContext, after: Option<Anchor>) -> Result<VerifiedChain> {
    context.actor.require(SystemPermission::Admin)?;
    let vault = context.vault()?;
    tx.snapshot()?;
    let head = chain::head(tx)?;
    let mut verified = VerifiedChain { rows: 0, last: after.unwrap_or_default(), broken: None };
    if let Some(anchor) = after {
        verified.broken = anchored(tx, anchor)?;
    }
    while verified.broken.is_none() {
        let entries = batch(tx, verified.last.id)?;
        let end = entries.is_empty();
        for (entry, stored) in entries {
            let due = verified.last.id + 1;
            let digest = entry.digest(&verified.last.digest, Some(vault));
            let fault = match () {
                () if entry.id > head.id => Some((entry.id, Fault::Added)),
                () if entry.id != due => Some((due, Fault::Missing)),
                () if digest[..] != stored[..] => Some((due, Fault::Changed)),
                () if !entry.sealed => Some((due, Fault::Unsealed)),
                () => None,
            };
            if let Some((row, fault)) = fault {
                verified.broken = Some(Broken { row, fault });
                break;
            }
            verified.rows += 1;
            verified.last = Anchor { id: entry.id, digest };
        }
        if end {
            verified.broken = at_end(verified.last, head);
            break;
        }
    }
    Ok(verified)
}

/// Returns the fault of the row of the anchor, which may have been removed since as all before it.
fn anchored(tx: &mut Tx<'_>, anchor: Anchor) -> Result<Option<Broken>> {
    let found = batch(tx, anchor.id - 1)?.into_iter().find(|(entry, _)| entry.id == anchor.id);
    let changed = found.is_some_and(|(_, stored)| stored[..] != anchor.digest[..]);
    Ok(changed.then_some(Broken { row: anchor.id, fault: Fault::Changed }))
}

/// Returns the fault of the end: the head must be the last row.
fn at_end(last: Anchor, head: ChainHead) -> Option<Broken> {
    match last.id.cmp(&head.id) {
        Ordering::Less => Some(Broken { row: last.id + 1, fault: Fault::Missing }),
        // The chain once had a row, the anchor, that its head does not know.
        Ordering::Greater => Some(Broken { row: last.id, fault: Fault::Missing }),
        Ordering::Equal if last.digest == head.digest => None,
        Ordering::Equal => Some(Broken { row: last.id, fault: Fault::Changed }),
    }
}

fn batch(tx: &mut Tx<'_>, after: i64) -> Result<Vec<(ChainEntry, Vec<u8>)>> {
    let mut sql = tx.sql();
    sql.push("SELECT ").push(COLUMNS).push(" FROM ").table(&AUDIT).push(" WHERE id > ").bind(after);
    sql.push(" ORDER BY id").limit(BATCH, 0);
    let mut entries = Vec::new();
    tx.query(&sql, &mut |row| {
        entries.push(ChainEntry::read(row)?);
        Ok(())
    })?;
    Ok(entries)
}
