//! Sweeping: promises that nobody used, files that nobody has any more, and bytes that no row names.

use context::tables;
use database::{ColumnType, ReadCost, Tx, Value};
use model::environment::Random;
use model::error::Result;
use model::table_names::{ATTACHMENT, META};
use std::collections::BTreeSet;
use tenant::Tenant;
use tenant::storage::{Key, token};

/// A day, in milliseconds: how old bytes without a row must be, so that no upload under way loses its own.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Rows and names that are looked at together.
const BATCH: usize = 500;
/// When the bytes of the tenant were last compared with its rows, in the table of facts.
const COMPARED: &str = "files.compared";

/// The beginning of the facts that tell until when nothing is removed: each is of somebody who reads all files that rows
/// of a moment name.
const HELD: &str = "files.held.";

/// Has no file be removed for a day, or until [`release`] gets what this returns. Files whose rows are gone already may
/// still go.
pub fn hold(tx: &mut Tx<'_>, now: i64, random: &dyn Random) -> Result<String> {
    let name = format!("{HELD}{}", token(random));
    tables::put(tx, &name, &(now + DAY).to_string())?;
    Ok(name)
}

/// Ends a hold.
pub fn release(tx: &mut Tx<'_>, held: &str) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&META).push(" WHERE name = ").bind(held);
    Ok(tx.execute(&sql).map(drop)?)
}

/// Ends the holds of others, in a store that began as a copy.
pub fn release_all(tx: &mut Tx<'_>) -> Result<()> {
    let held = holds(tx)?;
    held.iter().try_for_each(|(name, _)| release(tx, name))
}

/// Returns the names and ends of all holds.
fn holds(tx: &mut Tx<'_>) -> Result<Vec<(String, i64)>> {
    let mut sql = tx.sql();
    sql.push("SELECT name, content FROM ").table(&META).push(" WHERE name >= ").bind(HELD);
    sql.push(" AND name < ").bind("files.held/");
    let mut holds = Vec::new();
    tx.query(&sql, &mut |row| {
        holds.push((row.text(0)?.to_owned(), row.text(1)?.parse().unwrap_or_default()));
        Ok(())
    })?;
    Ok(holds)
}

/// Returns true while somebody holds the files. What a killed process left is removed once it is over.
fn is_held(tx: &mut Tx<'_>, now: i64) -> Result<bool> {
    let holds = holds(tx)?;
    holds.iter().filter(|(_, until)| *until <= now).try_for_each(|(name, _)| release(tx, name))?;
    Ok(holds.iter().any(|(_, until)| now < *until))
}

/// Numbers of files that a sweep removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Files that had expired or belonged to nobody.
    pub expired: usize,
    /// Files that no row named.
    pub orphans: usize,
}

/// Removes what nobody needs. The bytes are compared with the rows once a day, or now where `all` says so.
pub async fn sweep_files(tenant: &Tenant, all: bool) -> Result<Swept> {
    let now = tenant.environment().clock.now().as_millisecond();
    let mut swept = Swept::default();
    loop {
        // The rows go first: no row ever lacks its file.
        let keys = tenant.store().write(move |tx| expired(tx, now)).await?;
        for key in &keys {
            tenant.files().delete(key).await?;
        }
        swept.expired += keys.len();
        if keys.len() < BATCH {
            break;
        }
    }
    let compared = tenant.store().read(ReadCost::Scan, |tx| tables::get(tx, COMPARED)).await?;
    let due = compared.and_then(|text| text.parse::<i64>().ok()).is_none_or(|last| now - last >= DAY);
    if all || due {
        swept.orphans = sweep_orphans(tenant, now).await?;
        tenant.store().write(move |tx| tables::put(tx, COMPARED, &now.to_string())).await?;
    }
    Ok(swept)
}

async fn sweep_orphans(tenant: &Tenant, now: i64) -> Result<usize> {
    let mut old = tenant.files().list().await?;
    old.retain(|stored| now - stored.written > DAY);
    let mut removed = 0;
    for batch in old.chunks(BATCH) {
        let names: Vec<Value> = batch.iter().filter_map(|stored| Some(stored.key.as_ref()?.as_str().into())).collect();
        let known = tenant.store().read(ReadCost::Scan, move |tx| known(tx, names.clone())).await?;
        for stored in batch {
            if stored.key.as_ref().is_none_or(|key| !known.contains(key.as_str())) {
                tenant.files().remove(stored).await?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

/// Deletes rows that have expired; gives their keys.
fn expired(tx: &mut Tx<'_>, now: i64) -> Result<Vec<Key>> {
    if is_held(tx, now)? {
        return Ok(Vec::new());
    }
    let mut sql = tx.sql();
    sql.push("SELECT id, key FROM ").table(&ATTACHMENT).push(" WHERE expires <= ").bind(now);
    sql.push(" AND object IS NULL ORDER BY id").limit(i64::try_from(BATCH).unwrap_or(i64::MAX), 0).for_update();
    let (mut ids, mut keys) = (Vec::new(), Vec::new());
    tx.query(&sql, &mut |row| {
        ids.push(Value::Integer(row.integer(0)?));
        keys.extend(Key::parse(row.text(1)?));
        Ok(())
    })?;
    if !ids.is_empty() {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&ATTACHMENT).push(" WHERE id").any_of(ColumnType::Integer, ids);
        tx.execute(&sql)?;
    }
    Ok(keys)
}

/// Those of the keys that a row names.
fn known(tx: &mut Tx<'_>, keys: Vec<Value>) -> Result<BTreeSet<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT key FROM ").table(&ATTACHMENT).push(" WHERE key").any_of(ColumnType::Text, keys);
    let mut known = BTreeSet::new();
    tx.query(&sql, &mut |row| {
        known.insert(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(known)
}
