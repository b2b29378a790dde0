//! The tables of the platform's own in every store, beside those of types.

use crate::configuration::{self, Files};
use crate::error::{Error, Result};
use crate::kinds::Storage;
use crate::work::Random;
use database::{ColumnSpec, ColumnType, IndexSpec, Name, TableSpec, Tx, Value};

/// API keys.
pub(crate) const KEY: Name = Name::fixed("plinth_key");
/// Counters of failed sign-ins.
pub(crate) const THROTTLE: Name = Name::fixed("plinth_throttle");
/// Secrets of the tenant that the platform made.
pub(crate) const SECRET: Name = Name::fixed("plinth_secret");

/// The configuration's files as they were applied.
pub(crate) const FILE: Name = Name::fixed("plinth_file");
/// How many rows a type has.
pub(crate) const COUNTER: Name = Name::fixed("plinth_counter");

/// The last numbers of `pAutonumber`, for each property and period.
pub(crate) const AUTONUMBER: Name = Name::fixed("plinth_autonumber");

/// Makes keys, throttles and secrets in a new store. The tables of the configuration are made with it.
pub(crate) fn create(tx: &mut Tx<'_>, random: &dyn Random) -> Result<()> {
    tx.create_table(&TableSpec {
        name: KEY,
        identity: true,
        columns: vec![
            column("owner", ColumnType::Integer),
            column("digest", ColumnType::Bytes),
            column("valid_from", ColumnType::Timestamp),
            column("valid_to", ColumnType::Timestamp),
            column("description", ColumnType::Text),
            column("permissions", ColumnType::Text),
            column("origin", ColumnType::Text),
            column("created", ColumnType::Timestamp),
        ],
        primary_key: vec![],
    })?;
    tx.create_index(&IndexSpec { table: KEY, columns: vec![Name::fixed("owner")], unique: false })?;
    tx.create_table(&TableSpec {
        name: THROTTLE,
        identity: false,
        columns: vec![
            column("subject", ColumnType::Text),
            column("tries", ColumnType::Integer),
            column("started", ColumnType::Timestamp),
        ],
        primary_key: vec![Name::fixed("subject")],
    })?;
    tx.create_index(&IndexSpec { table: THROTTLE, columns: vec![Name::fixed("started")], unique: false })?;
    tx.create_table(&TableSpec {
        name: SECRET,
        identity: false,
        columns: vec![column("name", ColumnType::Text), column("secret", ColumnType::Bytes)],
        primary_key: vec![Name::fixed("name")],
    })?;
    let mut seed = vec![0; 8];
    random.fill(&mut seed);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&SECRET).push(" (name, secret) VALUES (").bind("etag");
    sql.push(", ").bind(Value::Bytes(seed)).push(")");
    tx.execute(&sql)?;
    Ok(())
}

/// The seed of the tenant's ETags.
pub(super) fn etag_seed(tx: &mut Tx<'_>) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("SELECT secret FROM ").table(&SECRET).push(" WHERE name = ").bind("etag");
    let mut seed = 0;
    tx.query(&sql, &mut |row| {
        if let database::ValueRef::Bytes(bytes) = row.get(0, ColumnType::Bytes)? {
            seed = bytes.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        }
        Ok(())
    })?;
    Ok(seed)
}

fn column(name: &'static str, column: ColumnType) -> ColumnSpec {
    ColumnSpec { name: Name::fixed(name), column, references: None }
}

/// Makes the tables of the configuration and of the type `user` in a new store.
pub(super) fn create_first(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    tx.create_table(&TableSpec {
        name: FILE,
        identity: false,
        columns: vec![column("path", ColumnType::Text), column("content", ColumnType::Text)],
        primary_key: vec![Name::fixed("path")],
    })?;
    tx.create_table(&TableSpec {
        name: COUNTER,
        identity: false,
        columns: vec![
            column("type", ColumnType::Integer),
            column("slot", ColumnType::Integer),
            column("rows", ColumnType::Integer),
        ],
        primary_key: vec![Name::fixed("type"), Name::fixed("slot")],
    })?;
    tx.create_table(&TableSpec {
        name: AUTONUMBER,
        identity: false,
        columns: vec![
            column("property", ColumnType::Integer),
            column("period", ColumnType::Text),
            column("last", ColumnType::Integer),
        ],
        primary_key: vec![Name::fixed("property"), Name::fixed("period")],
    })?;
    let mut files = Files::default();
    files.insert("tenant.yaml", format!("tenant: {name}\n"));
    apply_first(tx, &files)
}

/// Stores the first files and makes the tables of their types.
pub(crate) fn apply_first(tx: &mut Tx<'_>, files: &Files) -> Result<()> {
    let loaded = configuration::check(files)
        .map_err(|problems| Error::failed(problems.first().map(|problem| problem.render(None)).unwrap_or_default()))?;
    for (path, content) in loaded.files.iter() {
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&FILE).push(" (path, content) VALUES (").bind(path).push(", ").bind(content);
        sql.push(") ON CONFLICT (path) DO UPDATE SET content = excluded.content");
        tx.execute(&sql)?;
    }
    let existing: Vec<String> = tx.tables()?.into_iter().map(|table| table.name).collect();
    for resource_type in loaded.model.types.iter().filter(|of| !existing.iter().any(|name| name == of.table.as_str())) {
        let mut columns = Vec::new();
        for property in &resource_type.fields[1..] {
            if let Storage::Column(column) = property.kind.storage() {
                let references = property.kind.relation().map(|relation| Name::numbered("t", relation.type_id));
                columns.push(ColumnSpec { name: property.column.clone(), column, references });
            }
        }
        let table = resource_type.table.clone();
        tx.create_table(&TableSpec { name: table.clone(), identity: true, columns, primary_key: vec![] })?;
        for set in &resource_type.unique {
            let columns = set.iter().map(|position| resource_type.fields[*position].column.clone()).collect();
            tx.create_index(&IndexSpec { table: table.clone(), columns, unique: true })?;
        }
    }
    for property in loaded.model.types.iter().flat_map(|of| of.properties().iter().map(move |property| (of, property)))
    {
        let (of, property) = property;
        let Storage::Links(value) = property.kind.storage() else { continue };
        if existing.iter().any(|name| name == property.column.as_str()) {
            continue;
        }
        let references = property.kind.relation().map(|relation| Name::numbered("t", relation.type_id));
        tx.create_table(&TableSpec {
            name: property.column.clone(),
            identity: false,
            columns: vec![
                ColumnSpec {
                    name: Name::fixed("owner"),
                    column: ColumnType::Integer,
                    references: Some(of.table.clone()),
                },
                column("position", ColumnType::Integer),
                ColumnSpec { name: Name::fixed("value"), column: value, references },
            ],
            primary_key: vec![Name::fixed("owner"), Name::fixed("position")],
        })?;
        let columns = vec![Name::fixed("value"), Name::fixed("owner")];
        tx.create_index(&IndexSpec { table: property.column.clone(), columns, unique: false })?;
    }
    Ok(tx.raise_configuration()?)
}
