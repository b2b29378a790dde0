//! What a tenant's database holds of its configuration: files, ids that were given, counters.

use super::diagnostic::Diagnostic;
use super::files::Files;
use super::identity::Given;
use super::load::{Loaded, load};
use super::role_file::open;
use super::section::Problems;
use super::{tenant_file, yaml};
use crate::error::{Error, Result};
use crate::tables::{self, FILE, META};
use crate::types::Model;
use database::Tx;

/// The name of the ids given, in [`META`].
const GIVEN: &str = "ids";

/// The stored files; none in a store that was never applied to.
pub(crate) fn files(tx: &mut Tx<'_>) -> Result<Files> {
    let mut files = Files::default();
    if !tx.has_table(&FILE)? {
        return Ok(files);
    }
    let mut sql = tx.sql();
    sql.push("SELECT path, content FROM ").table(&FILE).push(" ORDER BY path");
    tx.query(&sql, &mut |row| {
        files.insert(row.text(0)?, row.text(1)?);
        Ok(())
    })?;
    Ok(files)
}

/// The hosts that lead to the tenant, out of its settings alone: a look-up of a host reads this of many tenants.
pub(crate) fn hosts(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    const SETTINGS: &str = "tenant.yaml";
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&FILE).push(" WHERE path = ").bind(SETTINGS);
    let mut text = String::new();
    tx.query(&sql, &mut |row| {
        row.text(0)?.clone_into(&mut text);
        Ok(())
    })?;
    let unreadable = || Error::failed("the stored settings are unreadable");
    let node = yaml::parse(&text).map_err(|_| unreadable())?;
    let mut problems = Problems::new();
    let section = open(SETTINGS, &node, &mut problems).ok_or_else(unreadable)?;
    Ok(tenant_file::read(section, &mut problems).0.ok_or_else(unreadable)?.hosts)
}

/// The ids that were given so far.
pub(crate) fn given(tx: &mut Tx<'_>) -> Result<Given> {
    let given = if tx.has_table(&META)? { tables::get(tx, GIVEN)? } else { None };
    let Some(text) = given else { return Ok(Given::default()) };
    serde_json::from_str(&text).map_err(|error| Error::failed(format!("the ids given are unreadable: {error}")))
}

/// Replaces the stored files.
pub(crate) fn put_files(tx: &mut Tx<'_>, files: &Files) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&FILE);
    tx.execute(&sql)?;
    for (path, text) in files.iter() {
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&FILE).push(" (path, content) VALUES (").bind(path).push(", ").bind(text);
        sql.push(")");
        tx.execute(&sql)?;
    }
    Ok(())
}

/// Records the ids of two models: the highest, and those of the old one that the new one lacks.
pub(crate) fn put_given(tx: &mut Tx<'_>, mut given: Given, old: Option<&Model>, new: &Model) -> Result<()> {
    let types = |model: &Model| model.types.iter().map(|found| found.id).collect::<Vec<_>>();
    let properties = |model: &Model| {
        let all = model.types.iter().flat_map(|found| found.properties());
        all.map(|property| property.id).collect::<Vec<_>>()
    };
    for (ids, of) in [(&mut given.types, &types as &dyn Fn(&Model) -> Vec<i64>), (&mut given.properties, &properties)] {
        let present = of(new);
        ids.highest = present.iter().copied().chain([ids.highest]).max().unwrap_or_default();
        ids.retired.extend(old.map(of).unwrap_or_default().into_iter().filter(|id| !present.contains(id)));
    }
    let text = serde_json::to_string(&given).map_err(|error| Error::failed(error.to_string()))?;
    tables::put(tx, GIVEN, &text)
}

/// Loads the files that were applied; nothing in a store that was never applied to.
pub(crate) fn loaded(tx: &mut Tx<'_>) -> Result<Option<Loaded>> {
    let files = files(tx)?;
    if files.is_empty() {
        return Ok(None);
    }
    // What was applied has all its ids; those retired since do not matter to it.
    let broken = |problems: Vec<Diagnostic>| {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        Error::failed(format!("the stored configuration does not load: {first}"))
    };
    load(&files, &Given::default()).map(Some).map_err(broken)
}

/// The model that holds in a store; none where nothing was ever applied to it.
pub(crate) fn model(tx: &mut Tx<'_>) -> Result<Option<Model>> {
    Ok(loaded(tx)?.map(|loaded| loaded.model))
}

/// The model that holds in this store.
pub fn load_stored(tx: &mut Tx<'_>) -> Result<Model> {
    model(tx)?.ok_or_else(|| Error::failed("nothing was ever applied to this store"))
}
