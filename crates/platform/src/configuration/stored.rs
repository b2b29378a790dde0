//! What a tenant's database holds of its configuration: files, ids that were given, counters.

use super::diagnostic::Diagnostic;
use super::files::Files;
use super::identity::Given;
use super::load::{Loaded, load};
use crate::error::{Error, Result};
use crate::types::Model;
use database::{ColumnSpec, ColumnType, Name, TableSpec, Tx};

/// The files as they were applied, byte for byte.
const FILE: Name = Name::fixed("plinth_file");
/// Single facts by name.
const META: Name = Name::fixed("plinth_meta");
/// Numbers of rows: `type`, `slot`, `rows`. The rows of a type are the sum over its slots.
pub(crate) const COUNTER: Name = Name::fixed("plinth_counter");
/// The last numbers of `pAutonumber`, by period.
pub(crate) const AUTONUMBER: Name = Name::fixed("plinth_autonumber");
/// The name of the ids given, in [`META`].
const GIVEN: &str = "ids";

/// Makes the configuration's own tables where they are missing.
pub(crate) fn install(tx: &mut Tx<'_>) -> Result<()> {
    let column = |name, column| ColumnSpec { name: Name::fixed(name), column, references: None };
    let table = |name, columns, key: &[&'static str]| TableSpec {
        name,
        identity: false,
        columns,
        primary_key: key.iter().map(|name| Name::fixed(name)).collect(),
    };
    let tables = [
        table(FILE, vec![column("path", ColumnType::Text), column("content", ColumnType::Text)], &["path"]),
        table(META, vec![column("name", ColumnType::Text), column("content", ColumnType::Text)], &["name"]),
        table(
            COUNTER,
            vec![
                column("type", ColumnType::Integer),
                column("slot", ColumnType::Integer),
                column("rows", ColumnType::Integer),
            ],
            &["type", "slot"],
        ),
        table(
            AUTONUMBER,
            vec![
                column("property", ColumnType::Integer),
                column("period", ColumnType::Text),
                column("last", ColumnType::Integer),
            ],
            &["property", "period"],
        ),
    ];
    let present = tx.tables()?;
    for table in tables.iter().filter(|table| !present.iter().any(|found| found.name == table.name.as_str())) {
        tx.create_table(table)?;
    }
    Ok(())
}

/// Makes other applies wait until this transaction ends.
pub(crate) fn lock(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&META).push(" WHERE name = ").bind(GIVEN).for_update();
    Ok(tx.query(&sql, &mut |_| Ok(()))?)
}

/// The stored files; none in a store that was never applied to.
pub(crate) fn files(tx: &mut Tx<'_>) -> Result<Files> {
    let mut files = Files::default();
    if !installed(tx)? {
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

/// The ids that were given so far.
pub(crate) fn given(tx: &mut Tx<'_>) -> Result<Given> {
    let mut given = None;
    if installed(tx)? {
        let mut sql = tx.sql();
        sql.push("SELECT content FROM ").table(&META).push(" WHERE name = ").bind(GIVEN);
        tx.query(&sql, &mut |row| {
            given = Some(row.text(0)?.to_owned());
            Ok(())
        })?;
    }
    let Some(text) = given else { return Ok(Given::default()) };
    serde_json::from_str(&text).map_err(|error| Error::failed(format!("the ids given are unreadable: {error}")))
}

fn installed(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tx.tables()?.iter().any(|table| table.name == META.as_str()))
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
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&META).push(" (name, content) VALUES (").bind(GIVEN).push(", ").bind(text);
    sql.push(") ON CONFLICT (name) DO UPDATE SET content = excluded.content");
    tx.execute(&sql)?;
    Ok(())
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

/// The model that holds in this store.
pub fn load_stored(tx: &mut Tx<'_>) -> Result<Model> {
    let loaded = loaded(tx)?.ok_or_else(|| Error::failed("nothing was ever applied to this store"))?;
    Ok(loaded.model)
}
