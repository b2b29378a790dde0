//! The platform's own tables in every store, beside those of types.
//!
//! A new subject adds its table to `list`. A store that was made by an earlier version gets what it lacks when its
//! tenant is opened: tables, columns and indexes are added, never changed or dropped.

mod form;
mod list;

pub use form::{LATER, refuse_later};

use crate::audit::chain;
use database::{ColumnSpec, ColumnType, IndexSpec, Name, Store, TableSpec, Tx, Value, ValueRef};
use model::environment::Random;
use model::error::{Error, Result};
use model::table_names::{META, SECRET};
use xxhash_rust::xxh3::xxh3_64;

/// The name of the fingerprint of all tables and secrets, in [`META`].
const FINGERPRINT: &str = "tables";
/// The secrets of a tenant: names and bytes.
const SECRETS: [(&str, usize); 3] = [("etag", 8), ("file", 32), ("cursor", 32)];

/// Derived data that is built anew in a store where its form differs.
#[derive(Clone, Copy, Debug)]
pub struct StoreUpgrade {
    /// The name of its form, in [`META`]; none where it is built anew with every change of the tables.
    pub name: Option<&'static str>,
    /// Returns the form that this version builds on the engine of a transaction.
    pub form: fn(&Tx<'_>) -> String,
    /// Returns a text that differs where the form of either engine does.
    pub forms: fn() -> String,
    /// Builds it anew.
    pub renew: fn(&mut Tx<'_>) -> Result<()>,
}

/// A table of the platform's own, with its indexes.
#[derive(Debug)]
pub struct StoreTable {
    spec: TableSpec,
    indexes: Vec<IndexSpec>,
}

impl StoreTable {
    /// A table whose rows the engine numbers in the column `id`.
    pub fn numbered(name: Name) -> Self {
        StoreTable { spec: TableSpec { name, identity: true, columns: vec![], primary_key: vec![] }, indexes: vec![] }
    }

    /// A table with a primary key of its columns.
    pub fn keyed(name: Name, key: &[&'static str]) -> Self {
        let primary_key = key.iter().copied().map(Name::fixed).collect();
        StoreTable { spec: TableSpec { name, identity: false, columns: vec![], primary_key }, indexes: vec![] }
    }

    /// With one column more.
    pub fn column(mut self, name: &'static str, column: ColumnType) -> Self {
        self.spec.columns.push(ColumnSpec { name: Name::fixed(name), column, references: None });
        self
    }

    /// With an index on these columns.
    pub fn index(mut self, columns: &[&'static str]) -> Self {
        let columns = columns.iter().copied().map(Name::fixed).collect();
        self.indexes.push(IndexSpec { table: self.spec.name.clone(), columns, unique: false });
        self
    }
}

/// Makes what the store lacks.
pub fn install(tx: &mut Tx<'_>, random: &dyn Random, upgrades: &[StoreUpgrade]) -> Result<()> {
    let tables = list::all();
    let present = tx.tables()?;
    if present.iter().any(|found| found.name == META.as_str()) {
        refuse_later(tx)?;
    }
    for table in &tables {
        let found = present.iter().find(|found| found.name == table.spec.name.as_str());
        match found {
            None => tx.create_table(&table.spec)?,
            Some(found) => {
                let has = |column: &ColumnSpec| found.columns.iter().any(|(name, ..)| name == column.name.as_str());
                for column in table.spec.columns.iter().filter(|column| !has(column)) {
                    tx.add_column(&table.spec.name, column)?;
                }
            }
        }
        let has = |index: &IndexSpec| found.is_some_and(|found| found.indexes.contains(&index.name()));
        for index in table.indexes.iter().filter(|index| !has(index)) {
            tx.create_index(index)?;
        }
    }
    tx.prepare_leases()?;
    for (name, length) in SECRETS {
        make_secret(tx, random, name, length)?;
    }
    chain::begin(tx)?;
    for upgrade in upgrades {
        let form = (upgrade.form)(tx);
        match upgrade.name {
            None => (upgrade.renew)(tx)?,
            Some(name) if get(tx, name)?.is_none_or(|built| built != form) => {
                (upgrade.renew)(tx)?;
                put(tx, name, &form)?;
            }
            Some(_) => {}
        }
    }
    form::note(tx)?;
    put(tx, FINGERPRINT, &fingerprint(&tables, upgrades))
}

/// Returns the platform's own tables.
pub fn specs() -> Vec<TableSpec> {
    list::all().into_iter().map(|table| table.spec).collect()
}

/// Builds all derived data anew, in a store whose rows came from another one.
pub fn renew(tx: &mut Tx<'_>, upgrades: &[StoreUpgrade]) -> Result<()> {
    for upgrade in upgrades {
        (upgrade.renew)(tx)?;
        if let Some(name) = upgrade.name {
            let form = (upgrade.form)(tx);
            put(tx, name, &form)?;
        }
    }
    put(tx, FINGERPRINT, &fingerprint(&list::all(), upgrades))
}

/// Makes the secrets of a tenant anew, in a store that began as a copy of another's.
pub fn renew_secrets(tx: &mut Tx<'_>, random: &dyn Random) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&SECRET);
    tx.execute(&sql)?;
    SECRETS.iter().try_for_each(|(name, length)| make_secret(tx, random, name, *length))
}

/// Has the store's epochs begin elsewhere than those of one that had its name before.
pub fn begin_epochs(tx: &mut Tx<'_>, random: &dyn Random) -> Result<()> {
    let mut start = [0; 8];
    random.fill(&mut start);
    // Half of what an integer can count is left to raise them.
    Ok(tx.begin_epochs(i64::from_be_bytes(start) >> 2 & (i64::MAX >> 2))?)
}

/// Makes all in a new store.
pub fn create(tx: &mut Tx<'_>, random: &dyn Random, upgrades: &[StoreUpgrade]) -> Result<()> {
    begin_epochs(tx, random)?;
    install(tx, random, upgrades)
}

/// Brings a store of an earlier version up to this one; costs two look-ups where it is. One that needs a later version
/// is refused.
pub fn upgrade(store: &Store, random: &dyn Random, upgrades: &[StoreUpgrade]) -> Result<()> {
    let current = fingerprint(&list::all(), upgrades);
    let found = store.read_blocking(|tx| {
        refuse_later(tx)?;
        get(tx, FINGERPRINT)
    })?;
    if found.is_some_and(|found| found == current) {
        return Ok(());
    }
    store.write_blocking(|tx| {
        tx.lock_store()?;
        // Another node may have been first.
        if get(tx, FINGERPRINT)?.is_some_and(|found| found == current) {
            return Ok(());
        }
        install(tx, random, upgrades)
    })
}

/// A fact of [`META`].
pub fn get(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&META).push(" WHERE name = ").bind(name);
    let mut content = None;
    tx.query(&sql, &mut |row| {
        content = Some(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(content)
}

/// Writes a fact of [`META`].
pub fn put(tx: &mut Tx<'_>, name: &str, content: &str) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&META).push(" (name, content) VALUES (").bind(name).push(", ").bind(content);
    sql.push(") ON CONFLICT (name) DO UPDATE SET content = excluded.content");
    tx.execute(&sql)?;
    Ok(())
}

/// The secret of that name.
pub fn secret(tx: &mut Tx<'_>, name: &str) -> Result<Vec<u8>> {
    let mut sql = tx.sql();
    sql.push("SELECT secret FROM ").table(&SECRET).push(" WHERE name = ").bind(name);
    let mut secret = None;
    tx.query(&sql, &mut |row| {
        if let ValueRef::Bytes(bytes) = row.get(0, ColumnType::Bytes)? {
            secret = Some(bytes.to_vec());
        }
        Ok(())
    })?;
    secret.ok_or_else(|| Error::failed(format!("the store lacks its secret {name}")))
}

/// Makes a secret where it is missing.
fn make_secret(tx: &mut Tx<'_>, random: &dyn Random, name: &str, length: usize) -> Result<()> {
    let mut secret = vec![0; length];
    random.fill(&mut secret);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&SECRET).push(" (name, secret) VALUES (").bind(name);
    sql.push(", ").bind(Value::Bytes(secret)).push(") ON CONFLICT (name) DO NOTHING");
    tx.execute(&sql)?;
    Ok(())
}

/// Differs where any table, column, index or form does.
fn fingerprint(tables: &[StoreTable], upgrades: &[StoreUpgrade]) -> String {
    let forms = upgrades.iter().filter(|upgrade| upgrade.name.is_some()).map(|upgrade| (upgrade.forms)());
    let forms: Vec<String> = forms.collect();
    let whole = format!("{tables:?}{SECRETS:?} leases form {} {}", form::FORM.0, forms.join(" "));
    format!("{:016x}", xxh3_64(whole.as_bytes()))
}
