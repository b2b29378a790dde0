//! The platform's own tables in every store, beside those of types.
//!
//! A new subject adds its table to `list`. A store that was made by an earlier version gets what it lacks when its
//! tenant is opened: tables, columns and indexes are added, never changed or dropped.

mod list;

pub(crate) use list::{
    ATTACHMENT, AUDIT, AUTOMATION, AUTONUMBER, CHALLENGE, CHALLENGE_METHOD, COUNTER, FILE, HOOK, KEY, META,
    NAMED_SECRET, NOTIFICATION, OUTBOX, READ_LOG, RECALCULATION, RESET, RUN, RUN_LIST, RUN_STEP, SCHEDULE, SECRET,
    SESSION, TAG, TAGGED, TALLY, THROTTLE,
};

use crate::audit;
use crate::error::{Error, Result};
use crate::resources::{search, tally};
use crate::work::Random;
use database::{ColumnSpec, ColumnType, IndexSpec, Name, Store, TableSpec, Tx, Value, ValueRef};
use xxhash_rust::xxh3::xxh3_64;

/// The name of the fingerprint of all tables and secrets, in [`META`].
const FINGERPRINT: &str = "tables";
/// The name of what the full text indexes were built with, in [`META`].
const SEARCH: &str = "search";
/// The name of how numbers of rows by value are counted, in [`META`].
const COUNTED: &str = "tally";
/// The secrets of a tenant: names and bytes.
const SECRETS: [(&str, usize); 3] = [("etag", 8), ("file", 32), ("cursor", 32)];

/// A table of the platform's own, with its indexes.
#[derive(Debug)]
pub(crate) struct Table {
    spec: TableSpec,
    indexes: Vec<IndexSpec>,
}

impl Table {
    /// A table whose rows the engine numbers in the column `id`.
    pub(crate) fn numbered(name: Name) -> Self {
        Table { spec: TableSpec { name, identity: true, columns: vec![], primary_key: vec![] }, indexes: vec![] }
    }

    /// A table with a primary key of its columns.
    pub(crate) fn keyed(name: Name, key: &[&'static str]) -> Self {
        let primary_key = key.iter().copied().map(Name::fixed).collect();
        Table { spec: TableSpec { name, identity: false, columns: vec![], primary_key }, indexes: vec![] }
    }

    /// With one column more.
    pub(crate) fn column(mut self, name: &'static str, column: ColumnType) -> Self {
        self.spec.columns.push(ColumnSpec { name: Name::fixed(name), column, references: None });
        self
    }

    /// With an index on these columns.
    pub(crate) fn index(mut self, columns: &[&'static str]) -> Self {
        let columns = columns.iter().copied().map(Name::fixed).collect();
        self.indexes.push(IndexSpec { table: self.spec.name.clone(), columns, unique: false });
        self
    }
}

/// Makes what the store lacks.
pub(crate) fn install(tx: &mut Tx<'_>, random: &dyn Random) -> Result<()> {
    let tables = list::all();
    let present = tx.tables()?;
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
    audit::begin(tx)?;
    if get(tx, SEARCH)?.is_none_or(|built| built != search::form()) {
        search::renew(tx)?;
        put(tx, SEARCH, &search::form())?;
    }
    if get(tx, COUNTED)?.is_none_or(|counted| counted != tally::FORM) {
        tally::renew(tx)?;
        put(tx, COUNTED, tally::FORM)?;
    }
    put(tx, FINGERPRINT, &fingerprint(&tables))
}

/// Makes all in a new store.
pub(crate) fn create(tx: &mut Tx<'_>, random: &dyn Random) -> Result<()> {
    let mut start = [0; 8];
    random.fill(&mut start);
    // Half of what an integer can count is left to raise them.
    tx.begin_epochs(i64::from_be_bytes(start) >> 2 & (i64::MAX >> 2))?;
    install(tx, random)
}

/// Brings a store of an earlier version up to this one; costs a look-up where it is.
pub(crate) fn upgrade(store: &Store, random: &dyn Random) -> Result<()> {
    let current = fingerprint(&list::all());
    if store.read_blocking(|tx| get(tx, FINGERPRINT))?.is_some_and(|found| found == current) {
        return Ok(());
    }
    store.write_blocking(|tx| {
        tx.alone()?;
        install(tx, random)
    })
}

/// A fact of [`META`].
pub(crate) fn get(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
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
pub(crate) fn put(tx: &mut Tx<'_>, name: &str, content: &str) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&META).push(" (name, content) VALUES (").bind(name).push(", ").bind(content);
    sql.push(") ON CONFLICT (name) DO UPDATE SET content = excluded.content");
    tx.execute(&sql)?;
    Ok(())
}

/// The secret of that name.
pub(crate) fn secret(tx: &mut Tx<'_>, name: &str) -> Result<Vec<u8>> {
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

/// Differs where any table, column or index does.
fn fingerprint(tables: &[Table]) -> String {
    format!("{:016x}", xxh3_64(format!("{tables:?}{SECRETS:?} leases {} {}", search::form(), tally::FORM).as_bytes()))
}
